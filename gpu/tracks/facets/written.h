#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "gpu/own/judgement.h"
#include "gpu/own/text.h"
#include "gpu/tracks/faceted.h"

namespace warploom {

/// A track whose map its user wrote. Any thread may ask.
class Written : public FacetBase {
 public:
  virtual OwnState own() const = 0;
  /// The texts that it runs: its own, then that of the rule under it, if there is one.
  virtual std::vector<std::shared_ptr<const OwnSource>> texts() const = 0;
  /// Goes on judging it, for about so many seconds; does nothing where it is judged, or fell. Cancelled by the queue it
  /// throws, and begins anew the next time. For the thread that steps.
  virtual void judge(Queue& queue, double seconds) = 0;
  /// What it launches, serves and wastes is known.
  bool counted() const {
    const OwnState now = own();
    return !now.fault && !now.judging();
  }
  /// Several threads serve this cell, as judging found.
  virtual bool doubled(Cell cell) const = 0;
  /// A thread serves this cell, and which one was not kept, because there are too many: servers() finds it, and from
  /// then on Threads::owner() knows it, as long as it is of the last few that were asked for.
  virtual bool owner_is_unknown(Cell cell) const = 0;
  /// How many steps its process takes as one; and that so many follow, which it waits for at the last. For the thread
  /// that steps.
  virtual std::uint32_t most_steps() const = 0;
  virtual void gather(std::uint32_t steps) = 0;
  /// The first threads that serve a cell, and how many do. It asks every thread, and waits for the map's process. None
  /// of a kernel, which serves by running, or of a map that fell. Throws Cancelled.
  struct Servers {
    std::vector<Owner> first;
    std::uint64_t count = 0;
  };
  virtual Servers servers(Cell cell, std::size_t most, const std::atomic<bool>& cancel) = 0;
};

}  // namespace warploom
