#include "store/loaded_models.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/checksum.h"
#include "base/utf8.h"

namespace tsmini {
namespace {

Model read_model(const CollectionFolder& folder, const ModelRecord& record) {
  const std::filesystem::path file = folder.path() / record.file;
  if (file_checksum(file) != record.checksum) {
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: is not the model that made the embeddings of the collection",
                            file.string()),
                "put back the model that it was made with, or remove it: `remove_model()`");
  }
  return Model::load(file);
}

}  // namespace

LoadedModel::LoadedModel(const CollectionFolder& folder, const std::string& identity,
                         const ModelRecord& record, Model its_model)
    : number(record.number),
      name(record.name),
      checksum(record.checksum),
      kind(record.kind),
      model(std::move(its_model)),
      encoder(model),
      owner{folder, identity, record.number, model.net.dimension, model.net.metric} {}

LoadedModels::List LoadedModels::load(const std::vector<ModelRecord>& records,
                                      std::vector<std::string>* notes) {
  const std::lock_guard lock(loading_);
  List list;
  for (const ModelRecord& record : records) {
    const auto place = std::find_if(loaded_.begin(), loaded_.end(), [&](const auto& model) {
      return model->number == record.number && model->checksum == record.checksum;
    });
    if (place != loaded_.end()) {
      list.push_back(*place);
      continue;
    }
    try {
      list.push_back(std::make_shared<const LoadedModel>(folder_, identity_, record,
                                                         read_model(folder_, record)));
    } catch (const Error& error) {
      if (!notes) throw;
      list.push_back(nullptr);
      notes->push_back(
          fmt::format("{}; searches go on without the model '{}' (put its file back, or remove it: "
                      "`remove_model()`)",
                      error.what(), printable(record.name)));
    }
  }
  loaded_ = list;
  std::erase(loaded_, nullptr);
  return list;
}

// Models may have gone, with their files, since the transaction of the records began.
void LoadedModels::check_current(const std::vector<ModelRecord>& records, Readers& readers) {
  const auto now = readers.read([](const Readers::Lease& another) {
    return numbers_of(ModelRecord::read_all(*another, layout_of(*another)));
  });
  const std::vector<std::int64_t> then = numbers_of(records);
  if (!std::includes(now.begin(), now.end(), then.begin(), then.end())) throw Outdated();
}

LoadedModels::List LoadedModels::get(const std::vector<ModelRecord>& records, Readers& readers) {
  try {
    return load(records);
  } catch (const Error&) {
    check_current(records, readers);
    throw;
  }
}

LoadedModels::List LoadedModels::get_present(const std::vector<ModelRecord>& records,
                                             Readers& readers, std::vector<std::string>& notes) {
  List list = load(records, &notes);
  if (!notes.empty()) check_current(records, readers);
  return list;
}

LoadedModels::List LoadedModels::get_current(Database& database) {
  for (;;) {
    const std::vector<ModelRecord> records = ModelRecord::read_all(database, Layout::current);
    try {
      return load(records);
    } catch (const Error&) {
      const auto now = ModelRecord::read_all(database, Layout::current);
      if (numbers_of(now) == numbers_of(records)) throw;
    }
  }
}

}  // namespace tsmini
