#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gpu/core/shared_library.h"
#include "gpu/tracks/simulation.h"
#include "gpu/tracks/track.h"

namespace warploom {

/// What the scene of irregular algorithms computes, as the user sets it. Each system reads its own part.
struct IrregularSettings {
  std::string system = "spmv";
  std::uint64_t seed = 7;
  std::filesystem::path folder;  ///< that names of files are relative to
  // ---- spmv
  std::string matrix = "circuit";  ///< a recipe, or a .mtx file
  std::int64_t n = 0;              ///< size of a recipe; 0: its usual one
  std::string values = "integer", hyb_width = "bytes";
  int row_lanes = 0, items = 8;
  std::int64_t sigma = 1024;
  bool vendor_csr_alone = false;  ///< cuSPARSE by its algorithms for CSR; benchmarks alone ask for it
  // ---- hash
  std::string keys = "voxels";  ///< a recipe, or a .npy file
  std::int64_t side = 64;
  double hits = .5, load = .7;
  std::string hash = "mixed";
  int bucket = 8;
  // ---- tree
  std::string points = "clusters";  ///< a recipe, or a file of points
  int dimension = 2, leaf = 1, compact_every = 1;
  // ---- tasks
  std::string application = "mandelbrot", clock = "auto";
  int size = 512, iterations = 256, blocks = 0;
  double probability = .12;
  int grain = 64;
  std::int64_t capacity = 1 << 18;
  bool timeline = false;  ///< dumps have the chart
  // ---- hash, tree and tasks
  std::int64_t count = 0;  ///< keys or points; 0: the usual number
};

/// What the tracks of a run share: what was read or made before them, of settings whose role is to start a run. Each
/// system derives its own. Const once it is made: any thread may read it.
struct IrregularProblem {
  virtual ~IrregularProblem() = default;
  std::vector<std::string> remarks;  ///< what was left out of a file, a line each
};

using IrregularResults = std::vector<std::pair<std::string, std::variant<std::uint64_t, double>>>;

/// What each track of the scene offers besides Track. The thread that steps.
class IrregularFacet : public FacetBase {
 public:
  /// Processes input 0 into the state that is not shown, as a step does.
  virtual void start(Queue& queue) = 0;
  /// Makes wrong what the next step writes: a benchmark sees by it that the step wrote.
  virtual void poison(Queue& queue) = 0;
  /// Numbers that are the same whatever the strategy, of the finished state.
  virtual IrregularResults results(Queue& queue) = 0;
};

/// A system: a kind of problem with its tracks, each of them a strategy.
struct IrregularSystem {
  const char *key, *title, *description, *citation;
  std::vector<TrackInfo> tracks;
  const char* usual_tracks;           ///< "ell/row,hyb/row"
  std::vector<std::string> pictures;  ///< keys, the main one first
  const char* step_words;             ///< what a step changes, and where that is seen, in whole sentences

  /// Throws UsageError where values do not go together, or do not fit these tracks; before anything is made.
  void (*check)(const IrregularSettings& settings, const std::vector<std::string>& tracks);
  /// A hash of all that `problem` depends on, and of nothing else: settings by value, a file by `file_stamp`. Cheap:
  /// the window asks for it every frame.
  std::uint64_t (*problem_key)(const IrregularSettings& settings);
  /// Reads the file where there is one, and makes what all tracks need on the host. In the thread that builds: long
  /// work tells how far it is (PartOfWork) and may be cancelled. Throws UsageError, FileError.
  std::shared_ptr<const IrregularProblem> (*problem)(const IrregularSettings& settings);
  /// Bytes that a track takes on the device; may throw UsageError with the bytes of a format that cannot be made.
  double (*bytes)(const IrregularProblem& problem, const IrregularSettings& settings, const std::string& track);
  /// Bytes of the largest array of a dump, or more; where a file decides, it may be less: the dump checks again.
  double (*dump_bytes)(const IrregularSettings& settings);
  std::unique_ptr<Track> (*make)(Queue& queue, const std::shared_ptr<const IrregularProblem>& problem,
                                 const IrregularSettings& settings, const TrackInfo& info);
  /// "Circuit, 4,096 rows, 28,498 nonzeros"; no full stop.
  std::string (*caption)(const IrregularProblem& problem);
  /// What to look at, in whole sentences; `pictures`: the keys of those that are shown, the main one first. Null, or
  /// empty: nothing stands out.
  std::string (*look_at)(const Simulation& simulation, const std::vector<std::string>& pictures) = nullptr;
  /// Why a track cannot run on this backend, and what helps; empty: it can. Null: all can.
  std::string (*unavailable)(Backend backend, const std::string& track) = nullptr;
  /// Vendors' libraries that it can use; null: none.
  std::vector<VendorLibrary> (*libraries)() = nullptr;
};

/// "/folder/m.mtx|size|time" of a file, by name relative to the settings' folder; the name where there is none.
std::string file_stamp(const IrregularSettings& settings, const std::string& name);

/// The systems, in the order of the menu.
const std::vector<const IrregularSystem*>& irregular_systems();
/// Throws UsageError with the nearest.
const IrregularSystem& find_irregular_system(const std::string& key);
/// Throws UsageError with the nearest, or, for a track of another system, with the system that has it.
const TrackInfo& find_irregular_track(const IrregularSystem& system, const std::string& name);

}  // namespace warploom
