// clang-format off
#include "simd/targets.h"
#include <hwy/highway.h>
// clang-format on

#include "tsmini/simd.h"

#include <cstdint>
#include <cstdlib>
#include <string>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/utf8.h"
#include "simd/dispatch.h"

namespace tsmini {
namespace {

std::int64_t usable_targets() {
  static const std::int64_t targets = hwy::SupportedTargets() & HWY_TARGETS;
  return targets;
}

// Better targets have lower bits.
std::int64_t lowest_of(std::int64_t targets) {
  return targets & -targets;
}

void use(std::int64_t target) {
  hwy::SetSupportedTargetsForTest(target);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

std::int64_t target_named(std::string_view name) {
  std::string list;
  for (std::int64_t left = usable_targets(); left != 0; left &= left - 1) {
    const std::string_view candidate = hwy::TargetName(lowest_of(left));
    if (candidate == name) return lowest_of(left);
    list += fmt::format("{}{}", list.empty() ? "" : ", ", candidate);
  }
  throw Error(ErrorCode::usage, fmt::format("no SIMD target '{}' on this machine", printable(name)),
              fmt::format("it has {}", list), "target");
}

}  // namespace

void choose_simd_target() {
  static const bool chosen = [] {
    const std::int64_t targets = usable_targets();
    const char* wanted = std::getenv("TSMINI_SIMD");
    use(wanted != nullptr && *wanted != '\0' ? target_named(wanted) : targets);
    return true;
  }();
  static_cast<void>(chosen);
}

std::vector<std::string_view> simd_targets() {
  std::vector<std::string_view> names;
  for (std::int64_t left = usable_targets(); left != 0; left &= left - 1) {
    names.emplace_back(hwy::TargetName(lowest_of(left)));
  }
  return names;
}

std::string_view simd_target() {
  choose_simd_target();
  return hwy::TargetName(lowest_of(hwy::SupportedTargets() & HWY_TARGETS));
}

void force_simd_target(std::string_view name) {
  choose_simd_target();
  use(target_named(name));
}

}  // namespace tsmini
