// The models of a collection in memory, ready to embed. Any number of threads may ask.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tsmini/encoder.h"
#include "tsmini/model.h"

#include "store/folder.h"
#include "store/index_record.h"
#include "store/model_record.h"
#include "store/read_connections.h"

namespace tsmini {

struct LoadedModel {
  LoadedModel(const CollectionFolder& folder, const std::string& identity,
              const ModelRecord& record, Model its_model);

  std::int64_t number;
  std::string name, checksum;
  std::optional<IndexKind> kind;  // of its index
  Model model;
  Encoder encoder;
  IndexOwner owner;
};

class LoadedModels {
 public:
  using List = std::vector<std::shared_ptr<const LoadedModel>>;

  LoadedModels(CollectionFolder folder, std::string identity)
      : folder_(std::move(folder)), identity_(std::move(identity)) {}

  // The models of a transaction of the readers, in the order of its records; others are forgotten.
  // Throws Error(bad_input) where a file is not the one that its record speaks of, and Outdated
  // where it went with its model since the transaction began.
  List get(const std::vector<ModelRecord>& records, Readers& readers);
  // The same, with null for a model whose file is lost, and a note of each in `notes`.
  List get_present(const std::vector<ModelRecord>& records, Readers& readers,
                   std::vector<std::string>& notes);
  // The models that a database of the current layout has now, outside of transactions, while others
  // may remove some.
  List get_current(Database& database);

 private:
  // Without `notes` a lost file is an error.
  List load(const std::vector<ModelRecord>& records, std::vector<std::string>* notes = nullptr);
  static void check_current(const std::vector<ModelRecord>& records, Readers& readers);

  CollectionFolder folder_;
  std::string identity_;
  std::mutex loading_;
  List loaded_;
};

}  // namespace tsmini
