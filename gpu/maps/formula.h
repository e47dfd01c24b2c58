#pragma once
#include <string>
#include <vector>

namespace warploom {

/// One line of a formula, evaluated: what, how, result.
struct FormulaLine {
  std::string what, how, result;
};

/// A formula evaluated for one block or cell; `result` closes it.
struct Formula {
  std::string title;
  std::vector<FormulaLine> steps;
  FormulaLine result;
};

}  // namespace warploom
