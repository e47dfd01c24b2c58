#include "gpu/works/fractal/tile_tables.h"

#include <algorithm>
#include <array>

#include "gpu/core/error.h"
#include "gpu/works/fractal/sliced_tables.h"

namespace warploom {

namespace {

/// Of each direction: whether a step that way can ever arrive at a copy, from any digits. One that a mask of a single
/// row takes upwards never does.
std::array<bool, directions> arriving(const std::vector<DigitStep>& digits, std::uint32_t copies) {
  std::array<bool, directions> can{};
  for (bool more = true; more;) {
    more = false;
    for (std::size_t d = 0; d < directions; ++d)
      for (std::uint32_t digit = 0; digit < copies && !can[d]; ++digit) {
        const std::uint32_t onward = digits[d * copies + digit].onward();
        if (onward == DigitStep::arrived || (onward < directions && can[onward])) can[d] = more = true;
      }
  }
  return can;
}

}  // namespace

TileTables::TileTables(Queue& queue, const FractalDomain& domain, const SlicedShape& shape,
                       const TileGeometry& geometry) {
  const auto digits = digit_steps(domain);
  const auto can = arriving(digits, domain.copies);
  const SlicedSteps steps(digits.data(), domain.copies);
  std::uint32_t in_block = 1;
  for (int i = 0; i < geometry.digits; ++i) in_block *= domain.copies;
  const std::uint32_t in_tile = shape.in_tile();
  blocks_ = in_tile / in_block;
  // Numbered as they are found, so that a block's own come together.
  std::vector<std::uint32_t> halo;
  constexpr std::uint32_t none = ~0u;
  std::vector<std::uint32_t> slots(static_cast<std::size_t>(geometry.slots) * blocks_, none);
  const auto places = geometry.word.size();
  for (std::uint32_t block = 0; block < blocks_; ++block)
    for (std::size_t place = 0; place < places; ++place) {
      if (geometry.word[place] < 0) continue;
      const std::uint32_t word = block * in_block + static_cast<std::uint32_t>(geometry.word[place]);
      for (int d = 0; d < directions; ++d) {
        const int at = geometry.around[place * directions + static_cast<std::size_t>(d)];
        if (at < static_cast<int>(places)) continue;
        auto& slot = slots[(static_cast<std::size_t>(at) - places) * blocks_ + block];
        const auto found = steps.neighbour(word, shape.tile_digits, d);
        if (slot != none || !found.there) continue;
        if (found.crossing >= 0 && !can[static_cast<std::size_t>(found.crossing)]) continue;
        const std::uint32_t in_other = shape.word_in_tile(static_cast<std::uint32_t>(found.number));
        if (found.crossing < 0) {
          slot = in_other;
          continue;
        }
        const std::uint32_t entry = static_cast<std::uint32_t>(found.crossing) << 16 | in_other;
        const auto known = std::find(halo.begin(), halo.end(), entry);
        slot = in_tile + static_cast<std::uint32_t>(known - halo.begin());
        if (known == halo.end()) halo.push_back(entry);
      }
    }
  const auto zero = in_tile + static_cast<std::uint32_t>(halo.size());
  if (zero > 0xffff) throw Error("tiles of " + std::to_string(zero) + " words: 65535 are the most");
  std::vector<std::uint16_t> packed;
  packed.reserve(slots.size());
  for (const std::uint32_t slot : slots) packed.push_back(static_cast<std::uint16_t>(slot == none ? zero : slot));
  slots_ = Buffer<std::uint16_t>(queue.backend(), packed.size());
  slots_.upload(queue, packed);
  halo_words_ = static_cast<std::uint32_t>(halo.size());
  const auto together = static_cast<std::uint32_t>(geometry.together);
  if (in_tile * shape.chunks > 0xffff)
    throw Error("tiles of " + std::to_string(in_tile * shape.chunks) + " chunks: 65535 are the most");
  std::vector<std::uint32_t> fetched;
  fetched.reserve(halo.size() * shape.chunks / together);
  for (const std::uint32_t entry : halo)
    for (std::uint32_t chunk = 0; chunk < shape.chunks; chunk += together)
      fetched.push_back((entry & ~0xffffu) | ((entry & 0xffffu) * shape.chunks + chunk));
  halo_ = Buffer<std::uint32_t>(queue.backend(), fetched.size());
  halo_.upload(queue, fetched);
}

}  // namespace warploom
