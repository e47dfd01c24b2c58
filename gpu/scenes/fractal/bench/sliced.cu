#include "gpu/scenes/fractal/bench/parts.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>

#include "gpu/bench/programs.h"
#include "gpu/bench/track_bench.h"
#include "gpu/core/error.h"
#include "gpu/scenes/fractal/fractal.h"
#include "gpu/scenes/fractal/tracks/sliced_stepper.h"
#include "gpu/scenes/fractal/works/members.h"
#include "gpu/scenes/fractal/works/seal.h"
#include "gpu/scenes/fractal/works/sliced_tables.h"
#include "gpu/tracks/cell_programs.h"

namespace warploom::bench {

namespace {

using Total = SealSlots::Total;

struct DiffersFrom {
  const std::uint32_t *a, *b;
  WARPLOOM_HD std::uint64_t operator()(std::uint64_t i) const { return a[i] != b[i]; }
};

/// Two sliced states of one domain and every way to step from the first to the second, without a track around them: so
/// that all ways share them, and the largest levels fit.
class SlicedBed {
 public:
  /// `rules`: the first is stepped by its own logic where it has one.
  SlicedBed(Queue& queue, const FractalDomain& domain, const std::vector<Rule>& rules)
      : domain_(domain), shape_(domain), tables_(queue, domain, shape_), seals_(queue.backend()) {
    for (const Rule& rule : rules) steppers_.push_back(make_sliced_stepper({queue, domain, shape_, rule}));
    for (auto& state : states_) {
      state = Buffer<std::uint32_t>(queue.backend(), shape_.state_chunks());
      state.zero(queue);
    }
    seals_.clear(queue);
  }

  std::uint64_t bytes() const { return states_[0].bytes(); }
  std::uint64_t at_once() const { return steppers_[0]->at_once(); }
  bool fuses_seal() const { return steppers_[0]->seals(); }

  /// The first state by the hash of a seed; the second is poisoned.
  void fill(Queue& queue, std::uint64_t seed, double density) {
    const Sliced to{states_[0].data(), domain_, shape_};
    const FractalCells cells{domain_, domain_.cells()};
    launch("bench.fill", queue, to.assign_shape(), FillCells<FractalCells, Sliced>{cells, seed, density, to});
    fill_with_ones(queue, states_[1].data(), states_[1].bytes());
  }
  /// `count` steps at once, 1 or at_once(); with the seal of what is written added up, where fuses_seal().
  void step(Queue& queue, std::size_t rule, std::uint64_t count, bool sealed = false) {
    const SlicedStepper& by = *steppers_[rule];
    const SealSlots slots = sealed ? next_slots(by.serving().launch) : SealSlots{};
    by.step({queue, "bench.sliced", states(false), 2 * bytes(), count, sealed ? &slots : nullptr});
  }
  /// The seal of the first state, as it lies.
  void seal(Queue& queue) { seal_of(queue, states_[0].data()); }
  /// A copy of as many bytes, so many of 16 a thread: 1, 2, 4 or 8.
  void copy(Queue& queue, unsigned quads) {
    copy_quads(queue, states_[0].data(), states_[1].data(), bytes() / sizeof(Quad), quads);
  }

  /// What was added up last. Waits.
  Total sealed(Queue& queue) { return seals_.total(queue); }
  /// Of the second state. Waits.
  Total result(Queue& queue) {
    seal_of(queue, states_[1].data());
    return sealed(queue);
  }
  /// Whether the states are equal, byte by byte. Waits.
  bool equal(Queue& queue) {
    return sum_over(queue, states_[0].size(), DiffersFrom{states_[0].data(), states_[1].data()}) == 0;
  }
  /// Takes so many single steps from the first state and seals what comes out; the first state is lost.
  Total after_single_steps(Queue& queue, std::size_t rule, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i)
      steppers_[rule]->step({queue, "bench.sliced", states(i % 2 != 0), 2 * bytes()});
    seal_of(queue, states_[count % 2 ? 1 : 0].data());
    return sealed(queue);
  }

