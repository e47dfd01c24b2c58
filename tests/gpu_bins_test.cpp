#include "tests/gpu_bins.h"

#include <algorithm>
#include <numeric>

namespace warploom {
namespace {

BinInput input_of(unsigned width, const std::vector<float>& values) {
  BinInput input;
  input.width = width;
  input.elements = values;
  return input;
}

/// What a track of bins holds, from its dump alone: every element once, in its bin.
void check_structure(const Dumped& dump, const BinProblem& problem, const TrackStatus& status) {
  const auto bins = dump.of<std::uint32_t>("bins"), counts = dump.of<std::uint32_t>("counts");
  const auto elements = dump.of<float>("elements");
  const BinGrid& grid = problem.space.grid;
  std::vector<std::uint32_t> expected(grid.count());
  std::uint64_t seal = 0;
  for (std::uint64_t i = 0; i < bins.size(); ++i) {
    std::uint64_t number = 0;
    const std::uint32_t extents[] = {grid.bins.x, grid.bins.y, grid.bins.z};
    for (int a = 2; a >= 0; --a) {
      const float p = elements[i * problem.input.width + unsigned(a)];
      const float inverse = 1 / grid.side[a], place = std::floor((p - grid.origin[a]) * inverse);
      number = number * extents[a] + std::uint64_t(std::clamp(place, 0.f, float(extents[a] - 1)));
    }
    ASSERT_EQ(bins[i], number) << "element " << i;
    ++expected[number];
    seal += key_hash(0, i + (number << 32));
  }
  EXPECT_EQ(counts, expected);
  EXPECT_EQ(status.seal.hash, seal);
  if (!dump.has("order")) return;
  const auto offsets = dump.of<std::int64_t>("offsets");
  const auto order = dump.of<std::int32_t>("order");
  ASSERT_EQ(offsets.size(), grid.count() + 1);
  ASSERT_EQ(std::uint64_t(offsets.back()), order.size());
  std::vector<int> seen(bins.size());
  for (std::uint64_t bin = 0; bin < grid.count(); ++bin)
    for (std::int64_t slot = offsets[bin]; slot < offsets[bin + 1]; ++slot) {
      const std::int32_t element = order[std::uint64_t(slot)];
      if (element < 0) continue;
      ASSERT_EQ(bins[std::uint64_t(element)], bin);
      ++seen[std::uint64_t(element)];
    }
  for (const std::int32_t element : dump.of<std::int32_t>("overflow")) ++seen[std::uint64_t(element)];
  EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](int times) { return times == 1; }));
}

/// All tracks of a problem, after so many steps, against sums in double.
void check_all(Simulation& simulation, Queue& queue, const BinProblem& problem) {
  const auto statuses = simulation.status();
  std::optional<BinOracle> oracle;
  for (std::size_t i = 0; i < simulation.size(); ++i) {
    Track& track = simulation.track(i);
    SCOPED_TRACE(problem.settings.application + ", " + track.info().name);
    ASSERT_TRUE(statuses[i].check);
    EXPECT_TRUE(statuses[i].agrees) << statuses[i].check->error;
    const Dumped dump(track, queue);
    if (!oracle) oracle = bin_oracle(problem, dump.of<float>("elements"));
    check_structure(dump, problem, statuses[i]);
    const auto hits = dump.of<std::uint32_t>("hits");
    ASSERT_EQ(hits.size(), oracle->hits.size());
    for (std::size_t o = 0; o < hits.size(); ++o)
      ASSERT_LE(std::abs(double(hits[o]) - oracle->hits[o]), oracle->doubtful[o]) << "output " << o;
    EXPECT_LE(apart(dump.of<float>("output"), *oracle), 1e-5);
    const auto tests = dump.of<std::uint64_t>("tests");
    EXPECT_EQ(tests.size(), track.launches()[0].block_count());
  }
}

class Bins : public BinsTest {};

