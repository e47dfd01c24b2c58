#pragma once
#include <memory>
#include <string>
#include <vector>

#include "gpu/maps/rule.h"
#include "gpu/maps/work.h"
#include "gpu/scenes/fractal/maps/mask.h"
#include "gpu/tracks/track.h"

namespace warploom {

/// Everything a fractal track is made from. Shapes: the box is s_x^level by s_y^level cells, a block serves
/// s_x^block_digits by s_y^block_digits of them.
struct FractalSettings {
  Mask mask;
  int level = 8;
  int block_digits = 4;
  std::string work = "life";
  Rule rule;
  bool constants = false;           ///< own maps are compiled for this very domain
  int devices = 1;                  ///< that share the state out
  std::uint64_t device_memory = 0;  ///< bytes that a device may hold; 0: what there is
};

/// A name and what stands behind it, for menus, lists and documents.
struct NamedInfo {
  std::string key, title, description, citation;
};

/// Every track of the scene, canonical names, in the order of the lists.
const std::vector<TrackInfo>& fractal_tracks();
const std::vector<NamedInfo>& fractal_works();
/// What a work, or an own rule, says of itself.
WorkInfo fractal_work(const std::string& key);

/// The canonical track of a name map[/intra[/storage]] with its defaults filled in. Throws UsageError with the nearest.
const TrackInfo& find_fractal_track(const std::string& name);
/// ... and behind it the devices that it asks for: "sliced@2".
std::string fractal_track_name(const std::string& name);
/// Why a track cannot run on its devices, with what can; empty: it can. Cheap: menus ask it in each frame.
std::string fractal_devices_refusal(const FractalSettings& settings, const std::string& name);
/// Whether a track is a map under a work, and no more.
bool is_fractal_map(const std::string& track);
/// The track itself where it is compiled for the work, else the nearest that is.
const TrackInfo& compiled_fractal_track(const TrackInfo& track, const std::string& work);
/// The tracks that are compiled for a work, and those of own maps.
const std::vector<TrackInfo>& fractal_tracks(const std::string& work);

/// Legal block digits j at a level: s_x^j s_y^j <= 1024 threads and j <= level.
std::vector<int> legal_block_digits(const Mask& mask, int level);
/// The largest legal one with at most 256 threads.
int default_block_digits(const Mask& mask, int level);
/// The digits of a block side along x. Throws UsageError that lists the legal sides.
int block_digits_of(const Mask& mask, int level, long long side);
/// s_x^digits.
std::uint32_t block_side(const Mask& mask, int digits);

/// Bytes one track needs. A double: refused sizes may pass 2^64.
double fractal_track_bytes(const Mask& mask, int level, int block_digits, const std::string& track);

/// Bytes of the box, one a place, over the bytes that a track keeps of one state.
double fractal_memory_gain(const Mask& mask, int level, int block_digits, const std::string& track);

/// Threads a track launches, by its map's closed form; not a number of own maps.
double fractal_launched(const Mask& mask, int level, int block_digits, const std::string& track);

/// Why a track cannot serve such blocks at such a level; empty: it can.
std::string fractal_refusal(const Mask& mask, int level, int block_digits, const std::string& track);

/// Throws UsageError naming bytes needed and bytes free when these tracks do not fit, on the backend or on a device.
void check_fractal_memory(Backend backend, const FractalSettings& settings, const std::vector<std::string>& tracks,
                          std::uint64_t bytes_to_be_released = 0);

/// Makes the track `name` with an all-dead state. Throws UsageError where it cannot serve such blocks.
std::unique_ptr<Track> make_fractal_track(Queue& queue, const FractalSettings& settings, const std::string& name);

/// A member of the domain?
bool fractal_member(const Mask& mask, int level, std::uint32_t x, std::uint32_t y);

}  // namespace warploom
