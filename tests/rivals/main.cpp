// Sets LibTorch's libraries up before the tests, as the programs do.
#include <gtest/gtest.h>

#include "rivals/core/library_environment.h"

int main(int argc, char** argv) {
  tsmini::rivals::settle_libraries(argv);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
