#include "data/line_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "base/text.h"

namespace tsmini {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

}  // namespace

std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string first_line(ByteSource& source) {
  std::string_view head = source.peek(std::size_t{1} << 16);
  if (head.starts_with(byte_order_mark)) head.remove_prefix(byte_order_mark.size());
  return std::string(take_line(head));
}

bool LineReader::fill(TrackBatch& batch) {
  batch.first_of_file = !started_;
  started_ = true;
  batch.text.swap(rest_);
  rest_.clear();
  for (;;) {
    const std::size_t had = batch.text.size();
    batch.text.resize(had + batch_bytes);
    const std::size_t got = source_.read(std::span(batch.text).subspan(had));
    batch.text.resize(had + got);
    batch.bytes += got;
    if (hold_back_rest(batch, had)) return true;
    if (got < batch_bytes) return !batch.text.empty() || !batch.problems.empty();
    if (batch.text.size() > max_record_bytes) {
      skip_long_line(batch);
      if (hold_back_rest(batch, 0)) return true;
    }
  }
}

// Takes what follows the last line break at or after `from` out of the batch; false without one.
bool LineReader::hold_back_rest(TrackBatch& batch, std::size_t from) {
  const std::size_t last = std::string_view(batch.text).substr(from).rfind('\n');
  if (last == std::string_view::npos) return false;
  rest_.assign(batch.text, from + last + 1);
  batch.text.resize(from + last + 1);
  return true;
}

// Reads on to the end of a line that is too long; what follows it stays in the batch.
void LineReader::skip_long_line(TrackBatch& batch) {
  ++batch.lines;
  batch.problems.push_back({batch.lines, fmt::format("the line is longer than {} MiB", max_record_bytes >> 20),
                            "check that the file is complete and of the format you think"});
  std::string& text = batch.text;
  for (;;) {
    text.resize(batch_bytes);
    text.resize(source_.read(text));
    batch.bytes += text.size();
    const std::size_t end = text.find('\n');
    if (end != std::string::npos) {
      text.erase(0, end + 1);
      return;
    }
    if (text.empty()) return;
  }
}

void LineReader::parse(TrackBatch& batch) const {
  TrackBuilder builder(batch, options_);
  std::string_view text = batch.text;
  std::size_t to_skip = 0;
  if (batch.first_of_file) {
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    to_skip = header_lines_ - std::min<std::size_t>(header_lines_, batch.lines);  // long ones
  }
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    ++batch.lines;
    if (to_skip > 0) {
      --to_skip;
    } else if (!trimmed(line).empty()) {
      parse_line(line, batch.lines, builder);
    }
  }
}

}  // namespace tsmini
