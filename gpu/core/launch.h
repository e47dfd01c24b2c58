#pragma once
#include <algorithm>
#include <type_traits>

#include "gpu/core/error.h"
#include "gpu/core/group.h"
#include "gpu/core/launch_checks.h"
#include "gpu/core/program.h"
#include "gpu/core/queue.h"
#include "gpu/core/run_blocks.h"
#include "gpu/core/run_on_device.h"
#include "gpu/core/stopwatch.h"
#include "gpu/core/types.h"

#ifdef __CUDACC__
#include <nvtx3/nvToolsExt.h>

#include "gpu/core/cuda_check.h"
#endif

namespace warploom {

namespace detail {

/// Programs whose threads have much to do say so by `static constexpr std::uint64_t threads_per_chunk`, or by how many
/// times what others do, `std::uint64_t work_of_a_thread() const`; not by both.
template <class Program>
constexpr std::uint64_t fixed_threads_per_chunk() {
  if constexpr (requires { Program::threads_per_chunk; })
    return Program::threads_per_chunk;
  else
    return usual_threads_per_chunk;
}
template <class Program>
constexpr std::uint64_t threads_per_chunk_of(const Program& program) {
  if constexpr (requires { program.work_of_a_thread(); })
    return usual_threads_per_chunk / program.work_of_a_thread();
  else
    return fixed_threads_per_chunk<Program>();
}

/// Whether no template argument of a program is a structure, as far as GCC's names of types tell: nvcc 13.0 writes
/// these wrongly into what the host compiles.
template <class Program>
constexpr bool has_plain_arguments() {
  char before = ' ';
  for (const char* at = __PRETTY_FUNCTION__; *at; before = *at++) {
    const bool of_name = (before >= 'a' && before <= 'z') || (before >= 'A' && before <= 'Z') ||
                         (before >= '0' && before <= '9') || before == '>';
    if (*at == '{' && of_name) return false;  // else of a namespace without a name
  }
  return true;
}

#ifdef WARPLOOM_CHECK_GROUPS
using GroupOnCpu = CheckedGroup;
#else
using GroupOnCpu = CpuGroup;
#endif

/// `Group` is one of the CPU's. Each block that waits for others is a chunk of its own: a thread of the pool that runs
/// it has no other block that could be waited for.
template <class Group, class Program>
void launch_on_cpu(const char* kernel, Queue& queue, const LaunchShape& shape, const Program& program) {
  static_assert(!waits_for_blocks<Program> || !may_gang<Program>, "not both");
  const std::uint64_t blocks = shape.block_count();
  if constexpr (needs_all_blocks<Program>) check_resident(kernel, blocks, queue.pool().threads());
  const std::uint64_t grain =
      waits_for_blocks<Program> ? 1 : std::max<std::uint64_t>(1, threads_per_chunk_of(program) / volume(shape.threads));
  const std::uint64_t chunks = (blocks + grain - 1) / grain;
  const bool finished = queue.pool().run(
      chunks,
      [&](std::uint64_t chunk) {
        const std::uint64_t first = chunk * grain, last = std::min(blocks, first + grain);
        typename Group::Dynamic dynamic(dynamic_shared_of(program));
        run_blocks<Group>(program, shape.blocks, first, last, [&](Index3 at, std::uint64_t number) {
          return Group(kernel, at, number, shape.threads, dynamic);
        });
      },
      queue.cancel);
  if (!finished) throw Cancelled();
}

#ifdef __CUDACC__

/// A named stretch of the profile; ends however the launch does.
class ProfiledRange {
 public:
  explicit ProfiledRange(const char* name) { nvtxRangePushA(name); }
  ~ProfiledRange() { nvtxRangePop(); }
  ProfiledRange& operator=(ProfiledRange&&) = delete;  // neither copied nor moved
};

/// Grids past the device's limits are folded into a row of rows; the remainder is dropped, and is not waste.
template <class Program>
__global__ void __launch_bounds__(most_threads_of<Program>(), least_blocks_of<Program>())
    run_program(const __grid_constant__ Program program, Index3 blocks, bool folded) {
  run_on_device(program, blocks, folded);
}

/// Bytes of the Shared of a program that gangs, from that of one block to the next.
template <class Program>
constexpr std::uint64_t shared_stride = shared_bytes_of<SharedBy<Program, CudaGroup>>;

/// Blocks of a launch in gangs: a row of threads for each, neighbours along x. The rest of the last gang of a row of
/// blocks, and of a row of threads past whole blocks, does nothing. Of one block, where none of its warps waits for
/// another; else it has run_program, which knows that there is one barrier.
template <class Program>
__global__ void __launch_bounds__(most_threads_of<Program>(), least_blocks_of<Program>())
    run_gangs(const __grid_constant__ Program program, Index3 blocks, Index3 threads, unsigned count, bool folded) {
  constexpr bool rows = rows_of_warps<Program>;
  constexpr unsigned exact = exact_threads_of<Program>();
  // A launch of one block has its row of warps for itself.
  const CudaGroup::Gang gang{rows || count > 1 ? threadIdx.y : 0u, count, threads};
  Index3 at{blockIdx.x * count + gang.member, blockIdx.y, blockIdx.z};
  if constexpr (!fits_grids<Program>) {
    if (folded) {
      const std::uint64_t number = std::uint64_t{blockIdx.y} * gridDim.x + blockIdx.x;
      const Index3 gangs{(blocks.x + count - 1) / count, blocks.y, blocks.z};
      if (number >= volume(gangs)) return;
      at = unfold(number, gangs);
      at.x = at.x * count + gang.member;
    }
  }
  if (at.x >= blocks.x) return;
  if (!rows && count > 1 && threadIdx.x >= threads.x * threads.y * threads.z) return;
  CudaGroup group(at, linear_index(at, blocks), rows, exact, gang);
  run_block(
      program, group, [&]() -> auto& {
        extern __shared__ uint4 shared_of_gang[];
        return *reinterpret_cast<SharedBy<Program, CudaGroup>*>(reinterpret_cast<unsigned char*>(shared_of_gang) +
                                                                gang.member * shared_stride<Program>);
      });
}

/// Opens to a kernel all the dynamic shared memory that the device has for it. Returns how many bytes that are.
inline std::uint64_t open_dynamic_shared(const void* kernel) {
  cudaFuncAttributes attributes{};
  WARPLOOM_CUDA(cudaFuncGetAttributes(&attributes, kernel));
  const int open =
      device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) - static_cast<int>(attributes.sharedSizeBytes);
  WARPLOOM_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, open));
  return static_cast<std::uint64_t>(open);
}

