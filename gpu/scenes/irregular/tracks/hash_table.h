#pragma once
#include "gpu/scenes/irregular/hash/probing.h"

namespace warploom {

/// A strategy with its kernels; instantiated in a source of its own.
template <class Strategy>
HashStrategy strategy_of() {
  HashStrategy all = Strategy::about();
  all.slots = &Strategy::slots;
  all.bytes = &Strategy::bytes;
  all.scratch = &Strategy::scratch;
  all.make = [](Queue& queue, const HashShape& shape) -> std::unique_ptr<HashTable> {
    if constexpr (requires { Strategy::make(queue, shape); })
      return Strategy::make(queue, shape);
    else
      return std::make_unique<TableBy<Strategy>>(queue, shape);
  };
  return all;
}

}  // namespace warploom