TEST_P(Bins, EveryTrackFindsAllThatIsInReach) {
  for (const auto& [application, input] :
       std::vector<std::pair<std::string, std::string>>{{"cutcp", sanitized ? "12" : "90"},
                                                        {"mri", sanitized ? "40" : "400"},
                                                        {"blinn", sanitized ? "8" : "60"},
                                                        {"nbody", sanitized ? "100" : "700"}})
    for (const auto& [tile, per_thread] : std::vector<std::pair<int, int>>{{8, 4}, {4, 1}, {8, 8}, {4, 4}}) {
      SCOPED_TRACE("tile " + std::to_string(tile) + ", " + std::to_string(per_thread) + " a thread");
      BinSettings settings;
      settings.application = application;
      settings.input = input;
      settings.tile = tile;
      settings.per_thread = per_thread;
      if (application == "cutcp") settings.spacing = 2, settings.cutoff = 5;
      if (application == "blinn") settings.spacing = 1.5, settings.bin = 1;
      const auto problem = make_bin_problem(settings);
      const auto simulation = this->simulation(problem);
      for (int step = 0; step < (sanitized ? 1 : 2); ++step) simulation->step(*queue, nullptr);
      check_all(*simulation, *queue, *problem);
      if (application == "nbody") break;  // it has no tiles
      if (sanitized && tile == 4) break;
    }
}

TEST_P(Bins, CountsAreThoseOfTheAccess) {
  for (const char* application : {"cutcp", "mri", "blinn", "nbody"}) {
    SCOPED_TRACE(application);
    BinSettings settings;
    settings.application = application;
    settings.input = sanitized ? "24" : "300";
    if (settings.application == "cutcp") settings.spacing = sanitized ? 3 : 1.5;
    const auto problem = make_bin_problem(settings);
    std::vector<std::string> whole;  // those that spill test fewer
    for (const auto& info : bin_tracks(application))
      if (info.storage.empty()) whole.push_back(info.name);
    const auto simulation = this->simulation(problem, whole);
    simulation->step(*queue, nullptr);
    std::map<std::string, std::map<std::string, double>> of;
    for (std::size_t i = 0; i < simulation->size(); ++i)
      of[simulation->track(i).info().name] = numbers(simulation->track(i));
    const double pairs = of["regular/count"]["pairs_tested"], n = double(problem->input.count()),
                 bins = double(problem->space.grid.count()), bytes = problem->input.width * 4.;
    const auto depths = Dumped(simulation->track(0), *queue).of<std::uint32_t>("counts");
    EXPECT_GT(pairs, 0);
    for (const char* same :
         {"regular/sentinel", "regular/range", "compact/bin", "compact/range", "compact/bin/padded_bins",
          "compact/range/arrays", "compact/range/vectors", "compact/range/padded_elements"})
      EXPECT_EQ(of[same]["pairs_tested"], pairs) << same;
    EXPECT_LE(of["compact/trimmed"]["pairs_tested"], pairs);
    EXPECT_EQ(of["compact/bin"]["index_reads"], 2 * of["regular/count"]["index_reads"]);
    for (const char* none : {"none/gather", "regular/sentinel", "regular/range"})
      EXPECT_EQ(of[none]["index_reads"], 0) << none;
    EXPECT_LT(of["compact/range"]["index_reads"], of["compact/bin"]["index_reads"]);
    for (const auto& [name, numbers] : of) {
      EXPECT_EQ(numbers.at("pairs_hit"), of["none/gather"]["pairs_hit"]) << name;
      double slots = name.starts_with("regular") ? bins * numbers.at("capacity") : n, element = bytes;
      if (name.ends_with("padded_bins")) {
        slots = 0;
        const double multiple = problem->input.width == 6 ? 4 : 2;
        for (const double depth : depths) slots += multiple * std::ceil(depth / multiple);
      }
      if (name.ends_with("padded_elements")) element = 32;
      EXPECT_EQ(numbers.at("slots"), slots) << name;
      EXPECT_EQ(numbers.at("padding"), slots - n) << name;
      EXPECT_EQ(numbers.at("bytes_elements"), slots * element) << name;
      double index = name == "regular/count" ? 4 * bins : name.starts_with("compact") ? 4 * (bins + 1) : 0;
      if (name.ends_with("padded_bins")) index += 4 * bins;
      EXPECT_EQ(numbers.at("bytes_index"), index) << name;
    }
    for (std::size_t i = 0; i < simulation->size(); ++i) {
      const auto tests = Dumped(simulation->track(i), *queue).of<std::uint64_t>("tests");
      EXPECT_EQ(double(std::accumulate(tests.begin(), tests.end(), std::uint64_t{0})),
                of[simulation->track(i).info().name]["pairs_tested"]);
    }
  }
}

