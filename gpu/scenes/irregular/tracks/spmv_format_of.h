#pragma once
#include "gpu/scenes/irregular/spmv/format.h"

namespace warploom {

/// `Format`: a struct of formats/.
template <class Format>
const SpmvFormat& spmv_format() {
  using Layout = typename Format::Layout;
  static const SpmvFormat one{
      Format::info(), &Format::bytes,
      [](const SpmvMatrix& matrix, const IrregularSettings& settings) -> std::unique_ptr<const SpmvLayout> {
        return std::make_unique<const Layout>(matrix, settings);
      },
      [](Queue& queue, SpmvSource& source, const SpmvLayout& layout) -> std::unique_ptr<SpmvProduct> {
        return std::make_unique<typename Format::Product>(queue, source, dynamic_cast<const Layout&>(layout));
      }};
  return one;
}

}  // namespace warploom
