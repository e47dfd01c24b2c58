#include <algorithm>

#include "gpu/core/error.h"
#include "gpu/core/hash.h"
#include "gpu/scenes/fractal/bench/case.h"
#include "gpu/scenes/fractal/works/list.h"
#include "gpu/scenes/fractal/works/seal.h"

namespace warploom::bench {

namespace {

/// Every digit pair of (x, y) is a mark of the mask.
bool member(const Mask& mask, int level, std::uint64_t x, std::uint64_t y) {
  const std::uint64_t wide = std::max(1u, mask.side_x()), high = std::max(1u, mask.side_y());
  for (int digit = 0; digit < level; ++digit, x /= wide, y /= high)
    if (mask.rows[y % high][x % wide] != '#') return false;
  return true;
}

/// What a live cell adds to the seal, from its definition (gpu/scenes/fractal/works/seal.h), digit by digit.
std::uint64_t of_cell(const Mask& mask, int level, std::uint64_t x, std::uint64_t y) {
  const SlicedShape shape(mask.copies(), level);
  const std::uint64_t wide = std::max(1u, mask.side_x()), high = std::max(1u, mask.side_y());
  std::uint64_t number = 0, power = 1;
  for (int digit = 0; digit < level; ++digit, x /= wide, y /= high, power *= mask.copies()) {
    std::uint64_t copy = 0;
    for (std::uint64_t v = 0; v <= y % high; ++v)
      for (std::uint64_t u = 0; u < (v == y % high ? x % wide : wide); ++u) copy += mask.rows[v][u] == '#';
    number += copy * power;
  }
  const std::uint64_t lane = number / shape.words, base = number % shape.words;
  const auto place = static_cast<std::uint32_t>(base % shape.in_block);
  const std::uint64_t key = times_power_61(folded_61(SealKeys::of_word(place)), static_cast<int>(lane % 32));
  return product_61(product_61(key, SealKeys::of_chunk(static_cast<std::uint32_t>(lane / 32))),
                    SealKeys::of_block(base / shape.in_block));
}

/// One step on the whole box, place by place.
template <class Work>
Expected serial(const FractalCase& c) {
  static_assert(HasSerialStep<Work>, "a work says its serial step, see gpu/scenes/fractal/works/serial.h");
  const auto width = static_cast<std::int64_t>(c.side_x()), height = static_cast<std::int64_t>(c.side_y());
  const auto at = [&](std::int64_t x, std::int64_t y) { return static_cast<std::size_t>(y * width + x); };
  std::vector<std::uint8_t> inside(at(0, height)), alive(inside.size());
  for (std::int64_t y = 0; y < height; ++y)
    for (std::int64_t x = 0; x < width; ++x) {
      const auto ux = static_cast<std::uint64_t>(x), uy = static_cast<std::uint64_t>(y);
      inside[at(x, y)] = member(c.settings.mask, c.settings.level, ux, uy);
      alive[at(x, y)] = inside[at(x, y)] && chosen(cell_hash(c.seed, ux, uy), c.density);
    }
  SerialCell cell{0, 0, c.settings.rule, [&](std::int64_t x, std::int64_t y) {
                    return x >= 0 && y >= 0 && x < width && y < height && alive[at(x, y)];
                  }};
  Expected expected{0, 0, {}, "a serial step"};
  std::uint64_t fold = 0;
  for (cell.y = 0; cell.y < height; ++cell.y)
    for (cell.x = 0; cell.x < width; ++cell.x) {
      if (!inside[at(cell.x, cell.y)]) continue;
      const std::uint64_t result = Work::serial(cell), value = c.folds ? alive[at(cell.x, cell.y)] : result;
      fold += result;
      if (value)
        *expected.hash =
            folded_61(*expected.hash + of_cell(c.settings.mask, c.settings.level, static_cast<std::uint64_t>(cell.x),
                                               static_cast<std::uint64_t>(cell.y)));
      *expected.sum += value;
    }
  if (c.folds) expected.fold = fold;
  return expected;
}

template <class Work>
Expected expect_of(Bench& bench, const FractalCase& c, const std::string& reference) {
  if (c.side_x() * c.side_y() <= largest_oracle) return serial<Work>(c);
  std::optional<std::uint64_t> total;
  if constexpr (requires { Work::total(c.settings.mask, c.settings.level); })
    total = Work::total(c.settings.mask, c.settings.level);
  if (total && c.folds) return {{}, {}, total, "a closed form"};
  Queue& queue = bench.queue();
  const auto track = make_track(bench, c, reference, default_block_digits(c.settings.mask, c.settings.level));
  fresh_start(*track, queue, c.seed, c.density);
  if constexpr (requires { Work::folds_state; }) return {{}, {}, track->seal(queue)->sum, "the seal's sum"};
  track->step(queue);
  finish_step(*track, queue);
  Expected expected = sealed(*track, queue, "track " + reference);
  if (total) expected.sum = total;
  return expected;
}

}  // namespace

Expected expect(Bench& bench, const FractalCase& c, const std::string& reference) {
  std::optional<Expected> expected;
  for_each_type(FractalWorks{}, [&]<class Work>() {
    if (Work::info.key == c.settings.work) expected = expect_of<Work>(bench, c, reference);
  });
  if (!expected) throw Error("there is no work '" + c.settings.work + "'");
  return *expected;
}

}  // namespace warploom::bench
