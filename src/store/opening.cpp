#include "store/opening.h"

#include "base/text.h"
#include "store/creation.h"
#include "store/layout.h"
#include "store/model_record.h"
#include "store/records.h"

namespace tsmini {
namespace {

void check_format(const CollectionFolder& folder, Database& database) {
  check_finished(folder, database);
  const auto number = integer_from(fact(database, "format"));
  if (!number) {
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: is not a collection", folder.path().string()),
                "convert raw data with `import_files()`, and make one of that with `create()`");
  }
  if (*number > current_format) {
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: has version {}, but this tsmini reads up to {}",
                            folder.path().string(), *number, current_format),
                "it was written by a newer tsmini; install that one");
  }
  // Pages of tsmini 0.1 have no room for any.
  const bool has_room = *number > first_format && fact(database, "upgraded_from").empty();
  if (has_room && !database.has_checksums()) {
    throw Error(
        ErrorCode::bad_input,
        fmt::format("{}: is damaged: its pages should have checksums", folder.database().string()),
        "restore the folder from a copy, or make the collection again");
  }
}

}  // namespace

OpenedCollection::OpenedCollection(const CollectionFolder& folder) {
  check_finished(folder);
  Readers readers(folder);
  read_anew(readers, folder, [&](const Readers::Lease& lease) {
    check_format(folder, *lease);
    identity = fact(*lease, "identity");
    const Layout layout = layout_of(*lease);
    models = std::make_unique<LoadedModels>(folder, identity);
    // In the first layout the space is that of the model.
    space = layout == Layout::current
                ? Space::from_json(fact(*lease, "space"))
                : models->get(ModelRecord::read_all(*lease, layout), readers)[0]->model.space;
    stamp = lease.stamp();
    return true;
  });
}

}  // namespace tsmini
