#pragma once
#include "gpu/core/pixels.h"
#include "gpu/core/queue.h"

namespace warploom {

/// Fills a picture with a known pattern by a kernel: what the doctor measures the way to the screen with.
void paint_pattern(Queue& queue, const PixelTarget& target, unsigned phase);

}  // namespace warploom
