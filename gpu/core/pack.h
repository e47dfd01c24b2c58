#pragma once
#include <cstdint>

#include "gpu/core/macros.h"

namespace warploom {

/// Values that a thread reads or writes at once: 4, 8 or 16 bytes on as many.
template <class Value, unsigned count>
struct alignas(sizeof(Value) * count) Pack {
  static_assert(sizeof(Value) * count <= 16);
  Value values[count];
  WARPLOOM_HD Value& operator[](unsigned i) { return values[i]; }
  WARPLOOM_HD const Value& operator[](unsigned i) const { return values[i]; }
};

template <unsigned count, class Value>
WARPLOOM_HD Pack<Value, count> load_pack(const Value* from) {
  return *reinterpret_cast<const Pack<Value, count>*>(from);
}
template <class Value, unsigned count>
WARPLOOM_HD void store_pack(Value* to, const Pack<Value, count>& pack) {
  *reinterpret_cast<Pack<Value, count>*>(to) = pack;
}

}  // namespace warploom
