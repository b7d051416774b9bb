// The common half of the formats that are made of lines.
//
// Cuts the input into batches of whole lines; a format says what one line means. Lines end in LF or
// CRLF; a UTF-8 byte-order mark and blank lines are passed over. In a format whose fields may be
// quoted, a line break in quotes does not end a line (csv_fields.h).
#pragma once

#include <string>
#include <string_view>

#include "data/reader.h"

namespace tsmini {

class LineReader : public Reader {
 public:
  // `separator`: of fields that may be quoted; 0 where there are no quotes.
  LineReader(ByteSource& source, const ReadOptions& options, std::size_t header_lines,
             char separator = 0)
      : source_(source), options_(options), header_lines_(header_lines), separator_(separator) {}

  bool fill(TrackBatch& batch) override;
  void parse(TrackBatch& batch) const override;

 protected:
  // `number` counts lines from 1 at the start of the batch.
  virtual void parse_line(std::string_view line, std::uint64_t number,
                          TrackBuilder& builder) const = 0;

  const ReadOptions& options() const { return options_; }

 private:
  std::size_t whole_lines(std::string_view text, std::size_t last_break) const;
  void skip_long_line(TrackBatch& batch);

  ByteSource& source_;
  const ReadOptions& options_;
  std::size_t header_lines_;
  char separator_;
  std::string rest_;  // the beginning of a line whose end is still to be read
  bool started_ = false;
};

// The beginning of a source, 64 KiB at most, without a byte-order mark and without reading past it.
std::string_view first_text(ByteSource& source);
// The same with the first line whole, where it has up to `largest` bytes, and as much again behind
// it.
std::string_view text_with_first_line(ByteSource& source, std::size_t largest);
// The same where the first line names the columns. Throws BadHeader where it is longer than a
// header or a record may be.
std::string_view text_with_header(ByteSource& source, const ReadOptions& options);

}  // namespace tsmini
