#include <algorithm>
#include <random>

#include "gpu/core/scan.h"
#include "tests/scenes/bins/bins.h"

namespace warploom {
namespace {

/// Kick-drift-kick leapfrog in double, every body with every other.
class Leapfrog {
 public:
  Leapfrog(const BinProblem& problem)
      : problem_(problem),
        places_(problem.input.elements.begin(), problem.input.elements.end()),
        velocities_(problem.input.velocities.begin(), problem.input.velocities.end()),
        pulls_(pulls()) {}
  void step(double dt) {
    const std::size_t n = velocities_.size() / 3;
    for (std::size_t i = 0; i < velocities_.size(); ++i) velocities_[i] += pulls_[i] * dt / 2;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t a = 0; a < 3; ++a) {
        const double length = double(problem_.space.grid.length[int(a)]);
        double& p = places_[4 * i + a];
        p += velocities_[3 * i + a] * dt;
        p -= length * std::floor(p / length);
      }
    pulls_ = pulls();
    for (std::size_t i = 0; i < velocities_.size(); ++i) velocities_[i] += pulls_[i] * dt / 2;
  }
  const std::vector<double>& places() const { return places_; }
  const std::vector<double>& velocities() const { return velocities_; }

 private:
  std::vector<double> pulls() const {
    const std::size_t n = places_.size() / 4;
    const double cutoff = double(problem_.space.cutoff);
    std::vector<double> all(3 * n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const std::array<double, 3> at{places_[4 * i], places_[4 * i + 1], places_[4 * i + 2]};
        const auto d = way(problem_.space.grid, true, at, &places_[4 * j]);
        if (squared(d) >= cutoff * cutoff) continue;
        const auto pulled = pull(d, places_[4 * j + 3], cutoff);
        for (std::size_t a = 0; a < 3; ++a) all[3 * i + a] += pulled[a];
      }
    return all;
  }
  const BinProblem& problem_;
  std::vector<double> places_, velocities_, pulls_;
};

class BinsMotion : public BinsTest {};

TEST_P(BinsMotion, IsLeapfrog) {
  const auto problem = make_bin_problem({.input = sanitized ? "150" : "600"});
  const auto simulation = this->simulation(problem);
  Leapfrog oracle(*problem);
  for (int step = 0; step < 20; ++step) {
    simulation->step(*queue, nullptr);
    oracle.step(.01);
  }
  const Dumped dump(simulation->track(0), *queue);
  const auto places = dump.of<float>("elements"), velocities = dump.of<float>("velocities");
  double fastest = 0;
  for (const double v : oracle.velocities()) fastest = std::max(fastest, std::abs(v));
  for (std::size_t i = 0; i < velocities.size(); ++i)
    ASSERT_NEAR(double(velocities[i]), oracle.velocities()[i], 1e-4 * fastest);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (i % 4 == 3) continue;
    const double length = double(problem->space.grid.length[int(i % 4)]);
    double d = double(places[i]) - oracle.places()[i];
    d -= length * std::round(d / length);
    ASSERT_NEAR(d, 0, 1e-4 * length);
  }
  for (std::size_t i = 1; i < simulation->size(); ++i) {
    EXPECT_TRUE(simulation->status()[i].agrees);
    const Dumped other(simulation->track(i), *queue);
    EXPECT_EQ(other.of<float>("elements"), places) << "all tracks move along one path";
    EXPECT_EQ(other.of<float>("velocities"), velocities);
  }
}

TEST_P(BinsMotion, KeepsMomentumAndEnergy) {
  const auto problem = make_bin_problem({.input = sanitized ? "300" : "1000"});
  const Conserved before = conserved(*problem, problem->input.elements, problem->input.velocities);
  const auto simulation = this->simulation(problem, {"compact/range"}, 200);
  const Dumped dump(simulation->track(0), *queue);
  const Conserved after = conserved(*problem, dump.of<float>("elements"), dump.of<float>("velocities"));
  double drift = 0;
  for (int a = 0; a < 3; ++a)
    drift += (after.momentum[a] - before.momentum[a]) * (after.momentum[a] - before.momentum[a]);
  EXPECT_LE(std::sqrt(drift) / after.momenta, 1e-6);
  const double energy = before.kinetic + before.potential;
  EXPECT_LE(std::abs(after.kinetic + after.potential - energy) / std::max(std::abs(after.potential), after.kinetic),
            .01);
  EXPECT_GT(after.kinetic, 1.05 * before.kinetic) << "they fall together, or nothing was tried";
}

