// How a program that links LibTorch starts: what its libraries read from the environment as they
// load is set where the user has not.
//
// Threads that wait for each other must soon sleep, not spin on: on shared machines that costs half
// the speed. OpenBLAS falls back to code of 2004 on processors newer than itself, at a fifth of
// their speed, so it is told what they can do. And the large blocks that every training step
// allocates and frees are kept, rather than have the kernel clear new pages each time.
#pragma once

namespace tsmini::rivals {

// To be called in the first line of main(): starts the program again where something had to be set.
void settle_libraries(char** argv);

}  // namespace tsmini::rivals
