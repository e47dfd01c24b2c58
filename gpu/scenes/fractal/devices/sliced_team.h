#pragma once
#include <memory>
#include <vector>

#include "gpu/core/team.h"
#include "gpu/scenes/fractal/tracks/sliced_stepper.h"
#include "gpu/scenes/fractal/works/border.h"
#include "gpu/scenes/fractal/works/sliced_tables.h"

namespace warploom {

/// Steps of an automaton on a sliced state whose chunks several devices share: each steps its part by the kernels of
/// one device, as if no other lane were there; then its border words, which all have told each other of, anew.
class SlicedTeam {
 public:
  /// `shape`: of the whole state, of as many parts as `domain` has devices. Throws UsageError where those are not
  /// there.
  SlicedTeam(const Queue& queue, const FractalDomain& domain, const SlicedShape& shape, const Rule& rule);

  /// One step; states lie part behind part. Waits for it.
  std::vector<TeamSpan> step(Queue& outer, const char* kernel, const std::uint32_t* from, std::uint32_t* to) const;

  const Team& team() const { return *team_; }
  /// Who does what in a part.
  const SlicedServing& serving(int device) const { return held_[static_cast<std::size_t>(device)].stepper->serving(); }
  /// Launches of a step on each device.
  std::uint64_t launches() const { return count_ ? 3 : 1; }
  /// Words that each device is told of, and bytes over the link in a step.
  std::uint64_t border_words() const { return count_; }
  std::uint64_t link_bytes() const { return link_bytes_; }
  /// Of tables and border words on a device.
  std::uint64_t bytes_on(int device) const;

 private:
  /// Steps of a part know no other lanes.
  class PartTables : public DigitTables {
   public:
    PartTables(Queue& queue, const FractalDomain& domain, const SlicedShape& part);
    std::uint64_t bytes() const { return DigitTables::bytes() + none_.bytes(); }

   private:
    Buffer<std::uint16_t> none_;
  };
  struct Held {
    SlicedShape shape;
    std::unique_ptr<PartTables> steps;
    std::unique_ptr<SlicedStepper> stepper;
    std::unique_ptr<SlicedTables> lanes;  ///< of the whole state
    Buffer<std::uint64_t> places;
    Buffer<BorderBeside> beside;
    Buffer<std::uint32_t> sent, border;
  };
  std::shared_ptr<Team> team_;
  SlicedShape shape_;
  Rule rule_;
  std::uint64_t count_ = 0, link_bytes_ = 0;  ///< border words
  std::vector<Held> held_;                    ///< by device
  LinkPlan link_;
};

}  // namespace warploom
