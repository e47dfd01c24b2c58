#pragma once
#include <span>
#include <string>
#include <vector>

namespace warploom::ui {

enum class Scale { linear, log2, log10 };

/// How values become places. On a logarithmic axis both ends are above zero.
struct Axis {
  Scale scale = Scale::linear;
  double min = 0, max = 1;
  std::string unit;       ///< for the read-out; a plot's title names it as well
  std::string name = {};  ///< written at its end: "frame", "ms"; empty: the title says it
};

struct Tick {
  double value;
  std::string label;
};

/// 0 at axis.min, 1 at axis.max; NaN where the axis has no place for `value`.
double position(const Axis& axis, double value);

/// The inverse of `position`.
double value_at(const Axis& axis, double position);

/// At most about `wanted` round values on the axis: 1, 2, 5 times a power of ten, or whole powers on a logarithmic one.
std::vector<Tick> ticks(const Axis& axis, int wanted);

/// The smallest and the largest finite value seen (above zero only, for a logarithmic axis).
struct Extent {
  Scale scale = Scale::linear;
  double min = 0, max = 0;
  bool empty = true;

  void add(double value);
  void add(std::span<const double> values);
};

/// An axis that holds all of `extent`, with round ends. `from_zero` lets a linear one begin at 0. Without values: 0
/// to 1.
Axis fitted(const Extent& extent, bool from_zero, std::string unit = {});

/// `value` with 4 significant digits, as a read-out shows it.
std::string short_number(double value);

/// An axis from 0 that holds what is usual, and what lies above it: one slow frame must not make a line of all others.
struct Usual {
  Axis axis;
  std::vector<double> above;  ///< places in `values` of what the axis does not hold, in order
};

/// The axis holds at least `share` of the finite `values`, and ends round. It holds all of fewer values than
/// 1 / (1 - share).
Usual usual(std::span<const double> values, double share, std::string unit);

/// "2 above"; empty where there is none.
std::string above_words(const Usual& usual);

}  // namespace warploom::ui
