#pragma once
#include <cstdint>

#include "gpu/core/divider.h"
#include "gpu/scenes/fractal/maps/domain.h"
#include "gpu/scenes/fractal/works/directions.h"

// A state sliced by its top digits. The cell with number c = sum of d_i k^i has lane c / k^q, its top m = r - q digits,
// and base number j = c mod k^q. A word of 32 C bits holds a bit of every lane: all cells of a word lie alike in their
// boxes, so that all of them have the same neighbour words. Source: the house's design.
namespace warploom {

/// Of a sliced state: its digits, and where its chunks of 32 bits lie. A tile is the words of k^t base numbers that
/// follow each other; in it the words of equal place in their register blocks lie side by side, so that the threads of
/// a warp, a register block each, read what follows each other:
///   base j = i + k^G (b + k^(t-G) T)   at   T tile_stride + (i k^(t-G) + b) C   and the chunks from there on.
struct SlicedShape {
  int base_digits = 0;               ///< q
  int block_digits = 0;              ///< G: of a block of words that a thread has in registers
  int tile_digits = 0;               ///< t, at least G
  std::uint32_t lanes = 1;           ///< k^m
  std::uint32_t chunks = 1;          ///< C: of 32 bits, of a word; of a state of several devices, of a part
  std::uint32_t in_block = 1;        ///< k^G
  std::uint32_t blocks_in_tile = 1;  ///< k^(t-G)
  std::uint32_t tile_stride = 4;     ///< in chunks; a multiple of 16 bytes
  std::uint64_t words = 1;           ///< k^q
  /// Devices that have a part each, of equal chunks of every word: parts lie one behind the other.
  std::uint32_t parts = 1;
  std::uint32_t first_chunk = 0;  ///< of a part as a state of its own: where its lanes begin
  Divider by_chunks, by_in_block, by_blocks_in_tile;

  SlicedShape() = default;
  /// m: the fewest digits that fill 0.87 of their bits; G: the most of which a thread has at most 32 words; t: the most
  /// of which a tile has at most `most_tile_bytes`, or G. All shrink where the level is small.
  /// Of several devices: m so that each has as many chunks, but for a tenth of them at most.
  constexpr SlicedShape(std::uint32_t copies, int level, std::uint32_t most_tile_bytes = 0, std::uint32_t devices = 1) {
    if (copies < 2) return;  // no mask has so few: its digits would never fill a word
    int m = lane_digits(copies, devices);
    block_digits = most_block_digits(copies);
    if (block_digits > level) block_digits = level;
    if (m > level - block_digits) m = level - block_digits;
    base_digits = level - m;
    for (int i = 0; i < m; ++i) lanes *= copies;
    for (int i = 0; i < base_digits; ++i) words *= copies;
    for (int i = 0; i < block_digits; ++i) in_block *= copies;
    parts = devices;
    chunks = ((lanes + 31) / 32 + parts - 1) / parts;
    tile_digits = block_digits;
    while (tile_digits < base_digits &&
           std::uint64_t{in_block} * blocks_in_tile * copies * chunks * 4 <= most_tile_bytes) {
      blocks_in_tile *= copies;
      ++tile_digits;
    }
    tile_stride = (in_tile() * chunks + 3) / 4 * 4;
    by_chunks = Divider(chunks);
    by_in_block = Divider(in_block);
    by_blocks_in_tile = Divider(blocks_in_tile);
  }
  /// Of the states of a domain. A tile has some 32 KiB, two or three of which a block of threads has; that of the
  /// gasket is one register block, whose words are whole sectors as they are.
  explicit SlicedShape(const FractalDomain& domain)
      : SlicedShape(domain.copies, domain.level, is_gasket(domain) ? 0 : usual_tile_bytes, domain.devices) {}
  /// m, and the most that G can be.
  static constexpr int lane_digits(std::uint32_t copies, std::uint32_t devices) {
    int m = 1;
    for (std::uint64_t all = copies;; all *= copies, ++m) {
      const std::uint64_t chunks = (all + 31) / 32, shared_out = (chunks + devices - 1) / devices * devices;
      if (static_cast<double>(all) >= .87 * 32 * static_cast<double>(chunks) && chunks >= devices &&
          (devices == 1 || 10 * shared_out <= 11 * chunks))
        return m;
    }
  }
  static constexpr int most_block_digits(std::uint32_t copies) {
    int digits = 0;
    for (std::uint64_t all = copies; all <= 32; all *= copies) ++digits;
    return digits > 0 ? digits : 1;
  }
  /// What a device has, as a state of its own.
  constexpr SlicedShape part(std::uint32_t device) const {
    SlicedShape own = *this;
    own.parts = 1;
    own.first_chunk = device * chunks;
    const std::uint32_t first = own.first_chunk * 32, rest = lanes > first ? lanes - first : 0;
    own.lanes = rest < chunks * 32 ? rest : chunks * 32;
    return own;
  }

