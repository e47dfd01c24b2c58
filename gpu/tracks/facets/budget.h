#pragma once
#include <string>
#include <vector>

#include "gpu/tracks/faceted.h"

namespace warploom {

/// Bytes that a way to store a track's data takes, or would.
struct BudgetBar {
  std::string name;
  double bytes = 0;
  double index = 0;  ///< of them, those of index arrays
  bool own = false;  ///< as the track stores it
};

/// A track that can tell what its data takes under every structure. Any thread may ask; of the state that was painted
/// last.
class BudgetFacet : public FacetBase {
 public:
  virtual std::vector<BudgetBar> budget() const = 0;
  /// Bytes that the device had for them when the track was made.
  virtual double budget_bytes() const = 0;
};

}  // namespace warploom
