#include <algorithm>

#include "gpu/scenes/bins/kernels/inputs.h"

namespace warploom {

namespace {

constexpr double van_der_waals = 1.7;  ///< radius of carbon, in angstroms

}  // namespace

BinInput bundle(std::uint64_t atoms) {
  struct Atom {
    double radius, degrees, z;
  };
  constexpr Atom residue[] = {{1.55, -28, -.87}, {2.29, 0, 0},     {1.66, 26, 1.06}, {2.03, 19, 2.29},
                              {3.3, -18, -.5},   {4.3, -24, -1.2}, {4.9, -8, -.2},   {5.4, -36, -1.6}};
  constexpr double apart = 9, row = 7.794, rise = 1.5;
  // All residues whose atoms may be among the nearest: those of a ball that holds as many, with room to spare.
  const double volume_of_residue = apart * row * rise;
  const double reach = std::cbrt(static_cast<double>(atoms) / 8 * volume_of_residue * 3 / (4 * pi)) + 2 * apart;
  const auto most = [&](double step) { return static_cast<int>(std::ceil(reach / step)) + 1; };
  struct Placed {
    double square;
    std::array<double, 3> at;
  };
  std::vector<Placed> all;
  for (int j = -most(row); j <= most(row); ++j)
    for (int i = -most(apart); i <= most(apart); ++i)
      for (int k = -most(rise); k <= most(rise); ++k) {
        const int odd = ((j % 2) + 2) % 2;
        const double axis_x = apart * (i + odd / 2.), axis_y = row * j;
        if (std::hypot(axis_x, axis_y, rise * k) > reach) continue;
        for (const Atom& atom : residue) {
          const double angle = (100. * k + 37. * i + 71. * j + atom.degrees) * pi / 180;
          const std::array<double, 3> at{axis_x + atom.radius * std::cos(angle), axis_y + atom.radius * std::sin(angle),
                                         rise * k + atom.z};
          all.push_back({at[0] * at[0] + at[1] * at[1] + at[2] * at[2], at});
        }
      }
  std::stable_sort(all.begin(), all.end(), [](const Placed& a, const Placed& b) { return a.square < b.square; });
  BinInput input;
  input.name = "bundle";
  for (std::uint64_t i = 0; i < atoms; ++i) input.add({all[i].at[0], all[i].at[1], all[i].at[2], van_der_waals});
  return input;
}

namespace {

BinInput placed_in(BinInput input, std::array<std::uint32_t, 3> points) {
  constexpr double spacing = 1.5;
  input.spacing = spacing;
  input.points = points;
  input.origin = {(.5 - points[0] / 2.) * spacing, (.5 - points[1] / 2.) * spacing, (.5 - points[2] / 2.) * spacing};
  return input;
}

}  // namespace

BinInput bundle_in_a_box() {
  BinInput input = placed_in(bundle(1379), {64, 64, 64});
  const auto corner = *input.origin;
  for (int i = 0; i < 360; ++i) input.add({corner[0], corner[1], corner[2], van_der_waals});
  return input;
}

BinInput large_bundle() { return placed_in(bundle(26318), {96, 96, 128}); }

BinInput random_atoms(std::uint64_t seed) {
  BinInput input;
  input.name = "random";
  for (std::uint64_t i = 0; i < 500000; ++i)
    input.add({288 * uniform(seed, i, 0), 288 * uniform(seed, i, 1), 288 * uniform(seed, i, 2), van_der_waals});
  input.spacing = 1;
  input.points = {288, 288, 288};
  input.origin = {.5, .5, .5};
  return input;
}

}  // namespace warploom
