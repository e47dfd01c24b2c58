// Rings of transforms whose tiles have 2^13 elements.
#include "gpu/scenes/butterfly/tracks/fft_rings_by.h"

namespace warploom {

template std::unique_ptr<FftRing> fft_ring_of<WideFftRings>(Queue&, const FftPass&, const FftPass&, std::uint64_t);

}  // namespace warploom
