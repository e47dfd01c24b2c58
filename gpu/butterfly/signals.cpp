#include "gpu/butterfly/signals.h"

#include "gpu/butterfly/twiddles.h"

namespace warploom {

std::vector<float> sine_table() {
  std::vector<float> sines;
  for (const Complex& w : twiddle_table(12, sine_steps)) sines.push_back(0 - w.im);
  return sines;
}

}  // namespace warploom
