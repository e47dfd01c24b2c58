#pragma once
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "tests/viewer/ui_driver.h"

namespace warploom {

/// A user without a plan in a window of 1280 x 800. Everything it does follows from the seed.
class AnyMonkey {
 protected:
  explicit AnyMonkey(unsigned seed) : random_(seed) {}

  unsigned below(unsigned most) { return static_cast<unsigned>(random_() % most); }
  template <class List>
  const auto& one_of(const List& list) {
    return list[below(static_cast<unsigned>(std::size(list)))];
  }
  ImVec2 anywhere() { return {static_cast<float>(below(1280)), static_cast<float>(below(800))}; }
  /// For the log, which holds the last events.
  void note(const std::string& what) {
    log_.push_back(what);
    if (log_.size() > 30) log_.erase(log_.begin());
  }
  std::string noted() const {
    std::string text;
    for (const auto& line : log_) text += line + "; ";
    return text;
  }

 private:
  std::mt19937 random_;
  std::vector<std::string> log_;
};

/// Lets `runs` monkeys loose, made by make(seed, run), for so many events in all: each event is followed by
/// monkey.check(event). WARPLOOM_FUZZ_EVENTS and WARPLOOM_FUZZ_SEED say other numbers.
template <class Make>
void let_monkeys_loose(int default_events, int runs, Make&& make) {
  const auto wanted = [](const char* variable, int usual) {
    const char* text = std::getenv(variable);
    return text ? std::atoi(text) : usual;
  };
  const int events = wanted("WARPLOOM_FUZZ_EVENTS", default_events), first = wanted("WARPLOOM_FUZZ_SEED", 1);
  for (int run = 0; run < runs; ++run) {
    const auto seed = static_cast<unsigned>(first + run);
    auto monkey = make(seed, run);
    for (int event = 0; event < events / runs; ++event) {
      try {
        monkey.event();
        monkey.check(event);
      } catch (const std::exception& error) {
        FAIL() << "seed " << seed << ", event " << event << ": " << error.what() << "\nlast: " << monkey.log();
      }
      if (testing::Test::HasFatalFailure())
        FAIL() << "seed " << seed << ", event " << event << "\nlast: " << monkey.log();
    }
  }
}

}  // namespace warploom
