#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <vector>

#include "gpu/own/host/host.h"

namespace warploom::own {

const char* give_up_rights() {
  constexpr int kept[] = {
      // its socket
      SYS_recvmsg, SYS_sendto, SYS_ppoll,
#ifdef SYS_poll
      SYS_poll,
#endif
      // waiting
      SYS_futex, SYS_clock_gettime, SYS_clock_nanosleep, SYS_nanosleep, SYS_sched_yield, SYS_restart_syscall,
#ifdef SYS_pause
      SYS_pause,
#endif
      // memory
      SYS_mmap, SYS_munmap, SYS_mprotect, SYS_madvise, SYS_mremap, SYS_brk, SYS_mincore, SYS_close,
      // signals that it falls by, threads that end
      SYS_rt_sigreturn, SYS_rt_sigprocmask, SYS_sigaltstack, SYS_exit, SYS_exit_group, SYS_set_robust_list, SYS_rseq,
      SYS_gettid};
#ifdef __x86_64__
  constexpr unsigned architecture = AUDIT_ARCH_X86_64;
#else
  constexpr unsigned architecture = AUDIT_ARCH_AARCH64;
#endif
  // Numbers mean other calls in the ABI of another architecture.
  std::vector<sock_filter> filter{{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, arch)},
                                  {BPF_JMP | BPF_JEQ | BPF_K, 1, 0, architecture},
                                  {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_TRAP},
                                  {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)}};
  for (const int call : kept) {
    filter.push_back({BPF_JMP | BPF_JEQ | BPF_K, 0, 1, static_cast<unsigned>(call)});
    filter.push_back({BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW});
  }
  filter.push_back({BPF_RET | BPF_K, 0, 0, SECCOMP_RET_TRAP});
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return "the host cannot give up its rights";
  // Of all its threads; and without slowing them down, which older kernels do.
  for (const unsigned flags : {SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_SPEC_ALLOW, SECCOMP_FILTER_FLAG_TSYNC})
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program) == 0) return nullptr;
  return "the kernel has no seccomp filters: a host without them runs no code of a user's";
}

}  // namespace warploom::own
