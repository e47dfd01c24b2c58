#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <bit>
#include <cstring>
#include <initializer_list>

#include "gpu/own/host/host.h"

namespace warploom::own {

namespace {

Signals* told_to = nullptr;
thread_local bool working = false;
thread_local Whereabouts here;
constexpr std::size_t signal_stack_bytes = 64 << 10;
constexpr std::uint64_t page = 4096;

/// Whether memory is there: a frame that was written over may point anywhere, and the kernel is asked.
bool is_mapped(std::uint64_t address) {
  unsigned char there = 0;
  return mincore(std::bit_cast<void*>(address / page * page), page, &there) == 0;
}

/// Follows frame pointers, which code of own maps keeps, as long as they lead up one stack.
void write_frames(std::uint64_t frame) {
  constexpr std::uint64_t most_stack = 64 << 20;
  for (std::uint64_t last = 0; told_to->frame_count < Signals::most_frames;) {
    if (frame % 8 != 0 || frame <= last || frame < page || (last && frame - last > most_stack)) return;
    if (!is_mapped(frame) || !is_mapped(frame + 8)) return;
    const auto* words = std::bit_cast<const std::uint64_t*>(frame);
    if (words[1] == 0) return;
    told_to->frames[told_to->frame_count++] = words[1];
    last = frame;
    frame = words[0];
  }
}

/// True: this thread is the one that tells.
bool begin_telling(int signal) {
  std::uint32_t nothing = 0;
  if (!told_to || !told_to->fallen.compare_exchange_strong(nothing, 1)) return false;
  told_to->signal = signal;
  told_to->launch = here.launch;
  told_to->block = here.block;
  told_to->frame_count = 0;
  return true;
}

/// Another thread is writing: this one must not end the process before it is done.
void wait_for_teller() {
  for (int i = 0; i < 100 && told_to && told_to->fallen.load() == 1; ++i) usleep(1000);
}

void on_signal(int signal, siginfo_t* info, void* context) {
  if (signal == SIGUSR1 && !working) return;
  if (begin_telling(signal)) {
#ifdef __x86_64__
    const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
    const auto at = static_cast<std::uint64_t>(registers[REG_RIP]),
               frame = static_cast<std::uint64_t>(registers[REG_RBP]);
    told_to->stack = static_cast<std::uint64_t>(registers[REG_RSP]);
#else
    const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext;
    const std::uint64_t at = registers.pc, frame = registers.regs[29];
    told_to->stack = registers.sp;
#endif
    told_to->address = reinterpret_cast<std::uint64_t>(info->si_addr);
    told_to->frames[told_to->frame_count++] = at + 1;  // as return addresses: one past
    write_frames(frame);
    told_to->fallen.store(2);
  } else {
    wait_for_teller();
  }
  if (signal != SIGUSR1) _exit(70);
  for (;;) pause();  // the program ends it
}

/// A thread's stack for signals: its own may be full.
struct SignalStack {
  void* memory;
  SignalStack() {
    memory = mmap(nullptr, signal_stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    stack_t stack{};
    stack.ss_sp = memory;
    stack.ss_size = signal_stack_bytes;
    sigaltstack(&stack, nullptr);
  }
};

}  // namespace

Whereabouts& whereabouts() { return here; }

Working::Working() {
  thread_local SignalStack stack;
  (void)stack;
  working = true;
}
Working::~Working() { working = false; }

void watch_falls(Signals& signals) {
  told_to = &signals;
  struct sigaction how {};
  how.sa_sigaction = on_signal;
  how.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  for (const int signal : {SIGSEGV, SIGFPE, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGUSR1})
    sigaction(signal, &how, nullptr);
}

void tell_fault(const char* what) {
  if (begin_telling(0)) {
    std::strncpy(told_to->what, what, sizeof told_to->what - 1);
    told_to->frames[told_to->frame_count++] = reinterpret_cast<std::uint64_t>(__builtin_return_address(0));
    write_frames(reinterpret_cast<std::uint64_t>(__builtin_frame_address(0)));
    told_to->fallen.store(2);
  } else {
    wait_for_teller();
  }
  _exit(70);
}

}  // namespace warploom::own
