#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gpu/own/orders.h"

// The process of own maps: what serves orders, on either processor, and the parts that touch the operating system.

namespace warploom::own {

/// Takes orders from the socket and answers them.
class Host {
 public:
  virtual ~Host() = default;
  /// What can be done before the code is there; why something cannot is told when that is loaded.
  virtual void prepare() {}
  /// False: the program wants nothing more.
  bool serve();

 protected:
  static void refuse(Answer& answer, const std::string& why);
  virtual void map(const Order& order, int file, Answer& answer) = 0;
  virtual void unmap(std::byte* memory, const Order& order) = 0;
  virtual void load(const Order& order, Answer& answer) = 0;
  virtual void ask_launches(const Arguments& with, Answer& answer) = 0;
  virtual void ask(const Arguments& with, const Visit& visit, Answer& answer) = 0;
  /// Job, steps and chunks as the order has them. `with` as the first of its steps has it; changed.
  virtual void run(const Order& order, Arguments& with, void* second, Answer& answer) = 0;
  /// From one step to the next.
  static void go_on(Arguments& with, void*& second);
  /// Maps the file that came with an order; null: it cannot be. The first one is what both signal by, on either
  /// processor.
  static std::byte* map_file(const Order& order, int file);

  std::map<std::uint64_t, std::byte*> pages_;
  Signals* signals_ = nullptr;
  std::size_t size_ = 0;  ///< of the arguments that the code takes; 0: none is loaded
  Launches shape_;

 private:
  static bool receive(Order& order, std::byte* arguments, int& file);
  void carry_out(const Order& order, std::byte* bytes, int file, Answer& answer);
};

/// Runs maps as shared libraries by so many threads.
std::unique_ptr<Host> cpu_host(unsigned threads);
/// Runs them as kernels of a device, by its number.
std::unique_ptr<Host> device_host(int device);

/// Where the calling thread is in a map.
Whereabouts& whereabouts();

/// While one lives, the calling thread is in code of an own map: it has a stack of its own for signals, and says where
/// it was when it falls or is asked.
class Working {
 public:
  Working();
  ~Working();
  Working& operator=(Working&&) = delete;  // neither copied nor moved
};

/// From now on a signal that ends this process is written down there first.
void watch_falls(Signals& signals);
/// What checked code calls: writes "kind:words" down and ends.
[[noreturn]] void tell_fault(const char* what);

/// Takes all system calls but those of memory, of waiting, of the socket and of its end from every thread of this
/// process, for good. Null, or why that cannot be.
const char* give_up_rights();

/// Whether a shared library has code of its own that runs as it is loaded, before any right is given up: constructors
/// of global objects, functions that choose an address. One that cannot be read has.
bool runs_when_loaded(const char* path);
/// Prints the version of NVRTC; an exit code, 3 where it is not there.
int tell_nvrtc(const std::string& library);
/// `words`: the library's name, the source, where its code goes, and options. What it says is printed. Returns an exit
/// code: 0; 1 where the source is wrong.
int compile_for_device(const std::vector<std::string>& words);

}  // namespace warploom::own
