#pragma once
#include <memory>
#include <string>
#include <vector>

#include "gpu/pictures/picture_request.h"
#include "gpu/tracks/track.h"

// A whole toy scene as a newcomer would write it: a row of cells under two maps, with one picture and one facet.

namespace warploom {

struct RowSettings {
  std::uint32_t n = 64, block = 32;
  std::uint64_t seed = 1;
};

/// By whether a cell's number is odd.
inline constexpr ColourBy parity_colour{colour_number("parity")};
/// Cells 2x and 2x + 1.
inline constexpr const char* pair_space = "pair";

const std::vector<TrackInfo>& row_tracks();
/// Throws UsageError for a track that is not there.
std::unique_ptr<Track> make_row_track(Queue& queue, const RowSettings& settings, const std::string& name);
/// The start state of a track that make_row_track made; as of FillFacet.
void start_row(Track& track, Queue& queue);

/// While true, pictures of rows cannot be painted: as where memory is short.
inline std::atomic<bool> row_pictures_fail{false};
/// While true, none is finished.
inline std::atomic<bool> row_pictures_wait{false};

}  // namespace warploom
