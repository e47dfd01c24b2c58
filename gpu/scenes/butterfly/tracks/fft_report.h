#pragma once
#include <vector>

#include "gpu/scenes/butterfly/kernels/operator_string.h"
#include "gpu/scenes/butterfly/kernels/report.h"

namespace warploom {

/// What the reports of all transforms tell of one in one launch: how many digits are paired after each stage, and the
/// string of its windows' operators. Source: lobeiras2016indexdigit.
template <class Network>
void tell_digits(NetworkReport& report, const Network& a) {
  report.digits_paired.push_back(0);
  std::vector<int> windows;
  for (int j = 1; j <= a.stages(); ++j) {
    const NetworkStage at = a.stage(j);
    report.digits_paired.push_back(a.n - at.low + 1);
    if (windows.size() <= static_cast<std::size_t>(at.window)) windows.push_back(0);
    windows.back() += at.high - at.low + 1;
  }
  report.operator_string = operators_text(fft_operators(windows));
}

}  // namespace warploom
