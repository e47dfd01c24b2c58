#include "gpu/bench/paper_figure.h"

#include "gpu/core/error.h"
#include "gpu/core/format.h"

namespace warploom::bench {

std::string PaperFigure::x_name() const { return across == Across::side ? "n" : "rho"; }
std::string PaperFigure::y_name() const {
  switch (shows) {
    case Shows::milliseconds:
      return "ms a step";
    case Shows::memory_gain:
      return "memory gain, \u00d7";
    default:
      return "speed-up, \u00d7";
  }
}

const PaperFigure& find_paper_figure(const std::vector<PaperFigure>& all, const std::string& key) {
  for (const auto& figure : all)
    if (figure.key == key) return figure;
  throw UsageError(unknown_message("figure", key, texts_of(all, &PaperFigure::key)));
}

}  // namespace warploom::bench
