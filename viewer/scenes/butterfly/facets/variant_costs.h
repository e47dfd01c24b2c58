#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace warploom {

/// A scene whose tracks are variants of one algorithm: what each of them costs, those that are not shown too.
class VariantCosts {
 public:
  struct Cost {
    std::string key, title;  ///< the key is that of the tracks' maps
    int depth = 0;           ///< stages, one after the other
    std::uint64_t operators = 0;
  };
  virtual std::vector<Cost> variant_costs() const = 0;

 protected:
  ~VariantCosts() = default;
};

}  // namespace warploom
