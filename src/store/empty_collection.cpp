#include "store/empty_collection.h"

#include <string>

#include "base/checksum.h"
#include "store/creation.h"
#include "store/folder.h"
#include "store/layout.h"
#include "store/loaded_models.h"
#include "store/model_record.h"
#include "store/records.h"
#include "store/sqlite.h"

namespace tsmini {
namespace {

void write_empty(const NewCollection& made, const Space& space, const Model* model,
                 std::optional<IndexKind> kind) {
  if (model) model->save(made.model());
  Database database(made.database(), Database::Access::create);
  // Nobody sees the file before it was synchronised as a whole.
  database.run("PRAGMA page_size = 8192; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF");
  Transaction writing(database, Transaction::Kind::write);
  database.run(schema);
  set_fact(database, "format", std::to_string(current_format));
  set_fact(database, "identity", random_digits(32));
  set_fact(database, "space", space.to_json());
  if (model) {
    ModelRecord record;
    record.name = name_of(model->measure);
    record.file = CollectionFolder::model_name(1);
    record.checksum = file_checksum(made.model());
    record.kind = kind;
    record.insert(database);
    make_model_tables(database, 1);
  }
  writing.commit();
  // Last, so that nothing is in a log, which would not come along.
  database.run("PRAGMA journal_mode = WAL");
}

}  // namespace

void make_empty_collection(const std::filesystem::path& folder, const Space& space,
                           const Model* model, std::optional<IndexKind> kind) {
  NewCollection made(folder);
  write_empty(made, space, model, kind);
  made.publish();
}

}  // namespace tsmini
