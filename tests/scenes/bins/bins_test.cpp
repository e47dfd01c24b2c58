#include "tests/scenes/bins/bins.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <thread>

namespace warploom {
namespace {

class Bins : public BinsTest {};

TEST_P(Bins, EveryTrackFindsAllThatIsInReach) {
  for (const auto& [application, input] :
       std::vector<std::pair<std::string, std::string>>{{"cutcp", sanitized ? "12" : "90"},
                                                        {"mri", sanitized ? "40" : "400"},
                                                        {"blinn", sanitized ? "8" : "60"},
                                                        {"nbody", sanitized ? "100" : "700"}})
    for (const auto& [tile, per_thread] : std::vector<std::pair<int, int>>{{8, 4}, {4, 1}, {8, 8}, {4, 4}}) {
      SCOPED_TRACE("tile " + std::to_string(tile) + ", " + std::to_string(per_thread) + " a thread");
      BinSettings settings{.application = application, .input = input, .tile = tile, .per_thread = per_thread};
      if (application == "cutcp") settings.spacing = 2, settings.cutoff = 5;
      if (application == "blinn") settings.spacing = 1.5, settings.bin = 1;
      const auto problem = make_bin_problem(settings);
      const auto simulation = this->simulation(problem, {}, sanitized ? 1 : 2);
      check_all(*simulation, *queue, *problem);
      if (application == "nbody") break;  // it has no tiles
      if (sanitized && tile == 4) break;
    }
}

TEST_P(Bins, CountsAreThoseOfTheAccess) {
  for (const char* application : {"cutcp", "mri", "blinn", "nbody"}) {
    SCOPED_TRACE(application);
    BinSettings settings{.application = application, .input = sanitized ? "24" : "300"};
    if (settings.application == "cutcp") settings.spacing = sanitized ? 3 : 1.5;
    const auto problem = make_bin_problem(settings);
    std::vector<std::string> whole;  // those that spill test fewer
    for (const auto& info : bin_tracks(application))
      if (info.storage.empty()) whole.push_back(info.name);
    const auto simulation = this->simulation(problem, whole, 1);
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
    if (of.contains("compact/subproblem")) {
      // Of those that the scatter tests, what lies in the tiles.
      EXPECT_LE(of["compact/subproblem"]["pairs_tested"], of["none/scatter"]["pairs_tested"]);
      EXPECT_GE(of["compact/subproblem"]["pairs_tested"], of["compact/subproblem"]["pairs_hit"]);
      EXPECT_LE(of["compact/subproblem"]["index_reads"], 2 * bins);
      EXPECT_EQ(of["compact/subproblem"]["padding_read"], 0);
    }
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
  const auto problem = make_bin_problem({.input = "900", .binning = Binning::sort});
  std::vector<std::vector<std::int32_t>> orders;
  std::vector<std::vector<float>> outputs;
  for (int run = 0; run < 2; ++run) {
    const auto simulation = this->simulation(problem, {"compact/range", "regular/count"}, 3);
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

TEST_P(Bins, AStepThatIsGivenUpLeavesTheLastOne) {
  const auto simulation = this->simulation(make_bin_problem({.input = "500"}), {"regular/count", "compact/range"}, 1);
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

TEST_P(Bins, AStepCutShortAnywhereIsAsIfItHadNotBeen) {
  for (const char* application : {"cutcp", "mri", "blinn", "nbody"}) {
    if (sanitized && std::string(application) != "nbody") continue;
    SCOPED_TRACE(application);
    BinSettings settings{.application = application, .cap = 1};
    settings.input = settings.application != "nbody" ? "30" : sanitized ? "100" : "300";
    if (settings.application == "cutcp") settings.spacing = 3;
    if (settings.application == "blinn") settings.spacing = 2;
    std::vector<std::string> names;
    for (const auto& info : bin_tracks(application)) names.push_back(info.name);
    const auto problem = make_bin_problem(settings);
    const auto cut = simulation(problem, names), whole = simulation(problem, names);
    std::atomic<bool> cancel{false};
    int given_up = 0;
    const auto begin = std::chrono::steady_clock::now();
    whole->step(*queue, nullptr);
    const auto step = std::chrono::steady_clock::now() - begin;
    for (int tenth = 0; tenth < 10; ++tenth) {
      cancel = false;
      queue->cancel = &cancel;
      std::thread other([&] {
        std::this_thread::sleep_for(step * tenth / 10);
        cancel = true;
      });
      const std::uint64_t before = cut->steps();
      try {
        cut->step(*queue, nullptr);
      } catch (const Cancelled&) {
        ++given_up;
        EXPECT_EQ(cut->steps(), before);
      }
      other.join();
      queue->cancel = nullptr;
    }
    EXPECT_GT(given_up, 0);
    cut->step(*queue, nullptr);
    while (whole->steps() < cut->steps()) whole->step(*queue, nullptr);
    for (std::size_t i = 0; i < names.size(); ++i) {
      EXPECT_TRUE(cut->status()[i].agrees) << names[i];
      EXPECT_EQ(cut->status()[i].seal.hash, whole->status()[i].seal.hash) << names[i];
      const Dumped one(cut->track(i), *queue), other(whole->track(i), *queue);
      EXPECT_EQ(one.of<std::uint32_t>("hits"), other.of<std::uint32_t>("hits")) << names[i];
    }
  }
}

TEST_P(Bins, AnotherTrackTakesTheStateOver) {
  for (const char* application : {"nbody", "cutcp"}) {
    BinSettings settings{.application = application, .input = sanitized ? "45" : "300"};
    if (settings.application == "cutcp") settings.spacing = 2;
    const auto problem = make_bin_problem(settings);
    const auto first = simulation(problem, {"regular/count"}, 3);
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
  const auto check = [&](const BinSettings& settings, const std::string& track,
                         const std::vector<std::string>& wanted) {
    SCOPED_TRACE(track);
    const auto simulation = this->simulation(make_bin_problem(settings), {"none/gather", track});
    SampleCounts samples(GetParam());
    for (int step = 0; step < 3; ++step) simulation->step(*queue, &samples.watch);
    queue->wait();
    std::vector<std::string> stages;
    for (const auto& stage : simulation->track(1).stages()) {
      stages.push_back(stage.kernel);
      EXPECT_EQ(samples.of(stage.kernel, 1), 3) << stage.kernel;
    }
    EXPECT_EQ(stages, wanted);
    EXPECT_EQ(samples.of("bins.total", 1), 3);
    EXPECT_EQ(samples.of("bins.audit", 1), 0);
  };
  check({.input = "600"}, "regular/count",
        {"bins.drift", "bins.histogram", "bins.reduce", "bins.scatter", "bins.gather", "bins.kick"});
  check({.input = "600"}, "compact/range",
        {"bins.drift", "bins.histogram", "bins.scan", "bins.scatter", "bins.gather", "bins.kick"});
  // The list of its blocks is part of the scan.
  check({.application = "mri", .input = "100", .grid = 16}, "compact/subproblem",
        {"bins.histogram", "bins.scan", "bins.scatter", "bins.spread"});
}

WARPLOOM_ON_BOTH_BACKENDS(Bins);

}  // namespace
}  // namespace warploom