/// Blocks of so many threads that the device holds at once.
template <class Program>
std::uint32_t resident_on_cuda(const Program& program, std::uint64_t threads) {
  const auto* kernel = reinterpret_cast<const void*>(&run_program<Program>);
  if constexpr (has_dynamic_shared<Program>) open_dynamic_shared(kernel);
  int blocks = 0;
  WARPLOOM_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(threads),
                                                              dynamic_shared_of(program)));
  return static_cast<std::uint32_t>(blocks * device_attribute(cudaDevAttrMultiProcessorCount));
}

/// Whether the device can start a launch before the one before it is over.
inline bool early_launches(const Queue& queue) {
  static AskedOfDevice major;
  return major.get(queue.device(),
                   [] { return static_cast<std::uint64_t>(device_attribute(cudaDevAttrComputeCapabilityMajor)); }) >= 9;
}

inline dim3 as_dim3(const Index3& box) { return {box.x, box.y, box.z}; }

template <class Program>
void launch_gangs_on_cuda(const char* kernel, Queue& queue, const LaunchShape& shape, const Program& program) {
  static_assert(!has_dynamic_shared<Program> && !begins_early<Program>, "not both");
  const Index3& b = shape.blocks;
  Index3 grid;
  const bool folded = folded_on_device({(b.x + shape.gang - 1) / shape.gang, b.y, b.z}, grid);
  if (fits_grids<Program> && folded) refuse_grid(kernel, b);
  const auto threads = static_cast<unsigned>(gang_threads(volume(shape.threads), shape.gang));
  const dim3 row = shape.gang > 1 ? dim3(threads / shape.gang, shape.gang, 1) : as_dim3(shape.threads);
  std::uint64_t bytes = 0;
  if constexpr (SharesMemory<Program, CudaGroup>)
    if (!std::is_empty_v<SharedBy<Program, CudaGroup>>) {
      bytes = shape.gang * shared_stride<Program>;
      static AskedOfDevice opened;
      const std::uint64_t most = opened.get(
          queue.device(), [] { return open_dynamic_shared(reinterpret_cast<const void*>(&run_gangs<Program>)); });
      if (bytes > most) refuse_shared_memory(kernel, shape.gang, bytes, most);
    }
  run_gangs<<<as_dim3(grid), row, bytes, static_cast<cudaStream_t>(queue.stream())>>>(program, b, shape.threads,
                                                                                      shape.gang, folded);
  WARPLOOM_CUDA(cudaGetLastError());
}

