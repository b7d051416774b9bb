#include "data/line_reader.h"

#include <algorithm>
#include <cstring>
#include <span>

#include <fmt/format.h>

#include "base/text.h"
#include "data/csv_fields.h"
#include "data/csv_header.h"

namespace tsmini {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
constexpr std::size_t first_look = std::size_t{1} << 16;
constexpr std::string_view check_it = "check that the file is complete and of the format you think";

std::string_view without_mark(std::string_view text) {
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  return text;
}

Problem long_line(std::uint64_t line, std::size_t largest) {
  return {line, fmt::format("the line is longer than {} MiB", largest >> 20),
          std::string(check_it)};
}

}  // namespace

std::string_view first_text(ByteSource& source) {
  return without_mark(source.peek(first_look));
}

std::string_view text_with_first_line(ByteSource& source, std::size_t largest) {
  std::size_t asked = first_look, looked_at = 0;
  std::string_view head = source.peek(asked);
  std::size_t end = head.find('\n');
  while (end == std::string_view::npos && head.size() == asked && asked <= largest) {
    looked_at = asked;
    asked = std::min(2 * asked, largest + byte_order_mark.size() + 1);
    head = source.peek(asked);
    end = head.find('\n', looked_at);
  }
  if (looked_at > 0 && end != std::string_view::npos) head = source.peek(2 * end + first_look);
  return without_mark(head);
}

std::string_view text_with_header(ByteSource& source, const ReadOptions& options) {
  const std::size_t largest = std::min(options.max_record_bytes, longest_header);
  const std::string_view head = text_with_first_line(source, largest);
  if (std::min(head.find('\n'), head.size()) <= largest) return head;
  throw BadHeader(source.name(), fmt::format("the first line is longer than {} MiB", largest >> 20),
                  std::string(check_it));
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
  batch.problems.push_back(long_line(batch.lines, options_.max_record_bytes));
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
    text = without_mark(text);
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
