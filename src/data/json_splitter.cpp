#include "data/json_splitter.h"

#include <cstring>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/utf8.h"
#include "data/reader.h"

namespace tsmini {
namespace {

// The first quote, line break, `open` or `close` at or after `p`. Blocks without one, the long runs
// of coordinates, are passed over in a loop that compilers turn into vector code.
const char* find_any(const char* p, const char* end, char open, char close) {
  const auto wanted = [=](char c) {
    return static_cast<unsigned>((c == '"') | (c == '\n') | (c == open) | (c == close));
  };
  constexpr std::ptrdiff_t block = 32;
  while (end - p >= block) {
    unsigned any = 0;
    for (std::ptrdiff_t i = 0; i < block; ++i) any |= wanted(p[i]);
    if (any != 0) break;
    p += block;
  }
  while (p != end && wanted(*p) == 0) ++p;
  return p;
}

}  // namespace

// Reads on, letting go of what is no longer needed; false at the end of the input.
bool JsonSplitter::more() {
  const std::size_t from = std::min(keep_, position_);
  buffer_.erase(0, from);
  position_ -= from;
  if (keep_ != npos) keep_ = 0;
  if (keep_ != npos && buffer_.size() > limit_) {
    overflow_ = true;
    buffer_.erase(0, position_);
    position_ = 0;
  }
  const std::size_t had = buffer_.size();
  buffer_.resize(had + piece_bytes);
  const std::size_t got = source_.read(std::span(buffer_).subspan(had));
  buffer_.resize(had + got);
  bytes_read_ += got;
  return got > 0;
}

int JsonSplitter::peek() {
  if (position_ == buffer_.size() && !more()) return -1;
  return static_cast<unsigned char>(buffer_[position_]);
}

void JsonSplitter::advance() {
  if (buffer_[position_] == '\n') ++lines_;
  ++position_;
}

// Record separators (RFC 8142) and a byte-order mark count as blanks.
int JsonSplitter::peek_after_blanks() {
  for (;;) {
    const int c = peek();
    const bool blank = c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == 0x1e ||
                       (bytes_read_ == buffer_.size() && position_ < 3 && c >= 0xbb);
    if (!blank) return c;
    advance();
  }
}

// Skips from an opening quote to behind its closing one.
bool JsonSplitter::skip_string() {
  advance();
  for (;;) {
    const int c = peek();
    if (c < 0) return false;
    advance();
    if (c == '"') return true;
    if (c == '\\') {
      if (peek() < 0) return false;
      advance();
    }
  }
}

// Skips from an opening brace or bracket to behind the closing one. Only its own kind is counted:
// in valid JSON the other kind is balanced inside.
bool JsonSplitter::skip_nested() {
  const char open = buffer_[position_];
  const char close = open == '{' ? '}' : ']';
  std::uint64_t depth = 0;
  for (;;) {
    const char* const end = buffer_.data() + buffer_.size();
    const char* const found = find_any(buffer_.data() + position_, end, open, close);
    position_ = static_cast<std::size_t>(found - buffer_.data());
    const int c = peek();
    if (c < 0) return false;
    if (c == '"') {
      if (!skip_string()) return false;
      continue;
    }
    advance();
    if (c == open) ++depth;
    if (c == close && --depth == 0) return true;
  }
}

// Skips any JSON value; a scalar ends before the next comma or bracket.
bool JsonSplitter::skip_value() {
  const int first = peek_after_blanks();
  if (first == '{' || first == '[') return skip_nested();
  if (first == '"') return skip_string();
  for (;;) {
    const int c = peek();
    if (c < 0) return false;
    if (c == ',' || c == '}' || c == ']') return true;
    advance();
  }
}

JsonSplitter::Result JsonSplitter::malformed(std::string why) {
  error_ = std::move(why);
  line_ = lines_ + 1;
  ended_ = true;
  keep_ = npos;
  return Result::malformed;
}

JsonSplitter::Result JsonSplitter::take_object(std::string& text) {
  line_ = lines_ + 1;
  keep_ = position_;
  overflow_ = false;
  if (!skip_nested()) return malformed("the file ends inside a feature: it is cut short");
  if (!overflow_) text.append(buffer_, keep_, position_ - keep_);
  keep_ = npos;
  return std::exchange(overflow_, false) ? Result::too_large : Result::object;
}

// A top-level object is given as it is, unless it has a member "features": then the position is
// left inside that list and the list's elements follow.
JsonSplitter::Result JsonSplitter::take_top_object(std::string& text) {
  const std::uint64_t line = lines_ + 1;
  keep_ = position_;
  overflow_ = false;
  std::string crs;
  advance();
  for (;;) {
    int c = peek_after_blanks();
    if (c == ',') {
      advance();
      continue;
    }
    if (c == '}') {
      advance();
      line_ = line;
      if (!overflow_) text.append(buffer_, keep_, position_ - keep_);
      keep_ = npos;
      return std::exchange(overflow_, false) ? Result::too_large : Result::object;
    }
    if (c < 0) return malformed("the file ends inside an object: it is cut short");
    if (c != '"') return malformed("expected a name in quotes");
    const std::size_t key_begin = position_ - (keep_ == npos ? 0 : keep_);
    if (!skip_string()) return malformed("the file ends inside a string: it is cut short");
    const std::string key =
        overflow_ ? "" : buffer_.substr(keep_ + key_begin, position_ - keep_ - key_begin);
    if (peek_after_blanks() != ':') return malformed("expected ':' after a name");
    advance();
    if (key == "\"features\"" && peek_after_blanks() == '[') {
      advance();
      keep_ = npos;
      crs_ = crs;
      in_list_ = in_collection_ = true;
      return next(text);
    }
    const std::size_t value_begin = position_ - keep_;
    if (!skip_value()) return malformed("the file ends inside a value: it is cut short");
    if (key == "\"crs\"" && !overflow_) {
      crs = buffer_.substr(keep_ + value_begin, position_ - keep_ - value_begin);
    }
  }
}

// What was kept, which is then let go.
std::string JsonSplitter::kept_text() {
  std::string text = overflow_ ? "" : buffer_.substr(keep_, position_ - keep_);
  keep_ = npos;
  overflow_ = false;
  return text;
}

JsonSplitter::Result JsonSplitter::skip_collection_tail() {
  std::string name;  // of the member whose value comes
  for (;;) {
    const int c = peek_after_blanks();
    if (c < 0) return malformed("the file ends inside the collection: it is cut short");
    if (c == '}') {
      advance();
      in_collection_ = false;
      return Result::end;
    }
    if (c == ']') return malformed("expected '}' after the list of features");
    if (c == ',' || c == ':') {
      if (c == ',') name.clear();
      advance();
      continue;
    }
    keep_ = position_;
    if (!skip_value()) return malformed("the file ends inside the collection: it is cut short");
    std::string text = kept_text();
    if (name == "\"crs\"") crs_ = text;
    name = std::move(text);
  }
}

JsonSplitter::Result JsonSplitter::next(std::string& text) {
  while (!ended_) {
    const int c = peek_after_blanks();
    if (in_list_) {
      if (c == ',') {
        advance();
      } else if (c == ']') {
        advance();
        in_list_ = false;
      } else if (c == '{') {
        return take_object(text);
      } else {
        return malformed(c < 0 ? "the file ends inside the list of features: it is cut short"
                               : "expected a feature, an object in braces");
      }
    } else if (in_collection_) {
      if (skip_collection_tail() == Result::malformed) return Result::malformed;
    } else if (c == '{') {
      return take_top_object(text);
    } else if (c == '[') {
      advance();
      in_list_ = true;
    } else if (c < 0) {
      ended_ = true;
    } else {
      return malformed(fmt::format("expected an object in braces, found '{}'",
                                   printable(buffer_.substr(position_, 12))));
    }
  }
  return Result::end;
}

}  // namespace tsmini
