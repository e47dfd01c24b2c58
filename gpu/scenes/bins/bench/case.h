#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpu/bench/track_bench.h"
#include "gpu/scenes/bins/bins.h"

namespace warploom::bench {

/// What some outputs of a problem should be, by plain loops over all elements in double: nothing of it comes from
/// accesses, stages or terms.
struct BinningExpected {
  std::uint64_t seal = 0;             ///< of every element in its bin
  std::vector<std::uint64_t> at;      ///< the outputs that are looked at
  std::vector<double> values, sizes;  ///< (at, components): sums, and sums of magnitudes
};

/// One point of a curve: an application, an input, and what else is set.
struct BinningCase {
  std::shared_ptr<const BinProblem> problem;
  std::shared_ptr<const BinningExpected> expected;
  const BinSettings& settings() const { return problem->settings; }
};

/// Throws UsageError where such a problem cannot be.
BinningCase make_binning_case(Bench& bench, const BinSettings& settings);
/// The same elements, outputs and cutoff: what is set may change but bins, caps and how they are made.
BinningCase rebinned(Bench& bench, const BinningCase& c, const BinSettings& settings);

/// A track to be timed. Bodies are at rest. Throws UsageError where its memory is not to be had. Right where its seal
/// is the expected one and its outputs are within 1e-5.
Contestant binning_contestant(Bench& bench, const BinningCase& c, const std::string& track);

}  // namespace warploom::bench