 private:
  SlicedStates states(bool back) const {
    return {states_[back ? 1 : 0].data(), states_[back ? 0 : 1].data(), shape_, tables_.view()};
  }
  SealSlots next_slots(const LaunchShape& shape) {
    const SealSlots slots = seals_.slots(shape);
    seals_.turn();
    return slots;
  }
  void seal_of(Queue& queue, std::uint32_t* words) {
    with_seal_words(Sliced{words, domain_, shape_}, [&](auto program) {
      const LaunchShape shape = program.launch_shape();
      program.to = next_slots(shape);
      launch("bench.seal", queue, shape, program, bytes());
    });
  }

  FractalDomain domain_;
  SlicedShape shape_;
  SlicedTables tables_;
  std::vector<std::unique_ptr<SlicedStepper>> steppers_;
  Buffer<std::uint32_t> states_[2];
  SealSets seals_;
};

/// The rules that are stepped: by logic of its own, and by the tree that any rule takes.
const char* const rule_texts[] = {"B3/S23", "B36/S125"};

std::string rate_text(double cells_per_second) {
  char text[32];
  (void)std::snprintf(text, sizeof text, "%.3g cells/s", cells_per_second);
  return text;
}

/// What a step must come out as, by a compact state of bytes: where that fits.
std::optional<Total> by_compact(Bench& bench, const Mask& mask, int level, const char* rule, std::uint64_t seed,
                                std::uint64_t steps) {
  FractalSettings settings{mask, level, default_block_digits(mask, level), "life", parse_rule(rule)};
  const double bytes = fractal_track_bytes(mask, level, settings.block_digits, "compact");
  if (bytes > .5 * static_cast<double>(free_bytes(bench.backend()))) return std::nullopt;
  Queue& queue = bench.queue();
  const auto track = make_fractal_track(queue, settings, "compact");
  fresh_start(*track, queue, seed, .5);
  for (std::uint64_t i = 0; i < steps; ++i) {
    track->step(queue);
    finish_step(*track, queue);
  }
  const Seal seal = track->seal(queue).value();
  return Total{seal.hash, seal.sum};
}

class SlicedFigures {
 public:
  SlicedFigures(Bench& bench, const Mask& mask, int level)
      : bench_(bench),
        mask_(mask),
        level_(level),
        seed_(bench.fresh_seed()),
        bed_(bench.queue(), FractalDomain(mask, level), {parse_rule(rule_texts[0]), parse_rule(rule_texts[1])}) {}

  std::vector<Figure> run() {
    Queue& queue = bench_.queue();
    const std::uint64_t seven = bed_.at_once();
    std::vector<std::uint64_t> counts{1};
    if (seven > 1) counts.push_back(seven);
    for (const std::uint64_t count : counts)
      for (const std::size_t rule : {0, 1}) expect(rule, count);
    constexpr unsigned widths[] = {1, 2, 4, 8};
    std::vector<Region> copies;
    for (const unsigned one : widths) copies.push_back([this, one](Queue& q) { bed_.copy(q, one); });
    const std::size_t best = quickest(bench_, copies);
    const unsigned quads = widths[best];
    std::vector<Contestant> all{step("step", 0, 1)};
    all.push_back(contestant("copy", copies[best], [this](Queue& q) { return bed_.equal(q); }));
    all.push_back(step("any rule", 1, 1));
    if (bed_.fuses_seal())
      all.push_back(contestant(
          "step with seal", [this](Queue& q) { bed_.step(q, 0, 1, true); },
          [this](Queue& q) {
            const auto sealed = bed_.sealed(q);
            return sealed == bed_.result(q) && sealed == expected_[{0, 1}];
          }));
    all.push_back(contestant(
        "seal", [this](Queue& q) { bed_.seal(q); }, [this](Queue& q) { return bed_.sealed(q) == start_; }));
    if (seven > 1) {
      all.push_back(step("7 steps", 0, seven));
      all.push_back(step("7 steps, any rule", 1, seven));
    }
    bed_.fill(queue, seed_, .5);
    bed_.seal(queue);
    start_ = bed_.sealed(queue);
    const double bytes = 2. * static_cast<double>(bed_.bytes());
    for (const Cache cache : caches_of(bench_, bytes)) {
      const char* cached = cache == Cache::cold ? "cold" : fits_cache(bench_, bytes) ? "warm" : "streamed";
      const auto samples = measure(bench_, all, cache);
      for (std::size_t i = 0; i < all.size(); ++i) {
        const bool seven_steps = all[i].name.starts_with("7 steps");
        add(all[i].name, samples[i], seven_steps ? static_cast<double>(seven) : 1, samples[1], samples[0], cached,
            quads);
      }
    }
    return std::move(figures_);
  }

