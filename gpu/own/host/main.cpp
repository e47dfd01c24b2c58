// The process that runs an own map: whatever becomes of it here, the program stays up. It takes orders from a socket,
// reads and writes memory that the program shares with it, and ends when the program does.
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "gpu/own/host/host.h"
#include "gpu/own/orders.h"

int main(int count, char** words) {
  using namespace warploom::own;
  if (count == 3 && std::string_view(words[1]) == "--nvrtc-version") return tell_nvrtc(words[2]);
  if (count > 1 && std::string_view(words[1]) == "--nvrtc") return compile_for_device({words + 2, words + count});
  // Started by hand, it has no socket.
  int kind = 0;
  socklen_t length = sizeof kind;
  if (count < 2 || count > 3 || (count == 3 && std::string_view(words[1]) != "--cuda") ||
      getsockopt(host_socket, SOL_SOCKET, SO_TYPE, &kind, &length) != 0 || kind != SOCK_SEQPACKET) {
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
  const int number = std::atoi(words[count - 1]);
  const auto host = count == 3 ? device_host(number) : cpu_host(static_cast<unsigned>(std::max(1, number)));
  host->prepare();
  while (host->serve()) {
  }
  _exit(0);
}
