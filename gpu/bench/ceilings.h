#pragma once
#include <string>
#include <vector>

#include "gpu/bench/measure.h"

namespace warploom::bench {

struct Ceiling;
/// Measures one: fills in all of its figure but suite and name.
using MeasuresCeiling = void(Bench&, const Ceiling&, Figure&);

/// One thing the machine can do only so fast. Its figure's unit is a rate; `scale` of that unit make one a second.
struct Ceiling {
  const char* key;
  const char* unit;
  double scale;
  MeasuresCeiling* run;
};

/// Every ceiling, in the order they are measured.
const std::vector<Ceiling>& all_ceilings();

/// Measures one and tells the bench: the faster of ours and the peer. Throws Error for an unknown one.
Figure measure_ceiling(Bench& bench, const std::string& key);

// By what limits them: a source each.
MeasuresCeiling copy_ceiling, fill_ceiling, gather_ceiling;
MeasuresCeiling same_atomics_ceiling, spread_atomics_ceiling, small_blocks_ceiling, large_blocks_ceiling;
MeasuresCeiling fma_ceiling, logic_ceiling, special_ceiling;
MeasuresCeiling shared_ceiling;

/// Bytes of the larger buffers: several times every cache on CUDA, on the CPU 256 MiB or a quarter of what is free.
/// A multiple of 1 MiB, times the settings' scale.
std::uint64_t large_bytes(const Bench& bench);
/// Threads of the arithmetic ceilings: a few full waves of the device, or of the CPU engine's threads. A multiple of
/// 256.
std::uint64_t arithmetic_threads(const Bench& bench);
/// `usual` times the settings' scale, rounded to a multiple of `unit`, at least one unit.
std::uint64_t scaled(const Bench& bench, std::uint64_t usual, std::uint64_t unit);

}  // namespace warploom::bench
