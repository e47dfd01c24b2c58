#include "viewer/panels/cards/verdict.h"

namespace warploom {

std::vector<std::string> verdicts(const PanelContext& panel) {
  std::vector<std::string> all;
  const auto& ratios = panel.state.shown.ratios;
  for (std::size_t i = 0; panel.simulation && i < panel.simulation->size(); ++i) {
    const auto words = verdict_text(*panel.simulation, i, panel.model.baseline_of(*panel.simulation),
                                    i < ratios.size() ? ratios[i] : std::nullopt);
    if (!words.empty()) all.push_back(words);
  }
  return all;
}

}  // namespace warploom
