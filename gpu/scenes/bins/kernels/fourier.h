#pragma once
#include <cstdint>

#include "gpu/core/buffer.h"
#include "gpu/core/queue.h"

// Inverse Fourier sums of rows and cubes. Complex numbers are pairs of floats, real part first.
namespace warploom {

/// Longest row: its two copies take 64 KiB of a block's shared memory.
inline constexpr std::uint32_t most_fourier_side = 4096;

/// `lines` rows of `side` complex numbers, one row after another, each to the `kept` places about its middle:
///   out(s, line) = sum over m of in(line, m) e^(2 pi i (m - side/2) (s - kept/2) / side),   0 <= s < kept,
/// `line` fastest. Kernels are named bins.fft. Returns when they are launched; `roots`: fourier_roots(side).
/// Throws UsageError for a side that is not 2^a 3^b 5^c, odd or longer than most_fourier_side; for a `kept` that is odd
/// or more than side; and where a device's blocks have too little shared memory.
void fourier_lines(Queue& queue, const float* in, std::uint64_t lines, std::uint32_t side, std::uint32_t kept,
                   const Buffer<float>& roots, float* out);

/// e^(2 pi i m / side) for m below side, rounded from double.
Buffer<float> fourier_roots(Queue& queue, std::uint32_t side);

/// A cube of side^3 to the kept^3 about the middle, the sum above along each axis; x fastest in both. They are the
/// first of what is returned, and complete. Takes 8 side kept (side + kept) bytes meanwhile. Throws as fourier_lines.
Buffer<float> fourier_cube(Queue& queue, const float* in, std::uint32_t side, std::uint32_t kept);

}  // namespace warploom
