#pragma once
#include <string>
#include <vector>

#include "gpu/bench/suites.h"
#include "gpu/scenes/bins/bench/case.h"

namespace warploom::bench {

/// Turns tracks of a case into figures; keeps the name of what is measured, and the figures so far.
class BinningMeter {
 public:
  explicit BinningMeter(Bench& bench) : bench_(bench) {}

  /// While it lives names go on by "/more".
  class Within {
   public:
    Within(BinningMeter& meter, const std::string& more) : meter_(meter), before_(meter.part) {
      meter_.part += (before_.empty() ? "" : "/") + more;
    }
    ~Within() { meter_.part = before_; }
    Within(const Within&) = delete;
    Within& operator=(const Within&) = delete;

   private:
    BinningMeter& meter_;
    std::string before_;
  };

  /// These stages of the tracks that the application has and that fit, all in turn; ratios are against the first name.
  void measure(const BinningCase& c, const std::vector<std::string>& names, const std::vector<std::string>& stages);
  /// The cap that the search finds for a track against another one, in turn.
  void measure_search(const BinningCase& c, const std::string& track, std::int64_t cap);
  /// A figure of nothing, with the reason.
  void skip(const std::string& why);

  std::string part;  ///< what is measured: the begin of each figure's name
  std::vector<Figure> figures;

 private:
  Figure named(const BinningCase& c, const std::string& track, const std::string& stage) const;

  Bench& bench_;
};

/// Of a figure; empty where it has none of that key.
std::string figure_parameter(const Figure& figure, const std::string& key);
/// Whether an application has such a track.
bool has_bin_track(const std::string& application, const std::string& name);

}  // namespace warploom::bench
