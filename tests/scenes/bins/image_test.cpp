#include <numeric>
#include <random>

#include "gpu/core/stopwatch.h"
#include "gpu/scenes/bins/kernels/fourier.h"
#include "gpu/scenes/bins/kernels/inputs.h"
#include "gpu/scenes/bins/kernels/phantom.h"
#include "gpu/tracks/state_pair.h"
#include "tests/scenes/bins/bins.h"

// The image of a gridded spectrum, against the formulas in double.

namespace warploom {
namespace {

using Pair = std::complex<double>;

/// e^(2 pi i turns), of few turns or many.
Pair turned(double turns) { return std::polar(1., 2 * std::numbers::pi * (turns - std::floor(turns))); }

std::vector<float> random_floats(std::uint64_t count) {
  std::mt19937 random(5);
  std::vector<float> values(count);
  for (auto& value : values) value = float(int(random() % 2001) - 1000) / 1000;
  return values;
}

/// A voxel by its place about the middle, from (side, side, side) of a spectrum about its own.
Pair voxel(const std::vector<std::complex<float>>& spectrum, std::uint32_t side, const int (&s)[3]) {
  std::vector<Pair> factors[3];
  for (int a = 0; a < 3; ++a)
    for (std::uint32_t m = 0; m < side; ++m) factors[a].push_back(turned((double(m) - side / 2.) * s[a] / side));
  Pair sum = 0;
  std::size_t at = 0;
  for (std::uint32_t z = 0; z < side; ++z)
    for (std::uint32_t y = 0; y < side; ++y) {
      Pair row = 0;
      for (std::uint32_t x = 0; x < side; ++x) row += factors[0][x] * Pair(spectrum[at++]);
      sum += row * factors[1][y] * factors[2][z];
    }
  return sum;
}

/// The design's formula, with its own kernel shape.
double kernel_transform(double cutoff, double frequency) {
  const double width = 2 * cutoff, beta = std::numbers::pi * std::sqrt(width * width / 4 * 2.25 - .8);
  const double turn = 2 * std::numbers::pi * cutoff * frequency, z = std::sqrt(std::abs(beta * beta - turn * turn));
  const double shape = beta > turn ? std::cosh(z) - std::sinh(z) / z : std::sin(z) / z - std::cos(z);
  return 4 * std::numbers::pi * cutoff * cutoff * cutoff * shape / (z * z);
}

class BinImages : public BinsTest {
 protected:
  std::vector<float> lines(const std::vector<float>& in, std::uint32_t side, std::uint32_t kept) {
    const std::uint64_t count = in.size() / 2 / side;
    Buffer<float> from(GetParam(), in.size()), to(GetParam(), 2 * count * kept);
    from.upload(*queue, in);
    const auto roots = fourier_roots(*queue, side);
    fourier_lines(*queue, from.data(), count, side, kept, roots, to.data());
    return to.download(*queue);
  }
  std::vector<float> cube(const std::vector<float>& in, std::uint32_t side, std::uint32_t kept) {
    Buffer<float> from(GetParam(), in.size());
    from.upload(*queue, in);
    return fourier_cube(*queue, from.data(), side, kept).download(*queue);
  }
  static BinSettings settings_of(const std::string& input, std::uint32_t grid = 0, double cutoff = 0) {
    return {.application = "mri", .input = input, .cutoff = cutoff, .grid = grid};
  }
};

TEST_P(BinImages, RowsAreTransformedAsTheFormulaSays) {
  std::vector<std::uint32_t> sides;
  for (std::uint32_t half = 8; half <= 30; ++half)
    if (legal_grid(2 * half)) sides.insert(sides.end(), {half, 2 * half});  // the phantom's, too
  if (!sanitized) sides.insert(sides.end(), {2, 4, 6, 100, 144, 250, 256, 320, 576, 1280, 2916, 4000, 4096});
  for (const std::uint32_t side : sides)
    for (const std::uint64_t count : {1u, 11u}) {
      if (side % 2 || (count > 1 && side > 100)) continue;
      SCOPED_TRACE(std::to_string(count) + " rows of " + std::to_string(side));
      const std::uint32_t kept = side >= 4 && count > 1 ? side / 4 * 2 : side;
      const auto in = random_floats(2 * count * side);
      const auto out = lines(in, side, kept);
      std::vector<Pair> mine, right;
      for (std::uint64_t s = 0; s < kept; ++s)
        for (std::uint64_t line = 0; line < count; ++line) {
          mine.emplace_back(out[2 * (s * count + line)], out[2 * (s * count + line) + 1]);
          Pair sum = 0;
          for (std::uint64_t m = 0; m < side; ++m) {
            const std::uint64_t at = 2 * (line * side + m);
            sum += Pair(in[at], in[at + 1]) * turned((double(m) - side / 2.) * (double(s) - kept / 2.) / side);
          }
          right.push_back(sum);
        }
      EXPECT_LE(relative_difference(mine, right), 1e-6);
    }
}

TEST_P(BinImages, SidesThatTheTransformDoesNotTakeAreRefused) {
  for (const auto& [side, kept] : std::vector<std::pair<std::uint32_t, std::uint32_t>>{
           {14, 14}, {15, 15}, {1, 1}, {4098, 16}, {8192, 16}, {16, 18}, {16, 7}, {16, 0}})
    EXPECT_THROW(lines(std::vector<float>(2 * side), side, kept), UsageError) << side << ", " << kept;
}

TEST_P(BinImages, ACubeIsInOrderAgain) {
  constexpr std::uint32_t side = 12, kept = 8;
  const auto in = random_floats(2 * side * side * side);
  std::vector<std::complex<float>> spectrum;
  for (std::size_t i = 0; i < in.size(); i += 2) spectrum.emplace_back(in[i], in[i + 1]);
  const auto out = cube(in, side, kept);
  std::vector<Pair> mine, right;
  for (std::uint64_t i = 0; i < kept * kept * kept; ++i) {
    const Index3 at = unfold(i, {kept, kept, kept});
    mine.emplace_back(out[2 * i], out[2 * i + 1]);
    right.push_back(voxel(spectrum, side, {int(at.x) - 4, int(at.y) - 4, int(at.z) - 4}));
  }
  EXPECT_LE(relative_difference(mine, right), 1e-6);
}

TEST_P(BinImages, ThePhantomStandsWhereItIsDrawn) {
  constexpr std::uint32_t side = 40;
  const auto out = cube(filtered_phantom(side, 16, queue->host_pool()), side, side);
  struct Spot {
    double x, y, z, value;
  };
  for (const Spot& spot : {Spot{.22, 0, 0, 0}, Spot{-.22, 0, 0, 0}, Spot{0, .35, -.15, .3}, Spot{0, .35, .5, .2},
                           Spot{0, -.4, .4, .2}, Spot{.8, .8, .8, 0}, Spot{0, .35, -.85, 0}, Spot{.5, 0, -.3, .2}}) {
    const auto index = [&](double place) { return std::uint32_t(std::lround(side / 2. * (1 + place))); };
    const auto at = linear_index({index(spot.x), index(spot.y), index(spot.z)}, {side, side, side});
    EXPECT_NEAR(double(out[2 * at]), spot.value, .05) << spot.x << ", " << spot.y << ", " << spot.z;
    EXPECT_NEAR(double(out[2 * at + 1]), 0, 1e-5);
  }
}

TEST_P(BinImages, TheImageIsThatOfTheOutputs) {
  std::vector<std::uint32_t> grids{16, 20, 24};
  if (sanitized) grids = {20};
  for (const std::uint32_t grid : grids)
    for (const double cutoff : {0., .75, 3.5}) {
      SCOPED_TRACE("grid " + std::to_string(grid) + ", cutoff " + std::to_string(cutoff));
      const auto problem = make_bin_problem(settings_of(sanitized ? "100" : "700", grid, cutoff));
      const auto simulation = this->simulation(problem, {"compact/range"}, 1);
      const Dumped dump(simulation->track(0), *queue);
      const auto output = dump.of<std::complex<float>>("output");
      const auto image = dump.of<float>("image"), truth = dump.of<float>("truth");
      const std::uint64_t kept = problem->space.lattice.points.x / 2;
      ASSERT_EQ(dump.raw("image").shape, (std::vector<std::uint64_t>{kept, kept, kept}));
      ASSERT_EQ(dump.raw("truth").shape, dump.raw("image").shape);
      // The filtered phantom's frequencies, on a grid of their own.
      const double furthest = grid / 5.;
      std::vector<std::complex<float>> filtered(kept * kept * kept);
      for (std::uint64_t i = 0; i < filtered.size(); ++i) {
        const Index3 at = unfold(i, {grid / 2, grid / 2, grid / 2});
        const double k[] = {at.x - grid / 4., at.y - grid / 4., at.z - grid / 4.}, r = std::hypot(k[0], k[1], k[2]);
        if (r <= furthest)
          filtered[i] = std::complex<float>(shepp_logan_transform(k[0] / 2, k[1] / 2, k[2] / 2) / 8. *
                                            ((1 + std::cos(std::numbers::pi * r / furthest)) / 2));
      }
      // Every voxel of the smallest, of the others a sample; the corners are the hardest.
      std::vector<Pair> images, images_right, truths, truths_right;
      for (std::uint64_t i = 0; i < image.size(); i += i == 0 || grid == 16 ? 1 : 7) {
        const Index3 at = unfold(i, {grid / 2, grid / 2, grid / 2});
        const int s[] = {int(at.x) - int(grid / 4), int(at.y) - int(grid / 4), int(at.z) - int(grid / 4)};
        const double frequency = std::hypot(s[0], s[1], s[2]) / grid;
        images.emplace_back(image[i]);
        images_right.emplace_back(voxel(output, grid, s).real() /
                                  kernel_transform(double(problem->space.cutoff), frequency));
        truths.emplace_back(truth[i]);
        truths_right.emplace_back(voxel(filtered, grid / 2, s).real());
      }
      EXPECT_LE(relative_difference(images, images_right), 2e-6);
      EXPECT_LE(relative_difference(truths, truths_right), 2e-6);
      const auto error = image_error(simulation->track(0), *queue);
      ASSERT_TRUE(error);
      EXPECT_NEAR(*error, relative_difference(image, truth), 1e-6);
    }
}

TEST_P(BinImages, TheImageIsThePhantomAndAFaultIsSeen) {
  // 0.048 of 64 points per side; more of the few that a sanitizer is given.
  const auto made = make_bin_problem(settings_of(sanitized ? "1280" : "41499"));
  const auto problem = problem_of<Mri>(made->settings, made->input);
  const auto error_of = [&](const std::shared_ptr<const BinProblem>& of) {
    const auto simulation = this->simulation(of, {sanitized ? "compact/range" : "compact/trimmed"});
    EXPECT_FALSE(image_error(simulation->track(0), *queue));  // before the first step
    simulation->step(*queue, nullptr);
    return image_error(simulation->track(0), *queue).value_or(-1);
  };
  const double right = error_of(made);
  EXPECT_GT(right, 0);
  EXPECT_LE(right, sanitized ? .3 : .08);
  // The sample that counts most, a thousand times.
  std::size_t worst = 0;
  double most = 0;
  for (std::size_t i = 0; i < problem->input.count(); ++i) {
    const float* sample = &problem->input.elements[6 * i];
    const double size = std::abs(double(sample[3]) * double(sample[5]));
    if (size > most) most = size, worst = i;
  }
  problem->input.elements[6 * worst + 3] *= 1000;
  EXPECT_GT(error_of(problem), 2 * right);
}

TEST_P(BinImages, TheImageFollowsTheOutputAndIsNobodysTime) {
  const auto problem = make_bin_problem(settings_of("60", 16));
  const auto simulation = this->simulation(problem, {"compact/range", "regular/count"});
  Track& track = simulation->track(0);
  const auto before = Dumped(track, *queue).of<float>("image");
  EXPECT_TRUE(std::all_of(before.begin(), before.end(), [](float value) { return value == 0; }));
  SampleCounts samples(GetParam());
  simulation->step(*queue, &samples.watch);
  const std::uint64_t bytes = track.bytes();
  queue->stopwatch = &samples.watch;
  const auto image = bin_image(track, *queue);
  queue->stopwatch = nullptr;
  ASSERT_TRUE(image);
  EXPECT_EQ(image->extent, (Index3{8, 8, 8}));
  EXPECT_NE(image->truth, nullptr);
  EXPECT_EQ(track.bytes(), bytes);  // it was asked for before
  EXPECT_EQ(samples.of("bins.fft") + samples.of("bins.deapodise") + samples.of("bins.compare"), 0);
  const auto serial = [&] { return StatePair::Reader(*image->voxels, *queue).serial(); };
  const auto first = serial();
  (void)bin_image(track, *queue);
  EXPECT_EQ(serial(), first);  // nothing has changed
  simulation->step(*queue, nullptr);
  (void)bin_image(track, *queue);
  EXPECT_NE(serial(), first);
  EXPECT_LE(relative_difference(Dumped(simulation->track(1), *queue).of<float>("image"),
                                Dumped(track, *queue).of<float>("image")),
            1e-5);
}

TEST_P(BinImages, OthersHaveNone) {
  for (const char* application : {"cutcp", "blinn", "nbody"}) {
    BinSettings settings{.application = application, .input = "30"};
    if (settings.application == "cutcp") settings.spacing = 3;
    const auto simulation = this->simulation(make_bin_problem(settings), {"compact/range"}, 1);
    EXPECT_FALSE(bin_image(simulation->track(0), *queue)) << application;
    EXPECT_FALSE(image_error(simulation->track(0), *queue)) << application;
    EXPECT_FALSE(Dumped(simulation->track(0), *queue).has("image")) << application;
  }
  // Samples that somebody gives have an image, and no truth.
  BinInput input = input_of(6, random_floats(6 * 20));
  for (std::size_t i = 0; i < 20; ++i)
    for (std::size_t a = 0; a < 3; ++a) input.elements[6 * i + a] += 8;
  input.points = {16, 16, 16};
  const auto simulation = this->simulation(problem_of<Mri>(settings_of("given"), input), {"compact/range"}, 1);
  const Dumped dump(simulation->track(0), *queue);
  EXPECT_TRUE(dump.has("image"));
  EXPECT_FALSE(dump.has("truth"));
  EXPECT_FALSE(image_error(simulation->track(0), *queue));
}

WARPLOOM_ON_BOTH_BACKENDS(BinImages);

}  // namespace
}  // namespace warploom
