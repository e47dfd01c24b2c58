#pragma once
#include <cstdint>
#include <vector>

#include "gpu/core/group.h"
#include "gpu/scenes/fractal/works/bit_logic.h"
#include "gpu/scenes/fractal/works/sliced_shape.h"

// Words of a sliced state with a neighbour in other lanes: all that devices which share the state out must tell each
// other. There are few of them, but for masks whose boxes touch along whole sides. Source: the house's design.
namespace warploom {

/// What lies beside a border word.
struct BorderBeside {
  static constexpr std::uint64_t none = ~std::uint64_t{0}, crosses = std::uint64_t{1} << 63;
  static constexpr int direction_from = 56;
  /// A word of the same lanes: where its first chunk lies in a part; or of others: number of a border word, and the
  /// direction in which lanes are stepped.
  std::uint64_t packed = none;
  static BorderBeside crossing(std::uint64_t word, int direction) {
    return {crosses | static_cast<std::uint64_t>(direction) << direction_from | word};
  }
  WARPLOOM_HD bool there() const { return packed != none; }
  WARPLOOM_HD bool crossing() const { return (packed & crosses) != 0; }
  WARPLOOM_HD int direction() const { return static_cast<int>(packed >> direction_from & 7u); }
  WARPLOOM_HD std::uint64_t word() const { return packed & ((std::uint64_t{1} << direction_from) - 1); }
};

/// On the host.
struct Border {
  std::vector<std::uint64_t> words;  ///< base numbers, rising
  std::vector<BorderBeside> beside;  ///< (words, directions)
};
/// `part`: the shape of a device's part.
Border border_of(const FractalDomain& domain, const SlicedShape& part);
/// At most so many words it has, found without going through them.
double border_words(const FractalDomain& domain, const SlicedShape& shape);

/// A device's own chunks of the border words, for all others. Launched with row_shape(count * chunks).
struct PackBorder {
  const std::uint32_t* in;
  const std::uint64_t* places;  ///< (count): where the words begin
  std::uint64_t count;
  std::uint32_t chunks;
  std::uint32_t* to;  ///< (count, chunks)
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, count * chunks, [&](std::uint64_t i) { to[i] = in[places[i / chunks] + i % chunks]; });
  }
};

/// The next state of a part's border words, which steps of the part alone have made as if no other lane were there.
/// Launched with row_shape(count * chunks).
template <class Logic>
struct BorderStep {
  SlicedStates states;           ///< of the part
  const std::uint64_t* places;   ///< (count)
  const BorderBeside* beside;    ///< (count, directions)
  const std::uint32_t* border;   ///< (devices, count, chunks): those of all
  const std::uint16_t* lanes;    ///< (directions, all lanes' bits), as SlicedSteps has them, of the whole state
  std::uint32_t all_chunks = 1;  ///< of all devices
  std::uint64_t count = 0;
  Logic logic;

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    const std::uint32_t chunks = states.shape.chunks;
    each_item(group, count * chunks, [&](std::uint64_t i) {
      const std::uint64_t word = i / chunks;
      const auto chunk = static_cast<std::uint32_t>(i % chunks);
      std::uint32_t around[directions];
      for (std::uint64_t d = 0; d < directions; ++d) {
        const BorderBeside at = beside[word * directions + d];
        around[d] = !at.there()     ? 0
                    : at.crossing() ? permuted(at, states.shape.first_chunk + chunk)
                                    : states.in[at.word() + chunk];
      }
      std::uint32_t next = 0;
      logic.template next<directions>(states.in[places[word] + chunk], around, next);
      states.out[places[word] + chunk] = next & states.shape.valid(chunk);
    });
  }

 private:
  /// A chunk of all whose bits come from other lanes, whoever has them.
  WARPLOOM_HD std::uint32_t permuted(const BorderBeside& at, std::uint32_t chunk) const {
    const std::uint32_t chunks = states.shape.chunks;
    const std::uint16_t* const from =
        lanes + (static_cast<std::uint64_t>(at.direction()) * all_chunks + chunk) * std::uint64_t{32};
    std::uint32_t bits = 0;
    for (std::uint32_t bit = 0; bit < 32; ++bit) {
      const std::uint32_t lane = from[bit];
      if (lane == SlicedSteps::no_lane) continue;
      const std::uint32_t source = lane / 32, device = source / chunks;
      const std::uint32_t held = border[(device * count + at.word()) * chunks + (source - device * chunks)];
      bits |= (held >> lane % 32 & 1u) << bit;
    }
    return bits;
  }
};

}  // namespace warploom
