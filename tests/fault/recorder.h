// Writes the log of what a program does, from within it. Allocates nothing.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tsmini::fault {

// Appends to the log from now on; without it nothing below does anything.
void start_recording(const char* log);
bool is_recording();

// A path as the system calls take it: relative to a folder's descriptor or AT_FDCWD.
struct Place {
  int folder;
  const char* path;
};

bool exists(const Place& place);
std::uint64_t node_of(const Place& place);
std::uint64_t node_of(int fd);

void record_file(int fd, const Place* name);  // null: it has none yet
void record_folder(const Place& name);
void record_name(const Place& name);                   // one more of a file that is there
void record_move(const Place& from, const Place& to);  // once it is done
void record_leave(const Place& name);
void record_write(int fd, const void* data, std::size_t size, std::uint64_t offset);
void record_resize(std::uint64_t node, std::uint64_t size);
void record_sync(int fd);
void record_acknowledgement(const void* words, std::size_t size);

}  // namespace tsmini::fault
