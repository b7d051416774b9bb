// An array of plain values, whose memory is its own and grows without being copied, or is part of a
// mapped file.
//
//   Array<float> rows;
//   float* added = rows.grow(count);           // zeros behind what was there
//   Array<float> mapped(section);              // is copied when it first grows
//
// Values of a file are compared with its checksums before they are given out; DamagedFile is
// thrown where they were altered. Only data() gives what may not have been compared.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include "base/checked_bytes.h"

namespace tsmini {

// Whole pages of the system, zero until written. Moves in memory when it grows.
class Pages {
 public:
  Pages() = default;
  Pages(Pages&& other) noexcept : data_(std::exchange(other.data_, nullptr)), size_(other.size_) {}
  Pages& operator=(Pages&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Pages();

  std::byte* data() const { return data_; }
  // Grows to at least so many bytes; throws Error(failure) where memory is short.
  void reserve(std::size_t bytes);

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

template <class T>
class Array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Array() = default;
  // All values of a section, which holds whole ones.
  explicit Array(std::shared_ptr<const CheckedBytes> section)
      : section_(std::move(section)), size_(section_->all().size() / sizeof(T)) {}
  // Some values of a section.
  Array(std::shared_ptr<const CheckedBytes> section, std::size_t first, std::size_t count)
      : section_(std::move(section)), begin_(first * sizeof(T)), size_(count) {}
  Array(Array&&) noexcept = default;
  Array& operator=(Array&&) noexcept = default;

  std::size_t size() const { return size_; }
  std::span<const T> values() const { return part(0, size_); }
  std::span<const T> part(std::size_t first, std::size_t count) const {
    need(first, count);
    return {data() + first, count};
  }
  const T& operator[](std::size_t i) const { return part(i, 1).front(); }

  // For loops that read through data(): compares what they are about to read.
  void need(std::size_t first, std::size_t count) const {
    if (section_) section_->need(begin_ + first * sizeof(T), count * sizeof(T));
  }
  const T* data() const {
    return reinterpret_cast<const T*>(section_ ? section_->all().data() + begin_ : pages_.data());
  }

  T* writable() {
    if (section_) {
      const std::span<const T> mapped = values();
      pages_.reserve(mapped.size_bytes());
      if (!mapped.empty()) std::memcpy(pages_.data(), mapped.data(), mapped.size_bytes());
      section_.reset();
    }
    return reinterpret_cast<T*>(pages_.data());
  }

  // Appends `count` zeros and gives the first of them.
  T* grow(std::size_t count) {
    writable();
    pages_.reserve((size_ + count) * sizeof(T));
    size_ += count;
    return writable() + (size_ - count);
  }

  // Forgets what is behind the first `size`.
  void shrink(std::size_t size) {
    std::memset(writable() + size, 0, (size_ - size) * sizeof(T));
    size_ = size;
  }

 private:
  Pages pages_;
  std::shared_ptr<const CheckedBytes> section_;  // null where the memory is its own
  std::size_t begin_ = 0;                        // in the section, in bytes
  std::size_t size_ = 0;
};

}  // namespace tsmini
