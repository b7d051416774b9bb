// Stands in for CUDA's header of this name where kernels are compiled as C++, for tests on machines
// without a GPU (-DTSMINI_CUDA=EMULATED). It has what our sources use and no more.
//
// A kernel runs when it is launched, on the thread that launches it: block after block, the threads
// of a block as fibers that take turns where they wait for each other. Streams, events and graphs
// are as strict as on a GPU: what may not happen while a stream is captured fails here too. Memory
// of the device comes from the heap, where a sanitizer watches it, and begins as bytes of 0xFF,
// which are no numbers.
//
// TSMINI_EMULATED_GPUS=0 in the environment: there is no GPU. TSMINI_EMULATED_DRIVER: the version
// of CUDA that the driver knows, such as 12020; 0: there is no driver. TSMINI_EMULATED_MEMORY: the
// bytes of the device, of which there are 4 GiB otherwise.
#pragma once

// What CUDA's header brings along.
#include <math.h>  // NOLINT(modernize-deprecated-headers): functions are called without std::

#include "emulated_device.h"   // IWYU pragma: export
#include "emulated_runtime.h"  // IWYU pragma: export
