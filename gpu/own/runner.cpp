#include "gpu/own/runner.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <new>
#include <thread>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/core/shared_pages.h"
#include "gpu/core/stopwatch.h"
#include "gpu/core/watched_work.h"
#include "gpu/own/compiling.h"

extern char** environ;

namespace warploom {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
namespace {

/// Beside its states and what its libraries and threads take.
constexpr std::uint64_t most_host_bytes = std::uint64_t{1} << 30;

bool has_process_ended(int process) {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == process;
}

/// Makes the threads of a process say where they are.
void ask_where(int process) {
  std::error_code none;
  for (const auto& task : fs::directory_iterator(fmt::format("/proc/{}/task", process), none))
    syscall(SYS_tgkill, process, std::atoi(task.path().filename().c_str()), SIGUSR1);
}

constexpr const char* ended_at_once = "the process of an own map ended as it began: ";

}  // namespace

OwnRunner::OwnRunner(const OwnSource& text, std::shared_ptr<const OwnSource> rule, Backend backend, unsigned threads)
    : text_(text), rule_(std::move(rule)), backend_(backend) {
  void* pages = allocate_shared_pages(sizeof(own::Signals));
  if (!pages) throw MemoryError("no memory to share with the process of an own map");
  signals_ = new (pages) own::Signals;
  try {
    start(threads);
  } catch (...) {
    end();
    release_shared_pages(signals_);
    throw;
  }
}

OwnRunner::~OwnRunner() {
  end();
  release_shared_pages(signals_);
}

void OwnRunner::start(unsigned threads) {
  const fs::path host = own_host();
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0)
    throw Error("no socket for the process of an own map: " + std::generic_category().message(errno));
  socket_ = sockets[0];
  const bool device = backend_ == Backend::cuda;
  std::string path = host.string(), cuda = "--cuda", count = std::to_string(device ? 0 : threads);
  char* words[]{path.data(), device ? cuda.data() : count.data(), device ? count.data() : nullptr, nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // Where it has that number already, a plain copy would keep the mark that closes it.
  if (sockets[1] == own::host_socket) {
    const int other = fcntl(sockets[1], F_DUPFD_CLOEXEC, own::host_socket + 1);
    close(sockets[1]);
    sockets[1] = other;
  }
  posix_spawn_file_actions_adddup2(&actions, sockets[1], own::host_socket);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addclosefrom_np(&actions, own::host_socket + 1);
  posix_spawnattr_t how;
  posix_spawnattr_init(&how);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&how, &none);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&how, 0);  // Ctrl+C in a terminal is the program's to answer
  const int error = posix_spawn(&process_, path.c_str(), &actions, &how, words, environ);
  posix_spawnattr_destroy(&how);
  posix_spawn_file_actions_destroy(&actions);
  close(sockets[1]);
  if (error) {
    process_ = 0;
    throw Error(path + ": " + std::generic_category().message(error));
  }
  const rlimit core{0, 0};
  prlimit(process_, RLIMIT_CORE, &core, nullptr);
}

void OwnRunner::load(const CompiledOwn& compiled) {
  compiled_ = compiled;
  hand_signals_over();
  own::Order load;
  load.kind = own::OrderKind::load;
  std::strncpy(load.paths[0], compiled_.checked.c_str(), sizeof load.paths[0] - 1);
  std::strncpy(load.paths[1], compiled_.trusted.c_str(), sizeof load.paths[1] - 1);
  const auto answer = order(load, {});
  if (!answer) throw Error(ended_at_once + fault_->text);
  if (!answer->done)
    throw Error(fmt::format("own map {}, compiled by {}: {}", text_.file, compiled_.compiler, valid_utf8(answer->why)));
  base_[0] = answer->base[0];
  base_[1] = answer->base[1];
}

void OwnRunner::share(void* memory) {
  hand_signals_over();
  own::PagesAt at;
  if (!place(at, memory)) throw Error(ended_at_once + fault_->text);
}

void OwnRunner::hand_signals_over() {
  const auto signals = shared_pages_at(signals_);
  if (handed_.contains(signals->number)) return;
  const auto answer = hand_over(*signals);
  if (!answer) throw Error(ended_at_once + fault_->text);
  if (!answer->done) throw Error(valid_utf8(answer->why));
}

