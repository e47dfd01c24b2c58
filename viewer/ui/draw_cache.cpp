#include "viewer/ui/draw_cache.h"

#include <algorithm>

namespace warploom::ui {

bool DrawCache::replay(ImDrawList* list, std::uint64_t key) const {
  if (key_ == 0 || key != key_) return false;
  list->PrimReserve(static_cast<int>(indices_.size()), static_cast<int>(vertices_.size()));
  std::copy(vertices_.begin(), vertices_.end(), list->_VtxWritePtr);
  const auto first = static_cast<ImDrawIdx>(list->_VtxCurrentIdx);
  std::transform(indices_.begin(), indices_.end(), list->_IdxWritePtr,
                 [first](ImDrawIdx index) { return static_cast<ImDrawIdx>(first + index); });
  list->_VtxWritePtr += vertices_.size();
  list->_IdxWritePtr += indices_.size();
  list->_VtxCurrentIdx += static_cast<unsigned>(vertices_.size());
  return true;
}

DrawCache::Mark DrawCache::mark_of(const ImDrawList& list) {
  return {list.CmdBuffer.Size, list.VtxBuffer.Size, list.IdxBuffer.Size, list._VtxCurrentIdx};
}

void DrawCache::take(const ImDrawList& list, const Mark& mark, std::uint64_t key) {
  key_ = 0;
  const int count = list.VtxBuffer.Size - mark.vertices;
  // Another clip rectangle, another texture, or more vertices than an index can name: drawn anew each time.
  if (list.CmdBuffer.Size != mark.commands || count <= 0 ||
      list._VtxCurrentIdx != mark.current + static_cast<unsigned>(count))
    return;
  vertices_.assign(list.VtxBuffer.begin() + mark.vertices, list.VtxBuffer.end());
  indices_.assign(list.IdxBuffer.begin() + mark.indices, list.IdxBuffer.end());
  for (ImDrawIdx& index : indices_) index = static_cast<ImDrawIdx>(index - mark.current);
  key_ = key;
}

}  // namespace warploom::ui
