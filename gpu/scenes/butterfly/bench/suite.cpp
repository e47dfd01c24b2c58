#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gpu/bench/quads.h"
#include "gpu/bench/track_bench.h"
#include "gpu/core/buffer.h"
#include "gpu/core/error.h"
#include "gpu/core/statistics.h"
#include "gpu/core/stopwatch.h"
#include "gpu/scenes/butterfly/butterfly.h"
#include "gpu/scenes/butterfly/tracks/network_facet.h"
#include "gpu/tracks/facets/approximate.h"
#include "gpu/tracks/facets/over_devices.h"
#include "gpu/tracks/facets/rate.h"
#include "gpu/tracks/named_devices.h"

namespace warploom::bench {

namespace {

/// What is compared of an algorithm, and over which lengths on a GPU.
struct Curve {
  const char* algorithm;
  int first_n, last_n;  ///< log2 of the elements of a problem
  std::vector<const char*> tracks;
};
const std::vector<Curve>& curves() {
  static const std::vector<Curve> all{
      {"fft",
       2,
       24,
       {"radix2", "radix4", "radix8", "radix16", "radix16/shared/padded", "radix16/shared/swizzled", "index_digit",
        "index_digit/tuned", "radix4/tuned", "radix8/tuned", "radix16/tuned", "vendor"}},
      {"real_fft", 5, 22, {"radix8", "radix16/shared/swizzled", "index_digit/tuned", "vendor"}},
      {"dct", 5, 22, {"radix8", "radix16/shared/swizzled", "index_digit/tuned", "vendor"}},
      {"scan",
       5,
       24,
       {"kogge_stone", "ladner_fischer", "brent_kung", "kogge_stone/shuffle", "kogge_stone/look_back",
        "kogge_stone/tuned", "ladner_fischer/tuned", "brent_kung/tuned", "vendor"}},
      {"tridiagonal",
       5,
       20,
       {"cyclic_reduction", "parallel_cyclic_reduction", "wang_mou", "ladner_fischer", "thomas", "thomas/interleaved",
        "wang_mou/tuned", "wang_mou/tuned/interleaved", "parallel_cyclic_reduction/tuned", "vendor",
        "vendor/interleaved"}},
      {"sort", 5, 24, {"bitonic", "odd_even_merge", "bitonic/shuffle", "bitonic/tuned", "vendor"}}};
  return all;
}
/// Not every track is worth its time at every length: where a block holds a row nothing looks back, of long systems a
/// thread each is no use, and tuned tracks have their own lengths.
bool is_compared(const std::string& algorithm, int n, const std::string& track) {
  if (n <= 12 && track.ends_with("/look_back")) return false;
  if (n > 13 && track.starts_with("thomas")) return false;
  return butterfly_track_refusal(algorithm, n, track).empty();
}

/// A copy of as many bytes as an algorithm moves, read and written apart: systems read four numbers for each that they
/// write.
class RowsCopy {
 public:
  RowsCopy(Bench& bench, const ButterflySettings& settings)
      : kernel_("butterfly." + settings.algorithm),
        reads_(settings.algorithm == "tridiagonal" ? 4 : 1),
        count_(static_cast<std::uint64_t>(butterfly_moved_bytes(settings)) / (reads_ + 1) / sizeof(Quad)),
        seed_(bench.fresh_seed()),
        from_(bench.backend(), count_ * reads_),
        to_(bench.backend(), count_) {
    fill_random(bench.queue(), from_.data(), from_.size(), seed_);
  }
  /// Of the same bytes by loads of each width; a CPU has one.
  std::vector<Contestant> contestants() {
    std::vector<Contestant> all{contestant(1)};
    if (to_.backend() == Backend::cuda)
      for (const unsigned width : {2u, 4u}) all.push_back(contestant(width));
    return all;
  }

 private:
  Contestant contestant(unsigned width) {
    return {"copy",
            [this, width](Queue& queue) {
              TimedSpan span(queue, kernel_.c_str(), from_.bytes() + to_.bytes());
              fold_quads(queue, from_.data(), to_.data(), count_, reads_, width);
              span.finish();
            },
            [this](Queue& queue) { fill_quads(queue, to_.data(), count_, poison_quad); },
            [this](Queue& queue) { return all_folded(queue, to_.data(), count_, reads_, seed_); }};
  }

