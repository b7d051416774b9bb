// What killed_writer does, piece by piece, and what must be true afterwards.
#pragma once

#include <array>
#include <cstddef>
#include <fstream>
#include <string>
#include <vector>

#include "tsmini/collection.h"

#include "store/small_collection.h"

namespace tsmini {

enum class Piece { add, remove, index, compact, model };

inline constexpr std::size_t piece_kinds = 5;

inline Piece kind_of(std::size_t n) {
  if (n % 13 == 12) return Piece::compact;
  if (n % 11 == 10) return Piece::model;
  if (n % 7 == 6) return Piece::index;
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

// Adds a second model, also one that a killed process left half done, or removes it.
inline void toggle_model(Collection& collection) {
  const std::vector<CollectionModel> models = collection.models();
  if (models.size() == 2 && models[1].is_complete) return collection.remove_model("dtw");
  collection.add_model(small_model(Measure::dtw));
}

inline void do_piece(Collection& collection, std::size_t n) {
  switch (kind_of(n)) {
    case Piece::add: collection.add(trips_of(n)); break;
    case Piece::remove: collection.remove(removed_by(n), true); break;
    case Piece::index: collection.make_index(); break;
    case Piece::compact: collection.compact(); break;
    case Piece::model: toggle_model(collection); break;
  }
}

// What killed_writer wrote down.
struct CrashLog {
  std::size_t begun = 0;
  std::vector<bool> done;  // by piece
  // The last of each kind took so long, and it is a guess before.
  std::array<long, piece_kinds> microseconds{10'000, 10'000, 10'000, 10'000, 10'000};

  static CrashLog read(const std::string& file) {
    CrashLog log;
    std::ifstream in(file);
    std::string word;
    std::size_t n = 0;
    long took = 0;
    while (in >> word >> n >> took) {
      if (word == "begin") log.begun = n + 1;
      log.done.resize(log.begun);
      if (word != "done") continue;
      log.done[n] = true;
      log.microseconds[static_cast<std::size_t>(kind_of(n))] = took;
    }
    return log;
  }
};

}  // namespace tsmini
