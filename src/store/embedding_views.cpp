#include "store/embedding_views.h"

#include <algorithm>

namespace tsmini {

std::shared_ptr<const EmbeddingView> EmbeddingViews::get(const LoadedModel& model,
                                                         std::int64_t embedded,
                                                         const Readers::Lease& lease,
                                                         Layout layout) {
  const std::int64_t change = current_change(*lease);
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const EmbeddingView>& view = views_[model.number];
  if (view && view->state().change == change) return view;
  if (view && view->state().change > change) throw Outdated();
  auto made = EmbeddingView::make(model.owner, *lease, layout, CollectionState::read(*lease),
                                  embedded, view.get());
  if (!made->note().empty() && made->index_name() != newest_index_name(model.number)) {
    throw Outdated();
  }
  if (!lease.is_sound()) throw Outdated();
  if (!made->note().empty()) remember(made->note());
  view = made;
  return made;
}

std::shared_ptr<const EmbeddingView> EmbeddingViews::without_index(const LoadedModel& model,
                                                                   const Readers::Lease& lease,
                                                                   Layout layout,
                                                                   const EmbeddingView& damaged,
                                                                   const DamagedFile& damage) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const EmbeddingView>& view = views_[model.number];
  const bool is_newest = view && view->state().change == damaged.state().change;
  if (is_newest && !view->index()) return view;  // another search has met it before
  auto made = damaged.without_index(model.owner, *lease, layout, damage);
  if (!lease.is_sound()) return made;
  remember(made->note());
  if (is_newest) view = made;
  return made;
}

void EmbeddingViews::keep_only(const LoadedModels::List& models) {
  const std::lock_guard lock(mutex_);
  std::erase_if(views_, [&](const auto& entry) {
    return std::none_of(models.begin(), models.end(),
                        [&](const auto& model) { return model && model->number == entry.first; });
  });
}

void EmbeddingViews::add_note(const std::string& note) {
  const std::lock_guard lock(mutex_);
  remember(note);
}

void EmbeddingViews::remember(const std::string& note) {
  if (std::find(notes_.begin(), notes_.end(), note) == notes_.end()) notes_.push_back(note);
}

std::vector<std::string> EmbeddingViews::notes() const {
  const std::lock_guard lock(mutex_);
  return notes_;
}

std::string EmbeddingViews::newest_index_name(std::int64_t model) const {
  return readers_.read([&](const Readers::Lease& another) {
    return IndexRecord::read(*another, layout_of(*another), model).name;
  });
}

}  // namespace tsmini
