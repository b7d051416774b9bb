// The ids that an import has given so far: which come again, and how they are told apart.
//
// Counting keeps 8 bytes an id. Telling apart keeps the ids themselves, and gives the second "a"
// the id "a#2", the third "a#3"; a number that an id of the input has already is passed over.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace tsmini {

class UsedIds {
 public:
  explicit UsedIds(bool tells_apart) : tells_apart_(tells_apart) {}

  // An id of the input; becomes one that no other trajectory has, where that is asked for.
  void add(std::string& id);

  // Trajectories whose id one before them had in the input.
  std::uint64_t repeated() const;

 private:
  bool tells_apart_;
  std::vector<std::uint64_t> marks_;  // of the ids as they were
  std::unordered_map<std::string, std::uint64_t> last_number_;
};

}  // namespace tsmini
