#pragma once
#include <utility>
#include <vector>

#include "gpu/scenes/butterfly/kernels/operator_string.h"
#include "gpu/scenes/butterfly/kernels/report.h"

namespace warploom {

/// How many digits are paired after each stage, and the string of the windows' operators; `steps`: each of them, too,
/// of what runs in one launch. Source: lobeiras2016indexdigit.
template <class Network>
void tell_digits(NetworkReport& report, const Network& a, bool steps) {
  report.digits_paired.push_back(0);
  std::vector<int> windows;
  for (int j = 1; j <= a.stages(); ++j) {
    const NetworkStage at = a.stage(j);
    report.digits_paired.push_back(a.n - at.low + 1);
    if (windows.size() <= static_cast<std::size_t>(at.window)) windows.push_back(0);
    windows.back() += at.high - at.low + 1;
  }
  const auto operators = fft_operators(windows);
  report.operator_string = operators_text(operators);
  std::vector<int> digits = apply_operators({}, a.n).digits;
  for (std::size_t i = 0; steps && i < operators.size(); ++i) {
    digits = applied(operators[i], std::move(digits));
    report.operator_steps.push_back({operators_text({operators[i]}), static_cast<int>(i / 3), digits});
  }
}

}  // namespace warploom
