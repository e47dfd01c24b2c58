#include <gtest/gtest.h>

#include <cmath>

#include "gpu/tracks/facets/approximate.h"
#include "gpu/tracks/simulation.h"
#include "tests/tracks/tracks.h"

// Tracks whose values are near and need not be equal: what agrees, what diverges, and what has a ratio.

namespace warploom {
namespace {

/// A number, and what is said of it.
class Near final : public Track, public Approximate {
 public:
  Near(float value, std::optional<Seal> exact, bool judged, bool is_exact = true) : value_(value), exact_(exact) {
    info_.name = info_.map = "near";
    info_.exact = is_exact;
    kernel_ = "near.step";
    stages_ = {{kernel_, {{}}, 0, false}};
    if (judged) offer<Approximate>(*this);
  }
  void adopt(Queue&, const Track& from) override { value_ = dynamic_cast<const Near&>(from).value_; }
  void step(Queue& queue) override {
    TimedSpan span(queue, kernel_.c_str(), 0);
    span.finish();
    value_ += 1;
  }
  void publish(Queue&) override {}
  std::optional<Seal> seal(Queue&) override { return exact_; }
  std::optional<Cell> first_difference(Queue&, const Track& other) override {
    ++asked;
    if (dynamic_cast<const Near&>(other).value_ == value_) return std::nullopt;
    return Cell{3, 0, 0};
  }
  std::vector<DumpArray> dumps(Queue&) override { return {}; }
  Verdict verdict(Queue&, const Track& reference) override {
    const float right = dynamic_cast<const Near&>(reference).value_;
    Verdict verdict{"reference", "relative_l2", 1, std::abs(double(value_) - right) / right, 1e-6, {}};
    if (singular) verdict.singular = Index3{7, 0, 0};
    return verdict;
  }

  float value_;
  std::optional<Seal> exact_;
  bool singular = false;
  int asked = 0;
};

struct Pair {
  Near *a, *b;
  std::unique_ptr<Simulation> simulation;
  Queue queue{Backend::cpu, false, 1};
  Stopwatch stopwatch{Backend::cpu};

  Pair(Near* first, Near* second) : a(first), b(second) {
    std::vector<std::unique_ptr<Track>> tracks;
    tracks.emplace_back(a);
    tracks.emplace_back(b);
    auto timings = std::make_shared<Timings>();
    stopwatch.on_sample = [timings](const TimingSample& sample) { timings->add(sample); };
    simulation = std::make_unique<Simulation>(std::move(tracks), timings, 1);
    for (int i = 0; i < 4; ++i) simulation->step(queue, &stopwatch);
    stopwatch.collect(true);
  }
  TrackStatus second() const { return simulation->status()[1]; }
};

TEST(Agreement, WithinTheBoundAgrees) {
  const Pair near(new Near(1e6f, {}, true), new Near(1e6f + .5f, {}, true));
  EXPECT_FALSE(near.second().sealed) << "nothing of it is exact";
  EXPECT_TRUE(near.second().agrees);
  ASSERT_TRUE(near.second().check);
  EXPECT_GT(near.second().check->error, 0);
  EXPECT_EQ(near.simulation->status()[0].check->error, 0) << "the reference is judged too";
  EXPECT_TRUE(near.simulation->ratio_to_baseline(1));
  EXPECT_EQ(near.b->asked, 0);
}

TEST(Agreement, BeyondItDivergesAndHasNoRatio) {
  const Pair far(new Near(1e6f, {}, true), new Near(1e6f + 2, {}, true));
  EXPECT_FALSE(far.second().agrees);
  ASSERT_TRUE(far.second().diverged);
  EXPECT_EQ(far.second().diverged->step, 1u);
  EXPECT_EQ(far.second().diverged->cell, (Cell{3, 0, 0}));
  EXPECT_EQ(far.b->asked, 1) << "looked for once, not every step";
  EXPECT_FALSE(far.simulation->ratio_to_baseline(1));
  EXPECT_TRUE(far.simulation->status()[0].agrees);
}

TEST(Agreement, NoNumberAndNoAnswerAreNoAgreement) {
  const Pair lost(new Near(1e6f, {}, true), new Near(NAN, {}, true));
  EXPECT_FALSE(lost.second().agrees);
  Pair singular(new Near(1e6f, {}, true), new Near(1e6f, {}, true));
  EXPECT_TRUE(singular.second().agrees);
  singular.b->singular = true;
  singular.simulation->seal(singular.queue, nullptr);
  EXPECT_FALSE(singular.second().agrees);
  singular.b->singular = false;
  singular.simulation->seal(singular.queue, nullptr);
  EXPECT_TRUE(singular.second().agrees);
  EXPECT_FALSE(singular.second().diverged);
}

/// Near values do not make up for an exact part that differs, nor the other way round.
TEST(Agreement, TheExactPartMustBeEqualBesides) {
  const Seal one{11, 1, {}}, other{12, 1, {}}, folded{11, 1, 5};
  EXPECT_TRUE(Pair(new Near(1, one, true), new Near(1, one, true)).second().agrees);
  EXPECT_FALSE(Pair(new Near(1, one, true), new Near(1, other, true)).second().agrees);
  EXPECT_FALSE(Pair(new Near(1, one, true), new Near(1, folded, true)).second().agrees);
  EXPECT_FALSE(Pair(new Near(1e6f, one, true), new Near(2e6f, one, true)).second().agrees);
  const Pair unjudged(new Near(1e6f, one, false), new Near(2e6f, one, false));
  EXPECT_TRUE(unjudged.second().agrees) << "a track that is not judged is sealed alone";
  EXPECT_FALSE(unjudged.second().check);
}

}  // namespace
}  // namespace warploom
