#pragma once
#include "viewer/model/model.h"

namespace warploom {

/// Measures, beside the window, what memory can do at most, a verified copy of data larger than every cache, and how
/// long starting a block takes, as `warploom bench ceilings` does. Kernels of the tracks are paused. Throws Error while
/// other long work is under way.
void measure_copy_ceiling(Model& model);

/// How much of it this many bytes per second are, 0..; 0: it was not measured.
double share_of_ceiling(const Model& model, double bytes_per_second);

}  // namespace warploom
