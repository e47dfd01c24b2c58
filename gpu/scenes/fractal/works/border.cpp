#include "gpu/scenes/fractal/works/border.h"

#include <algorithm>
#include <array>

#include "gpu/scenes/fractal/works/sliced_tables.h"

namespace warploom {

namespace {

/// Base numbers from which a step leaves all digits, and another lane may be reached; digit by digit, the lowest first.
class Leaving {
 public:
  Leaving(const FractalDomain& domain, const SlicedShape& shape)
      : copies_(domain.copies),
        digits_(shape.base_digits),
        steps_(digit_steps(domain)),
        ways_(static_cast<std::size_t>(digits_) + 1) {
    const std::uint32_t arrive = arriving(steps_, copies_);
    for (std::size_t d = 0; d < directions; ++d) ways_[0][d] = arrive >> d & 1u;
    for (std::size_t left = 1; left < ways_.size(); ++left)
      for (std::size_t d = 0; d < directions; ++d)
        for (std::uint32_t digit = 0; digit < copies_; ++digit)
          if (const std::uint32_t onward = onward_of(d, digit); onward < directions)
            ways_[left][d] += ways_[left - 1][onward];
  }
  /// How many numbers, of all directions: more than there are words, as some leave in several.
  double count() const {
    double all = 0;
    for (const double ways : ways_.back()) all += ways;
    return all;
  }
  template <class Body>
  void each(const Body& body) const {
    for (std::uint32_t d = 0; d < directions; ++d) walk(d, 0, 0, 1, body);
  }

 private:
  std::uint32_t onward_of(std::size_t d, std::uint32_t digit) const { return steps_[d * copies_ + digit].onward(); }
  template <class Body>
  void walk(std::uint32_t d, int done, std::uint64_t number, std::uint64_t power, const Body& body) const {
    if (ways_[static_cast<std::size_t>(digits_ - done)][d] == 0) return;
    if (done == digits_) return body(number);
    for (std::uint32_t digit = 0; digit < copies_; ++digit)
      if (const std::uint32_t onward = onward_of(d, digit); onward < directions)
        walk(onward, done + 1, number + digit * power, power * copies_, body);
  }
  std::uint32_t copies_;
  int digits_;
  std::vector<DigitStep> steps_;
  std::vector<std::array<double, directions>> ways_;  ///< (digits left, direction)
};

}  // namespace

double border_words(const FractalDomain& domain, const SlicedShape& shape) { return Leaving(domain, shape).count(); }

Border border_of(const FractalDomain& domain, const SlicedShape& part) {
  Border border;
  auto& words = border.words;
  // Whoever is beside a word that leaves is one itself, the other way.
  Leaving(domain, part).each([&](std::uint64_t number) { words.push_back(number); });
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  const auto digits = digit_steps(domain);
  const SlicedSteps steps(digits.data(), domain.copies);
  const std::uint32_t arrive = arriving(digits, domain.copies);
  border.beside.resize(words.size() * directions);
  for (std::size_t i = 0; i < words.size(); ++i)
    for (int d = 0; d < directions; ++d) {
      const auto found = steps.neighbour(words[i], part.base_digits, d);
      if (!found.there) continue;
      auto& beside = border.beside[i * directions + static_cast<std::size_t>(d)];
      if (found.crossing < 0) {
        beside.packed = part.place(found.number, 0);
      } else if (arrive >> found.crossing & 1u) {
        const auto at = std::lower_bound(words.begin(), words.end(), found.number);
        beside = BorderBeside::crossing(static_cast<std::uint64_t>(at - words.begin()), found.crossing);
      }
    }
  return border;
}

}  // namespace warploom
