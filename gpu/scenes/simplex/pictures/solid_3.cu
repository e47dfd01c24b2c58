#include "gpu/scenes/simplex/pictures/solid.h"

namespace warploom {

template void SimplexStateTrack<3>::build_bits(Queue&, bool, bool, const SolidView&, const SimplexColours<3>&,
                                               std::uint64_t);
template VolumeView SimplexStateTrack<3>::volume_view(const PictureRequest&, bool) const;
template void SimplexStateTrack<3>::paint_solid(Queue&, const PictureRequest&, bool);
template std::optional<Picked> SimplexStateTrack<3>::pick(Queue&, const PictureRequest&, bool, float, float);
template void SimplexStateTrack<3>::ask(Queue&, const Asked&);
template std::optional<Picked> SimplexStateTrack<3>::found(const Asked&) const;

}  // namespace warploom
