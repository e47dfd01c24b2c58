#pragma once
#include <span>
#include <string>
#include <vector>

#include "viewer/ui/plot/axis.h"

namespace warploom::ui {

/// An axis from 0 that holds what is usual, and what lies above it: one slow frame must not make a line of all others.
struct Usual {
  Axis axis;
  std::vector<double> above;  ///< places in `values` of what the axis does not hold, in order
};

/// The axis holds the smallest value that at least `share` of the finite `values` do not pass, and ends round. Of few
/// values, as with 0.99 of less than 100, it holds all.
Usual usual(std::span<const double> values, double share, std::string unit);

/// "2 above"; empty where there is none.
std::string above_words(const Usual& usual);

}  // namespace warploom::ui