TEST_P(BinsMotion, AtRestNothingMoves) {
  const auto problem = make_bin_problem({.input = "300", .time_step = 0});
  const auto simulation = this->simulation(problem, {"regular/count"}, 3);
  const Dumped dump(simulation->track(0), *queue);
  EXPECT_EQ(dump.of<float>("elements"), problem->input.elements);
  EXPECT_EQ(dump.of<float>("velocities"), problem->input.velocities);
}

TEST_P(BinsMotion, BodiesFeelEachOtherAcrossTheBorder) {
  BinInput two;
  two.elements = {.1f, 2, 2, 1, 3.9f, 2, 2, 3};
  two.velocities.assign(6, 0.f);
  two.origin = {0, 0, 0};
  two.box = {4, 4, 4};
  const auto problem = problem_of<Nbody>({}, two);
  const auto simulation = this->simulation(problem);
  for (std::size_t i = 0; i < simulation->size(); ++i) {
    const auto pulls = Dumped(simulation->track(i), *queue).of<float>("output");
    EXPECT_LT(pulls[0], -1) << "to the left, through the border";
    EXPECT_NEAR(double(pulls[3]) * 3, -double(pulls[0]), 1e-5) << "action and reaction";
    EXPECT_EQ(Dumped(simulation->track(i), *queue).of<std::uint32_t>("hits"), (std::vector<std::uint32_t>{2, 2}));
  }
  // They meet there, and pass: places stay in the box.
  for (int step = 0; step < 60; ++step) simulation->step(*queue, nullptr);
  for (const float p : Dumped(simulation->track(0), *queue).of<float>("elements")) EXPECT_TRUE(p >= 0 && p < 4);
}

class Scans : public BinsTest {};

TEST_P(Scans, SumsBelowACapAndStableOrders) {
  std::mt19937 random(5);
  Scratch scratch(GetParam());
  for (const std::uint64_t count : {1ull, 2ull, 255ull, 65535ull, 65536ull, 65537ull, 300001ull}) {
    std::vector<std::uint32_t> counts(count);
    for (auto& one : counts) one = random() % 7 ? random() % 5 : 1000;
    Buffer<std::uint32_t> in(GetParam(), count), out(GetParam(), count + 1), order(GetParam(), count);
    in.upload(*queue, counts);
    for (const auto& [cap, multiple] :
         std::vector<std::pair<std::uint32_t, std::uint32_t>>{{~0u, 1}, {0, 1}, {3, 1}, {~0u, 2}, {~0u, 4}, {3, 4}}) {
      exclusive_scan("scan.test", *queue, in.data(), count, cap, out.data(), scratch, multiple);
      const auto sums = out.download(*queue);
      std::uint32_t sum = 0;
      for (std::uint64_t i = 0; i <= count; ++i) {
        ASSERT_EQ(sums[i], sum) << "place " << i << " of " << count << ", cap " << cap;
        if (i < count) sum += (std::min(counts[i], cap) + multiple - 1) / multiple * multiple;
      }
    }
    stable_order("scan.test", *queue, in.data(), count, 1001, order.data(), scratch);
    const auto found = order.download(*queue);
    for (std::uint64_t i = 1; i < count; ++i)
      ASSERT_LT(std::pair(counts[found[i - 1]], found[i - 1]), std::pair(counts[found[i]], found[i]));
  }
}

WARPLOOM_ON_BOTH_BACKENDS(BinsMotion);
WARPLOOM_ON_BOTH_BACKENDS(Scans);

}  // namespace
}  // namespace warploom
