#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "gpu/core/buffer.h"
#include "gpu/scenes/fractal/tracks/sliced_stepper.h"
#include "gpu/scenes/fractal/works/sliced_tables.h"

namespace warploom::bench {

/// Two sliced states of one domain and every way to step from the first to the second, without a track around them: so
/// that all ways share them, and the largest levels fit.
class SlicedBed {
 public:
  /// `rules`: the first is stepped by its own logic where it has one.
  SlicedBed(Queue& queue, const FractalDomain& domain, const std::vector<Rule>& rules);

  const SlicedShape& shape() const { return shape_; }
  std::uint64_t bytes() const { return states_[0].bytes(); }
  std::uint64_t at_once() const { return steppers_[0]->at_once(); }
  bool fuses_seal() const { return steppers_[0]->seals(); }

  /// The first state by the hash of a seed; the second is poisoned.
  void fill(Queue& queue, std::uint64_t seed, double density);
  /// `count` steps at once, 1 or at_once(); with the seal of what is written added up, where fuses_seal().
  void step(Queue& queue, std::size_t rule, std::uint64_t count, bool sealed = false);
  /// The seal of the first state, as it lies.
  void seal(Queue& queue);
  /// A copy of as many bytes, so many of 16 a thread: 1, 2, 4 or 8.
  void copy(Queue& queue, unsigned quads);

  struct Total {
    std::uint64_t seal = 0, live = 0;
    friend bool operator==(const Total&, const Total&) = default;
  };
  /// What was added up last. Waits.
  Total sealed(Queue& queue);
  /// Of the second state. Waits.
  Total result(Queue& queue);
  /// Whether the states are equal, byte by byte. Waits.
  bool equal(Queue& queue);
  /// Takes so many single steps from the first state and seals what comes out; the first state is lost.
  Total after_single_steps(Queue& queue, std::size_t rule, std::uint64_t count);

 private:
  SlicedStates states(bool back) const;
  SealSlots next_slots(const LaunchShape& shape);
  void seal_of(Queue& queue, const std::uint32_t* words);

  FractalDomain domain_;
  SlicedShape shape_;
  SlicedTables tables_;
  std::vector<std::unique_ptr<SlicedStepper>> steppers_;
  Buffer<std::uint32_t> states_[2];
  Buffer<std::uint64_t> slots_;
  std::uint64_t set_ = 0;
};

}  // namespace warploom::bench
