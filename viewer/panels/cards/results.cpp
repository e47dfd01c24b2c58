#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "gpu/core/format.h"
#include "viewer/panels/cards/cards.h"

namespace warploom {
namespace {

/// Whole numbers in groups of three, whatever they are kept as; others by nine digits; what is not known a dash.
std::string value_words(const std::variant<std::uint64_t, double>& value) {
  if (const auto* whole = std::get_if<std::uint64_t>(&value)) return grouped(*whole);
  const double number = std::get<double>(value);
  if (std::isnan(number)) return "\u2013";
  constexpr double most = 1e15;  // every whole number up to it is a double
  if (number >= 0 && number < most && number == std::floor(number)) return grouped(static_cast<std::uint64_t>(number));
  return fmt::format("{:.9g}", number);
}

}  // namespace

/// What the scene computed: sums, live cells, energies. While steps run, of the last step at which none did.
void results_card(PanelContext& panel) {
  auto& ui = panel.ui;
  const Model::Computed& computed = panel.model.computed();
  if (computed.results.empty() || computed.simulation != panel.simulation->id()) return;
  const ui::Section section(ui, "results", "Results \u00b7 step " + grouped(computed.step),
                            "results computed from the state, once no step is running");
  if (!section) return;
  for (const auto& [name, value] : computed.results) {
    std::string words = name;
    std::replace(words.begin(), words.end(), '_', ' ');
    ui::key_value(ui, words, value_words(value));
  }
}

}  // namespace warploom
