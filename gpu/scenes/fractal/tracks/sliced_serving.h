#pragma once
#include "gpu/core/types.h"
#include "gpu/scenes/fractal/works/sliced_shape.h"
#include "gpu/scenes/fractal/works/window_tables.h"

namespace warploom {

/// Which thread of a launch serves which bits of a sliced state. Each thread has `items` bits, those that no lane has
/// among them.
struct SlicedServing {
  /// rows: a thread per chunk, as they lie. tiles: a block a tile, a thread a piece in one chunk, or several of them
  /// one after the other; persistent. blocks: a thread a register block in one chunk, one after the other. corners: 32
  /// register blocks per block, but for the three in block 0 whose corners meet other lanes.
  enum class Kind { rows, tiles, blocks, corners };
  Kind kind = Kind::rows;
  SlicedShape shape;
  LaunchShape launch;
  std::uint32_t in_block = 1;  ///< words of a register block
  std::uint32_t items = 32;    ///< of a thread
  // ---- of tiles
  std::uint32_t together = 1;  ///< chunks of a piece that a thread has at once
  Windows windows;             ///< that pieces are of

  /// Threads of a block.
  WARPLOOM_HD std::uint32_t size() const { return launch.threads.x; }
  WARPLOOM_HD std::uint64_t visits() const {
    return kind == Kind::tiles ? shape.tiles() : std::uint64_t{launch.blocks.x} * launch.blocks.y;
  }
  WARPLOOM_HD int turns() const {
    return kind == Kind::tiles ? static_cast<int>((visits() + launch.blocks.x - 1) / launch.blocks.x) : 1;
  }

  struct Served {
    std::uint64_t visit = 0;
    std::uint32_t thread = 0, item = 0;
  };
  struct Bit {
    bool there = false;
    std::uint64_t base = 0;
    std::uint32_t lane = 0;
  };
  WARPLOOM_HD Served who(std::uint64_t base, std::uint32_t lane) const {
    const std::uint32_t chunk = lane / 32, bit = lane % 32;
    const std::uint64_t block = base / in_block;
    const auto word = static_cast<std::uint32_t>(base - block * in_block);
    switch (kind) {
      case Kind::tiles: {
        const std::uint64_t tile = base / shape.in_tile();
        const auto at = windows.place(static_cast<std::uint32_t>(base - tile * shape.in_tile()));
        const std::uint32_t place = at.piece * shape.chunks + chunk, item = place / together,
                            turn = item / size() * together + place % together;
        return {tile, item % size(), (turn * windows.most_words + at.word) * 32 + bit};
      }
      case Kind::blocks: {
        const std::uint64_t number = block * shape.chunks + chunk;
        return {number / size(), static_cast<std::uint32_t>(number % size()), word * 32 + bit};
      }
      case Kind::corners: {
        const std::uint64_t all = shape.tiles();
        for (std::uint32_t corner = 0; corner < 3; ++corner)
          if (block == corner * ((all - 1) / 2)) return {0, corner * shape.chunks + chunk, word * 32 + bit};
        const std::uint32_t tiles = size() / shape.chunks;
        return {1 + block / tiles, static_cast<std::uint32_t>(block % tiles) * shape.chunks + chunk, word * 32 + bit};
      }
      default: {
        const std::uint64_t tile = base / shape.in_tile();
        const std::uint64_t number =
            tile * shape.in_tile() * shape.chunks +
            std::uint64_t{shape.word_in_tile(static_cast<std::uint32_t>(base % shape.in_tile()))} * shape.chunks +
            chunk;
        return {number / size(), static_cast<std::uint32_t>(number % size()), bit};
      }
    }
  }
  /// The inverse; not there: that bit of that thread serves no cell.
  WARPLOOM_HD Bit bit(const Served& at) const {
    Bit found;
    const std::uint32_t bit = at.item % 32, word = at.item / 32 % in_block;
    if (at.item >= items) return found;
    std::uint32_t chunk = 0;
    switch (kind) {
      case Kind::tiles: {
        const std::uint32_t in_turn = at.item / 32 % windows.most_words, turn = at.item / (32 * windows.most_words);
        const std::uint32_t place = (turn / together * size() + at.thread) * together + turn % together,
                            piece = place / shape.chunks;
        if (at.visit >= shape.tiles() || piece >= windows.pieces()) return found;
        if (in_turn >= windows.words(windows.window_of(piece))) return found;
        chunk = place % shape.chunks;
        found.base = at.visit * shape.in_tile() + windows.base({piece, in_turn});
        break;
      }
      case Kind::blocks: {
        const std::uint64_t number = at.visit * size() + at.thread, block = number / shape.chunks;
        if (block >= shape.blocks()) return found;
        chunk = static_cast<std::uint32_t>(number - block * shape.chunks);
        found.base = block * in_block + word;
        break;
      }
      case Kind::corners: {
        const std::uint64_t all = shape.tiles();
        std::uint64_t tile = at.thread / shape.chunks;
        chunk = at.thread % shape.chunks;
        if (at.visit == 0) {
          if (tile >= (all == 1 ? 1u : 3u)) return found;
          tile *= (all - 1) / 2;
        } else {
          tile += (at.visit - 1) * (size() / shape.chunks);
          if (tile >= all || tile == 0 || tile == (all - 1) / 2 || tile == all - 1) return found;
        }
        found.base = tile * in_block + word;
        break;
      }
      default: {
        const std::uint64_t number = at.visit * size() + at.thread;
        if (number >= shape.places()) return found;
        const auto place = shape.chunk_at(number);
        found.base = place.base;
        chunk = place.chunk;
      }
    }
    found.lane = chunk * 32 + bit;
    found.there = found.lane < shape.lanes;
    return found;
  }
  /// Whether a thread has anything to do.
  WARPLOOM_HD bool works(std::uint64_t visit, std::uint32_t thread) const { return bit({visit, thread, 0}).there; }
};

}  // namespace warploom
