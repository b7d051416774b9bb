// What killed_writer does, piece by piece, and what must be true afterwards.
#pragma once

#include <cstddef>
#include <fstream>
#include <string>
#include <vector>

#include "tsmini/collection.h"

#include "store/small_collection.h"

namespace tsmini {

enum class Piece { add, remove, index, compact };

inline Piece kind_of(std::size_t n) {
  if (n % 29 == 28) return Piece::compact;
  if (n % 11 == 10) return Piece::index;
  return n % 5 == 4 ? Piece::remove : Piece::add;
}

inline Dataset trips_of(std::size_t n) {
  return small_trips(6, "p" + std::to_string(n) + "-", n + 1);
}

// One trip of each of the three pieces before.
inline std::vector<std::string> removed_by(std::size_t n) {
  std::vector<std::string> ids;
  for (std::size_t back = 1; back <= 3; ++back)
    ids.push_back("p" + std::to_string(n - back) + "-2");
  return ids;
}

inline void do_piece(Collection& collection, std::size_t n) {
  switch (kind_of(n)) {
    case Piece::add: collection.add(trips_of(n)); break;
    case Piece::remove: collection.remove(removed_by(n), true); break;
    case Piece::index: collection.make_index(); break;
    case Piece::compact: collection.compact(); break;
  }
}

struct CrashLog {
  std::size_t begun = 0;
  std::vector<bool> done;  // by piece

  static CrashLog read(const std::string& file) {
    CrashLog log;
    std::ifstream in(file);
    std::string word;
    std::size_t n = 0;
    while (in >> word >> n) {
      if (word == "begin") log.begun = n + 1;
      log.done.resize(log.begun);
      if (word == "done") log.done[n] = true;
    }
    return log;
  }
};

inline std::size_t pieces_begun(const std::string& file) {
  return CrashLog::read(file).begun;
}

}  // namespace tsmini
