#include "gpu/core/probe.h"

#include "gpu/core/buffer.h"
#include "gpu/core/hash.h"
#include "gpu/core/launch.h"

namespace warploom {

namespace {

struct ProbeProgram {
  std::uint64_t* out;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    group.each([&](const Thread& thread) { out[thread.index] = cell_hash(7, thread.index, 1); });
  }
};

struct Nothing {
  template <class Group>
  WARPLOOM_HD void operator()(Group&) const {}
};

}  // namespace

void settle(Queue& queue) {
  if (queue.backend() == Backend::cuda) launch("core.settle", queue, {{1, 1, 1}, {1, 1, 1}}, Nothing{});
}

void run_probe_kernel() {
#ifdef __CUDACC__
  Queue queue(Backend::cuda);
  Buffer<std::uint64_t> out(Backend::cuda, 64);
  launch("core.probe", queue, {{1, 1, 1}, {64, 1, 1}}, ProbeProgram{out.data()});
  const auto values = out.download(queue);
  for (std::uint64_t i = 0; i < values.size(); ++i)
    if (values[i] != cell_hash(7, i, 1)) throw Error("it wrote a wrong value at index " + std::to_string(i));
#endif
}

}  // namespace warploom
