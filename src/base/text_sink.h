// Where text is written: a file that appears when complete, gzip where its name ends in .gz, or
// standard output for "-".
//
//   TextSink out("trips.csv.gz");
//   out.write("id,time,lon,lat\n");
//   out.commit();
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "tsmini/error.h"

#include "base/file.h"

namespace tsmini {

// Standard output was closed by its reader, as head does when it has enough.
class OutputClosed : public Error {
 public:
  OutputClosed() : Error(ErrorCode::failure, "standard output was closed") {}
};

class TextSink {
 public:
  explicit TextSink(const std::filesystem::path& path);
  TextSink(const TextSink&) = delete;
  TextSink& operator=(const TextSink&) = delete;
  ~TextSink();

  // Throws Error(failure), and OutputClosed.
  void write(std::string_view text);
  void commit();

 private:
  struct Deflater;
  void deflate_all(std::string_view text, int flush);
  void write_raw(std::string_view bytes);

  std::optional<OutputFile> file_;  // none for standard output
  std::unique_ptr<Deflater> deflater_;
};

}  // namespace tsmini
