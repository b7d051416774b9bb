// The memory of an index: its own, which grows without being copied, or part of a mapped file.
//
//   Array<float> rows;
//   float* added = rows.grow(count);           // zeros behind what was there
//   Array<float> mapped(values, file);         // is copied when it first grows
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include "base/file.h"

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
  // To at least so many bytes; throws Error(failure) where memory is short.
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
  Array(std::span<const T> values, std::shared_ptr<const MappedFile> file)
      : mapped_(values), file_(std::move(file)), size_(values.size()) {}
  Array(Array&&) noexcept = default;
  Array& operator=(Array&&) noexcept = default;

  std::size_t size() const { return size_; }
  const T* data() const {
    return file_ ? mapped_.data() : reinterpret_cast<const T*>(pages_.data());
  }
  std::span<const T> values() const { return {data(), size_}; }
  const T& operator[](std::size_t i) const { return data()[i]; }

  T* writable() {
    if (file_) {
      pages_.reserve(size_ * sizeof(T));
      if (size_ > 0) std::memcpy(pages_.data(), mapped_.data(), size_ * sizeof(T));
      mapped_ = {};
      file_.reset();
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
  std::span<const T> mapped_;
  std::shared_ptr<const MappedFile> file_;
  std::size_t size_ = 0;
};

}  // namespace tsmini
