#pragma once
#include <map>
#include <optional>
#include <string>

#include "gpu/tracks/facets/shape.h"
#include "gpu/tracks/simulation.h"

namespace warploom {

/// The newest median of tracks in every shape that was run in this window: by ShapeFacet::measured_as, map and shape.
class ShapeTimes {
 public:
  struct Key {
    std::uint32_t rho = 1, cells = 1, gang = 1;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  static Key key_of(const WorkShape& shape) { return {shape.rho, shape.box.cells(), shape.gang}; }

  void note(const std::string& what, const std::string& map, const WorkShape& shape, double milliseconds) {
    times_[{what, map}][key_of(shape)] = milliseconds;
  }
  /// Null: nothing of it was run.
  const std::map<Key, double>* of(const std::string& what, const std::string& map) const {
    const auto at = times_.find({what, map});
    return at == times_.end() ? nullptr : &at->second;
  }
  /// The quickest shape.
  std::optional<std::pair<Key, double>> best(const std::string& what, const std::string& map) const {
    std::optional<std::pair<Key, double>> best;
    if (const auto* all = of(what, map))
      for (const auto& [key, time] : *all)
        if (!best || time < best->second) best = {key, time};
    return best;
  }

 private:
  std::map<std::pair<std::string, std::string>, std::map<Key, double>> times_;
};

/// The limit of a track by the law: "bound by dispatch", "bound by memory"; empty where they are not known. "bound by
/// neither" where `measured_ms` is far above the law.
std::string bound_text(const WorkShape& shape, double block_ns, double bytes_per_second, double measured_ms = 0);

struct PanelContext;

struct KeptShapeTimes {
  ShapeTimes times;
  std::uint64_t simulation = 0;  ///< whose timings are kept
  double since = 0;
};
/// Keeps the times that are shown.
KeptShapeTimes& note_shape_times(PanelContext& panel);

}  // namespace warploom
