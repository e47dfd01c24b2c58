#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "gpu/core/parameter_schema.h"
#include "gpu/scenes/bins/kernels/settings.h"

namespace warploom {

/// What the user sets in the scene of bins: a field and a line in `describe` for each.
struct BinsParams {
  std::string application = "nbody";
  std::string input = "demo";
  std::uint64_t seed = 7;
  double bin = 0, cutoff = 0, spacing = 0;
  std::int64_t grid = 0;
  double blobbiness = 2, time_step = .01;
  std::string cap = "auto";
  std::int64_t tile = 8, per_thread = 4;
  std::string binning = "rank";
  std::vector<std::string> tracks{"regular/count", "compact/range"};

  /// As the tracks take them; files are relative to `folder`. Throws UsageError for a cap that is none.
  BinSettings settings(const std::filesystem::path& folder) const;

  void describe(Describer& d, std::vector<Choice> applications, std::vector<Choice> maps);

 private:
  /// Empty where the application is this one, or among those; else that it has no such thing.
  std::string only(std::initializer_list<const char*> applications, const char* thing) const;
  std::string not_random() const;
};

}  // namespace warploom
