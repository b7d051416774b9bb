// A disk that loses power: what a recorded run had written by then, less what nobody waited for.
//
//   Disk disk(node of the folder that was recorded);
//   for (const Happening& h : read_log(log)) disk.apply(h);
//   disk.write_remains(folder, loss);
//
// The bytes of a file are safe once the file was synchronised, its name once the folder was:
// nothing else is promised by POSIX. Until then each write and each name may or may not have
// reached the disk, in any order, and a write in part.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "fault/log.h"

namespace tsmini {

struct Happening {
  fault::Entry entry;
  std::string name, other_name, data;
};

std::vector<Happening> read_log(const std::filesystem::path& log);

// What a power cut takes of all that was not waited for.
enum class Loss { everything, data, names, some };

class Disk {
 public:
  explicit Disk(std::uint64_t root);

  void apply(const Happening& happening);
  // Into a folder that is empty. `random` decides where some is lost.
  void write_remains(const std::filesystem::path& folder, Loss loss, std::mt19937& random) const;

 private:
  struct Change {  // of a file: bytes at an offset, or a size
    std::uint64_t offset = 0;
    std::string data;
    bool is_size = false;
  };
  struct Node {
    bool is_folder = false;
    std::string bytes;  // on the disk
    std::vector<Change> pending;
  };
  using NodePointer = std::shared_ptr<Node>;
  using Names = std::map<const Node*, std::map<std::string, NodePointer>>;  // of each folder
  // `node` loses a name, gets one, or both at once; without a folder there is no such name.
  struct Naming {
    NodePointer from, to, node;
    std::string old_name, new_name;
  };

  static void apply_to(std::string& bytes, const Change& change);
  static void apply_to(Names& names, const Naming& naming);
  static std::string remains_of(const Node& file, Loss loss, std::mt19937& random);
  static void write_folder(const Names& names, const Node& folder,
                           const std::filesystem::path& path, Loss loss, std::mt19937& random);
  NodePointer at(std::uint64_t number) const;
  void synchronise(const NodePointer& node);

  NodePointer root_;
  std::map<std::uint64_t, NodePointer> nodes_;  // by their number
  Names names_;                                 // on the disk
  std::vector<Naming> pending_;
};

}  // namespace tsmini