  std::string kernel_;
  unsigned reads_;
  std::uint64_t count_, seed_;  ///< count_: quads that are written
  Buffer<Quad> from_, to_;
};

class ButterflySuite : public TrackBench {
 public:
  explicit ButterflySuite(Bench& bench)
      : TrackBench(bench, "butterfly"), devices_(devices_wished(bench.settings(), "")) {
    for (const Curve& curve : curves()) {
      if (!wants("algorithm", curve.algorithm)) continue;
      for (const int n : lengths(curve))
        add_part(fmt::format("{}/n{}", curve.algorithm, n), [this, &curve, n] { measure_at(curve, n); });
    }
  }

 private:
  std::vector<int> lengths(const Curve& curve) const {
    std::vector<int> all;
    if (const auto* asked = bench().settings().given("n")) {
      for (const auto& word : words_of(*asked)) all.push_back(std::stoi(word));
      return all;
    }
    // A CPU is asked for a few lengths: its figures are for those who write tracks.
    if (!cuda()) return {6, 10};
    for (int n = curve.first_n; n <= curve.last_n; ++n) all.push_back(n);
    return all;
  }

  /// On the devices that were asked for, each track of them all; else as they are.
  std::vector<std::string> tracks_of(const Curve& curve, const ButterflySettings& settings) const {
    std::vector<std::string> all;
    for (const std::string track : curve.tracks) {
      if (devices_.empty()) all.push_back(track);
      for (const int devices : devices_)
        if (const std::string name = fmt::format("{}@{}", track, devices);
            butterfly_devices_refusal(settings, name).empty())
          all.push_back(name);
    }
    return all;
  }
  /// The same track on the first of the numbers of devices.
  std::string first_of(const std::string& track) const {
    return devices_.empty() ? track : fmt::format("{}@{}", without_devices(track), devices_.front());
  }
  /// What several devices should take by the law: the work of one shared out evenly, and their link.
  void tell_law(Figure& figure, const Track& track, const Samples& of_one) const {
    const auto* over = track.facet<OverDevices>();
    if (!over || devices_.front() != 1 || !of_one.verified) return;
    const auto report = over->devices();
    double link = 0;
    for (const auto& each : report->each) link = std::max(link, each.link_ms);
    const double law = summarize(of_one.milliseconds).median / report->count + link;
    figure.parameters.insert(figure.parameters.end(),
                             {{"law_ms", fmt::format("{:.6g}", law)}, {"link_ms", fmt::format("{:.6g}", link)}});
  }

  /// So many problems that no cache holds them, and no track takes less than some 50 us.
  std::uint64_t batch_of(int n) const {
    const double elements = std::ldexp(bench().settings().scale, cuda() ? 25 : 18);
    return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(elements) >> n, 1, 1u << 24);
  }

  Figure figure_of(const ButterflySettings& settings, const std::string& track) const {
    return make_figure(fmt::format("{}/n{}/{}", settings.algorithm, settings.n, track), "",
                       {{"algorithm", settings.algorithm},
                        {"n", std::to_string(settings.n)},
                        {"batch", std::to_string(settings.batch)},
                        {"track", track},
                        {"signal", settings.signal},
                        {"verified_by", "rows in double, bound of the design"}});
  }

