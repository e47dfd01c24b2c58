// The process that runs an own map: whatever becomes of it here, the program stays up. It takes orders from a socket,
// reads and writes memory that the program shares with it, and ends when the program does.
#include <dlfcn.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <map>
#include <thread>

#include "gpu/core/pool.h"
#include "gpu/core/run_blocks.h"
#include "gpu/own/host/host.h"
#include "gpu/own/orders.h"

namespace warploom::own {

namespace {

class Host {
 public:
  explicit Host(unsigned threads) : pool_(threads) {}

  /// False: the program wants nothing more.
  bool serve() {
    Order order;
    alignas(16) std::byte arguments[most_argument_bytes];
    int file = -1;
    if (!receive(order, arguments, file)) return false;
    Answer answer;
    answer.done = true;
    if (order.version != orders_version)
      refuse(answer, "the host is of another version of the program");
    else
      carry_out(order, arguments, file, answer);
    if (file >= 0) close(file);
    return send(host_socket, &answer, sizeof answer, MSG_NOSIGNAL) == sizeof answer;
  }

 private:
  static bool receive(Order& order, std::byte* arguments, int& file) {
    iovec parts[]{{&order, sizeof order}, {arguments, most_argument_bytes}};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))];
    msghdr message{};
    message.msg_iov = parts;
    message.msg_iovlen = 2;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    ssize_t got = 0;
    do got = recvmsg(host_socket, &message, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    if (got < static_cast<ssize_t>(sizeof order)) return false;
    for (cmsghdr* one = CMSG_FIRSTHDR(&message); one; one = CMSG_NXTHDR(&message, one))
      if (one->cmsg_level == SOL_SOCKET && one->cmsg_type == SCM_RIGHTS)
        std::memcpy(&file, CMSG_DATA(one), sizeof file);
    return static_cast<std::size_t>(got) - sizeof order == order.argument_bytes;
  }

  static void refuse(Answer& answer, const char* why) {
    answer.done = false;
    std::strncpy(answer.why, why, sizeof answer.why - 1);
  }

  void carry_out(const Order& order, std::byte* bytes, int file, Answer& answer) {
    if (order.kind == OrderKind::map) return map(order, file, answer);
    if (order.kind == OrderKind::load) return load(order, answer);
    if (!codes_[1].run || order.argument_bytes != size_)
      return refuse(answer, "the map was compiled for other arguments than those that were sent");
    auto& with = *reinterpret_cast<Arguments*>(bytes);
    for (std::size_t i = 0; i < static_cast<std::size_t>(Memory::count); ++i) {
      const PagesAt& at = order.memory[i];
      const auto found = pages_.find(at.pages);
      with.memory[i] = found == pages_.end() ? nullptr : found->second + at.offset;
    }
    switch (order.kind) {
      case OrderKind::launches: {
        const Working here;
        shape_ = {};
        codes_[0].launches(&with, &shape_);
        answer.launches = shape_;
        break;
      }
      case OrderKind::ask: {
        const Working here;
        codes_[0].ask(&with, &shape_, &order.visit, &answer.answered);
        break;
      }
      default:
        run(order.job, with, answer);
    }
  }

  void map(const Order& order, int file, Answer& answer) {
    void* memory = file < 0
                       ? MAP_FAILED
                       : mmap(nullptr, order.page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
    if (memory == MAP_FAILED) return refuse(answer, "the host cannot map the program's memory");
    // The first pages are what both signal by.
    if (pages_.empty()) watch_falls(*static_cast<Signals*>(memory)), signals_ = static_cast<Signals*>(memory);
    pages_[order.pages] = static_cast<std::byte*>(memory);
  }

  void load(const Order& order, Answer& answer) {
    for (int i = 0; i < 2; ++i) {
      void* library = dlopen(order.paths[i], RTLD_NOW | RTLD_LOCAL);
      if (!library) return refuse(answer, dlerror());
      const auto find = [&](const char* name, auto& to) {
        to = reinterpret_cast<std::decay_t<decltype(to)>>(dlsym(library, name));
        return to != nullptr;
      };
      Code& code = codes_[i];
      OwnSize* size = nullptr;
      if (!find("own_size", size) || !find("own_launches", code.launches) || !find("own_run", code.run) ||
          !find("own_ask", code.ask))
        return refuse(answer, "the compiled map lacks a function");
      void (**fault)(const char*) = nullptr;  // of checked code alone
      if (find("own_fault", fault)) *fault = &tell_fault;
      Dl_info info{};
      dladdr(reinterpret_cast<void*>(code.run), &info);
      answer.base[i] = reinterpret_cast<std::uint64_t>(info.dli_fbase);
      size_ = size();
    }
    wait_for_threads();
    if (const char* why = give_up_rights()) refuse(answer, why);
  }

  /// Until every thread of the pool has begun, and has its stack for signals: what a thread calls as it begins is among
  /// the rights that are given up.
  void wait_for_threads() {
    std::atomic<unsigned> begun{0};
    pool_.run(pool_.threads(), [&](std::uint64_t) {
      const Working here;
      ++begun;
      while (begun < pool_.threads()) std::this_thread::yield();
    });
  }

  void run(Job job, const Arguments& with, Answer& answer) {
    const auto begin = std::chrono::steady_clock::now();
    const Code& code = codes_[job == Job::trusted_step];
    std::uint64_t first_visit = 0;
    for (int launch = 0; launch < shape_.count; ++launch) {
      const std::uint64_t blocks = volume(shape_.grids[launch]);
      const std::uint64_t grain = std::max<std::uint64_t>(1, detail::usual_threads_per_chunk / volume(shape_.threads));
      pool_.run((blocks + grain - 1) / grain, [&](std::uint64_t chunk) {
        if (signals_->cancelled.load(std::memory_order_relaxed)) return;
        const Working here;
        code.run(job, &with, &shape_, launch, first_visit, chunk * grain, std::min(blocks, (chunk + 1) * grain),
                 &whereabouts());
        signals_->beats.fetch_add(1, std::memory_order_relaxed);
      });
      first_visit += blocks * static_cast<std::uint64_t>(shape_.turns);
    }
    answer.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  }

  Pool pool_;
  std::map<std::uint64_t, std::byte*> pages_;
  Signals* signals_ = nullptr;
  std::size_t size_ = 0;
  struct Code {
    OwnLaunches* launches = nullptr;
    OwnRun* run = nullptr;
    OwnAsk* ask = nullptr;
  } codes_[2];  ///< checked, trusted
  Launches shape_;
};

}  // namespace

}  // namespace warploom::own

int main(int count, char** words) {
  using namespace warploom::own;
  // Started by hand, it has no socket.
  int kind = 0;
  socklen_t length = sizeof kind;
  if (count != 2 || getsockopt(host_socket, SOL_SOCKET, SO_TYPE, &kind, &length) != 0 || kind != SOCK_SEQPACKET) {
    const char help[] = "warploom-host: warploom starts it to run own maps; it does nothing by itself\n";
    return write(STDERR_FILENO, help, sizeof help - 1) < 0 ? 1 : 2;
  }
  // The program may end at any moment, while a map runs, too.
  std::atomic<bool> watching{false};
  std::thread([&watching] {
    watching = true;
    pollfd socket{host_socket, POLLRDHUP, 0};
    while (poll(&socket, 1, -1) < 0 || !(socket.revents & (POLLRDHUP | POLLHUP | POLLERR))) {
    }
    _exit(0);
  }).detach();
  while (!watching) std::this_thread::yield();
  Host host(static_cast<unsigned>(std::max(1, std::atoi(words[1]))));
  while (host.serve()) {
  }
  _exit(0);
}