TEST_P(Bins, SortedBinsAreInInputOrderAndTheSameInEveryRun) {
  BinSettings settings;
  settings.input = "900";
  settings.binning = Binning::sort;
  const auto problem = make_bin_problem(settings);
  std::vector<std::vector<std::int32_t>> orders;
  std::vector<std::vector<float>> outputs;
  for (int run = 0; run < 2; ++run) {
    const auto simulation = this->simulation(problem, {"compact/range", "regular/count"});
    for (int step = 0; step < 3; ++step) simulation->step(*queue, nullptr);
    for (std::size_t i = 0; i < 2; ++i) {
      const Dumped dump(simulation->track(i), *queue);
      orders.push_back(dump.of<std::int32_t>("order"));
      outputs.push_back(dump.of<float>("output"));
      const auto bins = dump.of<std::uint32_t>("bins");
      std::vector<std::int32_t> stable(bins.size());
      std::iota(stable.begin(), stable.end(), 0);
      std::stable_sort(stable.begin(), stable.end(),
                       [&](std::int32_t a, std::int32_t b) { return bins[std::uint64_t(a)] < bins[std::uint64_t(b)]; });
      std::vector<std::int32_t> real;
      for (const std::int32_t element : orders.back())
        if (element >= 0) real.push_back(element);
      EXPECT_EQ(real, stable);
    }
  }
  EXPECT_EQ(orders[0], orders[2]);
  EXPECT_EQ(orders[1], orders[3]);
  EXPECT_EQ(outputs[0], outputs[2]);
  EXPECT_EQ(outputs[1], outputs[3]);
}

TEST_P(Bins, HardInputsAreRight) {
  const auto run = [&](const std::shared_ptr<BinProblem>& problem) {
    const auto simulation = this->simulation(problem);
    for (int step = 0; step < 2; ++step) simulation->step(*queue, nullptr);
    check_all(*simulation, *queue, *problem);
  };
  BinSettings coarse;
  coarse.spacing = sanitized ? 4 : 2;
  coarse.cutoff = 4;
  {
    SCOPED_TRACE("one element");
    run(problem_of<Cutcp>(coarse, input_of(4, {1, 2, 3, -1})));
    run(problem_of<Blinn>(coarse, input_of(4, {1, 2, 3, 1.5f})));
  }
  {
    SCOPED_TRACE("all in one place, deeper than a block");
    std::vector<float> same;
    for (int i = 0; i < (sanitized ? 150 : 1100); ++i) same.insert(same.end(), {.5f, .5f, .5f, i % 2 ? 1.f : .25f});
    run(problem_of<Cutcp>(coarse, input_of(4, same)));
  }
  {
    SCOPED_TRACE("a bin larger than the space, and all on borders of bins");
    std::vector<float> corners;
    for (int i = 0; i < 64; ++i)
      corners.insert(corners.end(), {float(i % 4) * 4, float(i / 4 % 4) * 4, float(i / 16) * 4, 1});
    BinSettings large = coarse;
    large.bin = 1000;
    run(problem_of<Cutcp>(large, input_of(4, corners)));
    run(problem_of<Blinn>(coarse, input_of(4, corners)));
  }
  {
    SCOPED_TRACE("samples outside the grid, and on its upper border");
    BinInput samples = cones(sanitized ? 30 : 200, 16);
    for (std::uint64_t i = 0; i < samples.count(); i += 10)
      for (int a = 0; a < 3; ++a) samples.elements[6 * i + std::uint64_t(a)] = i % 20 ? 16.5f : -.75f;
    BinSettings settings;
    settings.grid = 16;
    run(problem_of<Mri>(settings, samples));
  }
  {
    SCOPED_TRACE("samples on eighths of a cell: whole numbers decide who is in reach");
    BinInput samples = cones(sanitized ? 30 : 300, 16);
    for (float& value : samples.elements) value = std::round(value * 8) / 8;
    for (std::uint64_t i = 0; i < samples.count(); ++i) samples.elements[6 * i + 5] = 1;
    BinSettings settings;
    settings.grid = 16;
    const auto problem = problem_of<Mri>(settings, samples);
    const auto simulation = this->simulation(problem, {"compact/trimmed", "none/gather"});
    simulation->step(*queue, nullptr);
    const auto hits = Dumped(simulation->track(0), *queue).of<std::uint32_t>("hits");
    for (std::uint64_t o = 0; o < hits.size(); ++o) {
      const Index3 at = unfold(o, problem->space.lattice.points);
      const std::int64_t place[] = {at.x, at.y, at.z};
      std::uint32_t exact = 0;
      for (std::uint64_t i = 0; i < samples.count(); ++i) {
        std::int64_t square = 0;
        for (std::uint64_t a = 0; a < 3; ++a) {
          const auto d = std::int64_t(std::lround(samples.elements[6 * i + a] * 8)) - 8 * place[a];
          square += d * d;
        }
        exact += square < 16 * 16;
      }
      ASSERT_EQ(hits[o], exact) << "output " << o;
    }
  }
}

