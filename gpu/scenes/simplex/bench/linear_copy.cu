#include <memory>

#include "gpu/bench/copies.h"
#include "gpu/core/buffer.h"
#include "gpu/scenes/simplex/bench/roots.h"

namespace warploom::bench {

namespace {

struct WriteRandom {
  Quad* to;
  std::uint64_t count, seed;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, count, [&](std::uint64_t i) { to[i] = random_quad(seed, i); });
  }
};

struct DiffersFromRandom {
  const Quad* at;
  std::uint64_t seed;
  WARPLOOM_HD std::uint64_t operator()(std::uint64_t i) const {
    const Quad own = at[i], right = random_quad(seed, i);
    return own.x != right.x || own.y != right.y || own.z != right.z || own.w != right.w;
  }
};

}  // namespace

MemoryLine linear_copy(Bench& bench, std::uint64_t bytes) {
  const std::uint64_t held = MemoryLine::held_bytes(bytes), quads = (bytes + sizeof(Quad) - 1) / sizeof(Quad);
  const auto from = std::make_shared<Buffer<Quad>>(bench.backend(), held / sizeof(Quad)),
             to = std::make_shared<Buffer<Quad>>(bench.backend(), held / sizeof(Quad));
  const std::uint64_t seed = bench.fresh_seed();
  launch("bench.random", bench.queue(), row_shape(from->size()), WriteRandom{from->data(), from->size(), seed});
  const auto by = [=](unsigned each) {
    return [=](Queue& queue) {
      for (std::uint64_t done = 0; done < quads; done += from->size()) {
        const std::uint64_t now = std::min(from->size(), quads - done) * sizeof(Quad);
        if (each == 4)
          copy_by<4>(queue, from->data(), to->data(), now);
        else if (each == 2)
          copy_by<2>(queue, from->data(), to->data(), now);
        else
          copy_by<1>(queue, from->data(), to->data(), now);
      }
    };
  };
  unsigned best = 1;
  if (bench.backend() == Backend::cuda) {
    double least = 1e300;
    for (const unsigned each : {1u, 2u, 4u}) {
      const double time = quick_time(bench, by(each));
      if (time < least) least = time, best = each;
    }
  }
  MemoryLine copy;
  copy.what = "copy";
  copy.how =
      std::to_string(16 * best) + " bytes a thread" + (quads > from->size() ? ", over 8 GiB again and again" : "");
  copy.contestant = {"copy of as many bytes", by(best),
                     [=](Queue& queue) { zero_bytes(queue, to->data(), to->size() * sizeof(Quad)); },
                     [=](Queue& queue) {
                       return sum_over(queue, to->size(), DiffersFromRandom{to->data(), seed}) == 0;
                     }};
  return copy;
}

}  // namespace warploom::bench
