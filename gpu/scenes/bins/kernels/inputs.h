#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpu/core/hash.h"
#include "gpu/scenes/bins/kernels/settings.h"

namespace warploom {

/// Elements of an application, in input order.
struct BinInput {
  unsigned width = 4;             ///< floats an element: x y z and one more, of mri p, re, im, w
  std::vector<float> elements;    ///< (N, width)
  std::vector<float> velocities;  ///< (N, 3), nbody alone
  std::string name;               ///< of the recipe, or the file's without its folder
  // What a recipe fixes of the geometry.
  std::optional<double> spacing;                       ///< of the lattice
  std::optional<std::array<std::uint32_t, 3>> points;  ///< of the lattice
  std::optional<std::array<double, 3>> origin;         ///< of the lattice, or of the box
  std::optional<std::array<double, 3>> box;            ///< sides of a periodic box
  std::vector<std::string> remarks;                    ///< what was left out of a file, or guessed, a line each
  std::optional<std::uint64_t> without_charge;         ///< of a molecule: atoms whose element has no charge here
  bool phantom = false;  ///< samples of the phantom, windowed: what their image should be is known
  std::uint64_t count() const { return elements.size() / width; }
  void add(std::initializer_list<double> values) {
    for (const double value : values) elements.push_back(static_cast<float>(value));
  }
};

/// u_a(i): uniform in [0, 1), 24 bits, of a hash of the seed.
inline double uniform(std::uint64_t seed, std::uint64_t i, std::uint64_t axis) {
  return static_cast<double>(key_hash(seed, i + (axis << 32)) >> 40) * 0x1p-24;
}

/// v(i): evenly spread in the unit cube, 24 bits, of no seed (an additive recurrence of the plastic number's kin).
inline double spread(std::uint64_t i, int axis) {
  constexpr std::uint64_t steps[] = {0xD1B54A32D192ED03ull, 0xABC98388FB8FAC03ull, 0x8CB92BA72F3D8DD7ull};
  return static_cast<double>(((1ull << 63) + i * steps[axis]) >> 40) * 0x1p-24;
}

inline constexpr double pi = 3.14159265358979323846;

/// Sizes that an application's recipes know by name; a count otherwise.
struct Recipe {
  std::uint64_t demo, small, large;
  /// The count that `input` asks for; nullopt: it is neither a name nor a count.
  std::optional<std::uint64_t> count(const std::string& input) const;
};

/// A count from 1 on; nullopt where the words are none. Throws UsageError for 0 and for negative ones.
std::optional<std::uint64_t> input_count(const std::string& input);

// ---- the recipes, one a file -----------------------------------------------------------------------------------
/// A cube of `atoms` / 3 water molecules: x y z charge, in angstroms and elementary charges.
BinInput water(std::uint64_t atoms, std::uint64_t seed);
/// A double helix of 24 pairs, 576 atoms.
BinInput double_helix();
/// `samples` of a radial trajectory on cones in a grid of `points` a side, with the signal of the Shepp-Logan phantom
/// (shepp1974phantom) and the weights that make up for its density.
BinInput cones(std::uint64_t samples, std::uint32_t points);
/// How far from the middle they go, in cycles per field of view.
inline double furthest_of_cones(std::uint32_t points) { return points / 5.; }
/// Grid sides that an FFT of radix 2, 3, 4 and 5 takes: 2^a 3^b 5^c from 16 on, a from 2 on.
bool legal_grid(std::uint32_t points);
/// The nearest of them, above where two are as near.
std::uint32_t nearest_grid(double points);
/// That of so many samples of `cones`.
std::uint32_t grid_of_cones(std::uint64_t samples);
/// The `atoms` of a bundle of helices that are nearest its middle: x y z radius.
BinInput bundle(std::uint64_t atoms);
/// "small", "large" and "random" of the thesis' table.
BinInput bundle_in_a_box();
BinInput large_bundle();
BinInput random_atoms(std::uint64_t seed);
/// A quarter uniform, the rest in 24 clumps, in a box of `side`: x y z mass, at rest.
BinInput clumps(std::uint64_t bodies, std::uint32_t side, std::uint64_t seed);
/// A cosmic web: displaced along 24 waves, and moving so, in a flat periodic box.
BinInput web(std::uint64_t bodies, std::uint64_t seed);
/// 60 of them in a box of 16 x 16 x 2, to be counted by eye.
BinInput few_bodies(std::uint64_t seed);

}  // namespace warploom
