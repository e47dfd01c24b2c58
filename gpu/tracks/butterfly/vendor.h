#pragma once
#include "gpu/tracks/butterfly/transform.h"

namespace warploom {

/// Throws UsageError where it is missing. Plans are made here, and never timed.
std::unique_ptr<Transform> make_vendor_transform(Queue& queue, const ButterflySettings& settings);

}  // namespace warploom
