// The newest view of every model's embeddings, shared by all searches, and what was found amiss.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "store/embedding_view.h"
#include "store/loaded_models.h"
#include "store/readers.h"

namespace tsmini {

class EmbeddingViews {
 public:
  explicit EmbeddingViews(Readers& readers) : readers_(readers) {}

  // The view of the transaction that the lease is in, in which the model has seen rows below
  // `embedded`. Throws Outdated.
  std::shared_ptr<const EmbeddingView> get(const LoadedModel& model, std::int64_t embedded,
                                           const Readers::Lease& lease, Layout layout);
  // In place of one whose index turned out to be damaged as it was used.
  std::shared_ptr<const EmbeddingView> without_index(const LoadedModel& model,
                                                     const Readers::Lease& lease, Layout layout,
                                                     const EmbeddingView& damaged,
                                                     const DamagedFile& damage);
  // Forgets the views of other models, which are not needed any more.
  void keep_only(const LoadedModels::List& models);

  // Once, however often it is found.
  void add_note(const std::string& note);
  std::vector<std::string> notes() const;

 private:
  std::string newest_index_name(std::int64_t model) const;
  void remember(const std::string& note);  // under the lock

  Readers& readers_;
  mutable std::mutex mutex_;
  std::map<std::int64_t, std::shared_ptr<const EmbeddingView>> views_;  // by number of the model
  std::vector<std::string> notes_;
};

}  // namespace tsmini
