#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gpu/scenes/irregular/spmv/matrix.h"

namespace warploom {

/// Where a matrix has nonzeros, by the size n and stream 0 of a seed.
struct SpmvRecipe {
  const char* key;
  std::int64_t usual, most;                ///< n
  std::uint64_t (*rows)(std::uint64_t n);  ///< as many columns
  double (*entries)(std::uint64_t n);      ///< about as many, equal ones too
  /// Fills row_starts, column_of and merged. In the thread that builds; long work may be cancelled.
  void (*fill)(SpmvMatrix& matrix, std::uint64_t n, std::uint64_t stream);
};
const std::vector<SpmvRecipe>& spmv_recipes();
/// Null: no recipe has this name.
const SpmvRecipe* find_spmv_recipe(const std::string& name);

/// So much is done of what the thread that builds is at; throws Cancelled where it is not wanted any more.
void tell_spmv(double share);

}  // namespace warploom
