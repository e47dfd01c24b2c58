#include "viewer/base/stop_signals.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <utility>

namespace warploom {

StopSignals::StopSignals() {
  sigemptyset(&watched_);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction now {};
    if (sigaction(number, nullptr, &now) == 0 && now.sa_handler != SIG_IGN) sigaddset(&watched_, number);
  }
  pthread_sigmask(SIG_BLOCK, &watched_, &before_);
  signals_ = signalfd(-1, &watched_, SFD_CLOEXEC);
  end_ = eventfd(0, EFD_CLOEXEC);
  if (signals_ >= 0 && end_ >= 0) {
    thread_ = std::thread([this] { wait_for_signals(); });
  } else {
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);  // without descriptors signals end the program as they used to
  }
}

StopSignals::~StopSignals() {
  if (thread_.joinable()) {
    eventfd_write(end_, 1);
    thread_.join();
  }
  if (signals_ >= 0) close(signals_);
  if (end_ >= 0) close(end_);
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void StopSignals::wait_for_signals() {
  for (;;) {
    pollfd ready[] = {{signals_, POLLIN, 0}, {end_, POLLIN, 0}};
    if (poll(ready, 2, -1) < 0) continue;
    if (ready[1].revents) return;
    signalfd_siginfo signal{};
    if (read(signals_, &signal, sizeof signal) != sizeof signal) continue;
    const int number = static_cast<int>(signal.ssi_signo);
    if (number_) _exit(128 + number);  // asked twice: at once, without saving
    number_ = number;
    const std::lock_guard lock(mutex_);
    if (act_) act_();
  }
}

StopSignals::Watch::Watch(StopSignals& of, std::function<void()> act) : of_(of) {
  const std::lock_guard lock(of_.mutex_);
  of_.act_ = std::move(act);
}

StopSignals::Watch::~Watch() {
  const std::lock_guard lock(of_.mutex_);
  of_.act_ = nullptr;
}

}  // namespace warploom
