#pragma once
#include <gtest/gtest.h>

#include <initializer_list>
#include <map>
#include <string>

#include "gpu/bench/suites.h"

// What tests of the scenes' bench suites share.

namespace warploom {

/// Small enough for a test: few samples of next to no data.
inline bench::Settings little(std::map<std::string, std::string> set = {}) {
  bench::Settings settings;
  settings.samples = 3;
  settings.warm_ups = 1;
  settings.scale = 1. / 256;
  settings.seed = 7;
  settings.set = std::move(set);
  return settings;
}

using Figures = std::map<std::string, bench::Figure>;

/// Runs a suite. Figures by name, each there once.
inline Figures figures_of(bench::Bench& run, const std::string& suite) {
  Figures all;
  for (const auto& figure : bench::find_suite(suite).run(run)) {
    EXPECT_EQ(figure.suite, suite);
    EXPECT_TRUE(all.emplace(figure.name, figure).second) << figure.name << " twice";
  }
  return all;
}

inline void expect_names(const Figures& figures, std::initializer_list<std::string> names) {
  for (const auto& name : names) EXPECT_TRUE(figures.contains(name)) << name;
}

/// Verified times, in order.
inline void expect_times(const bench::Figure& figure) {
  SCOPED_TRACE(figure.name);
  EXPECT_TRUE(figure.verified) << figure.note;
  EXPECT_GT(figure.median, 0) << figure.note;
  EXPECT_LE(figure.low, figure.median);
  EXPECT_GE(figure.high, figure.median);
  EXPECT_GE(figure.samples, 3u);
  EXPECT_FALSE(figure.unit.empty());
}

/// A ratio to a peer, in its interval.
inline void expect_ratio(const bench::Figure& figure) {
  SCOPED_TRACE(figure.name);
  EXPECT_GT(figure.ratio_to_peer, 0);
  EXPECT_LE(figure.ratio_low, figure.ratio_to_peer);
  EXPECT_GE(figure.ratio_high, figure.ratio_to_peer);
}

/// What a run says of its progress has words and never goes back; `last`: how far it came.
inline void expect_progress(bench::Bench& run, double& last) {
  last = -1;
  run.progress = [&last](const std::string& what, double fraction) {
    EXPECT_FALSE(what.empty());
    EXPECT_GE(fraction, last);
    last = fraction;
  };
}

}  // namespace warploom
