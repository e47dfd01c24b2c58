#pragma once
#include "gpu/scenes/bins/kernels/application.h"
#include "gpu/scenes/bins/kernels/sums.h"

namespace warploom {

/// Elements that a CPU tests against one body: their floats by columns, so that compilers do several at once, and a
/// list of those in reach, which costs no branch that cannot be predicted. Terms are added in the order in which the
/// elements came, and sums folded after as many, as if each was tested by itself.
template <class Application>
class ElementBatch {
 public:
  static constexpr unsigned width = Application::info.width, components = Application::info.components;

  WARPLOOM_HD ElementBatch(const Application& application, const BinGrid& grid, const float* body, LongSum* sums)
      : application_(application), grid_(grid), body_(body), sums_(sums) {}

  WARPLOOM_HD void add(const float* element) {
    for (unsigned f = 0; f < width; ++f) columns_[f][count_] = element[f];
    if (++count_ == longest_run) flush();
  }
  /// Tests what is there.
  WARPLOOM_HD void flush() {
    const unsigned found = test();
    for (unsigned k = 0; k < found; ++k) {
      const unsigned at = in_reach_[k];
      float element[width], terms[components] = {}, sizes[components] = {};
      for (unsigned f = 0; f < width; ++f) element[f] = columns_[f][at];
      application_.add(element, {offset_[0][at], offset_[1][at], offset_[2][at], square_[at]}, terms, sizes);
      for (unsigned c = 0; c < components; ++c) sums_[c].run += terms[c];
    }
    if (count_ == longest_run)
      for (unsigned c = 0; c < components; ++c) sums_[c].fold();
    count_ = 0;
  }

 private:
  static constexpr unsigned together = 8;
  static_assert(longest_run % together == 0);

  WARPLOOM_HD unsigned test() {
    // The last few are filled up with what is a number.
    for (unsigned k = count_; k % together != 0; ++k)
      for (unsigned f = 0; f < width; ++f) columns_[f][k] = columns_[f][0];
    const float at[] = {body_[0], body_[1], body_[2]};
    const float length[] = {grid_.length[0], grid_.length[1], grid_.length[2]};
    for (unsigned first = 0; first < count_; first += together) {
      for (unsigned k = 0; k < together; ++k) {
        const unsigned i = first + k;
        offset_[0][i] = nearest_image(columns_[0][i] - at[0], length[0]);
        offset_[1][i] = nearest_image(columns_[1][i] - at[1], length[1]);
        offset_[2][i] = nearest_image(columns_[2][i] - at[2], length[2]);
        square_[i] = SquareHere()(offset_[0][i], offset_[1][i], offset_[2][i]);
      }
    }
    unsigned found = 0;
    for (unsigned i = 0; i < count_; ++i) {
      float element[width];
      for (unsigned f = 0; f < width; ++f) element[f] = columns_[f][i];
      in_reach_[found] = static_cast<std::uint8_t>(i);
      found += square_[i] < application_.square_reach(element);
    }
    return found;
  }

  const Application& application_;
  const BinGrid& grid_;
  const float* body_;
  LongSum* sums_;
  unsigned count_ = 0;
  float columns_[width][longest_run], offset_[3][longest_run], square_[longest_run];
  std::uint8_t in_reach_[longest_run];
};

}  // namespace warploom
