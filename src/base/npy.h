// NumPy's .npy files of float32 or float64, one- or two-dimensional, through memory maps.
//
// The format: the bytes "\x93NUMPY", a version (1.0 or 2.0), the length of the header (two or four
// bytes, little-endian), the header, which is the text of a Python dictionary such as
//   {'descr': '<f4', 'fortran_order': False, 'shape': (1000, 1000), }
// padded with blanks so that the values begin at a multiple of 64, and the values, row by row.
//
//   NpyWriter out = NpyWriter::create(path, {NpyType::float32, {rows, columns}});
//   out.values<float>()[row * columns + column] = 1.5F;   // lands in the file, in any order
//
//   NpyArray in(path);                                    // throws where the file lies
//   std::span<const float> values = in.values<float>();
//
// A writer reserves the whole file at once, so that a full disk is an error at the start and not a
// crash in the middle; untouched values are 0. It locks the file: a second writer is refused. What
// was written stays when the process is killed, and when the machine is after sync().
#pragma once

#include <cassert>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "base/file.h"

namespace tsmini {

enum class NpyType { float32, float64 };

template <class T>
inline constexpr NpyType npy_type_of =
    std::is_same_v<T, float> ? NpyType::float32 : NpyType::float64;

struct NpyHeader {
  NpyType type = NpyType::float32;
  std::vector<std::size_t> shape;  // one or two numbers

  std::size_t count() const;  // of values
  std::string bytes() const;  // as the file begins, version 1.0

  friend bool operator==(const NpyHeader&, const NpyHeader&) = default;
};

class NpyArray {
 public:
  // Throws Error(bad_input) for anything but such a file of exactly the size its header claims.
  explicit NpyArray(const std::filesystem::path& path);

  const NpyHeader& header() const { return header_; }

  // T is float or double, as header().type says.
  template <class T>
  std::span<const T> values() const {
    assert(header_.type == npy_type_of<T>);
    return {reinterpret_cast<const T*>(values_), header_.count()};
  }

 private:
  MappedFile file_;
  NpyHeader header_;
  const std::byte* values_ = nullptr;
};

class NpyWriter {
 public:
  // Replaces what is there. Throws Error(failure) where there is no room or no permission.
  static NpyWriter create(const std::filesystem::path& path, const NpyHeader& header);
  // Goes on with a file of exactly this header. Throws Error(bad_input) where it is not.
  static NpyWriter reopen(const std::filesystem::path& path, const NpyHeader& header);
  NpyWriter(NpyWriter&& other) noexcept;
  NpyWriter& operator=(NpyWriter&&) = delete;
  ~NpyWriter();

  template <class T>
  std::span<T> values() const {
    assert(type_ == npy_type_of<T>);
    return {reinterpret_cast<T*>(bytes_.data() + offset_), (bytes_.size() - offset_) / sizeof(T)};
  }

  // Waits until the disk has everything.
  void sync() const;

 private:
  NpyWriter(std::filesystem::path path, FileHandle file, const NpyHeader& header);
  void map(std::size_t size);

  std::filesystem::path path_;
  FileHandle file_;
  NpyType type_;
  std::size_t offset_;
  std::span<std::byte> bytes_;
};

}  // namespace tsmini
