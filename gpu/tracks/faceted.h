#pragma once
#include <type_traits>
#include <vector>

#include "gpu/core/error.h"

namespace warploom {

/// What facets derive from, each by itself.
class FacetBase {
 public:
  virtual ~FacetBase() = default;
};

/// Something that offers facets: abstract classes of a few functions that only some have. Who offers does so in its
/// constructor, itself or a part it holds, so that "only under an automaton" is an `if`. A new facet touches neither
/// this nor anybody else's class. Safe from any thread once constructed.
class Faceted {
 public:
  Faceted& operator=(Faceted&&) = delete;  // neither copied nor moved: offers point into it

  /// The facet, or null where it is not offered.
  template <class Facet>
  Facet* facet() const {
    for (const Offer& offer : offers_)
      if (offer.tag == &tag<Facet>) return static_cast<Facet*>(offer.facet);
    return nullptr;
  }
  /// The facet of something that is known to offer it; throws Error where it does not.
  template <class Facet>
  Facet& need() const {
    if (auto* offered = facet<Facet>()) return *offered;
    throw Error("it does not offer what was asked of it");
  }

 protected:
  ~Faceted() = default;
  template <class Facet>
  void offer(std::type_identity_t<Facet>& facet) {
    offers_.push_back({&tag<Facet>, &facet});
  }

 private:
  template <class>
  static inline char tag = 0;  // its address is the facet's identity
  struct Offer {
    const char* tag;
    void* facet;
  };
  std::vector<Offer> offers_;
};

}  // namespace warploom