template <class Program>
void launch_on_cuda(const char* kernel, Queue& queue, const LaunchShape& shape, const Program& program) {
  const Index3& b = shape.blocks;
  Index3 grid;
  const bool folded = folded_on_device(b, grid);
  const dim3 threads = as_dim3(shape.threads);
  const std::uint64_t dynamic = dynamic_shared_of(program);
  if constexpr (has_dynamic_shared<Program>) {
    static AskedOfDevice opened;
    const std::uint64_t most = opened.get(
        queue.device(), [] { return open_dynamic_shared(reinterpret_cast<const void*>(&run_program<Program>)); });
    if (dynamic > most) refuse_shared_memory(kernel, 1, dynamic, most);
  }
  auto* stream = static_cast<cudaStream_t>(queue.stream());
  constexpr bool always_as_gang = may_gang<Program> && !waits_for_warps<Program>,
                 may_be_gang = may_gang<Program> && has_room_for_gangs<Program>;
  if constexpr (always_as_gang || may_be_gang) {
    if (always_as_gang || shape.gang > 1) {
      launch_gangs_on_cuda(kernel, queue, shape, program);
      if (queue.synchronous) WARPLOOM_CUDA(cudaStreamSynchronize(stream));
      return;
    }
  }
  if constexpr (always_as_gang) {
    // run_program is not compiled.
  } else if constexpr (begins_early<Program> || needs_all_blocks<Program>) {
    static_assert(!begins_early<Program> || !needs_all_blocks<Program>, "not both");
    cudaLaunchConfig_t how{};
    how.gridDim = as_dim3(grid);
    how.blockDim = threads;
    how.dynamicSmemBytes = dynamic;
    how.stream = stream;
    cudaLaunchAttribute wish{};
    if constexpr (needs_all_blocks<Program>) {
      // The device itself promises that all are there at once, whatever else it runs.
      check_resident(kernel, shape.block_count(), resident_on_cuda(program, volume(shape.threads)));
      wish.id = cudaLaunchAttributeCooperative;
      wish.val.cooperative = 1;
      how.numAttrs = 1;
    } else {
      wish.id = cudaLaunchAttributeProgrammaticStreamSerialization;
      wish.val.programmaticStreamSerializationAllowed = 1;
      how.numAttrs = early_launches(queue) ? 1 : 0;
    }
    how.attrs = &wish;
    WARPLOOM_CUDA(cudaLaunchKernelEx(&how, run_program<Program>, program, b, folded));
  } else {
    run_program<<<as_dim3(grid), threads, dynamic, stream>>>(program, b, folded);
    WARPLOOM_CUDA(cudaGetLastError());
  }
  if (queue.synchronous) WARPLOOM_CUDA(cudaStreamSynchronize(stream));
}

