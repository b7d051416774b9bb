// The table of tensors: what the documentation says of it, and what is refused by it.
#include "model/architecture.h"

#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

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

TEST(Architecture, ConstantsStandInTheDocs) {
  const std::string page = read_file(TSMINI_SOURCE_DIR "/docs/formats.md");
  for (const std::string& words :
       {fmt::format("heads of {} numbers", head_size), fmt::format("{:.0e} is added", norm_epsilon),
        fmt::format("the slope {}", leak), fmt::format("divided by {};", sum_divisor),
        fmt::format("its length or {:.0e}", least_length),
        fmt::format("p · {}^(-2 i / n)", slowest_turn)}) {
    EXPECT_TRUE(page.find(std::regex_replace(words, std::regex("e-0"), "e-")) != std::string::npos)
        << words;
  }
}

// A number in words of the settings, such as "32·(H + 2·K)".
class Size {
 public:
  Size(const std::string& words, const std::map<char, std::size_t>& letters) : letters_(letters) {
    for (const char c : std::regex_replace(words, std::regex("·"), "*")) {
      if (c != ' ') words_ += c;
    }
  }

  std::size_t value() {
    const std::size_t found = sum();
    EXPECT_EQ(at_, words_.size()) << words_;
    return found;
  }

 private:
  bool takes(char c) {
    if (at_ == words_.size() || words_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::size_t sum() {
    std::size_t found = product();
    while (takes('+')) found += product();
    return found;
  }
  std::size_t product() {
    std::size_t found = factor();
    while (takes('*')) found *= factor();
    return found;
  }
  std::size_t factor() {
    if (takes('(')) {
      const std::size_t found = sum();
      EXPECT_TRUE(takes(')')) << words_;
      return found;
    }
    if (const auto letter = letters_.find(words_.at(at_)); letter != letters_.end()) {
      ++at_;
      return letter->second;
    }
    std::size_t digits = 0;
    const std::size_t found = std::stoul(words_.substr(at_), &digits);
    at_ += digits;
    return found;
  }

  const std::map<char, std::size_t>& letters_;
  std::string words_;
  std::size_t at_ = 0;
};

TEST(Architecture, ShapesAreWhatTheirWordsSay) {
  for (NetSettings settings : kinds()) {
    settings.dimension = 96;
    settings.fourier_octaves = 5;
    settings.heads = 6;
    settings.key_heads = 2;
    settings.hidden = 40;
    settings.pooling = {Pool::mean, Pool::max, Pool::last};
    const std::map<char, std::size_t> letters{{'D', 96}, {'F', 5}, {'H', 6}, {'K', 2},
                                              {'N', 40}, {'P', 3}, {'C', 7}};
    for (const TensorSpec& tensor : network_tensors(settings, 7)) {
      const std::string words(tensor.sizes.substr(1, tensor.sizes.size() - 2));
      std::vector<std::size_t> shape;
      for (std::size_t from = 0, comma = 0; comma != std::string::npos; from = comma + 1) {
        comma = words.find(',', from);
        shape.push_back(Size(words.substr(from, comma - from), letters).value());
      }
      EXPECT_EQ(shape, tensor.shape) << tensor.name;
    }
  }
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
