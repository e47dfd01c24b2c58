#pragma once

namespace warploom {

/// What facets (faceted.h) derive from, each by itself.
class FacetBase {
 public:
  virtual ~FacetBase() = default;
};

}  // namespace warploom
