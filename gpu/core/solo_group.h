#pragma once
#include "gpu/core/macros.h"
#include "gpu/core/thread.h"

namespace warploom {

/// A group of one thread, on either side: what a picture or a hover uses to ask a map about another block.
struct SoloGroup {
  template <class Value>
  struct PerThread {
    Value value;
    WARPLOOM_HD Value& operator[](const WarpLane&) { return value; }
  };
  template <class Body>
  WARPLOOM_HD void each_in_warp(Body&& body) {
    body(WarpLane{0, 1});
  }
  template <class Value>
  WARPLOOM_HD Value warp_sum(PerThread<Value>& part, unsigned) {
    return part.value;
  }
  template <class Body>
  WARPLOOM_HD auto same(Body&& body, bool = true) {
    return body();
  }
};

}  // namespace warploom
