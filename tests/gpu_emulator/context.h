// A place in a program that one can leave and come back to: a fiber's registers and stack.
#pragma once

#include <cstddef>

#ifndef __x86_64__
#include <ucontext.h>
#endif

namespace gpu_emulator {

class Context {
 public:
  // The stack of the thread that runs.
  Context() = default;
  // A stack of its own, on which `entry` begins when it is switched to. `entry` never returns.
  explicit Context(void (*entry)());
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context();

  // Goes on where `to` was left. Returns when something switches back to this.
  void switch_to(Context& to);
  // What `entry` must call first.
  static void arrive();

 private:
  void arrived();

  char* memory_ = nullptr;  // the stack, with a page below it that nobody may touch
#ifdef __x86_64__
  void* stack_pointer_ = nullptr;
#else
  ucontext_t registers_{};
#endif
  // For the address sanitizer.
  [[maybe_unused]] const void* bottom_ = nullptr;
  [[maybe_unused]] std::size_t size_ = 0;
  [[maybe_unused]] void* fake_stack_ = nullptr;
};

}  // namespace gpu_emulator
