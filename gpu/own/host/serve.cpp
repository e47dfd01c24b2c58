#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "gpu/own/host/host.h"

namespace warploom::own {

bool Host::serve() {
  Order order;
  alignas(16) std::byte arguments[most_argument_bytes];
  int file = -1;
  if (!receive(order, arguments, file)) return false;
  Answer answer;
  answer.done = 1;
  if (order.version != orders_version)
    refuse(answer, "the host is of another version of the program");
  else
    carry_out(order, arguments, file, answer);
  if (file >= 0) close(file);
  return send(host_socket, &answer, sizeof answer, MSG_NOSIGNAL) == sizeof answer;
}

bool Host::receive(Order& order, std::byte* arguments, int& file) {
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
    if (one->cmsg_level == SOL_SOCKET && one->cmsg_type == SCM_RIGHTS) std::memcpy(&file, CMSG_DATA(one), sizeof file);
  return static_cast<std::size_t>(got) - sizeof order == order.argument_bytes;
}

void Host::refuse(Answer& answer, const std::string& why) {
  answer.done = 0;
  std::strncpy(answer.why, why.c_str(), sizeof answer.why - 1);
}

void Host::carry_out(const Order& order, std::byte* bytes, int file, Answer& answer) {
  if (order.kind == OrderKind::map) return map(order, file, answer);
  if (order.kind == OrderKind::unmap) {
    const auto found = pages_.find(order.pages);
    if (found == pages_.end()) return;
    unmap(found->second, order);
    pages_.erase(found);
    return;
  }
  if (order.kind == OrderKind::load) return load(order, answer);
  if (size_ == 0 || order.argument_bytes != size_)
    return refuse(answer, "the map was compiled for other arguments than those that were sent");
  auto& with = *reinterpret_cast<Arguments*>(bytes);
  for (std::size_t i = 0; i < static_cast<std::size_t>(Memory::count); ++i) {
    const PagesAt& at = order.memory[i];
    const auto found = pages_.find(at.pages);
    with.memory[i] = found == pages_.end() ? nullptr : found->second + at.offset;
  }
  if (order.kind == OrderKind::launches) return ask_launches(with, answer);
  if (order.kind == OrderKind::ask) return ask(with, order.visit, answer);
  const auto second = pages_.find(order.second.pages);
  run(order, with, second == pages_.end() ? nullptr : second->second + order.second.offset, answer);
}

void Host::go_on(Arguments& with, void*& second) {
  void*& out = with.memory[static_cast<std::size_t>(Memory::out)];
  with.memory[static_cast<std::size_t>(Memory::in)] = out;
  std::swap(out, second);
}

std::byte* Host::map_file(const Order& order, int file) {
  void* memory = file < 0
                     ? MAP_FAILED
                     : mmap(nullptr, order.page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
  if (memory == MAP_FAILED) return nullptr;
  return static_cast<std::byte*>(memory);
}

}  // namespace warploom::own
