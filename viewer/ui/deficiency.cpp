#include "viewer/ui/deficiency.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace warploom::ui {

namespace {

using Three = std::array<double, 3>;
using Matrix = std::array<Three, 3>;

// Over linear RGB, from table 1 of [machado2009color], severity 1.
constexpr Matrix protan{
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix deutan{
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix tritan{
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};

/// Linear light of the 256 values of a channel.
const std::array<double, 256>& linear_light() {
  static const std::array<double, 256> all = [] {
    std::array<double, 256> made{};
    for (std::size_t i = 0; i < made.size(); ++i) {
      const double value = static_cast<double>(i) / 255;
      made[i] = value <= .04045 ? value / 12.92 : std::pow((value + .055) / 1.055, 2.4);
    }
    return made;
  }();
  return all;
}

/// The channel of linear light in 4096 steps.
Rgba channel(double light) {
  static const std::array<std::uint8_t, 4097> all = [] {
    std::array<std::uint8_t, 4097> made{};
    for (std::size_t i = 0; i < made.size(); ++i) {
      const double value = static_cast<double>(i) / 4096;
      const double coded = value <= .0031308 ? 12.92 * value : 1.055 * std::pow(value, 1 / 2.4) - .055;
      made[i] = static_cast<std::uint8_t>(std::lround(255 * coded));
    }
    return made;
  }();
  return all[static_cast<std::size_t>(std::lround(std::clamp(light, 0., 1.) * 4096))];
}

Three light_of(Rgba colour) {
  const auto& light = linear_light();
  return {light[colour & 255], light[colour >> 8 & 255], light[colour >> 16 & 255]};
}

Three lab_of(Rgba colour) {
  const auto [r, g, b] = light_of(colour);
  // sRGB to XYZ, over the white of D65.
  const Three xyz{(.4124564 * r + .3575761 * g + .1804375 * b) / .95047, .2126729 * r + .7151522 * g + .0721750 * b,
                  (.0193339 * r + .1191920 * g + .9503041 * b) / 1.08883};
  Three f{};
  for (std::size_t i = 0; i < 3; ++i)
    f[i] = xyz[i] > 216. / 24389 ? std::cbrt(xyz[i]) : (24389. / 27 * xyz[i] + 16) / 116;
  return {116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
}

}  // namespace

const char* name(Deficiency kind) {
  constexpr const char* names[] = {"none", "protanopia", "deuteranopia", "tritanopia"};
  return names[static_cast<std::size_t>(kind)];
}

Rgba seen_with(Rgba colour, Deficiency kind) {
  if (kind == Deficiency::none) return colour;
  const Matrix& matrix = kind == Deficiency::protanopia ? protan : kind == Deficiency::deuteranopia ? deutan : tritan;
  const Three light = light_of(colour);
  Rgba seen = colour & 0xff000000u;
  for (std::size_t i = 0; i < 3; ++i)
    seen |= channel(matrix[i][0] * light[0] + matrix[i][1] * light[1] + matrix[i][2] * light[2]) << 8 * i;
  return seen;
}

void see_with(std::span<Rgba> pixels, Deficiency kind) {
  // Most pixels are those beside them.
  Rgba last = 0, seen = seen_with(last, kind);
  for (Rgba& pixel : pixels) {
    if (pixel != last) seen = seen_with(last = pixel, kind);
    pixel = seen;
  }
}

double colour_distance(Rgba first, Rgba second) {
  const Three a = lab_of(first), b = lab_of(second);
  return std::sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

}  // namespace warploom::ui
