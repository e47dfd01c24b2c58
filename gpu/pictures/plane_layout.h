#pragma once
#include "gpu/pictures/picture.h"

namespace warploom {

/// A picture of a plane that says more of how it lies in its pane.
class PlaneLayout {
 public:
  virtual ~PlaneLayout() = default;
  /// Where place (0, 0) of its space lies in it: what is above that, or left of it, has no places.
  virtual Index3 origin() const { return {}; }
  /// Whether all tracks' pictures lie in one box where tracks have one scale, each in its upper left corner. For
  /// pictures that fill their panes (PictureInfo).
  virtual bool joint() const { return false; }
  /// Whether an axis stands below it: of pictures that fill their panes.
  virtual bool has_axis() const { return !joint(); }
};

/// The same for any picture; those that do not say have none.
inline Index3 origin_of(const Picture& picture) {
  const auto* layout = dynamic_cast<const PlaneLayout*>(&picture);
  return layout ? layout->origin() : Index3{};
}
inline bool has_axis(const Picture& picture) {
  const auto* layout = dynamic_cast<const PlaneLayout*>(&picture);
  return !layout || layout->has_axis();
}
inline bool is_joint(const Picture& picture) {
  const auto* layout = dynamic_cast<const PlaneLayout*>(&picture);
  return layout && layout->joint();
}

}  // namespace warploom
