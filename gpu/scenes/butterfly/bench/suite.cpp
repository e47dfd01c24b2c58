#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gpu/bench/measure_steps.h"
#include "gpu/bench/suites.h"
#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/scenes/butterfly/butterfly.h"
#include "gpu/scenes/butterfly/tracks/network_facet.h"
#include "gpu/tracks/facets/approximate.h"
#include "gpu/tracks/facets/rate.h"

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
       22,
       {"radix2", "radix4", "radix8", "radix16", "radix16/shared/padded", "radix16/shared/swizzled", "index_digit",
        "vendor"}},
      {"real_fft", 5, 22, {"radix8", "radix16/shared/swizzled", "vendor"}},
      {"dct", 5, 22, {"radix8", "radix16/shared/swizzled", "vendor"}},
      {"scan",
       5,
       24,
       {"kogge_stone", "ladner_fischer", "brent_kung", "kogge_stone/shuffle", "kogge_stone/look_back", "vendor"}},
      {"tridiagonal",
       5,
       13,
       {"cyclic_reduction", "parallel_cyclic_reduction", "wang_mou", "ladner_fischer", "thomas", "thomas/interleaved",
        "vendor", "vendor/interleaved"}},
      {"sort", 6, 11, {"bitonic", "odd_even_merge", "bitonic/shuffle", "vendor"}}};
  return all;
}

class ButterflySuite {
 public:
  explicit ButterflySuite(Bench& bench) : bench_(bench), cuda_(bench.backend() == Backend::cuda) {}

  std::vector<Figure> run() {
    struct Part {
      const Curve* curve;
      int n;
    };
    std::vector<Part> parts;
    for (const Curve& curve : curves()) {
      if (!wants("algorithm", curve.algorithm)) continue;
      // A CPU is asked for a few lengths: its figures are for those who write tracks.
      std::vector<int> lengths{6, 10};
      if (const auto* asked = given("n")) {
        lengths.clear();
        for (const auto& word : words_of(*asked)) lengths.push_back(std::stoi(word));
      } else if (cuda_) {
        lengths.clear();
        for (int n = curve.first_n; n <= curve.last_n; ++n) lengths.push_back(n);
      }
      for (const int n : lengths) parts.push_back({&curve, n});
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::string name = fmt::format("butterfly/{}/n{}", parts[i].curve->algorithm, parts[i].n);
      bench_.report(name, static_cast<double>(i) / static_cast<double>(parts.size()));
      bench_.part(name, figures_, [&] { measure_at(*parts[i].curve, parts[i].n); });
    }
    return std::move(figures_);
  }

 private:
  const std::string* given(const char* key) const { return bench_.settings().given(key); }
  bool wants(const char* key, const std::string& word) const {
    const auto* text = given(key);
    if (!text) return true;
    const auto words = words_of(*text);
    return std::find(words.begin(), words.end(), word) != words.end();
  }

  /// So many problems that no cache holds them, and no track takes less than some 50 us.
  std::uint64_t batch_of(int n) const {
    const double elements = std::ldexp(bench_.settings().scale, cuda_ ? 25 : 18);
    return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(elements) >> n, 1, 1u << 24);
  }

  Figure figure_of(const ButterflySettings& settings, const std::string& track) const {
    Figure figure;
    figure.suite = "butterfly";
    figure.name = fmt::format("{}/n{}/{}", settings.algorithm, settings.n, track);
    figure.parameters = {{"algorithm", settings.algorithm},
                         {"n", std::to_string(settings.n)},
                         {"batch", std::to_string(settings.batch)},
                         {"track", track},
                         {"signal", settings.signal},
                         {"verified_by", "rows in double, bound of the design"}};
    return figure;
  }
  void skip(const ButterflySettings& settings, const std::string& track, const std::string& why) {
    Figure figure = figure_of(settings, track);
    figure.verified = true;
    figure.note = "skipped: " + why;
    figures_.push_back(std::move(figure));
  }

  void measure_at(const Curve& curve, int n) {
    ButterflySettings settings;
    settings.algorithm = curve.algorithm;
    settings.n = n;
    settings.batch = batch_of(n);
    settings.seed = bench_.fresh_seed();
    // Weakly dominant systems break the bound of one variant: what is timed must be right.
    settings.signal = settings.algorithm == "sort"          ? "shuffled"
                      : settings.algorithm == "tridiagonal" ? "dominant"
                                                            : "noise";
    const auto problem = make_butterfly_problem(settings);
    std::vector<Contestant> all;
    std::vector<std::shared_ptr<Track>> tracks;
    for (const char* name : curve.tracks) {
      const bool is_vendor = std::string(name).starts_with("vendor");
      if (const std::string why = is_vendor ? vendor_missing(bench_.backend(), settings.algorithm) : ""; !why.empty()) {
        skip(settings, name, why);
        continue;
      }
      // Where a block holds a row nothing looks back.
      if (n <= 12 && std::string(name).ends_with("/look_back")) continue;
      try {
        const std::shared_ptr<Track> track = make_butterfly_track(bench_.queue(), problem, name);
        start_butterfly(*track, bench_.queue());
        bench_.queue().wait();
        track->publish(bench_.queue());
        all.push_back({name, [track](Queue& to) { track->step(to); },
                       [track](Queue& to) { poison_butterfly(*track, to); },
                       [track](Queue& asked) {
                         track->publish(asked);
                         return track->need<Approximate>().verdict(asked, *track).holds();
                       }});
        tracks.push_back(track);
      } catch (const UsageError& error) {
        skip(settings, name, error.what());
      }
    }
    if (all.empty()) return;
    const std::string kernel = "butterfly." + settings.algorithm;
    const auto samples = measure_steps(bench_, all, kernel);
    const auto of = [&](std::size_t i) {
      const auto found = samples[i].find(kernel);
      return found == samples[i].end() ? Samples{} : found->second;
    };
    std::optional<std::size_t> peer;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i].name == "vendor") peer = i;
    for (std::size_t i = 0; i < all.size(); ++i) {
      Figure figure = figure_of(settings, all[i].name);
      const auto work = tracks[i]->need<RateFacet>().work();
      figure.unit = work.unit;
      set_rates(figure, of(i), work.amount, 1);
      if (peer && *peer != i) set_peer(figure, "vendor", of(i), of(*peer));
      if (figure.samples != 0) {
        const double ms = work.amount / figure.median * 1e3;
        figure.ceiling = "copy";
        figure.share_of_ceiling = butterfly_moved_bytes(settings) / (ms * 1e-3) / bench_.ceiling("copy");
      }
      figures_.push_back(std::move(figure));
    }
  }

  Bench& bench_;
  const bool cuda_;
  std::vector<Figure> figures_;
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
          {{"algorithm", check_algorithms}, {"n", check_lengths}}};
}

}  // namespace warploom::bench
