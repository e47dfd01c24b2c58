#pragma once
#include "gpu/binning/application.h"
#include "gpu/core/error.h"

namespace warploom {

/// Gridding of samples of a spatial transform, by a Kaiser-Bessel kernel on a ball. Source: obeid2010binning,
/// beatty2005gridding.
struct Mri {
  static constexpr BinApplicationInfo info{
      .key = "mri",
      .title = "MRI gridding",
      .description = "samples of a trajectory through frequency space, spread onto a grid",
      .citation = "beatty2005gridding",
      .width = 6,
      .components = 2,
      .periodic = false,
      .fourth = "signal",
      .usual_tracks = "compact/bin,compact/range"};
  static constexpr int most_terms = 48;

  float square_cutoff, per_square;
  /// I0(beta sqrt(v)) = sum over k of (beta^2 / 4)^k / k!^2 v^k: all terms are positive, none cancels.
  float coefficients[most_terms];
  int terms = 0;

  Mri(const BinSettings&, const BinSpace& space)
      : square_cutoff(space.cutoff * space.cutoff), per_square(1 / square_cutoff) {
    const double beta = shape_of(static_cast<double>(space.cutoff));
    double term = 1, sum = 0;
    for (; terms < most_terms; ++terms) {
      coefficients[terms] = static_cast<float>(term);
      sum += term;
      term *= beta * beta / 4 / ((terms + 1.) * (terms + 1.));
      if (term < 1e-9 * sum && terms > 2) break;
    }
    ++terms;
    if (terms > most_terms) terms = most_terms;
  }

  static constexpr ElementFiles files{"demo, small, large", {5, 6, 0}, false, true};

  static std::optional<BinInput> recipe(const BinSettings& settings) {
    constexpr Recipe sizes{331989, 2655910, 30144488};
    const auto count = sizes.count(settings.input);
    if (!count) return std::nullopt;
    return cones(*count, settings.grid ? settings.grid : grid_of_cones(*count));
  }

  static BinSpace space(const BinSettings& settings, const BinInput& input) {
    const double cutoff = settings.cutoff > 0 ? settings.cutoff : 2, side = settings.bin > 0 ? settings.bin : 1;
    if (cutoff < .75 || cutoff > 4)
      throw UsageError("cutoff " + settings_text(cutoff) + ": a gridding kernel reaches from 0.75 to 4 cells");
    const double n = static_cast<double>(input.points->at(0)), bins = std::floor((n - 1 + side / 2) / side) + 1;
    BinSpace space{make_bin_grid({-side / 2, -side / 2, -side / 2}, {side, side, side}, {bins, bins, bins}),
                   make_lattice({0, 0, 0}, 1, {n, n, n})};
    set_cutoff(space, cutoff);
    return space;
  }

  /// Of I0(beta sqrt(1 - r^2 / cutoff^2)) on a ball, at a frequency in cycles a cell: 4 pi cutoff^3 (cosh z - sinh z /
  /// z) / z^2, z^2 = beta^2 - (2 pi cutoff frequency)^2. Source: lewitt1990windows.
  static double kernel_transform(double cutoff, double frequency) {
    const double beta = shape_of(cutoff), turn = 2 * pi * cutoff * frequency, square = beta * beta - turn * turn,
                 z = std::sqrt(std::abs(square)), volume = 4 * pi * cutoff * cutoff * cutoff;
    // Near 0 the difference cancels: three terms of its series are exact to 1e-13 there.
    if (z < .05) return volume * (1. / 3 + square / 30 + square * square / 840);
    return volume *
           (square > 0 ? (std::cosh(z) - std::sinh(z) / z) / square : (std::cos(z) - std::sin(z) / z) / square);
  }

  WARPLOOM_HD float square_reach(const float*) const { return square_cutoff; }
  WARPLOOM_HD void add(const float* sample, const Offset& to, float* sums, float* sizes) const {
    const float v = 1 - to.square * per_square;
    float bessel = coefficients[terms - 1];
    for (int k = terms - 2; k >= 0; --k) bessel = bessel * v + coefficients[k];
    const float weight = sample[5] * bessel, re = sample[3] * weight, im = sample[4] * weight;
    sums[0] += re;
    sums[1] += im;
    sizes[0] += fabsf(re);
    sizes[1] += fabsf(im);
  }

 private:
  /// Kaiser's beta for a grid of twice the image's points. Source: beatty2005gridding.
  static double shape_of(double cutoff) { return pi * std::sqrt(std::max(0., cutoff * cutoff * 2.25 - .8)); }
  static std::string settings_text(double value) {
    std::string text = std::to_string(value);
    while (text.ends_with('0')) text.pop_back();
    return text;
  }
};

}  // namespace warploom