#endif

}  // namespace detail

/// The program of a row of items, a thread each: item(i) for each i below `count`, with no barrier. What an item does
/// says its threads_per_chunk as programs do.
template <class Item>
struct EachItem {
  static constexpr std::uint64_t threads_per_chunk = detail::fixed_threads_per_chunk<Item>();
  Item item;
  std::uint64_t count;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, count, item);
  }
};

/// A launch of one thread for each item of a row, in blocks of 256.
inline LaunchShape row_shape(std::uint64_t items) {
  constexpr std::uint32_t threads = 256;
  return {row_of_blocks(std::max<std::uint64_t>(1, (items + threads - 1) / threads)), {threads, 1, 1}};
}

#ifndef __CUDACC__
// A name of its own where CUDA does not compile: else a linker might take this launch for the one that knows the
// device.
inline namespace without_device {
#endif

/// Blocks of so many threads of this program that run at once at most: what a device has room for, or the threads of
/// the CPU's pool. Throws Error for a CUDA failure.
template <class Program>
std::uint32_t resident_blocks(Queue& queue, [[maybe_unused]] const Program& program,
                              [[maybe_unused]] std::uint64_t threads) {
  if (queue.backend() == Backend::cpu) return queue.pool().threads();
#ifdef __CUDACC__
  const OnDevice here(queue.device());
  return detail::resident_on_cuda(program, threads);
#else
  detail::refuse_backend("a program whose resident blocks are asked for", Backend::cuda);
#endif
}

/// The one way to run a kernel: the name first, so that every kernel is in the profile, in NVTX and in the overlay.
/// `program` is a group program (program.h, group.h). Every launch is checked and, where the queue has a stopwatch,
/// timed. `bytes` are the fewest that the kernel must move.
/// Throws UsageError for a shape or shared memory that the program or the device does not take, Error for a CUDA
/// failure, Cancelled where the queue was cancelled before, or, on the CPU, meanwhile; there, where groups are checked,
/// GroupError.
template <class Program>
void launch(const char* kernel, Queue& queue, const LaunchShape& shape, const Program& program,
            std::uint64_t bytes = 0) {
  static_assert(detail::has_plain_arguments<Program>(), "a program takes a structure by a type that holds it");
  detail::check_launch(kernel, queue, shape, detail::launch_limits_of<Program>());
  TimedSpan span(queue, kernel, bytes);
#ifdef __CUDACC__
  if constexpr (runs_on_devices<Program>)
    if (queue.backend() == Backend::cuda) {
      const detail::ProfiledRange range(kernel);
      const OnDevice here(queue.device());
      detail::launch_on_cuda(kernel, queue, shape, program);
      return span.finish();
    }
#endif
  if (queue.backend() == Backend::cuda) detail::refuse_backend(kernel, Backend::cuda);
  if constexpr (runs_on_cpu<Program>)
    detail::launch_on_cpu<detail::GroupOnCpu>(kernel, queue, shape, program);
  else
    detail::refuse_backend(kernel, Backend::cpu);
  span.finish();
}

/// Launches item(i) for each i below `items`, a thread each.
template <class Item>
void launch_items(const char* kernel, Queue& queue, std::uint64_t items, const Item& item) {
  launch(kernel, queue, row_shape(items), EachItem<Item>{item, items});
}
/// ... one thread alone, item(0).
template <class Item>
void launch_one(const char* kernel, Queue& queue, const Item& item) {
  launch(kernel, queue, {{1, 1, 1}, {1, 1, 1}}, EachItem<Item>{item, 1});
}

#ifndef __CUDACC__
}  // namespace without_device
#endif

}  // namespace warploom
