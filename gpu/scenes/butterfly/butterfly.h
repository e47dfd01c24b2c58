#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpu/core/parameter_schema.h"
#include "gpu/core/shared_library.h"
#include "gpu/scenes/butterfly/kernels/report.h"
#include "gpu/tracks/track.h"

namespace warploom {

/// What the scene of butterflies transforms, and how; as the user sets it.
struct ButterflySettings {
  /// At most 31: numbers of elements are 1u << n throughout.
  static constexpr int largest_n = 24;
  std::string algorithm = "fft";
  int n = 6;  ///< log2 of the elements of a problem, 1 to largest_n
  std::uint64_t batch = 64;
  std::string signal = "tones";               ///< or a file, relative to `folder`
  std::vector<double> curve{0, 1, 0, -1, 0};  ///< of signal `drawn`: parse_curve
  bool inverse = false;
  std::string scan_operator = "add";
  bool exclusive = false;
  int axes = 1;
  int p = -1, s = 0;                ///< of the mapping; the variant's own
  std::uint64_t row = 0;            ///< the problem whose network is shown
  int trace = 0;                    ///< problems that dumps tell stage by stage
  int devices = 1;                  ///< of tracks that say nothing else
  std::string split = "elements";   ///< what of a batch is shared out among them: of each row its elements, or "rows"
  std::string order = "left";       ///< of transforms by elements: as the last stage leaves it, or "natural"
  std::uint64_t device_memory = 0;  ///< bytes that a device may hold; 0: what there is
  std::uint64_t seed = 7;
  bool n_given = false, batch_given = false;
  std::filesystem::path folder;
};

/// Rows of values on their way in or out.
struct RowShape {
  std::uint64_t elements = 0;  ///< of a row
  std::uint32_t bytes = 0;     ///< of an element
  std::uint32_t width = 1;     ///< numbers of an element, where NumPy has them on an axis of their own
  const char *numpy = "<f4", *type = "float32";
  std::uint64_t row_bytes() const { return elements * bytes; }
};
RowShape input_shape(const ButterflySettings& settings);
RowShape output_shape(const ButterflySettings& settings);

struct ButterflyProblem {
  ButterflySettings settings;          ///< `n` and `batch` are those of the file, where there is one
  std::vector<std::uint8_t> file;      ///< (batch, row), as input_shape has it; empty: made by a signal
  std::vector<std::string> remarks{};  ///< what was left out of the file, a line each
};

/// An algorithm, as lists and menus have it.
struct ButterflyAlgorithm {
  const char *key, *title, *description, *citation;
  std::vector<const char*> signals;  ///< the first is its own
  const char* usual_tracks;
  const char* fastest;  ///< of its tracks, but for those of libraries
  bool has_direction = false;
};
const std::vector<ButterflyAlgorithm>& butterfly_algorithms();
/// Throws UsageError with the nearest.
const ButterflyAlgorithm& find_butterfly_algorithm(const std::string& key);

/// The tracks of an algorithm: variant[/exchange[/layout]].
const std::vector<TrackInfo>& butterfly_tracks(const std::string& algorithm);
/// Throws UsageError with the reason, or the nearest. What stands behind an @ of the name is left out.
const TrackInfo& find_butterfly_track(const std::string& algorithm, const std::string& name);

/// A track's name in its shortest form, with the devices that it asks for: "wang_mou@2". Throws UsageError.
std::string butterfly_track_name(const std::string& algorithm, const std::string& name);
/// On how many devices a track runs: what stands behind the @ of its name, else settings.devices. Throws UsageError.
int butterfly_devices(const ButterflySettings& settings, const std::string& name);
/// Why a track cannot run on its devices, with what can; empty: it can. Cheap: menus ask it in each frame.
std::string butterfly_devices_refusal(const ButterflySettings& settings, const std::string& name);

/// Values of a drawn signal, -1 to 1, evenly over a row: from words, and back to words. Throws UsageError.
std::vector<double> parse_curve(const std::string& words);
std::string curve_words(const std::vector<double>& values);
/// With a stroke over it, as of DrawnInput: on as many places as a row of 2^n has, 64 at most. Empty: 0 before.
std::vector<double> curve_with(const std::vector<double>& before, const std::map<double, double>& stroke, int n);

/// What a variant costs a problem.
struct ButterflyCost {
  const char *key, *title;
  int depth = 0;  ///< stages, one after the other
  std::uint64_t operators = 0;
};
/// Of all variants of an algorithm; mappings as its tracks have them. Vendors' are not known.
std::vector<ButterflyCost> butterfly_costs(const ButterflySettings& settings);

/// log2 of the elements that a thread and a block of a track have.
struct ButterflyDigits {
  int thread = 0, block = 0;
};
/// Of these settings; nullopt of libraries and of tracks with a problem a thread.
std::optional<ButterflyDigits> butterfly_digits(const ButterflySettings& settings, const TrackInfo& track);

/// Throws UsageError where values do not go together.
void check_butterfly_settings(const ButterflySettings& settings);
/// Why a track has no form for rows of 2^n, with the nearest that has; empty: it has. Cheap: menus ask it in each
/// frame.
std::string butterfly_track_refusal(const std::string& algorithm, int n, const std::string& name);
/// The n nearest to this one of which a track has a form.
int nearest_butterfly_n(const std::string& algorithm, int n, const std::string& name);
/// Is the signal a file's name?
bool is_signal_file(const ButterflySettings& settings);
/// Reads the file where there is one. Throws UsageError, FileError.
std::shared_ptr<const ButterflyProblem> make_butterfly_problem(const ButterflySettings& settings);
/// Bytes that the rows of a track take: input and output of two states.
double rows_bytes(const ButterflySettings& settings);
/// Bytes that a track of this problem takes, of all its devices.
double butterfly_bytes(const ButterflySettings& settings, const std::string& track);
/// ... by device.
std::vector<double> butterfly_bytes_by_device(const ButterflySettings& settings, const std::string& track,
                                              Backend backend);
/// Throws UsageError where tracks need more of a device than settings.device_memory, with the fewest devices that do; or
/// more than another card than the first has free. `released`: tracks go, whose memory counts as free.
void check_device_memory(const ButterflySettings& settings, const std::vector<std::string>& tracks, Backend backend,
                         bool released);

/// Bytes that a step must move at least: its input, and its output.
double butterfly_moved_bytes(const ButterflySettings& settings);

/// Vendors' libraries that can be used, or could.
std::vector<VendorLibrary> vendor_libraries();

/// Why `vendor` cannot run this algorithm on a backend, and what helps; empty: it can.
std::string vendor_missing(Backend backend, const std::string& algorithm);

std::unique_ptr<Track> make_butterfly_track(Queue& queue, std::shared_ptr<const ButterflyProblem> problem,
                                            const std::string& name);
/// The start state: the transform of input 0. Throws Error of other tracks.
void start_butterfly(Track& track, Queue& queue);
/// What the next step writes to becomes what no transform makes. Throws Error of other tracks.
void poison_butterfly(Track& track, Queue& queue);

}  // namespace warploom
