#pragma once
#include "gpu/core/error.h"
#include "gpu/scenes/bins/kernels/application.h"

namespace warploom {

/// Gridding of samples of a spatial transform, by a Kaiser-Bessel kernel on a ball. Source: obeid2010binning,
/// beatty2005gridding.
struct Mri : OneCutoff {
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
  /// Of the polynomial below. Fixed: its loop is unrolled, and what a thread has of it runs side by side.
  static constexpr int degree = 16;

  float coefficients[degree + 1];  ///< of I0(beta sqrt(v)), v from 0 to 1, the constant first

  Mri(const BinSettings&, const BinSpace& space) : OneCutoff(space) {
    const std::vector<double> all = economised(shape_of(static_cast<double>(space.cutoff)));
    for (int k = 0; k <= degree; ++k) coefficients[k] = static_cast<float>(all[static_cast<std::size_t>(k)]);
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

  WARPLOOM_HD void add(const float* sample, const Offset& to, float* sums, float* sizes) const {
    const float v = 1 - to.square * per_square;
    float bessel = coefficients[degree];
    for (int k = degree - 1; k >= 0; --k) bessel = bessel * v + coefficients[k];
    const float weight = sample[5] * bessel, re = sample[3] * weight, im = sample[4] * weight;
    sums[0] += re;
    sums[1] += im;
    sizes[0] += fabsf(re);
    sizes[1] += fabsf(im);
  }

 private:
  /// I0(beta sqrt(v)) = sum over k of (beta^2 / 4)^k / k!^2 v^k, its high powers told by lower ones: from each is taken
  /// as much of the Chebyshev polynomial of that degree on 0 to 1 as makes it vanish. What is lost is below 1e-6 where
  /// the least value is 1, for all kernels that reach 4 cells or less. Source: lanczos1938trigonometric.
  static std::vector<double> economised(double beta) {
    constexpr std::size_t terms = 48;
    std::vector<double> series(terms, 1);
    for (std::size_t k = 1; k < terms; ++k)
      series[k] = series[k - 1] * beta * beta / 4 / (static_cast<double>(k) * static_cast<double>(k));
    // Chebyshev polynomials of 2v - 1, by their recurrence.
    std::vector<std::vector<double>> chebyshev{{1}, {-1, 2}};
    for (std::size_t k = 2; k < terms; ++k) {
      std::vector<double> next(k + 1);
      for (std::size_t j = 0; j < k; ++j) {
        next[j] -= 2 * chebyshev[k - 1][j];
        next[j + 1] += 4 * chebyshev[k - 1][j];
        if (j + 1 < k) next[j] -= chebyshev[k - 2][j];
      }
      chebyshev.push_back(std::move(next));
    }
    for (std::size_t k = terms - 1; k > degree; --k) {
      const double part = series[k] / chebyshev[k][k];
      for (std::size_t j = 0; j <= k; ++j) series[j] -= part * chebyshev[k][j];
    }
    return series;
  }
  /// Kaiser's beta for a grid of twice the image's points. Source: beatty2005gridding.
  static double shape_of(double cutoff) { return pi * std::sqrt(std::max(0., cutoff * cutoff * 2.25 - .8)); }
  static std::string settings_text(double value) {
    std::string text = std::to_string(value);
    while (text.ends_with('0')) text.pop_back();
    return text;
  }
};

}  // namespace warploom
