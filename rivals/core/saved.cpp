#include "rivals/core/saved.h"

#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tsmini/error.h"
#include "tsmini/version.h"

namespace tsmini::rivals {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format = "tsmini rival 1";

}  // namespace

Tensors net_of(const Rival& rival) {
  Tensors tensors;
  for (const auto& item : rival.named_parameters()) tensors["net." + item.key()] = item.value();
  for (const auto& item : rival.named_buffers()) tensors["net." + item.key()] = item.value();
  return tensors;
}

void give_net(Rival& rival, const Tensors& tensors, bool moved) {
  const torch::NoGradGuard no_grad;
  const auto give = [&](const std::string& name, Tensor target) {
    const auto found = tensors.find("net." + name);
    if (found == tensors.end() || found->second.sizes() != target.sizes())
      throw Error(ErrorCode::bad_input, fmt::format("the rival has no fitting '{}'", name),
                  "train it again");
    target.copy_(found->second);
  };
  for (const auto& item : rival.named_parameters()) give(item.key(), item.value());
  for (const auto& item : rival.named_buffers())
    if (!moved || !rival.is_of_ground(item.key())) give(item.key(), item.value());
}

void save_rival(const std::filesystem::path& path, const SavedRival& saved) {
  Tensors tensors = tensors_of(saved.ground);
  tensors.merge(net_of(*saved.rival));
  Json settings = {{"rival", saved.kind->name},
                   {"measure", name_of(saved.settings.measure)},
                   {"space", name_of(saved.space)},
                   {"seed", saved.settings.seed},
                   {"released", saved.settings.released}};
  if (saved.settings.cell_seconds) settings["cell_seconds"] = *saved.settings.cell_seconds;
  save_tensors(path, tensors,
               {{"format", format},
                {"tsmini", std::string(version())},
                {"settings", settings.dump()},
                {"ground", saved.ground.facts()}});
}

SavedRival load_rival(const std::filesystem::path& path, const torch::Device& device) {
  const LoadedTensors loaded = load_tensors(path);
  SavedRival saved;
  try {
    if (loaded.metadata.contains("tsmini") && !loaded.metadata.contains("format"))
      throw Error(ErrorCode::bad_input, "is a model, not a rival", "use tsmini evaluate or embed");
    if (loaded.metadata.at("format") != format) throw std::out_of_range("format");
    const Json settings = Json::parse(loaded.metadata.at("settings"));
    saved.kind = &rival_named(settings.at("rival").get<std::string>());
    saved.settings.seed = settings.at("seed");
    saved.settings.measure = measure_from(settings.at("measure").get<std::string>());
    saved.space = space_kind_from(settings.at("space").get<std::string>());
    for (const Json& name : settings.at("released"))
      saved.settings.released.insert(name.get<std::string>());
    if (settings.contains("cell_seconds"))
      saved.settings.cell_seconds = settings.at("cell_seconds").get<double>();
    saved.settings.device = device;
    saved.ground = ground_from(loaded.metadata.at("ground"), loaded.tensors);
    saved.rival = saved.kind->make(saved.settings, saved.ground);
    give_net(*saved.rival, loaded.tensors);
  } catch (const Error& error) {
    throw Error(ErrorCode::bad_input, fmt::format("{}: {}", path.string(), error.what()),
                error.hint());
  } catch (const std::exception&) {
    throw Error(ErrorCode::bad_input, fmt::format("{}: not a rival of this program", path.string()),
                "make one with tsmini-rivals train");
  }
  saved.rival->eval();
  return saved;
}

}  // namespace tsmini::rivals