void OwnRunner::end() noexcept {
  if (socket_ >= 0) close(socket_);
  socket_ = -1;
  if (process_) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  process_ = 0;
}

void OwnRunner::asked_back(std::span<const std::byte> with) {
  const std::lock_guard lock(mutex_);
  const auto& arguments = *reinterpret_cast<const own::Arguments*>(with.data());
  for (void* const memory : arguments.memory) {
    const auto pages = memory ? shared_pages_at(memory) : std::nullopt;
    const auto known = pages ? handed_.find(pages->number) : handed_.end();
    if (known == handed_.end() || fault()) continue;
    own::Order unmap;
    unmap.kind = own::OrderKind::unmap;
    unmap.pages = pages->number;
    unmap.page_bytes = pages->bytes;
    unmap.page_offset = known->second;
    handed_bytes_ -= std::min(handed_bytes_, pages->bytes);
    handed_.erase(known);
    (void)order(unmap, {});
  }
}

std::optional<OwnFault> OwnRunner::fault() const {
  const std::lock_guard lock(fault_mutex_);
  return fault_;
}

void OwnRunner::refuse(const OwnFault& fault) {
  const std::lock_guard lock(fault_mutex_);
  if (!fault_) fault_ = fault;
}

std::optional<own::Answer> OwnRunner::hand_over(const SharedPages& pages) {
  own::Order map;
  map.pages = pages.number;
  map.page_bytes = pages.bytes;
  map.of_device = pages.file < 0;
  if (map.of_device) {
    const auto exported = exported_device_pages(pages.begin);
    static_assert(sizeof exported.handle == sizeof map.handle);
    std::memcpy(map.handle, exported.handle, sizeof map.handle);
    map.page_offset = exported.offset;
  }
  auto answer = order(map, {}, nullptr, pages.file);
  if (answer && answer->done) handed_[pages.number] = map.page_offset;
  return answer;
}

bool OwnRunner::place(own::Order& order, std::span<const std::byte> with) {
  order.argument_bytes = static_cast<std::uint32_t>(with.size());
  const auto& arguments = *reinterpret_cast<const own::Arguments*>(with.data());
  for (std::size_t i = 0; i < static_cast<std::size_t>(own::Memory::count); ++i)
    if (!place(order.memory[i], arguments.memory[i])) return false;
  return true;
}

bool OwnRunner::place(own::PagesAt& at, void* memory) {
  if (!memory) return true;
  const auto pages = shared_pages_at(memory);
  if (!pages) throw Error("memory of an own map is not shared with its process");
  if (!handed_.contains(pages->number)) {
    handed_bytes_ += pages->bytes;
#ifndef WARPLOOM_CHECK_THREADS  // sanitizers reserve all there is, and so does a device's driver
    const rlimit most{handed_bytes_ + most_host_bytes + (std::uint64_t{80} << 20) * std::thread::hardware_concurrency(),
                      RLIM_INFINITY};
    if (backend_ == Backend::cpu) prlimit(process_, RLIMIT_AS, &most, nullptr);
#endif
    const auto answer = hand_over(*pages);
    if (!answer) return false;
    if (!answer->done) throw Error(valid_utf8(answer->why));
  }
  at = {pages->number, static_cast<std::uint64_t>(static_cast<std::byte*>(memory) - pages->begin)};
  return true;
}

