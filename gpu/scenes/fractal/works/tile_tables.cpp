#include "gpu/scenes/fractal/works/tile_tables.h"

#include "gpu/core/error.h"
#include "gpu/scenes/fractal/works/sliced_tables.h"

namespace warploom {

TileHalo::TileHalo(const FractalDomain& domain, const SlicedShape& shape)
    : shape_(shape),
      digits_(digit_steps(domain)),
      steps_(digits_.data(), domain.copies),
      arrive_(arriving(digits_, domain.copies)) {}

std::uint32_t TileHalo::beside(std::uint32_t word, int direction) {
  const auto found = steps_.neighbour(word, shape_.tile_digits, direction);
  if (!found.there) return none;
  const std::uint32_t in_other = shape_.word_in_tile(static_cast<std::uint32_t>(found.number));
  if (found.crossing < 0) return in_other;
  if (!(arrive_ >> found.crossing & 1u)) return none;
  const std::uint32_t entry = static_cast<std::uint32_t>(found.crossing) << 16 | in_other;
  const auto [at, fresh] = number_of_.try_emplace(entry, words());
  if (fresh) entries_.push_back(entry);
  return shape_.in_tile() + at->second;
}

std::uint16_t TileHalo::byte(std::uint32_t word) const {
  const std::uint32_t zero = shape_.in_tile() + words(), word_bytes = shape_.chunks * 4;
  if ((zero + 1) * word_bytes > 0xffff)
    throw Error("tiles of " + std::to_string((zero + 1) * word_bytes) + " bytes: 65535 are the most");
  return static_cast<std::uint16_t>((word == none ? zero : word) * word_bytes);
}

std::vector<std::uint32_t> TileHalo::fetched(std::uint32_t together) const {
  std::vector<std::uint32_t> all;
  all.reserve(entries_.size() * shape_.chunks / together);
  for (const std::uint32_t entry : entries_)
    for (std::uint32_t chunk = 0; chunk < shape_.chunks; chunk += together)
      all.push_back((entry & ~0xffffu) | ((entry & 0xffffu) * shape_.chunks + chunk));
  return all;
}

TileTables::TileTables(Queue& queue, const FractalDomain& domain, const SlicedShape& shape,
                       const TileGeometry& geometry) {
  TileHalo halo(domain, shape);
  const std::uint32_t blocks = shape.blocks_in_tile, words = shape.in_block;
  std::vector<std::uint32_t> slots(static_cast<std::size_t>(geometry.slots) * blocks, TileHalo::none);
  for (std::uint32_t block = 0; block < blocks; ++block)
    for (std::uint32_t word = 0; word < words; ++word)
      for (int d = 0; d < directions; ++d) {
        const int at = geometry.around[std::size_t{word} * directions + static_cast<std::size_t>(d)];
        if (at < static_cast<int>(words)) continue;
        auto& slot = slots[(static_cast<std::size_t>(at) - words) * blocks + block];
        if (slot == TileHalo::none) slot = halo.beside(block * words + word, d);
      }
  std::vector<std::uint16_t> packed;
  packed.reserve(slots.size());
  for (const std::uint32_t slot : slots) packed.push_back(halo.byte(slot));
  slots_ = {queue, packed};
  view_.slots = slots_.data();
  keep(queue, domain, shape, halo, static_cast<std::uint32_t>(geometry.together));
}

void TileTables::keep(Queue& queue, const FractalDomain& domain, const SlicedShape& shape, const TileHalo& halo,
                      std::uint32_t together) {
  halo_ = {queue, halo.fetched(together)};
  around_ = tiles_beside(queue, domain, shape);
  view_.halo = halo_.data();
  view_.around = around_.data();
  view_.tiles = static_cast<std::uint32_t>(shape.tiles());
  view_.halo_words = halo.words();
  view_.halo_chunks = halo.words() * shape.chunks;
}

}  // namespace warploom
