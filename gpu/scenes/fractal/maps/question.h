#pragma once
#include <optional>

#include "gpu/maps/formula.h"
#include "gpu/scenes/fractal/maps/domain.h"

namespace warploom {

/// What the formula of a fractal map is asked about: a thread, and the cell it maps to.
struct FractalQuestion {
  const FractalDomain& domain;
  int block_digits = 0;
  Owner who;
  std::optional<Cell> cell;  ///< none: the thread's block serves nothing
};

/// mu = i: is the digit pair of the cell in the mask? For maps whose threads test their own cells.
Formula explain_member_test(const FractalQuestion& question);

/// mu = i: the digit of the block's index, and the place it adds. For maps that compute lambda.
Formula explain_lambda(const FractalQuestion& question);

/// Matrices of a product D = A B + C, row by row.
struct Fragments {
  float a[256] = {}, b[256] = {}, c[256] = {};
  struct Zeros {
    int operator()(unsigned, unsigned) const { return 0; }
  };
  /// Of what a product is given: a, b and c of (row, column).
  template <class A, class B, class C = Zeros>
  static Fragments of(A&& a, B&& b, C&& c = {}) {
    Fragments all;
    for (unsigned i = 0; i < 256; ++i) {
      all.a[i] = static_cast<float>(a(i / 16, i % 16));
      all.b[i] = static_cast<float>(b(i / 16, i % 16));
      all.c[i] = static_cast<float>(c(i / 16, i % 16));
    }
    return all;
  }
};
/// What a block multiplies, line by line: the rows of A, the columns of B, C and D that hold anything.
Formula explain_product(const FractalQuestion& question,
                        Fragments (*fragments)(const FractalDomain&, int block_digits, Index3 block));

}  // namespace warploom
