// The table of tensors: what the documentation says of it, and what is refused by it.
#include "model/architecture.h"

#include <regex>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tsmini/model_cost.h"

#include "support/error_expectation.h"
#include "support/files.h"

namespace tsmini {
namespace {

std::vector<NetSettings> kinds() {
  NetSettings vanilla, cells;
  vanilla.block = BlockKind::vanilla;
  cells.sub_views = false;
  return {{}, vanilla, cells};
}

TEST(Architecture, FormatsListsEveryTensor) {
  std::set<std::string> rows;
  for (const NetSettings& settings : kinds()) {
    for (const TensorSpec& tensor : network_tensors(settings, 3))
      rows.insert(fmt::format("| `{}` | {} | {} |",
                              std::regex_replace(tensor.name, std::regex("layers\\.0"), "layers.I"),
                              tensor.sizes, tensor.meaning));
  }
  const std::string page = read_file(TSMINI_SOURCE_DIR "/docs/formats.md");
  for (const std::string& row : rows) EXPECT_TRUE(page.find(row) != std::string::npos) << row;
  const std::regex listed("\n\\| `(sub_views|cells|layers|head)\\.");
  const auto count =
      std::distance(std::sregex_iterator(page.begin(), page.end(), listed), std::sregex_iterator());
  EXPECT_EQ(static_cast<std::size_t>(count), rows.size());
}

// Counted by hand from the paper's figure, but for gains, shifts and biases.
TEST(Architecture, TheReleasedNetworkHasItsSize) {
  EXPECT_EQ(parameter_count(NetSettings{}), 328'240U);
}

std::map<std::string, Tensor, std::less<>> tensors_of(const NetSettings& settings) {
  std::map<std::string, Tensor, std::less<>> tensors;
  for (const TensorSpec& spec : network_tensors(settings, 3))
    tensors[spec.name] = {spec.shape, std::vector<float>(spec.size())};
  return tensors;
}

TEST(Architecture, WhatDoesNotFitIsRefused) {
  for (const NetSettings& settings : kinds()) {
    const auto good = tensors_of(settings);
    check_tensors(settings, good);
    for (const auto& [name, tensor] : good) {
      auto tensors = good;
      tensors.erase(name);
      expect_error(ErrorCode::bad_input, "has no tensor '" + name + "'", "settings",
                   [&] { check_tensors(settings, tensors); });
      tensors = good;
      tensors[name].shape.push_back(1);
      expect_error(ErrorCode::bad_input, "has the shape", "settings",
                   [&] { check_tensors(settings, tensors); });
      tensors = good;
      tensors[name + "2"] = tensor;
      expect_error(ErrorCode::bad_input, name + "2' that its settings do not know", "settings",
                   [&] { check_tensors(settings, tensors); });
    }
  }
}

}  // namespace
}  // namespace tsmini
