#include "common/pace.h"

namespace tsmini::cli {

void Pace::add(double seconds, std::uint64_t done) {
  if (!before_ || done < now_.done) {
    before_ = done;
    samples_.clear();
  }
  now_ = {seconds, done};
  if (done == *before_) return;
  if (samples_.empty()) {
    start_ = seconds;
    samples_.push_back(now_);
    return;
  }
  const double elapsed = seconds - start_;
  constexpr double most_samples = 64;  // about, however often it is called
  const Sample& last = samples_.back();
  if (done > last.done && seconds - last.seconds >= elapsed / most_samples) {
    samples_.push_back(now_);
  }
  while (samples_.size() > 1 && samples_[1].seconds <= start_ + elapsed / 2) samples_.pop_front();
}

std::optional<double> Pace::rate() const {
  constexpr double soonest = 3;
  if (samples_.empty() || now_.seconds - start_ < soonest) return std::nullopt;
  const Sample& first = samples_.front();
  if (now_.done == first.done) return std::nullopt;
  return static_cast<double>(now_.done - first.done) / (now_.seconds - first.seconds);
}

std::optional<double> Pace::seconds_left(std::uint64_t total) const {
  const std::optional<double> pace = rate();
  if (!pace || !(*pace > 0) || total <= now_.done) return std::nullopt;
  return static_cast<double>(total - now_.done) / *pace;
}

}  // namespace tsmini::cli
