#include <set>

#include "gpu/scenes/bins/pictures/colours.h"
#include "tests/scenes/bins/bins.h"

// Pictures of the outputs of a lattice, against the dumped arrays.

namespace warploom {
namespace {

class BinsPictures : public BinsTest {
 protected:
  std::unique_ptr<Simulation> one(const char* application, const std::string& input, const std::string& track) {
    return simulation(make_bin_problem({.application = application, .input = input, .cap = 1}), {track}, 1);
  }
  std::vector<Rgba> painted(Picture& picture, PictureRequest request, int width, int height) {
    request.target = {0, nullptr, width, height};
    return BinsTest::painted(picture, request);
  }
};

/// In a slice they are of the layer that is seen, else of all layers, or of the deepest bin of them.
TEST_P(BinsPictures, NumbersAreOfWhatIsSeen) {
  const auto all = one("blinn", "300", "regular/count");
  Track& track = all->track(0);
  const auto counts = Dumped(track, *queue).of<std::uint32_t>("counts");
  Picture& bins = find_picture(track, "occupancy");
  const auto sides = bins.extent();
  Index3 extent{static_cast<std::uint32_t>(sides[0]), static_cast<std::uint32_t>(sides[1]), 1};
  extent.z = static_cast<std::uint32_t>(counts.size() / volume(extent));
  PictureRequest request;
  request.palette = bins_palette();
  request.camera = {extent.x / 2., extent.y / 2., 1, 1};
  for (const auto& [axis, by] :
       {std::pair{-1, bin_colours::depth}, {-1, bin_colours::deepest}, {2, bin_colours::depth}}) {
    request.solid.slice_axis = axis;
    request.solid.slice = .5;
    request.colour_by = by;
    (void)painted(bins, request, 64, 64);
    const auto numbers = bins.values(*queue, {0, 0, 0}, {extent.x, extent.y, 1});
    ASSERT_EQ(numbers.size(), std::size_t{extent.x} * extent.y);
    int seen = 0;
    for (std::uint32_t y = 0; y < extent.y; ++y)
      for (std::uint32_t x = 0; x < extent.x; ++x) {
        std::uint32_t expected = 0;
        for (std::uint32_t z = 0; z < extent.z; ++z) {
          const std::uint32_t depth = counts[linear_index({x, y, z}, extent)];
          if (axis == 2 && z != extent.z / 2) continue;
          expected = by == bin_colours::deepest ? std::max(expected, depth) : expected + depth;
        }
        const float number = numbers[std::size_t{y} * extent.x + x];
        ASSERT_EQ(std::isnan(number) ? 0 : number, float(expected)) << axis << ": " << x << ", " << y;
        seen += expected > 0;
      }
    EXPECT_GT(seen, 3);
  }
}

TEST_P(BinsPictures, OutputsAreColouredByHitsAndByLoad) {
  const std::set<std::string> tracks{"regular/count", "compact/trimmed", "compact/range/spill", "none/gather",
                                     "compact/subproblem"};
  for (const auto& name : tracks) {
    SCOPED_TRACE(name);
    const auto all = one("blinn", "90", name);
    Track& track = all->track(0);
    const Dumped dump(track, *queue);
    const auto hits = dump.of<std::uint32_t>("hits");
    const auto tests = dump.of<std::uint64_t>("tests");
    const Index3 points = track.extent();
    Picture& picture = find_picture(track, "output");
    const bool spreads = name == "compact/subproblem";
    EXPECT_EQ(picture.info().colours.size(), spreads ? 2u : 3u);
    for (const ColourBy by : {bin_colours::hits, bin_colours::load}) {
      if (spreads && by == bin_colours::load) continue;
      PictureRequest request;
      request.palette = bins_palette();
      request.colour_by = by;
      request.solid.slice_axis = 2;
      request.solid.slice = .4;
      request.camera = {points.x / 2., points.y / 2., 1, 1};
      const auto pixels = painted(picture, request, int(points.x), int(points.y));
      const auto layer = static_cast<std::uint32_t>(.4 * points.z);
      const auto value = [&](Index3 at) {
        if (by == bin_colours::hits) return double(hits[linear_index(at, points)]);
        const Index3 blocks = track.launches()[0].blocks;
        // The dumped tests count outputs inside the lattice alone, and pairs alike.
        return double(tests[linear_index({at.x / 8, at.y / 8, at.z / 8}, blocks)]);
      };
      double most = 0;
      for (std::uint64_t i = 0; i < volume(points); ++i) most = std::max(most, value(unfold(i, points)));
      EXPECT_EQ(double(picture.range(request).high), most);
      std::set<Rgba> seen;
      for (std::uint32_t y = 0; y < points.y; ++y)
        for (std::uint32_t x = 0; x < points.x; ++x) {
          const auto share = static_cast<float>(std::sqrt(value({x, y, layer}) / most));
          const Rgba found = pixels[y * points.x + x];
          seen.insert(found);
          const bool near = found == request.palette.at(share) || found == request.palette.at(share - 1e-5f) ||
                            found == request.palette.at(share + 1e-5f);
          ASSERT_TRUE(near) << "output " << x << ", " << y;
        }
      EXPECT_GT(seen.size(), name == "none/gather" && by == bin_colours::load ? 1u : 3u);
      EXPECT_FALSE(picture.legend(request).high.empty());
    }
  }
}

/// Outputs between points, and the first place along a ray that is beyond a level, by small steps in double.
struct Field {
  std::vector<float> values;
  Index3 points;
  double level;
  bool both;