  void measure_at(const Curve& curve, int n) {
    ButterflySettings settings;
    settings.algorithm = curve.algorithm;
    settings.n = n;
    settings.batch = batch_of(n);
    settings.seed = bench().fresh_seed();
    // Weakly dominant systems break the bound of one variant: what is timed must be right.
    settings.signal = settings.algorithm == "sort"          ? "shuffled"
                      : settings.algorithm == "tridiagonal" ? "dominant"
                                                            : "noise";
    const auto problem = make_butterfly_problem(settings);
    std::vector<Contestant> all;
    for (const std::string& name : tracks_of(curve, settings)) {
      const bool is_vendor = name.starts_with("vendor");
      if (const std::string why = is_vendor ? vendor_missing(bench().backend(), settings.algorithm) : "";
          !why.empty()) {
        skip(figure_of(settings, name), why);
        continue;
      }
      if (!is_compared(curve.algorithm, n, without_devices(name))) continue;
      unless_refused(
          [&] {
            const std::shared_ptr<Track> track = make_butterfly_track(bench().queue(), problem, name);
            start_butterfly(*track, bench().queue());
            finish_step(*track, bench().queue());
            all.push_back(track_contestant(name, track, poison_butterfly, [](Track& asked, Queue& queue) {
              return asked.need<Approximate>().verdict(queue, asked).holds();
            }));
          },
          [&] { return figure_of(settings, name); });
    }
    if (all.empty()) return;
    const auto work = all.front().track->need<RateFacet>().work();
    RowsCopy copy(bench(), settings);
    const std::size_t tracks = all.size();
    for (Contestant& one : copy.contestants()) all.push_back(std::move(one));
    const std::string kernel = "butterfly." + settings.algorithm;
    auto samples = measure_steps(bench(), all, kernel);
    // The best of the copies in these rounds: it goes with all others.
    const auto median = [&](std::size_t i) {
      const Samples& of_copy = samples[i][kernel];
      return of_copy.verified ? summarize(of_copy.milliseconds).median : std::numeric_limits<double>::infinity();
    };
    std::size_t best = tracks;
    for (std::size_t i = tracks; i < all.size(); ++i)
      if (median(i) < median(best)) best = i;
    std::swap(all[tracks], all[best]);
    std::swap(samples[tracks], samples[best]);
    all.resize(tracks + 1);
    const Samples& copies = samples[tracks][kernel];
    const auto vendor = std::find_if(all.begin(), all.end(), [](const Contestant& c) { return c.name == "vendor"; });
    for (std::size_t i = 0; i < all.size(); ++i) {
      Figure figure = figure_of(settings, all[i].name);
      figure.unit = work.unit;
      set_rates(figure, samples[i][kernel], work.amount, 1);
      const auto peer = static_cast<std::size_t>(vendor - all.begin());
      if (const auto one = std::ranges::find(all, first_of(all[i].name), &Contestant::name);
          devices_.size() > 1 && one != all.end() && one->name != all[i].name) {
        const Samples& of_one = samples[static_cast<std::size_t>(one - all.begin())][kernel];
        set_peer(figure, one->name, samples[i][kernel], of_one);
        tell_law(figure, *all[i].track, of_one);
      } else if (peer < all.size() && peer != i)
        set_peer(figure, "vendor", samples[i][kernel], samples[peer][kernel]);
      set_rate_share(bench(), figure, "copy", butterfly_moved_bytes(settings) / work.amount);
      if (all[i].track) set_copy(figure, samples[i][kernel], copies);
      add(std::move(figure));
    }
  }

  std::vector<int> devices_;  ///< that the setting lists; empty: it was not given
};

void check_algorithms(const Settings&, const std::string& text) {
  for (const auto& word : words_of(text)) (void)find_butterfly_algorithm(word);
}
void check_lengths(const Settings&, const std::string& text) {
  for (const auto& word : words_of(text))
    if (word.empty() || word.size() > 2 || word.find_first_not_of("0123456789") != std::string::npos ||
        std::stoi(word) < 1 || std::stoi(word) > 24)
      throw UsageError("n is '" + word + "'; expected 1 to 24, as in n=6,10");
}

}  // namespace

/// FFT, DCT, scan, systems and sorts over their lengths, and the vendors' libraries beside.
Suite butterfly_suite() {
  return {"butterfly",
          "FFT, DCT, scan, tridiagonal systems and sorts over their lengths, against the vendors' libraries",
          [](Bench& bench) { return ButterflySuite(bench).run(); },
          {{"algorithm", check_algorithms}, {"n", check_lengths}, {"devices", check_devices_wished}}};
}

}  // namespace warploom::bench
