#pragma once
#include <string>
#include <vector>

#include "gpu/bench/measure.h"

namespace warploom::bench {

/// Fig. 13 of obeid2010binning: blocks read runs of 128 values of 4, 8 and 16 bytes that begin anywhere, against runs
/// that begin on 512 bytes.
std::vector<Figure> misaligned_figures(Bench& bench);

/// Records of 16 bytes into bins: by ranks (histogram, scan, scatter), and by sorting and gathering.
std::vector<Figure> record_figures(Bench& bench);

/// How many records each of few bins has, by the stage that gives them ranks, too; on CUDA against CUB's histogram.
std::vector<Figure> histogram_figures(Bench& bench);

// ---- what they share ------------------------------------------------------------------------------------------------

/// Powers of two, as many as the settings' scale leaves: each once; on the CPU one.
std::vector<std::uint64_t> record_counts(const Bench& bench, const std::vector<unsigned>& on_cuda, unsigned on_cpu);

}  // namespace warploom::bench
