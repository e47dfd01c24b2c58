#pragma once
#include <utility>

#include "gpu/core/macros.h"
#include "gpu/core/type_list.h"

namespace warploom {

/// The next state of a block of words, as straight-line code: who is next to whom is known when this is compiled.
/// `Geometry` has
///   words, slots                     words of the block, and those beside it
///   neighbours(i), neighbour(i, n)   of word i: how many, and the n-th: a word of the block, or `words` + a slot
template <class Geometry, class Logic>
struct BlockRule {
  static constexpr int words = Geometry::words, slots = Geometry::slots ? Geometry::slots : 1;

  struct All {
    WARPLOOM_HD_FLAT bool operator()(int) const { return true; }
  };
  /// body(Number<i>, its next state) of every word i of which wants(i), in order; `own` stays as it is.
  template <class Word, class Body, class Wants = All>
  WARPLOOM_HD_FLAT static void each_next(const Logic& logic, const Word (&own)[words], const Word (&beside)[slots],
                                         Body&& body, const Wants& wants = {}) {
    each(std::make_integer_sequence<int, words>{}, logic, own, beside, body, wants);
  }

 private:
  template <int... i, class Word, class Body, class Wants>
  WARPLOOM_HD_FLAT static void each(std::integer_sequence<int, i...>, const Logic& logic, const Word (&own)[words],
                                    const Word (&beside)[slots], Body& body, const Wants& wants) {
    ((wants(i) ? next<i>(std::make_integer_sequence<int, Geometry::neighbours(i)>{}, logic, own, beside, body)
               : void()),
     ...);
  }
  template <int i, int... n, class Word, class Body>
  WARPLOOM_HD_FLAT static void next(std::integer_sequence<int, n...>, const Logic& logic, const Word (&own)[words],
                                    const Word (&beside)[slots], Body& body) {
    constexpr int all = sizeof...(n);
    const Word around[all ? all : 1] = {at<Geometry::neighbour(i, n)>(own, beside)...};
    Word to;
    logic.template next<all>(own[i], around, to);
    body(Number<i>{}, to);
  }
  template <int from, class Word>
  WARPLOOM_HD_FLAT static const Word& at(const Word (&own)[words], [[maybe_unused]] const Word (&beside)[slots]) {
    if constexpr (from < words)
      return own[from];
    else
      return beside[from - words];
  }
};

}  // namespace warploom
