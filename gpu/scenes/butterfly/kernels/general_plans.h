#pragma once
#include <algorithm>

#include "gpu/scenes/butterfly/kernels/plan.h"
#include "gpu/scenes/butterfly/networks/fft.h"

// The plans of programs that run any mapping: made of it when a track is.
namespace warploom {

/// Elements that stay where they were loaded: 2^p neighbours a thread, rows of a block one behind the other. Of rows
/// that are longer than a block threads are numbered over all of a row.
inline Plan in_place_plan(const NetworkMapping& mapping, int stages) {
  Plan plan;
  const int all = std::max(mapping.n, mapping.s);
  plan.n = mapping.n;
  plan.p = mapping.p;
  plan.l = all - mapping.p;
  Layout at;
  at.registers.add_rising(0, mapping.p);
  at.thread.add_rising(mapping.p, all);
  plan.add(at, 1, stages);
  return plan;
}

/// A row a thread, which goes through it element by element: it has one of them at a time.
inline Plan serial_plan(int n, int stages) {
  Plan plan;
  plan.n = n;
  plan.add({}, 1, stages);
  return plan;
}

/// A step a window: its digits are in the number of the register, and of the thread's the lowest are those below it,
/// ascending, then come those above it, the highest first: so loads and stores are of neighbours, and none is
/// reordered. Rows of a block stand behind each other. Source: lobeiras2016indexdigit.
inline Plan permuting_plan(const FftNetwork& a, int s) {
  Plan plan;
  const int all = std::max(a.n, s);
  plan.n = a.n;
  plan.p = a.p;
  plan.l = all - a.p;
  for (int window = 0; window < std::max(1, a.windows()); ++window) {
    const int lowest = WindowPlaces::lowest(a, window) - 1;
    Layout at;
    at.registers.add_rising(lowest, lowest + a.p);
    at.thread.add_rising(0, lowest);
    at.thread.add_falling(lowest + a.p, a.n);
    at.thread.add_rising(a.n, all);
    const int first = a.windows() ? a.first_stage(window) : 1;
    plan.add(at, first, window + 1 < a.windows() ? a.first_stage(window + 1) - 1 : a.stages());
  }
  return plan;
}

}  // namespace warploom