std::optional<own::Answer> OwnRunner::order(own::Order& order, std::span<const std::byte> with,
                                            const std::atomic<bool>* cancel, int file) {
  if (fault()) return std::nullopt;
  iovec parts[]{{&order, sizeof order}, {const_cast<std::byte*>(with.data()), with.size()}};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = parts;
  message.msg_iovlen = 2;
  if (file >= 0) {
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* rights = CMSG_FIRSTHDR(&message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof file);
    std::memcpy(CMSG_DATA(rights), &file, sizeof file);
  }
  const bool sent = sendmsg(socket_, &message, MSG_NOSIGNAL) >= 0;
  own::Answer answer;
  // A device's driver begins slowly; what judging took says what a step may take. Only a run, or a question, is in code
  // of the map's.
  constexpr double driver_ms = 30'000;
  const bool of_map = order.kind == own::OrderKind::launches || order.kind == own::OrderKind::ask;
  const double usual = own_patience(), once = step_ms_ > 0 && order.steps > 1 ? step_ms_ : judged_ms_,
               of_device = order.kind == own::OrderKind::run ? 20 * once * order.steps
                           : of_map                          ? 0
                                                             : driver_ms;
  const double most = backend_ == Backend::cpu ? usual : std::max(usual, of_device);
  std::uint64_t beats = signals_->beats;
  bool asked_to_stop = false;
  const std::uint64_t begin = beats;
  for (auto moved = Clock::now(); sent;) {
    pollfd waiting{socket_, POLLIN, 0};
    // A quick answer costs no wait.
    if (poll(&waiting, 1, cancel ? 5 : 50) > 0 && (waiting.revents & POLLIN)) {
      if (recv(socket_, &answer, sizeof answer, 0) != sizeof answer) break;
      answer.why[sizeof answer.why - 1] = 0;
      if (!asked_to_stop) return answer;
      signals_->cancelled = 0;
      throw Cancelled();
    }
    // What fell has said so before its process is gone, which may take a while.
    if ((waiting.revents & (POLLHUP | POLLERR)) || signals_->fallen == 2 || has_process_ended(process_)) break;
    if (cancel && cancel->load() && !asked_to_stop) {
      signals_->cancelled = 1;
      asked_to_stop = true;
    }
    if (const std::uint64_t now = signals_->beats; now != beats) {
      beats = now;
      moved = Clock::now();
      if (order.kind == own::OrderKind::run && order.job == own::Job::judge)
        WatchedWork::reached(static_cast<double>(order.first + (beats - begin)) / static_cast<double>(chunks()));
    }
    if (milliseconds_since(moved) > most) {
      ask_where(process_);
      for (int i = 0; i < 100 && signals_->fallen != 2; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      end();
      refuse(told(false));
      if (asked_to_stop) throw Cancelled();
      return std::nullopt;
    }
  }
  end();
  refuse(told(true));
  return std::nullopt;
}

std::optional<own::Launches> OwnRunner::asked_launches(std::span<const std::byte> with) {
  const std::lock_guard lock(mutex_);
  own::Order order;
  order.kind = own::OrderKind::launches;
  if (fault() || !place(order, with)) return std::nullopt;
  asking_launches_ = true;
  const auto answer = this->order(order, with);
  asking_launches_ = false;
  if (!answer) return std::nullopt;
  if (!answer->done) throw Error(valid_utf8(answer->why));
  shape_ = answer->launches;
  return shape_;
}

std::uint64_t OwnRunner::chunks() const {
  std::uint64_t all = 0;
  for (int i = 0; i < shape_.count; ++i) all += backend_ == Backend::cuda ? 1 : own::chunks_of(shape_, i);
  return all;
}

std::optional<double> OwnRunner::asked_run(own::Job job, std::span<const std::byte> with,
                                           const std::atomic<bool>* cancel, std::uint32_t steps, void* second,
                                           OwnChunks part) {
  if (cancel && cancel->load()) throw Cancelled();
  const std::lock_guard lock(mutex_);
  own::Order order;
  order.kind = own::OrderKind::run;
  order.job = job;
  order.steps = steps;
  order.first = part.first;
  order.last = part.last;
  if (fault() || !place(order, with) || !place(order.second, second)) return std::nullopt;
  const auto answer = this->order(order, with, cancel);
  if (!answer) return std::nullopt;
  if (!answer->done) throw Error(valid_utf8(answer->why));
  if (job != own::Job::judge)
    step_ms_ = answer->milliseconds / steps;
  else if (part.first == 0)
    judged_ms_ = answer->milliseconds;
  return answer->milliseconds;
}

std::optional<own::Answered> OwnRunner::asked_visit(std::span<const std::byte> with, const own::Visit& visit) {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) return std::nullopt;
  own::Order order;
  order.kind = own::OrderKind::ask;
  order.visit = visit;
  if (fault() || !place(order, with)) return std::nullopt;
  const auto answer = this->order(order, with);
  return answer && answer->done ? std::optional(answer->answered) : std::nullopt;
}

}  // namespace warploom
