#include "context.h"

#include <cstdint>
#include <new>

#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__)
#define TSMINI_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TSMINI_ADDRESS_SANITIZER
#endif
#endif
#ifdef TSMINI_ADDRESS_SANITIZER
#include <sanitizer/common_interface_defs.h>
#endif

#ifdef __x86_64__
// Without the system calls of swapcontext(): kernels switch millions of times.
extern "C" void tsmini_switch_stacks(void** left, void* entered);
asm(R"(
.text
.globl tsmini_switch_stacks
.type tsmini_switch_stacks, @function
tsmini_switch_stacks:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size tsmini_switch_stacks, .-tsmini_switch_stacks
)");
#endif

namespace gpu_emulator {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t stack_size = std::size_t{256} << 10;

// The last switch of this thread.
thread_local Context* left = nullptr;
thread_local Context* entered = nullptr;

}  // namespace

Context::Context(void (*entry)()) : size_(stack_size) {
  void* memory = mmap(nullptr, page + stack_size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory, page, PROT_NONE) != 0) throw std::bad_alloc();
  memory_ = static_cast<char*>(memory);
  bottom_ = memory_ + page;
#ifdef __x86_64__
  // From the top: no address to return to, where to begin, and six registers.
  auto** top = reinterpret_cast<void**>(memory_ + page + stack_size);
  *--top = nullptr;
  *--top = reinterpret_cast<void*>(entry);
  for (int i = 0; i < 6; ++i) *--top = nullptr;
  stack_pointer_ = top;
#else
  getcontext(&registers_);
  registers_.uc_stack.ss_sp = memory_ + page;
  registers_.uc_stack.ss_size = stack_size;
  registers_.uc_link = nullptr;
  makecontext(&registers_, entry, 0);
#endif
}

Context::~Context() {
  if (memory_ != nullptr) munmap(memory_, page + stack_size);
}

void Context::switch_to(Context& to) {
  left = this;
  entered = &to;
#ifdef TSMINI_ADDRESS_SANITIZER
  __sanitizer_start_switch_fiber(&fake_stack_, to.bottom_, to.size_);
#endif
#ifdef __x86_64__
  tsmini_switch_stacks(&stack_pointer_, to.stack_pointer_);
#else
  swapcontext(&registers_, &to.registers_);
#endif
  arrived();
}

void Context::arrive() {
  entered->arrived();
}

void Context::arrived() {
#ifdef TSMINI_ADDRESS_SANITIZER
  // What was left tells where its stack is: nobody else knows that of a thread's own.
  __sanitizer_finish_switch_fiber(fake_stack_, &left->bottom_, &left->size_);
#endif
}

}  // namespace gpu_emulator
