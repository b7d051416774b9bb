#include "base/text_sink.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <string>

#include <unistd.h>
#include <zlib.h>

#include "tsmini/error.h"

namespace tsmini {

struct TextSink::Deflater {
  z_stream stream{};
  std::vector<char> output = std::vector<char>(std::size_t{1} << 16);

  Deflater() {
    constexpr int gzip = 16 + MAX_WBITS, memory_level = 8;
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip, memory_level,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;
  ~Deflater() { deflateEnd(&stream); }
};

TextSink::TextSink(const std::filesystem::path& path) {
  if (path != "-") file_.emplace(path);
  if (path.extension() == ".gz") deflater_ = std::make_unique<Deflater>();
}

TextSink::~TextSink() = default;

void TextSink::write(std::string_view text) {
  if (deflater_) {
    deflate_all(text, Z_NO_FLUSH);
  } else {
    write_raw(text);
  }
}

void TextSink::commit() {
  if (deflater_) deflate_all({}, Z_FINISH);
  if (file_) file_->commit();
}

void TextSink::deflate_all(std::string_view text, int flush) {
  z_stream& z = deflater_->stream;
  std::vector<char>& output = deflater_->output;
  do {
    constexpr std::size_t at_once = std::size_t{1} << 30;  // zlib counts in 32 bits
    const std::string_view piece = text.substr(0, at_once);
    text.remove_prefix(piece.size());
    z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
    z.avail_in = static_cast<uInt>(piece.size());
    do {
      z.next_out = reinterpret_cast<Bytef*>(output.data());
      z.avail_out = static_cast<uInt>(output.size());
      deflate(&z, flush);
      write_raw({output.data(), output.size() - z.avail_out});
    } while (z.avail_out == 0);
  } while (!text.empty());
}

void TextSink::write_raw(std::string_view bytes) {
  if (file_) return file_->write(bytes);
  while (!bytes.empty()) {
    const ssize_t done = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0 && errno == EPIPE) throw OutputClosed();
    if (done < 0) {
      throw Error(ErrorCode::failure,
                  std::string("standard output: cannot write: ") + std::strerror(errno));
    }
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
}

}  // namespace tsmini