  static constexpr std::uint32_t usual_tile_bytes = 36 << 10;
  /// # . / # #: the mask that has kernels of its own.
  static bool is_gasket(const FractalDomain& domain) { return domain.hole_x == 1 && domain.hole_y == 0; }

  /// Whether its tiles and words are as those of another level of the same mask.
  constexpr bool has_tiles_of(const SlicedShape& other) const {
    return block_digits == other.block_digits && tile_digits == other.tile_digits && lanes == other.lanes &&
           chunks == other.chunks && parts == other.parts;
  }
  /// Words of a tile.
  WARPLOOM_HD constexpr std::uint32_t in_tile() const { return in_block * blocks_in_tile; }
  WARPLOOM_HD constexpr std::uint64_t tiles() const {
    return words / in_tile();  // NOLINT(clang-analyzer-core.DivideZero): powers of the copies
  }
  /// Register blocks.
  WARPLOOM_HD constexpr std::uint64_t blocks() const { return words / in_block; }
  /// Chunks that hold cells; a state has some more where tiles are filled up.
  WARPLOOM_HD constexpr std::uint64_t places() const { return words * all_chunks(); }
  WARPLOOM_HD constexpr std::uint64_t state_chunks() const { return part_chunks() * parts; }
  /// Of all parts: chunks of a word. Of a part, as it lies: chunks.
  WARPLOOM_HD constexpr std::uint32_t all_chunks() const { return chunks * parts; }
  WARPLOOM_HD constexpr std::uint64_t part_chunks() const { return tiles() * tile_stride; }
  /// Of a base number below k^t: where its word lies in its tile, in words.
  WARPLOOM_HD constexpr std::uint32_t word_in_tile(std::uint32_t base) const {
    const std::uint32_t block = by_in_block.split(base);
    return base * blocks_in_tile + block;
  }
  WARPLOOM_HD constexpr std::uint64_t place(std::uint64_t base, std::uint32_t chunk) const {
    std::uint64_t block;
    std::uint32_t i;
    if (base >> 32) {
      block = base / in_block;
      i = static_cast<std::uint32_t>(base - block * in_block);
    } else {
      i = static_cast<std::uint32_t>(base);
      block = by_in_block.split(i);
    }
    return place_in(block, i, chunk);
  }
  /// ... of word i of a register block.
  WARPLOOM_HD constexpr std::uint64_t place_in(std::uint64_t block, std::uint32_t i, std::uint32_t chunk) const {
    std::uint64_t tile;
    std::uint32_t b;
    if (block >> 32) {
      tile = block / blocks_in_tile;
      b = static_cast<std::uint32_t>(block - tile * blocks_in_tile);
    } else {
      b = static_cast<std::uint32_t>(block);
      tile = by_blocks_in_tile.split(b);
    }
    std::uint64_t part = 0;
    if (parts > 1) part = by_chunks.split(chunk) * part_chunks();
    return part + tile * tile_stride + static_cast<std::uint64_t>((i * blocks_in_tile + b) * chunks + chunk);
  }
  /// A chunk: of which word.
  struct Chunk {
    std::uint64_t base = 0;
    std::uint32_t chunk = 0;
  };
  /// The number-th chunk that holds cells, as they lie.
  WARPLOOM_HD constexpr Chunk chunk_at(std::uint64_t number) const {
    const std::uint64_t in_a_tile = std::uint64_t{in_tile()} * chunks;
    std::uint32_t of_part = 0;
    if (parts > 1) {
      const std::uint64_t part = number / (words * chunks);
      number -= part * (words * chunks);
      of_part = static_cast<std::uint32_t>(part) * chunks;
    }
    const std::uint64_t tile = number / in_a_tile;
    auto rest = static_cast<std::uint32_t>(number - tile * in_a_tile);
    std::uint32_t word = by_chunks.split(rest);
    const std::uint32_t i = by_blocks_in_tile.split(word);
    return {(tile * blocks_in_tile + word) * in_block + i, of_part + rest};
  }
  /// The bits of a chunk that lanes have.
  WARPLOOM_HD constexpr std::uint32_t valid(std::uint32_t chunk) const {
    if (chunk * 32 >= lanes) return 0;  // of several devices the last may have chunks without lanes
    const std::uint32_t rest = lanes - chunk * 32;
    return rest >= 32 ? ~0u : (1u << rest) - 1;
  }
};

/// Where one step leads from a digit of a cell, or from several in one number: to which, and which way its carry goes
/// on.
struct DigitStep {
  static constexpr std::uint32_t arrived = 8, outside = 15;
  std::uint16_t packed = outside << 12;
  DigitStep() = default;
  constexpr DigitStep(std::uint32_t digit, std::uint32_t onward)
      : packed(static_cast<std::uint16_t>(onward << 12 | digit)) {}
  WARPLOOM_HD constexpr std::uint32_t digit() const { return packed & 0xfffu; }
  /// A direction; arrived: the digits above stay; outside: no copy is there.
  WARPLOOM_HD constexpr std::uint32_t onward() const { return packed >> 12; }
};

/// How numbers of neighbours are found, several digits at once and then digit by digit, the lowest first.
struct SlicedSteps {
  const DigitStep* of_digit = nullptr;  ///< (directions, k)
  /// (directions, 32 C): the lane whose bit comes where a step leaves all base digits; no_lane: none.
  const std::uint16_t* lanes = nullptr;
  Divider copies;
  const DigitStep* of_digits = nullptr;  ///< (directions, k^at_once), or null
  Divider by_digits;                     ///< k^at_once
  int at_once = 64;                      ///< more than a number has: they are not looked up so

