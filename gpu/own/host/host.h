#pragma once
#include "gpu/own/orders.h"

// The parts of the host that touch the operating system.

namespace warploom::own {

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

}  // namespace warploom::own
