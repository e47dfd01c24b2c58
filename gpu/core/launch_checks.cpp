#include "gpu/core/launch_checks.h"

#include <string>

#include "gpu/core/error.h"

namespace warploom::detail {
namespace {

std::string in_words(const Index3& box) {
  return std::to_string(box.x) + " x " + std::to_string(box.y) + " x " + std::to_string(box.z);
}

}  // namespace

void check_launch(const char* kernel, const Queue& queue, const LaunchShape& shape, const LaunchLimits& limits) {
  const std::uint64_t threads = volume(shape.threads);
  const auto refuse = [&](const std::string& why) { throw UsageError(std::string(kernel) + ": " + why); };
  const auto own = [&] { return "blocks of " + std::to_string(threads) + " threads"; };
  if (shape.block_count() == 0 || threads == 0 || threads > limits.most_threads)
    refuse(own() + ", " + std::to_string(shape.block_count()) + " of them, cannot be launched (1 to " +
           std::to_string(limits.most_threads) + " threads per block)");
  if (limits.rows_of_warps && (shape.threads.x != threads || shape.threads.x % warp_size))
    refuse("blocks of " + in_words(shape.threads) + " threads are no rows of whole warps");
  if (limits.exact_threads && threads != limits.exact_threads)
    refuse(own() + "; it has " + std::to_string(limits.exact_threads));
  if (shape.gang != 1 && (!limits.gangs || shape.gang == 0 || shape.gang > most_gang ||
                          gang_threads(threads, shape.gang) > limits.most_threads))
    refuse(std::to_string(shape.gang) + " " + own() + " cannot be launched as one");
  // A kernel that runs cannot be called back, so what was cancelled must not start.
  if (queue.cancel && queue.cancel->load(std::memory_order_relaxed)) throw Cancelled();
}

void check_resident(const char* kernel, std::uint64_t blocks, std::uint32_t resident) {
  if (blocks > resident)
    throw UsageError(std::string(kernel) + ": " + std::to_string(blocks) +
                     " blocks that wait for each other cannot be launched: " + std::to_string(resident) +
                     (resident == 1 ? " is" : " are") + " resident at once");
}

bool folded_on_device(const Index3& blocks, Index3& grid) {
  constexpr std::uint64_t row = 1u << 20, most_rows = 65535;
  grid = blocks;
  if (blocks.x <= 0x7fffffffu && blocks.y <= most_rows && blocks.z <= most_rows) return false;
  const std::uint64_t rows = (volume(blocks) + row - 1) / row;
  if (rows > most_rows) throw UsageError("a launch of " + std::to_string(volume(blocks)) + " blocks is too large");
  grid = {static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(rows), 1};
  return true;
}

void refuse_grid(const char* kernel, const Index3& blocks) {
  throw UsageError(std::string(kernel) + ": a launch of " + in_words(blocks) + " blocks is past the device's limits");
}

void refuse_shared_memory(const char* kernel, std::uint32_t gang, std::uint64_t bytes, std::uint64_t most) {
  throw UsageError(std::string(kernel) + ": " +
                   (gang > 1 ? "a gang of " + std::to_string(gang) + " blocks takes " : "a block takes ") +
                   std::to_string(bytes) + " bytes of dynamic shared memory; the device has " + std::to_string(most) +
                   " for it");
}

void refuse_backend(const char* kernel, Backend backend) {
  throw Error(std::string(kernel) + " is not compiled for " + (backend == Backend::cpu ? "the CPU" : "the device"));
}

}  // namespace warploom::detail