  double at(const std::array<double, 3>& place) const {
    const std::uint32_t all[] = {points.x, points.y, points.z};
    std::uint32_t low[3], high[3];
    double share[3];
    for (std::size_t a = 0; a < 3; ++a) {
      const double in = std::clamp(place[a] - .5, 0., double(all[a] - 1));
      low[a] = static_cast<std::uint32_t>(in);
      high[a] = std::min(all[a] - 1, low[a] + 1);
      share[a] = in - low[a];
    }
    double sum = 0;
    for (unsigned corner = 0; corner < 8; ++corner) {
      const Index3 at{corner & 1 ? high[0] : low[0], corner & 2 ? high[1] : low[1], corner & 4 ? high[2] : low[2]};
      double weight = 1;
      for (unsigned a = 0; a < 3; ++a) weight *= corner >> a & 1 ? share[a] : 1 - share[a];
      sum += weight * double(values[linear_index(at, points)]);
    }
    return sum;
  }
  bool beyond(double value) const { return value >= level || (both && value <= -level); }
  /// From `eye`, in points from the corner.
  bool met(const std::array<double, 3>& eye, const std::array<double, 3>& direction, std::array<double, 3>& place,
           double& value) const {
    const double most = double(points.x) + points.y + points.z + 200;
    for (double depth = 0; depth < most; depth += .05) {
      for (std::size_t a = 0; a < 3; ++a) place[a] = eye[a] + depth * direction[a];
      if (place[0] < 0 || place[1] < 0 || place[2] < 0 || place[0] > points.x || place[1] > points.y ||
          place[2] > points.z)
        continue;
      value = at(place);
      if (beyond(value)) return true;
    }
    return false;
  }
};

TEST_P(BinsPictures, SurfacesAreWhereOutputsReachTheirLevel) {
  for (const char* application : {"blinn", "cutcp"}) {
    SCOPED_TRACE(application);
    const auto all = one(application, "60", "compact/range");
    Track& track = all->track(0);
    Picture& picture = find_picture(track, "surface");
    const bool both = std::string(application) == "cutcp";
    const Index3 points = track.extent();
    const Field field{Dumped(track, *queue).of<float>("output"), points, both ? double(.1f) : 1, both};
    constexpr int width = 36, height = 30;
    PictureRequest request;
    request.palette = bins_palette();
    // From below, a little to the side.
    const double back = 1.2 * points.z;
    request.solid.camera.eye[0] = .11f;
    request.solid.camera.eye[1] = -.07f;
    request.solid.camera.eye[2] = static_cast<float>(-back);
    request.solid.camera.pixel = static_cast<float>(1.6 * points.x / back / width);
    for (const int axis : {-1, 2}) {
      request.solid.slice_axis = axis;
      request.solid.slice = .5;
      const auto pixels = painted(picture, request, width, height);
      request.target = {0, nullptr, width, height};
      int hits = 0, wrong = 0, negative = 0;
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
          const auto& camera = request.solid.camera;
          const double across = (x + .5 - width / 2.) * double(camera.pixel),
                       down = (y + .5 - height / 2.) * double(camera.pixel),
                       length = std::sqrt(1 + across * across + down * down);
          std::array<double, 3> eye{double(camera.eye[0]) + points.x / 2., double(camera.eye[1]) + points.y / 2.,
                                    double(camera.eye[2]) + points.z / 2.},
              direction{across / length, down / length, 1 / length}, place{};
          if (axis == 2) {  // what lies below the cut is not there
            const double cut = std::floor(.5 * points.z), depth = (cut - eye[2]) / direction[2];
            for (std::size_t a = 0; a < 3; ++a) eye[a] += depth * direction[a];
          }
          double value = 0;
          const bool met = field.met(eye, direction, place, value);
          const bool drawn = pixels[std::size_t(y * width + x)] != request.palette.ground;
          const Selection under = picture.at(queue.get(), request, x, y);
          ASSERT_EQ(drawn, !under.empty()) << x << ", " << y << ": what is drawn is picked";
          // A ray may graze a bulge between two steps.
          if (met != drawn) {
            ++wrong;
            continue;
          }
          if (!met) continue;
          ++hits;
          negative += value < 0;
          const auto real_place = real(under.at);
          for (std::size_t a = 0; a < 3; ++a) wrong += std::abs(real_place[a] + .5 - place[a]) > 1.5;
        }
      EXPECT_GT(hits, 60);
      EXPECT_LT(hits, width * height) << "else nothing of the ground was tried";
      EXPECT_LE(wrong, hits / 25);
      EXPECT_EQ(negative > 5, both);
    }
  }
}

WARPLOOM_ON_BOTH_BACKENDS(BinsPictures);

}  // namespace
}  // namespace warploom
