#include "data/line_reader.h"

#include <algorithm>
#include <cstring>
#include <span>

#include <fmt/format.h>

#include "base/text.h"
#include "data/csv_fields.h"

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

std::string_view first_text(ByteSource& source) {
  std::string_view head = source.peek(std::size_t{1} << 16);
  if (head.starts_with(byte_order_mark)) head.remove_prefix(byte_order_mark.size());
  return head;
}

std::string first_line(ByteSource& source) {
  std::string_view head = first_text(source);
  return std::string(take_line(head));
}

// Where the last line ends that is all there. The line breaks before `last_break` are no proof
// where quotes are about.
std::size_t LineReader::whole_lines(std::string_view text, std::size_t last_break) const {
  if (separator_ == 0 || text.find('"') == std::string_view::npos) return last_break;
  std::size_t end = 0;
  for (;;) {
    const std::size_t size = record_size(text.substr(end), separator_, false);
    if (size == std::string_view::npos) return end;
    end += size;
  }
}

bool LineReader::fill(TrackBatch& batch) {
  batch.first_of_file = !started_;
  started_ = true;
  batch.text.swap(rest_);
  rest_.clear();
  std::size_t last_break = 0;  // behind the last line break
  for (;;) {
    const std::size_t had = batch.text.size();
    batch.text.resize(had + piece_bytes);
    const std::size_t got = source_.read(std::span(batch.text).subspan(had));
    batch.text.resize(had + got);
    batch.bytes += got;
    if (got < piece_bytes) return !batch.text.empty() || !batch.problems.empty();
    const std::size_t last = std::string_view(batch.text).substr(had).rfind('\n');
    if (last != std::string_view::npos) last_break = had + last + 1;
    if (last_break > 0 && batch.text.size() >= batch_bytes) {
      const std::size_t complete = whole_lines(batch.text, last_break);
      if (complete == 0) continue;
      rest_.assign(batch.text, complete);
      batch.text.resize(complete);
      return true;
    }
    if (last_break == 0 && batch.text.size() > options_.max_record_bytes) {
      skip_long_line(batch);
      last_break = batch.text.rfind('\n') + 1;  // npos + 1 is 0: none
    }
  }
}

// Reads on to the end of a line that is too long; what follows it stays in the batch.
void LineReader::skip_long_line(TrackBatch& batch) {
  ++batch.lines;
  batch.problems.push_back(
      {batch.lines, fmt::format("the line is longer than {} MiB", options_.max_record_bytes >> 20),
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
  const bool quoted = separator_ != 0 && text.find('"') != std::string_view::npos;
  while (!text.empty()) {
    const std::string_view line = quoted ? take_record(text, separator_) : take_line(text);
    const std::uint64_t number = ++batch.lines;
    if (quoted) {
      batch.lines += static_cast<std::uint64_t>(std::count(line.begin(), line.end(), '\n'));
    }
    if (to_skip > 0) {
      --to_skip;
    } else if (!trimmed(line).empty()) {
      parse_line(line, number, builder);
    }
  }
}

}  // namespace tsmini
