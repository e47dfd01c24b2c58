#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gpu/core/made_once.h"
#include "gpu/scenes/bins/kernels/cap_search.h"
#include "gpu/scenes/bins/kernels/settings.h"
#include "gpu/scenes/bins/kernels/space.h"
#include "gpu/tracks/track.h"

namespace warploom {

/// A cap that was found, and the times that it was found by.
struct FoundCap {
  std::uint32_t cap = ~0u;
  std::vector<CapTime> curve;
};

/// What the tracks of a bins scene share: the elements, and where they are binned.
struct BinProblem {
  BinSettings settings;
  BinInput input;
  BinSpace space;
  MadeOnce<std::vector<float>> truth;  ///< what the image of a phantom should be, on the host
  mutable std::mutex caps_mutex;
  /// Of tracks, by backend and name, under caps_mutex: so that tracks beside them may change without a new search.
  mutable std::map<std::string, FoundCap> caps;
};

inline constexpr std::int64_t most_cap = (std::int64_t{1} << 31) - 1;

/// Reads the input, or makes it, and lays out bins and outputs. Throws UsageError naming what is out of range,
/// FileError for a file.
std::shared_ptr<const BinProblem> make_bin_problem(const BinSettings& settings);
/// ... of an input that was read or made before.
std::shared_ptr<const BinProblem> make_bin_problem(const BinSettings& settings, BinInput input);
/// What can be told of settings before there is an input. Throws UsageError.
void check_bin_settings(const BinSettings& settings);

/// Whether `input` is a recipe's name, a count, or a file that is there, without making or reading it. Throws
/// UsageError, FileError.
void check_bin_input(const BinSettings& settings);

struct BinApplicationInfo;
struct ElementFiles;
/// The file that `input` names. Throws UsageError where it cannot be one, FileError where the application takes none of
/// its kind.
std::filesystem::path bin_input_file(const BinSettings& settings, const BinApplicationInfo& application,
                                     const ElementFiles& files);
/// Elements from the file that `input` names, relative to the settings' folder. Throws FileError with the row, counted
/// from 0; UsageError where it is not even a file's name. Charges and radii of atoms that a file does not tell are
/// guessed by their chemical elements, radii by bondi1964volumes.
BinInput read_bin_input(const BinSettings& settings, const BinApplicationInfo& application, const ElementFiles& files);

/// In the order of the list; the first is the default.
const std::vector<const BinApplicationInfo*>& bin_applications();
/// Throws UsageError with the nearest.
const BinApplicationInfo& find_bin_application(const std::string& key);

/// The tracks of an application: structure/access.
const std::vector<TrackInfo>& bin_tracks(const std::string& application);
/// Throws UsageError with the nearest, or with the reason why this application has none of that name.
const TrackInfo& find_bin_track(const std::string& application, const std::string& name);

/// A track at rest: `start_bins` gives it its first state. Throws UsageError where its memory is not to be had.
std::unique_ptr<Track> make_bins_track(Queue& queue, const std::shared_ptr<const BinProblem>& problem,
                                       const std::string& name);
/// The start of its problem, into the state that is not shown: for Simulation::start.
void start_bins(Track& track, Queue& queue);

/// How deep bins are.
struct BinDepths {
  std::uint64_t elements = 0, bins = 0, empty = 0, deepest = 0;
  double mean = 0, deviation = 0;
  /// Fills in mean and deviation; `squares`: the sum of the squares of all depths.
  void spread(double squares);
};
/// Of the elements as they are now.
BinDepths bin_depths(Track& track, Queue& queue);

/// What a scene of bins computes, by name: sizes, depths, bytes of structures, what is conserved. Of the finished
/// state.
using BinResults = std::vector<std::pair<std::string, std::variant<std::uint64_t, double>>>;
BinResults bin_results(Track& track, Queue& queue);
class StatePair;
/// The image whose spectrum the outputs are, of applications that have one (mri).
struct BinImage {
  Index3 extent;                 ///< in voxels, x fastest
  StatePair* voxels = nullptr;   ///< floats, of the finished output; who paints holds them by a StatePair::Reader
  const float* truth = nullptr;  ///< what they should be, as many on the backend; null: not known, as of files
};
/// Made here where the output has changed since it was asked for last, and billed to no track; nullopt where the
/// application has none. Before the first step it is 0. The stepping thread's; pointers live as long as the track, and
/// what `truth` points to stays as it is. Throws UsageError where the memory for it is not to be had.
std::optional<BinImage> bin_image(Track& track, Queue& queue);
/// ||image - truth|| / ||truth||; nullopt where there is no truth, and before the first step. As bin_image.
std::optional<double> image_error(Track& track, Queue& queue);

/// Some outputs of the finished state: (at, components). They are numbered as they lie, x fastest.
std::vector<float> bin_outputs(Track& track, Queue& queue, std::span<const std::uint64_t> at);
/// Makes slots, counts and outputs of both states wrong: what is right afterwards was made since. For benchmarks.
void poison_bins(Track& track, Queue& queue);

/// Bytes that a structure takes without a cap: of regular/count, and of compact/range.
double regular_bytes(const BinDepths& depths, unsigned width);
double compact_bytes(const BinDepths& depths, unsigned width);

/// What a periodic box of bodies keeps, in double.
struct Conserved {
  double momentum[3] = {0, 0, 0}, momenta = 0;  ///< sum of m v; sum of m |v|
  double kinetic = 0, potential = 0;
};
Conserved conserved(const BinProblem& problem, const std::vector<float>& bodies, const std::vector<float>& velocities);

}  // namespace warploom
