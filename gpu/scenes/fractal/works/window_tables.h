#pragma once
#include <vector>

#include "gpu/scenes/fractal/works/tile_tables.h"

namespace warploom {

/// How the box of a mask that is known when the program runs is cut into windows, and a tile into pieces: a piece is
/// the words that a window of the lowest digit has. They are numbered so that pieces of one number after the other lie
/// side by side: windows slowest, then digits 1 to G - 1, then those above.
struct Windows {
  static constexpr int most = 8;
  std::uint32_t in_block = 1;          ///< k: words of a box
  std::uint32_t inner = 1;             ///< k^(G-1)
  std::uint32_t outer = 1;             ///< k^(t-G)
  std::uint32_t count = 0;             ///< windows of a box that have words
  std::uint32_t most_words = 1;        ///< of a window
  std::uint32_t first[most + 1] = {};  ///< of each window, the first of its words in a box; then k
  std::uint32_t row[most] = {};        ///< of each window, its first in the box

  /// The box is one window: of masks that are known when the program is compiled, where it stands for G digits.
  Windows(std::uint32_t words, std::uint32_t in_tile)
      : in_block(words), outer(in_tile / words), count(1), most_words(words), first{0, words} {}
  Windows() : Windows(1, 1) {}
  /// Windows `high` places high, and as wide as the box.
  Windows(const FractalDomain& domain, const SlicedShape& shape, int high);

  WARPLOOM_HD std::uint32_t pieces() const { return count * inner * outer; }
  WARPLOOM_HD std::uint32_t words(std::uint32_t window) const { return first[window + 1] - first[window]; }
  /// Of a base number below k^t.
  struct Place {
    std::uint32_t piece = 0, word = 0;  ///< word: of the window
  };
  WARPLOOM_HD Place place(std::uint32_t base) const {
    const std::uint32_t box = base / in_block, of_box = base - box * in_block;
    std::uint32_t window = 0;
    while (of_box >= first[window + 1]) ++window;
    return {(window * inner + box % inner) * outer + box / inner, of_box - first[window]};
  }
  WARPLOOM_HD std::uint32_t base(const Place& at) const {
    const std::uint32_t window = window_of(at.piece), rest = at.piece - window * inner * outer;
    const std::uint32_t box = rest % outer * inner + rest / outer;
    return box * in_block + first[window] + at.word;
  }
  WARPLOOM_HD std::uint32_t window_of(std::uint32_t piece) const { return piece / (inner * outer); }
};

/// What pieces read and write, as shared memory has it: of each piece, in which chunk of its tile its first word lies
/// and above 16 bits which places of its window have one; then, four a turn and piece by piece, at which byte the word
/// of each place in and around the window begins, row by row.
struct WindowView {
  const std::uint32_t* table = nullptr;
  std::uint32_t pieces = 1, words = 0;  ///< words: of the table; even
  std::uint32_t used_places = 0;        ///< in any piece
};

/// Made once a mask and level.
class WindowTables : public TileTables {
 public:
  /// Windows `wide` x `high`.
  WindowTables(Queue& queue, const FractalDomain& domain, const SlicedShape& shape, int wide, int high);
  const WindowView& window() const { return window_; }
  const Windows& windows() const { return windows_; }
  std::uint64_t bytes() const { return TileTables::bytes() + table_.bytes(); }

 private:
  Windows windows_;
  WindowView window_;
  Buffer<std::uint32_t> table_;
};

}  // namespace warploom
