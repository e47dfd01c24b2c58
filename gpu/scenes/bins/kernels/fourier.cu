#include "gpu/scenes/bins/kernels/fourier.h"

#include <cmath>
#include <string>
#include <vector>

#include "gpu/core/launch.h"
#include "gpu/scenes/bins/kernels/fourier_lines.h"

namespace warploom {

namespace {

FourierFactors factors_of(std::uint32_t side) {
  FourierFactors factors{};
  std::uint32_t left = side;
  for (const unsigned radix : {4u, 2u, 3u, 5u})
    for (; left > 1 && left % radix == 0; left /= radix)
      factors.radices[factors.count++] = static_cast<unsigned char>(radix);
  if (left != 1) factors.count = 0;
  return factors;
}

void check_sides(std::uint32_t side, std::uint32_t kept) {
  if (side < 2 || side > most_fourier_side || side % 2 || factors_of(side).count == 0)
    throw UsageError("a Fourier transform of " + std::to_string(side) + " values: expected an even 2^a 3^b 5^c up to " +
                     std::to_string(most_fourier_side));
  if (kept < 2 || kept > side || kept % 2)
    throw UsageError("the middle " + std::to_string(kept) + " of " + std::to_string(side) +
                     " values: expected an even number of them");
}

/// Rows of a block: neighbours are stored side by side, and eight fill 64 bytes; fewer where two copies of so many pass
/// what every device has for a block.
std::uint32_t rows_of(std::uint32_t side) {
  constexpr std::uint64_t plain = 48u << 10;
  std::uint32_t rows = 8;
  while (rows > 1 && 2 * std::uint64_t{rows} * side * sizeof(Complex) > plain) rows /= 2;
  return rows;
}

}  // namespace

void fourier_lines(Queue& queue, const float* in, std::uint64_t lines, std::uint32_t side, std::uint32_t kept,
                   const Buffer<float>& roots, float* out) {
  check_sides(side, kept);
  const std::uint32_t rows = rows_of(side);
  const LaunchShape shape{{static_cast<std::uint32_t>((lines + rows - 1) / rows), 1, 1}, {FourierLines::threads, 1, 1}};
  launch("bins.fft", queue, shape, FourierLines{in, roots.data(), out, lines, side, kept, rows, factors_of(side)},
         lines * (side + kept) * sizeof(Complex));
}

Buffer<float> fourier_roots(Queue& queue, std::uint32_t side) {
  constexpr double whole_turn = 6.28318530717958647693;
  std::vector<float> roots;
  roots.reserve(2ull * side);
  for (std::uint32_t m = 0; m < side; ++m) {
    const double angle = whole_turn * m / side;
    roots.push_back(static_cast<float>(std::cos(angle)));
    roots.push_back(static_cast<float>(std::sin(angle)));
  }
  Buffer<float> buffer(queue.backend(), roots.size());
  buffer.upload(queue, roots);
  return buffer;
}

Buffer<float> fourier_cube(Queue& queue, const float* in, std::uint32_t side, std::uint32_t kept) {
  check_sides(side, kept);
  const Buffer<float> roots = fourier_roots(queue, side);
  const std::uint64_t s = side, k = kept;
  Buffer<float> one(queue.backend(), 2 * s * s * k), other(queue.backend(), 2 * s * k * k);
  // Each makes the fastest axis the slowest: after three they are in order again.
  fourier_lines(queue, in, s * s, side, kept, roots, one.data());
  fourier_lines(queue, one.data(), s * k, side, kept, roots, other.data());
  fourier_lines(queue, other.data(), k * k, side, kept, roots, one.data());
  queue.wait();  // before what they read is given back
  return one;
}

}  // namespace warploom
