// The index file of a collection.
#pragma once

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

namespace tsmini {

inline std::filesystem::path index_of(const std::filesystem::path& folder) {
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().filename().string().starts_with("index-")) return file.path();
  }
  ADD_FAILURE() << "there is no index";
  return {};
}

}  // namespace tsmini