TEST_P(Bins, AStepThatIsGivenUpLeavesTheLastOne) {
  BinSettings settings;
  settings.input = "500";
  const auto problem = make_bin_problem(settings);
  const auto simulation = this->simulation(problem, {"regular/count", "compact/range"});
  simulation->step(*queue, nullptr);
  const auto before = Dumped(simulation->track(1), *queue).of<float>("elements");
  const auto seal = simulation->status()[1].seal.hash;
  const std::atomic<bool> cancel{true};
  queue->cancel = &cancel;
  EXPECT_THROW(simulation->step(*queue, nullptr), Cancelled);
  queue->cancel = nullptr;
  EXPECT_EQ(Dumped(simulation->track(1), *queue).of<float>("elements"), before);
  simulation->seal(*queue, nullptr);
  EXPECT_EQ(simulation->status()[1].seal.hash, seal);
  simulation->step(*queue, nullptr);
  EXPECT_TRUE(simulation->status()[1].agrees);
}

TEST_P(Bins, AnotherTrackTakesTheStateOver) {
  for (const char* application : {"nbody", "cutcp"}) {
    BinSettings settings;
    settings.application = application;
    settings.input = sanitized ? "45" : "300";
    if (settings.application == "cutcp") settings.spacing = 2;
    const auto problem = make_bin_problem(settings);
    const auto first = simulation(problem, {"regular/count"});
    for (int step = 0; step < 3; ++step) first->step(*queue, nullptr);
    const auto second = simulation(problem, {"compact/trimmed", "regular/sentinel"});
    second->adopt(*queue, *first);
    EXPECT_EQ(second->steps(), 3u);
    const Dumped before(first->track(0), *queue), after(second->track(0), *queue);
    EXPECT_EQ(before.of<float>("elements"), after.of<float>("elements"));
    EXPECT_EQ(before.of<std::uint32_t>("hits"), after.of<std::uint32_t>("hits"));
    for (int step = 0; step < 2; ++step) {
      first->step(*queue, nullptr);
      second->step(*queue, nullptr);
    }
    EXPECT_EQ(first->status()[0].seal.hash, second->status()[1].seal.hash);
    EXPECT_TRUE(second->status()[1].agrees);
  }
}

TEST_P(Bins, StagesAreTimedInsideTheirSum) {
  BinSettings settings;
  settings.input = "600";
  const auto simulation = this->simulation(make_bin_problem(settings), {"regular/count", "compact/range"});
  std::map<std::pair<int, std::string>, int> samples;
  Stopwatch watch(GetParam());
  watch.on_sample = [&](const TimingSample& sample) { ++samples[{sample.track, sample.kernel}]; };
  for (int step = 0; step < 3; ++step) simulation->step(*queue, &watch);
  queue->wait();
  watch.collect(true);
  for (int track = 0; track < 2; ++track) {
    EXPECT_EQ((samples[{track, "bins.total"}]), 3);
    for (const auto& stage : simulation->track(std::size_t(track)).stages())
      EXPECT_EQ((samples[{track, stage.kernel}]), 3) << stage.kernel;
    EXPECT_EQ((samples[{track, "bins.audit"}]), 0);
  }
  EXPECT_EQ((samples[{0, "bins.reduce"}]), 3);
  EXPECT_EQ((samples[{1, "bins.scan"}]), 3);
}

INSTANTIATE_TEST_SUITE_P(Of, Bins, testing::Values(Backend::cpu, Backend::cuda), [](const auto& backend) {
  return std::string(backend.param == Backend::cpu ? "cpu" : "cuda");
});

}  // namespace
}  // namespace warploom
