// Files of these tests lie in memory where that can be: what is lost and kept is decided at the
// boundary of libc, and waiting for a disk would be most of the time.
#include <cstdlib>

#include <gtest/gtest.h>
#include <unistd.h>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (::access("/dev/shm", W_OK | X_OK) == 0) ::setenv("TMPDIR", "/dev/shm", 0);
  return RUN_ALL_TESTS();
}