 private:
  Total step_by_step(std::size_t rule, std::uint64_t steps) {
    Queue& queue = bench_.queue();
    bed_.fill(queue, seed_, .5);
    if (steps > 1) return bed_.after_single_steps(queue, rule, steps);
    bed_.step(queue, rule, 1);
    return bed_.result(queue);
  }
  /// Found before anything is timed: by a compact state, or, where that is too large, by steps that come one by one.
  void expect(std::size_t rule, std::uint64_t steps) {
    bench_.report(mask_.key + " level " + std::to_string(level_) + ": what " + std::to_string(steps) + " steps are");
    const auto kept = by_compact(bench_, mask_, level_, rule_texts[rule], seed_, steps);
    source_ = kept ? "a compact state" : "single steps against seven at once";
    expected_[{rule, steps}] = kept ? *kept : step_by_step(rule, steps);
  }
  Contestant contestant(const char* name, const Region& run, const std::function<bool(Queue&)>& right) {
    return {name, run, [this](Queue& q) { bed_.fill(q, seed_, .5); }, right};
  }
  Contestant step(const char* name, std::size_t rule, std::uint64_t steps) {
    return contestant(
        name, [this, rule, steps](Queue& q) { bed_.step(q, rule, steps); },
        [this, rule, steps](Queue& q) {
          return bed_.result(q) == expected_[{rule, steps}];
        });
  }

  /// Times are of a step: `steps` of them are in a sample.
  void add(const std::string& name, Samples samples, double steps, const Samples& copy, const Samples& step,
           const char* cached, unsigned quads) {
    for (double& one : samples.milliseconds) one /= steps;
    const double cells = std::pow(double(mask_.copies()), level_);
    Figure figure{"fractal",
                  mask_.key + "/" + std::to_string(level_) + "/life/sliced: " + name,
                  "ms",
                  {{"fractal", mask_.key},
                   {"level", std::to_string(level_)},
                   {"cells", count_text(cells)},
                   {"track", "sliced"},
                   {"what", name},
                   {"bytes", count_text(static_cast<double>(bed_.bytes()))},
                   {"cache", cached},
                   {"verified_by", source_}}};
    set_times(figure, samples);
    if (name == "copy") figure.add_note(std::to_string(quads) + " x 16 bytes per thread");
    // Of what moves a state once, the share of a copy; of the others, how many times as quick as a step.
    if (name == "seal" || name.starts_with("7 steps"))
      set_peer(figure, "sliced: step", samples, step);
    else if (name != "copy")
      set_peer(figure, "copy of as many bytes", samples, copy);
    if (figure.verified && name != "copy" && name != "seal") figure.add_note(rate_text(cells / (figure.median / 1e3)));
    figures_.push_back(std::move(figure));
  }

  Bench& bench_;
  Mask mask_;
  int level_;
  std::uint64_t seed_;
  SlicedBed bed_;
  Total start_;
  std::map<std::pair<std::size_t, std::uint64_t>, Total> expected_;
  std::string source_;
  std::vector<Figure> figures_;
};

}  // namespace

int largest_sliced_level(const Bench& bench, const Mask& mask) {
  const double room = .2 * static_cast<double>(free_bytes(bench.backend()));
  int level = 1;
  for (int next = 1; next <= FractalDomain::most_levels; ++next) {
    if (std::pow(mask.side_x(), next) > 0x7fffffff || std::pow(mask.side_y(), next) > 0x7fffffff) break;
    if (2 * std::pow(double(mask.copies()), next) / 8 / .87 > room) break;
    level = next;
  }
  return level;
}

std::vector<Figure> sliced_figures(Bench& bench, const Mask& mask, int level) {
  return SlicedFigures(bench, mask, level).run();
}

}  // namespace warploom::bench
