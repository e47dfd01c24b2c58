#pragma once
#include "gpu/core/type_list.h"
#include "gpu/scenes/butterfly/butterfly.h"
#include "gpu/scenes/butterfly/rules/scan.h"

namespace warploom {

using ScanOperators = TypeList<  //
    FloatAdd,                    // float_add
    AffineOperator,              // affine
    WordOperator>;               // word

/// body(op): the operator of a scan. What body gives back.
template <class Body>
auto with_scan_operator(const ButterflySettings& settings, Body&& body) {
  if (settings.scan_operator == "add_float") return body(FloatAdd{});
  if (settings.scan_operator == "affine") return body(AffineOperator{});
  using Kind = WordOperator::Kind;
  return body(WordOperator{settings.scan_operator == "multiply" ? Kind::multiply
                           : settings.scan_operator == "max"    ? Kind::maximum
                                                                : Kind::add});
}

}  // namespace warploom
