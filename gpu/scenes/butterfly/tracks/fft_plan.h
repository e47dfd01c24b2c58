#pragma once
#include <algorithm>

#include "gpu/scenes/butterfly/kernels/fft_groups.h"
#include "gpu/scenes/butterfly/networks/list.h"
#include "gpu/scenes/butterfly/tracks/transform.h"

namespace warploom {

/// What transforms of complex and of real rows are made from.
struct FftPlan {
  FftNetwork network;
  ButterflyVariant variant;
  FftKind kind = FftKind::complex;
};

inline FftPlan fft_plan(const ButterflySettings& settings, const ButterflyVariant& variant) {
  FftPlan plan;
  plan.kind = settings.algorithm == "fft"        ? FftKind::complex
              : settings.algorithm == "real_fft" ? FftKind::real
                                                 : FftKind::cosine;
  plan.variant = variant;
  int radix = variant.mapping.p;  // index_digit: all that a thread has
  for (const FftVariant& one : fft_variants)
    if (variant.variant == one.info.key && one.log_radix) radix = one.log_radix;
  plan.network = {variant.mapping.n, variant.mapping.p, radix, variant.first_digits};
  // No group of digits may have fewer than a thread.
  if (variant.mapping.n > variant.mapping.s && variant.exchange != Exchange::global) {
    const FftGroups groups(variant.mapping.n, variant.mapping.s);
    plan.variant.mapping.p = plan.network.p = std::min(plan.network.p, groups.digits[groups.count - 1]);
  }
  return plan;
}

}  // namespace warploom
