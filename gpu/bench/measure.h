#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gpu/bench/region_timer.h"
#include "gpu/bench/suites.h"

namespace warploom {
class Track;
}

namespace warploom::bench {

/// Something to be timed, and what says that its result is right.
struct Contestant {
  std::string name;
  Region run;                              ///< the timed region
  Region poison;                           ///< makes the output wrong, outside the region; may be empty
  std::function<bool(Queue&)> right;       ///< after poison and run: another implementation agrees
  std::shared_ptr<Track> track = nullptr;  ///< the one that it steps, if any
};

/// The map that the others are compared with.
inline constexpr const char* baseline = "bounding_box";
/// A whole number, however large.
std::string count_text(double number);

/// What the caches hold when a sample begins.
enum class Cache { warm, cold };

struct Samples {
  bool verified = false;
  std::vector<double> milliseconds;  ///< none unless verified
  std::string note;                  ///< how it was measured, where that is not one launch in one pair of events
};

/// Measures by the rules of the project: verified before and after, warm-ups, then all contestants in turn (A B A B) so
/// that sample i of one is paired with sample i of the others. At least settings().samples, and more below 50 us; below
/// 20 us a sample is a CUDA graph of 20 to 100 replays, unless the cache is cold: then it is overwritten before each
/// sample, outside the events. Warm, an untimed run comes before each sample below 1 ms. On the CPU none is cold.
/// Throws Cancelled, and what the regions throw.
std::vector<Samples> measure(Bench& bench, const std::vector<Contestant>& contestants, Cache cache = Cache::warm);

/// Samples of every stage of a step, by its name: "bins.gather", "bins.total".
using StageSamples = std::map<std::string, Samples>;

/// Measures as `measure` does, each sample by the stopwatch of the stages: whole steps, their parts and their gaps.
/// `whole`: the stage that decides how short a step is, and that a wrong result is told as.
std::vector<StageSamples> measure_steps(Bench& bench, const std::vector<Contestant>& contestants,
                                        const std::string& whole);

/// Milliseconds of a region in a few runs: enough to choose between settings, not enough to publish.
double quick_time(Bench& bench, const Region& run);
/// The number of the region that takes least by quick_time. Runs nothing where there is only one.
std::size_t quickest(Bench& bench, const std::vector<Region>& regions);

/// Whether a step over so many bytes could still find some of them in the cache from the run before.
bool fits_cache(const Bench& bench, double bytes);
/// Warm alone, or warm and cold where so many bytes fit the cache.
std::vector<Cache> caches_of(const Bench& bench, double bytes);
/// "as found", "cold", "warm", "streamed".
const char* cache_text(const Bench& bench, Cache cache, double bytes);

/// Values of the samples, in the figure's unit, into a figure.
void set_values(Figure& figure, const Samples& samples, const std::vector<double>& values);
/// Times into a figure, in milliseconds.
void set_times(Figure& figure, const Samples& samples);
/// Rates into a figure: `amount` units of work a run, in figure.unit times `scale` a second.
void set_rates(Figure& figure, const Samples& samples, double amount, double scale);
/// The ratio of paired samples; nothing unless both are verified.
void set_peer(Figure& figure, const std::string& peer, const Samples& ours, const Samples& peers);
/// The share of a copy of as many bytes, of paired samples; nothing unless both are verified.
void set_copy(Figure& figure, const Samples& ours, const Samples& copies);
/// The share of a ceiling that `amount` bytes or operations in the figure's median milliseconds are.
void set_share(Bench& bench, Figure& figure, const std::string& ceiling, double amount);
/// The share of a ceiling that a figure's rate is: `each` of the ceiling's units for one of the figure's.
void set_rate_share(Bench& bench, Figure& figure, const std::string& ceiling, double each);

}  // namespace warploom::bench