  SlicedSteps() = default;
  /// One by one, and without lanes.
  SlicedSteps(const DigitStep* digits, std::uint32_t k) : of_digit(digits), copies(k) {}
  static constexpr std::uint16_t no_lane = 0xffff;

  struct Found {
    bool there = false;
    int crossing = -1;  ///< the direction in which the digits above are stepped, too; -1: they stay
    std::uint64_t number = 0;
  };
  /// The lane that a bit comes from, where a step in this direction leaves all base digits.
  WARPLOOM_HD std::uint32_t lane(int crossing, std::uint32_t chunks, std::uint32_t of) const {
    return lanes[static_cast<std::size_t>(crossing) * chunks * 32 + of];
  }
  /// The neighbour of `number`, of so many digits. By numbers of 32 bits, where they are known to fit: 64 cost a device
  /// several times as much.
  template <class Number>
  WARPLOOM_HD Found neighbour(Number number, int digits, int direction) const {
    Found found{true, -1, number};
    Number power = 1, rest = number;
    std::uint32_t onward = static_cast<std::uint32_t>(direction);
    int i = 0;
    // False: it has arrived, or there is none.
    const auto step = [&](const DigitStep* steps, const Divider& by) {
      const Number above = quotient(rest, by);
      const auto digit = static_cast<std::uint32_t>(rest - above * by.divisor);
      const DigitStep to = steps[onward * by.divisor + digit];
      onward = to.onward();
      found.there = onward != DigitStep::outside;
      if (!found.there) return false;
      found.number = static_cast<Number>(static_cast<Number>(found.number) + (Number{to.digit()} - digit) * power);
      rest = above;
      power *= by.divisor;
      return onward != DigitStep::arrived;
    };
    for (; of_digits && i + at_once <= digits; i += at_once)
      if (!step(of_digits, by_digits)) return found;
    for (; i < digits; ++i)
      if (!step(of_digit, copies)) return found;
    found.crossing = static_cast<int>(onward);
    return found;
  }

 private:
  WARPLOOM_HD static std::uint32_t quotient(std::uint32_t of, const Divider& by) { return by.quotient(of); }
  WARPLOOM_HD static std::uint64_t quotient(std::uint64_t of, const Divider& by) {
    return of >> 32 ? of / by.divisor : by.quotient(static_cast<std::uint32_t>(of));
  }
};

/// What steps of an automaton on a sliced state read and write. The bits that no lane has stay 0, also under rules that
/// are born of nothing.
struct SlicedStates {
  const std::uint32_t* in = nullptr;  ///< shape.state_chunks() of each
  std::uint32_t* out = nullptr;
  SlicedShape shape;
  SlicedSteps steps;
};

}  // namespace warploom
