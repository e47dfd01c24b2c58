#pragma once
#include "gpu/scenes/butterfly/butterfly.h"
#include "viewer/model/facets.h"

namespace warploom {

/// A scene whose tracks are variants of one algorithm.
class VariantCosts : public FacetBase {
 public:
  /// What each of them costs, those that are not shown too. The keys are those of the tracks' maps.
  virtual std::vector<ButterflyCost> variant_costs() const = 0;
};

/// A scene whose tracks move the digits of an index by operators, and that reads a string of them.
class OperatorStrings : public FacetBase {
 public:
  struct Read {
    std::vector<int> digits;  ///< what stands in places n to 1 after all of them
    bool is_fft = false;
    std::string mistake;  ///< empty: there is none
    int character = 0;    ///< where the mistake is, from 1
  };
  /// The one that is set.
  virtual const std::string& operators() const = 0;
  /// Nullopt: there are no such strings now.
  virtual std::optional<Read> read_operators(const std::string& text) const = 0;
};

}  // namespace warploom
