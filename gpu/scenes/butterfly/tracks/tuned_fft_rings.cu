// Rings of transforms whose tiles have 2^12 elements.
#include "gpu/scenes/butterfly/tracks/fft_rings_by.h"

namespace warploom {

template std::unique_ptr<FftRing> fft_ring_of<FftRings>(Queue&, const FftPass&, const FftPass&, std::uint64_t);

}  // namespace warploom
