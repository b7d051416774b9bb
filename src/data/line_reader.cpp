#include "data/line_reader.h"

#include <algorithm>
#include <cstring>
#include <span>

#include <fmt/format.h>

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
  std::size_t complete = 0;  // where the last whole line ends
  for (;;) {
    const std::size_t had = batch.text.size();
    batch.text.resize(had + piece_bytes);
    const std::size_t got = source_.read(std::span(batch.text).subspan(had));
    batch.text.resize(had + got);
    batch.bytes += got;
    if (got < piece_bytes) return !batch.text.empty() || !batch.problems.empty();
    const std::size_t last = std::string_view(batch.text).substr(had).rfind('\n');
    if (last != std::string_view::npos) complete = had + last + 1;
    if (complete > 0 && batch.text.size() >= batch_bytes) {
      rest_.assign(batch.text, complete);
      batch.text.resize(complete);
      return true;
    }
    if (complete == 0 && batch.text.size() > max_record_bytes) {
      skip_long_line(batch);
      complete = batch.text.rfind('\n') + 1;  // npos + 1 is 0: none
    }
  }
}

// Reads on to the end of a line that is too long; what follows it stays in the batch.
void LineReader::skip_long_line(TrackBatch& batch) {
  ++batch.lines;
  batch.problems.push_back({batch.lines,
                            fmt::format("the line is longer than {} MiB", max_record_bytes >> 20),
                            "check that the file is complete and of the format you think"});
  std::string& text = batch.text;
  for (;;) {
    text.resize(piece_bytes);
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
