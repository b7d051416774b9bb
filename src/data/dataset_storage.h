// Where a data set's arrays live: in a mapped file or in vectors of its own.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "tsmini/dataset.h"

#include "base/file.h"
#include "data/attribute_section.h"

namespace tsmini {

// An array that is checked the first time someone asks for it. The check throws where the bytes are
// not what was written. Two threads may both run it; that is harmless.
template <class T>
class LazyArray {
 public:
  using Check = std::function<void(std::span<const T>)>;

  void set(std::span<const T> values, Check check = {}) {
    values_ = values;
    check_ = std::move(check);
    checked_.store(!check_, std::memory_order_relaxed);
  }

  std::span<const T> get() const {
    if (!checked_.load(std::memory_order_acquire)) {
      check_(values_);
      checked_.store(true, std::memory_order_release);
    }
    return values_;
  }

 private:
  std::span<const T> values_;
  Check check_;
  mutable std::atomic<bool> checked_{true};
};

// Columns that are made the first time someone asks for them.
class LazyColumns {
 public:
  using Make = std::function<std::vector<AttributeColumn>()>;

  void set(Make make) {
    make_ = std::move(make);
    made_.store(!make_, std::memory_order_relaxed);
  }

  std::span<const AttributeColumn> get() const {
    if (!made_.load(std::memory_order_acquire)) {
      const std::lock_guard lock(mutex_);
      if (!made_.load(std::memory_order_relaxed)) columns_ = make_();
      made_.store(true, std::memory_order_release);
    }
    return columns_;
  }

 private:
  Make make_;
  mutable std::mutex mutex_;
  mutable std::vector<AttributeColumn> columns_;
  mutable std::atomic<bool> made_{true};
};

class Dataset::Storage {
 public:
  std::string name = "the data set";  // for messages
  std::size_t size = 0;
  std::uint64_t point_count = 0;
  DatasetInfo info;

  LazyArray<std::uint64_t> offsets;
  LazyArray<Position> points;
  LazyArray<std::int64_t> times;  // empty where no trajectory has any
  LazyArray<std::uint64_t> id_offsets;
  LazyArray<char> ids;
  LazyArray<Part> parts;  // empty where there is no split
  LazyArray<std::byte> attribute_bytes;
  LazyColumns attributes;

  // Whichever holds the bytes.
  std::unique_ptr<MappedFile> file;
  struct Owned {
    std::vector<std::uint64_t> offsets{0};
    std::vector<Position> points;
    std::vector<std::int64_t> times;
    std::vector<std::uint64_t> id_offsets{0};
    std::string ids;
    std::vector<Part> parts;
    std::vector<std::byte> attribute_bytes;
  } owned;
};

// The columns in the bytes of a storage that outlives what is returned.
inline LazyColumns::Make columns_of(const Dataset::Storage& storage) {
  return [&storage] {
    return attribute_columns(storage.attribute_bytes.get(), storage.size, storage.name);
  };
}

}  // namespace tsmini
