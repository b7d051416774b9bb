// All that a program did to the files of a folder, in order: what a power cut is played from.
//
// A log is a row of entries, each followed by its two names and its data. Files and folders are
// numbered as the file system does (inodes); a number may come again after its file has gone, and
// then begins with another `file` or `folder`.
#pragma once

#include <cstdint>

namespace tsmini::fault {

enum class Event : std::uint32_t {
  file,         // a new one: node
  folder,       // a new one: node
  write,        // to node, at offset: data
  resize,       // of node, to offset bytes
  sync,         // node, a file or a folder, is on the disk
  enter,        // parent gets the name for node
  leave,        // parent loses the name
  move,         // node, from parent and name to other_parent and other_name
  acknowledge,  // the program said that something is done: data is its words
};

struct Entry {
  Event event = Event::file;
  std::uint32_t name_size = 0, other_name_size = 0;
  std::uint32_t reserved = 0;
  std::uint64_t node = 0, parent = 0, other_parent = 0;
  std::uint64_t offset = 0, data_size = 0;
};

}  // namespace tsmini::fault
