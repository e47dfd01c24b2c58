#include "gpu/scenes/fractal/bench/case.h"

#include <fmt/format.h>

#include <cmath>

#include "gpu/core/error.h"
#include "gpu/scenes/fractal/works/list.h"

namespace warploom::bench {

double FractalCase::side_x() const { return std::pow(settings.mask.side_x(), settings.level); }
double FractalCase::side_y() const { return std::pow(settings.mask.side_y(), settings.level); }
double FractalCase::cells() const { return std::pow(settings.mask.copies(), settings.level); }
std::string FractalCase::text() const {
  return settings.mask.key + "/" + std::to_string(settings.level) + "/" + settings.work;
}

FractalCase fractal_case(Bench& bench, const Mask& mask, int level, const std::string& work) {
  const WorkInfo info = fractal_work_info(work);
  FractalCase c;
  c.settings.mask = mask;
  c.settings.level = level;
  c.settings.work = work;
  c.seed = bench.fresh_seed();
  c.bytes_per_cell = info.bytes_per_cell;
  c.folds = !info.writes_state;
  return c;
}

std::shared_ptr<Track> make_track(Bench& bench, const FractalCase& c, const std::string& track, int block_digits) {
  FractalSettings settings = c.settings;
  settings.block_digits = block_digits;
  return make_fractal_track(bench.queue(), settings, track);
}

Contestant fractal_contestant(Bench& bench, const FractalCase& c, const std::string& name, int block_digits) {
  return track_contestant(
      name, make_track(bench, c, name, block_digits),
      [&c](Track& track, Queue& queue) { fresh_start(track, queue, c.seed, c.density); },
      [&c](Track& track, Queue& queue) { return c.expected.holds(track, queue); });
}

BestBlock find_best_block(Bench& bench, const FractalCase& c, const std::string& name) {
  const Mask& mask = c.settings.mask;
  const std::vector<int> legal = legal_block_digits(mask, c.settings.level);
  BestBlock best;
  std::string tried, left_out, refused;
  bool hopeless = false;
  for (auto digits = legal.rbegin(); digits != legal.rend(); ++digits) {
    const double threads = std::pow(mask.side_x() * mask.side_y(), *digits);
    const std::uint32_t side = block_side(mask, *digits);
    if (threads < 4 && legal.size() > 1) break;
    bench.check_cancelled();
    const auto leave_out = [&] { left_out += (left_out.empty() ? "" : " ") + std::to_string(side); };
    if (hopeless) {
      leave_out();
      continue;
    }
    if (std::string why = fractal_refusal(mask, c.settings.level, *digits, name); !why.empty()) {
      refused = std::move(why);
      continue;
    }
    const std::shared_ptr<Track> track = make_track(bench, c, name, *digits);
    double blocks = 0;
    for (const auto& shape : track->launches()) blocks += static_cast<double>(shape.block_count());
    // Dispatch alone says when a block is too small; each smaller one has more blocks still.
    const double dispatch = blocks / bench.ceiling(threads > 64 ? "blocks_256" : "blocks_32") * 1e3;
    if (best.digits >= 0 && dispatch > 2 * best.milliseconds) {
      hopeless = true;
      leave_out();
      continue;
    }
    fresh_start(*track, bench.queue(), c.seed, c.density);
    const double time = quick_time(bench, [&](Queue& queue) { track->step(queue); });
    tried += fmt::format("{}{}: {:.4g}", tried.empty() ? "" : ", ", side, time);
    if (best.digits < 0 || time < best.milliseconds) best = {*digits, time, {}};
    hopeless = time > 4 * best.milliseconds;
  }
  if (best.digits < 0) {
    best.note = "no block serves: " + refused;
    return best;
  }
  best.note = "blocks tried (ms) " + tried;
  if (!left_out.empty()) best.note += "; skipped as hopeless: " + left_out;
  return best;
}

}  // namespace warploom::bench
