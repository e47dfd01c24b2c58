#pragma once
#include <memory>

#include "gpu/core/queue.h"
#include "gpu/scenes/butterfly/tracks/transform.h"

// Each of these is instantiated in sources of its own, which CMake makes of the lists: together they compile for
// minutes.

namespace warploom {

/// Of a network of ScanNetworks and one of ScanOperators: along rows.
template <class Network, class Operator>
std::unique_ptr<Transform> scan_by_network(Queue& queue, const ButterflySettings& settings,
                                           const ButterflyVariant& variant, const Operator& op);

/// Of a network of TridiagonalNetworks.
template <class Network>
std::unique_ptr<Transform> solve_by_network(Queue& queue, const ButterflySettings& settings,
                                            const ButterflyVariant& variant);

/// Of Fourier transforms whose threads have 2^p values, p from 0 to 4: that of fft_plan(settings, way).
template <int p>
std::unique_ptr<Transform> fft_by_items(Queue& queue, const ButterflySettings& settings,
                                        const ButterflyVariant& variant);

}  // namespace warploom
