#pragma once
#include <map>
#include <optional>
#include <string>

#include "gpu/tracks/facets/shape.h"
#include "gpu/tracks/simulation.h"

namespace warploom {

/// What tracks took in every shape that was run in this window: the newest median of each. Of one thing that is
/// measured (ShapeFacet::measured_as), by map and shape.
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

/// "ρ 8 · c 4 · G 2"
std::string shape_text(const ShapeTimes::Key& key);

/// What a step takes by the law: starting its blocks, or moving its bytes, whichever takes longer.
double law_ms(const WorkShape& shape, double block_ns, double bytes_per_second);

/// What holds a track up by the law, in words: "bound by dispatch", "bound by memory"; empty where they are not known.
/// `measured_ms`, where it is known and far above what the law says: "bound by neither".
std::string bound_text(const WorkShape& shape, double block_ns, double bytes_per_second, double measured_ms = 0);

struct PanelContext;

/// The times that the window keeps: whose timings go there, and since when.
struct KeptShapeTimes {
  ShapeTimes times;
  std::uint64_t simulation = 0;
  double since = 0;
};
/// Keeps what is shown of the tracks' times in their shapes.
KeptShapeTimes& note_shape_times(PanelContext& panel);

}  // namespace warploom
