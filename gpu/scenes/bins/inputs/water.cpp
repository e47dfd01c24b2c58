#include "gpu/scenes/bins/kernels/inputs.h"

namespace warploom {

BinInput water(std::uint64_t atoms, std::uint64_t seed) {
  const std::uint64_t molecules = atoms / 3;
  const double side = std::cbrt(10. * static_cast<double>(3 * molecules));
  constexpr double bond = .9572, half_angle = 104.52 / 2 * pi / 180;
  BinInput input;
  input.name = "water";
  input.elements.reserve(12 * molecules);
  for (std::uint64_t i = 0; i < molecules; ++i) {
    const auto u = [&](std::uint64_t a) { return uniform(seed, i, a); };
    double oxygen[3];
    for (int a = 0; a < 3; ++a) oxygen[a] = side * spread(i, a) + .4 * (u(static_cast<std::uint64_t>(a)) - .5);
    input.add({oxygen[0], oxygen[1], oxygen[2], -.834});
    // The molecule's axis, and across it the line through both hydrogens.
    const double cosine = 2 * u(3) - 1, sine = std::sqrt(1 - cosine * cosine), azimuth = 2 * pi * u(4),
                 turn = 2 * pi * u(5);
    const double axis[] = {sine * std::cos(azimuth), sine * std::sin(azimuth), cosine};
    const double first[] = {cosine * std::cos(azimuth), cosine * std::sin(azimuth), -sine};
    const double second[] = {-std::sin(azimuth), std::cos(azimuth), 0};
    for (const double variant : {1., -1.}) {
      double hydrogen[3];
      for (int a = 0; a < 3; ++a) {
        const double across = std::cos(turn) * first[a] + std::sin(turn) * second[a];
        hydrogen[a] = oxygen[a] + bond * (std::cos(half_angle) * axis[a] + variant * std::sin(half_angle) * across);
      }
      input.add({hydrogen[0], hydrogen[1], hydrogen[2], .417});
    }
  }
  return input;
}

BinInput double_helix() {
  struct Atom {
    double radius, degrees, z, charge;
  };
  std::vector<Atom> strand{
      {8.9, 0, 0, -1}, {8.2, 12, 1.2, .2}, {7.4, 8, .9, -.2}, {6.6, 16, .4, .1}, {5.9, 10, -.1, -.1}};
  for (int i = 0; i < 6; ++i) strand.push_back({5 - .9 * i, 14. + 3 * i, 0, i % 2 ? .3 : -.3});
  strand.push_back({12.5, 18, 1.7, 1});
  constexpr int pairs = 24;
  constexpr double rise = 3.38, twist = 36, second = 150;
  BinInput input;
  input.name = "helix";
  for (int pair = 0; pair < pairs; ++pair)
    for (const bool mirrored : {false, true})
      for (const Atom& atom : strand) {
        const double variant = mirrored ? -1 : 1;
        const double angle = (twist * pair + (mirrored ? second : 0) + variant * atom.degrees) * pi / 180;
        input.add({atom.radius * std::cos(angle), atom.radius * std::sin(angle), rise * pair + variant * atom.z,
                   atom.charge});
      }
  return input;
}

}  // namespace warploom
