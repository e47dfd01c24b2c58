#pragma once
#include <string>
#include <vector>

#include "gpu/bench/measure.h"

namespace warploom::bench {

/// One thing the machine can do only so fast. Its figure's unit is a rate; `scale` of that unit make one a second.
struct Ceiling {
  const char* key;
  const char* unit;
  double scale;
  void (*run)(Bench&, const Ceiling&, Figure&);
};

/// Every ceiling, in the order they are measured.
const std::vector<Ceiling>& all_ceilings();

/// Measures one and tells the bench: the faster of ours and the peer. Throws Error for an unknown one.
Figure measure_ceiling(Bench& bench, const std::string& key);

// The bodies, by what limits them. They fill in all but suite and name.
void copy_ceiling(Bench&, const Ceiling&, Figure&);
void fill_ceiling(Bench&, const Ceiling&, Figure&);
void gather_ceiling(Bench&, const Ceiling&, Figure&);
void same_atomics_ceiling(Bench&, const Ceiling&, Figure&);
void spread_atomics_ceiling(Bench&, const Ceiling&, Figure&);
void small_blocks_ceiling(Bench&, const Ceiling&, Figure&);
void large_blocks_ceiling(Bench&, const Ceiling&, Figure&);
void fma_ceiling(Bench&, const Ceiling&, Figure&);
void logic_ceiling(Bench&, const Ceiling&, Figure&);
void special_ceiling(Bench&, const Ceiling&, Figure&);
void shared_ceiling(Bench&, const Ceiling&, Figure&);

/// Bytes of the larger buffers: several times every cache on CUDA, on the CPU 256 MiB or a quarter of what is free.
/// A multiple of 1 MiB, times the settings' scale.
std::uint64_t large_bytes(const Bench& bench);
/// Threads of the arithmetic ceilings: a few full waves of the device, or of the CPU engine's threads. A multiple of
/// 256.
std::uint64_t arithmetic_threads(const Bench& bench);
/// `usual` times the settings' scale, rounded to a multiple of `unit`, at least one unit.
std::uint64_t scaled(const Bench& bench, std::uint64_t usual, std::uint64_t unit);

}  // namespace warploom::bench
