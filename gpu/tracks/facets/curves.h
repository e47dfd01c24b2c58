#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpu/tracks/faceted.h"

namespace warploom {

/// A figure of what a track knows of itself.
struct CurveFigure {
  struct Line {
    std::string name;          ///< that of the y axis where the line is just that
    std::vector<double> x, y;  ///< by x; y at 0 or below is not drawn on a logarithmic axis
    /// Amounts of whole numbers; what theory says of them; measured points.
    enum class Kind { bars, theory, points } kind = Kind::bars;
  };
  /// A place on the x axis that a parameter sets: dragging it sets the parameter.
  struct Handle {
    std::string parameter;  ///< of kind text or integer
    double x = 0;
    std::string words = {};  ///< what comes of it: "cap 2: 4 of 60 elements spilled"
  };
  std::string key, title, help;
  std::string x, y;  ///< what the axes are
  std::string last;  ///< what the last x is called, where it stands for all beyond it, too: "1 023 and more"
  bool logarithmic_x = false, logarithmic_y = false;
  double first_x = 0;  ///< where a linear x axis begins
  std::vector<Line> lines;
  std::optional<Handle> handle;
  std::optional<double> mark;                             ///< an x that stands out
  std::vector<std::string> kernels;                       ///< whose times are drawn as bars below it
  std::vector<std::pair<std::string, std::string>> rows;  ///< said below it: what, and how much
};

/// A track with figures of its own. Any thread may ask; they are of the state that was painted last.
class Curves : public FacetBase {
 public:
  /// Made once a state: every frame asks. Null: there are none yet.
  virtual std::shared_ptr<const std::vector<CurveFigure>> curves() const = 0;
};

}  // namespace warploom
