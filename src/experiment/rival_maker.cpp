#include "experiment/rival_maker.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include "tsmini/embedding.h"
#include "tsmini/error.h"

#include "base/checksum.h"
#include "base/npy.h"
#include "experiment/record.h"

namespace tsmini::experiment {
namespace {

using Json = nlohmann::ordered_json;

std::vector<float> distances_among(std::span<const float> rows, std::size_t n,
                                   const EmbeddingMetric& metric) {
  const std::size_t dimension = rows.size() / n;
  std::vector<float> distances(n * n);
  tbb::parallel_for(std::size_t{0}, n, [&](std::size_t i) {
    for (std::size_t j = 0; j < n; ++j)
      distances[i * n + j] = static_cast<float>(embedding_distance(
          metric, rows.subspan(i * dimension, dimension), rows.subspan(j * dimension, dimension)));
  });
  return distances;
}

Error unfit(const std::filesystem::path& file, const std::string& why) {
  return Error(ErrorCode::bad_input, fmt::format("{}: {}", file.string(), why));
}

Predicted read_answer(const std::filesystem::path& file, const Json& told, std::size_t trips) {
  const NpyArray array(file);
  const auto& shape = array.header().shape;
  const bool fits = array.header().type == NpyType::float32 && shape.size() == 2 &&
                    shape[0] == trips && shape[1] > 0;
  try {
    const bool square = told.at("distances");
    if (!fits || (square && shape[1] != trips))
      throw unfit(file, fmt::format("not of {} test trips", trips));
    const auto values = array.values<float>();
    if (!std::all_of(values.begin(), values.end(), [](float x) { return std::isfinite(x); }))
      throw unfit(file, "has values that are not finite");
    Predicted predicted;
    predicted.seconds = told.at("seconds");
    predicted.distances =
        square ? std::vector<float>(values.begin(), values.end())
               : distances_among(values, trips,
                                 {metric_kind_from(told.at("metric").get<std::string>())});
    return predicted;
  } catch (const Json::exception&) {
    throw unfit(file, "its record lacks something");
  }
}

// What was kept; none where there is nothing, or it was damaged.
std::optional<Predicted> kept_answer(const std::filesystem::path& answer,
                                     const std::filesystem::path& record, std::size_t trips) {
  if (!std::filesystem::is_regular_file(answer) || !std::filesystem::is_regular_file(record))
    return {};
  try {
    const Json told = read_record(record);
    if (told.at("contents") != file_checksum(answer)) return {};
    return read_answer(answer, told, trips);
  } catch (const Json::exception&) {
    return {};
  } catch (const Error& error) {
    if (error.code() == ErrorCode::failure) throw;
    return {};
  }
}

// What an earlier run of the same name said, whose record was removed.
void remove_answers(const std::filesystem::path& folder, const std::string& name) {
  std::vector<std::filesystem::path> old;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().filename().string().starts_with(name + "-")) old.push_back(entry.path());
  for (const std::filesystem::path& path : old) std::filesystem::remove(path);
}

}  // namespace

RivalMaker::RivalMaker(const std::filesystem::path& folder, std::string device, std::size_t threads,
                       RivalTools tools)
    : folder_(std::filesystem::absolute(folder)),  // no name that looks like an option
      device_(std::move(device)),
      threads_(threads),
      tools_(std::move(tools)),
      data_(folder_) {}

Json RivalMaker::told(std::vector<std::string> words, const Progress& progress) {
  if (tools_.program.empty()) tools_.program = found_program(program_folders());
  words.insert(words.end(), {"--device", device_, "--json"});
  if (threads_ > 0) words.insert(words.end(), {"--threads", std::to_string(threads_)});
  if (!tools_.tell) words.emplace_back("--quiet");
  return RivalProgram(tools_.program).run(std::move(words), progress, tools_.tell);
}

RivalRun RivalMaker::run_of(const std::string& name, const Dataset& data,
                            const RivalRequest& request, const std::string& label,
                            const Progress& progress) {
  const RivalFile file(folder_, name);
  std::vector<std::string> words{"train",     data_.path_of(data, contents_of(data)).string(),
                                 "--rival",   std::string(request.contender.rival.name),
                                 "--measure", std::string(name_of(request.measure)),
                                 "--space",   std::string(name_of(request.space)),
                                 "--seed",    std::to_string(request.seed),
                                 "-o",        file.weights().string()};
  if (request.seconds)
    words.insert(words.end(), {"--seconds", fmt::format("{}", *request.seconds)});
  if (request.contender.as_released) words.emplace_back("--as-released");
  // Should all end here, nothing is left that was said of other weights.
  file.remove();
  remove_answers(folder_, name);
  return file.save(told(std::move(words), progress), label);
}

Predicted RivalMaker::distances_of(const RivalRun& run, const Dataset& data, bool moved,
                                   const Progress& progress) {
  const std::string contents = contents_of(data);
  const std::string name = fmt::format("{}-{}{}", run.name, contents, moved ? "-moved" : "");
  const std::filesystem::path answer = folder_ / (name + ".npy"),
                              record = folder_ / (name + ".json");
  const std::size_t trips = data.indices_of(Part::test).size();
  if (std::optional<Predicted> kept = kept_answer(answer, record, trips)) return *kept;
  std::vector<std::string> words{"embed", RivalFile(folder_, run.name).weights().string(),
                                 data_.path_of(data, contents).string(), "-o", answer.string()};
  if (moved) words.emplace_back("--move");
  try {
    Json answered = told(std::move(words), progress);
    Predicted predicted = read_answer(answer, answered, trips);
    answered["contents"] = file_checksum(answer);
    write_record(record, answered);
    return predicted;
  } catch (const RivalFailed& error) {
    // The weights of the run may be damaged: the next time they are made again.
    if (error.code() == ErrorCode::bad_input) RivalFile(folder_, run.name).remove();
    throw;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::bad_input) throw;
    throw RivalFailed(ErrorCode::failure, error.what(),
                      "use a tsmini-rivals of the same version as tsmini");
  }
}

}  // namespace tsmini::experiment
