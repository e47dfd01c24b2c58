#pragma once
#include <imgui.h>

#include <cstdint>
#include <vector>

namespace warploom::ui {

/// The vertices of something that was drawn, to be drawn again as long as nothing of it changes. It must be drawn into
/// one clip rectangle, by shapes and text alone.
class DrawCache {
 public:
  /// Draws again what was kept under this key; false: nothing was.
  bool replay(ImDrawList* list, std::uint64_t key) const;

  /// Draws by `body`, and keeps it under the key.
  template <class Body>
  void keep(ImDrawList* list, std::uint64_t key, Body&& body) {
    const Mark mark = mark_of(*list);
    body();
    take(*list, mark, key);
  }

 private:
  struct Mark {
    int commands, vertices, indices;
    unsigned current;
  };
  static Mark mark_of(const ImDrawList& list);
  void take(const ImDrawList& list, const Mark& mark, std::uint64_t key);

  std::vector<ImDrawVert> vertices_;
  std::vector<ImDrawIdx> indices_;  ///< from its own first vertex
  std::uint64_t key_ = 0;           ///< 0: nothing is kept
};

}  // namespace warploom::ui
