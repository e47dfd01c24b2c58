#pragma once
#include <memory>
#include <vector>

#include "gpu/scenes/irregular/spmv/layout.h"
#include "gpu/scenes/irregular/spmv/product.h"

namespace warploom {

/// A format under a schedule, as the list knows it. A struct of formats/ has `info()`, `bytes(matrix, settings)`,
/// `Layout`, made from a matrix and settings, and `Product`, made from a queue, a source that it may take from, and its
/// Layout.
struct SpmvFormat {
  TrackInfo info;
  SpmvBytes (*bytes)(const SpmvMatrix& matrix, const IrregularSettings& settings);
  std::unique_ptr<const SpmvLayout> (*layout)(const SpmvMatrix& matrix, const IrregularSettings& settings);
  std::unique_ptr<SpmvProduct> (*product)(Queue& queue, SpmvSource& source, const SpmvLayout& layout);
};

/// Defined by a source of its own for each line of the list (spmv_format.cu.in).
template <class Format>
const SpmvFormat& spmv_format();

/// All of them, in the order of the menu (list.h).
const std::vector<const SpmvFormat*>& spmv_formats();
/// By the name of a track; null: it is none of the list, as `vendor`.
const SpmvFormat* find_spmv_format(const std::string& track);

/// For their infos.
inline TrackInfo spmv_info(const char* map, const char* intra, const char* title, const char* description,
                           const char* citation) {
  TrackInfo info;
  info.name = std::string(map) + "/" + intra;
  info.map = map;
  info.intra = intra;
  info.title = title;
  info.description = description;
  info.citation = citation;
  return info;
}

}  // namespace warploom
