// Cuts a stream of GeoJSON into its features, without holding the file.
//
// Gives one object after the other: the members of "features" of a FeatureCollection, the elements
// of a top-level array, or the top-level objects themselves (a Feature, a geometry, one per line).
// Looks only at braces, brackets and strings; what is inside an object is for a parser to judge.
// Memory is that of the largest object, at most `limit` bytes. A collection's "crs", wherever it
// stands, is kept for the caller.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "base/byte_source.h"

namespace tsmini {

class JsonSplitter {
 public:
  JsonSplitter(ByteSource& source, std::size_t limit) : source_(source), limit_(limit) {}

  enum class Result {
    object,     // appended to the text
    too_large,  // passed over: larger than the limit
    malformed,  // not JSON from here on; error() says why. The next call is the end.
    end,
  };
  Result next(std::string& text);

  std::uint64_t line() const { return line_; }              // where the last object began
  std::uint64_t lines_read() const { return lines_; }       // newlines so far
  std::uint64_t bytes_read() const { return bytes_read_; }  // so far
  const std::string& error() const { return error_; }
  // The value of the member "crs" of a collection that was read since the last call; mostly empty.
  std::string take_crs() { return std::exchange(crs_, {}); }

 private:
  bool more();
  int peek();
  int peek_after_blanks();
  bool skip_string();
  bool skip_nested();
  bool skip_value();
  Result take_object(std::string& text);
  Result take_top_object(std::string& text);
  std::string kept_text();
  Result skip_collection_tail();
  Result malformed(std::string why);
  void advance();

  ByteSource& source_;
  std::size_t limit_;
  std::string buffer_;
  std::size_t position_ = 0;
  std::size_t keep_ = npos;  // first byte that must stay in the buffer
  bool overflow_ = false;    // the kept bytes outgrew the limit and were let go
  bool in_list_ = false, in_collection_ = false, ended_ = false;
  std::uint64_t lines_ = 0, line_ = 1, bytes_read_ = 0;
  std::string error_, crs_;

  static constexpr std::size_t npos = static_cast<std::size_t>(-1);
};

}  // namespace tsmini
