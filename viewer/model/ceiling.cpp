#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "gpu/bench/ceilings.h"
#include "viewer/model/model.h"

namespace warploom {

/// Measures, beside the window, what memory can do at most, a verified copy of data larger than every cache, and how
/// long starting a block takes, as `warploom bench ceilings` does. Kernels of the tracks are paused. Throws Error while
/// other long work is under way.
void measure_copy_ceiling(Model& model) {
  if (!model.beside_now().empty()) throw Error(model.beside_now() + " is still running");
  model.playing = false;
  model.runner().pause();
  auto& ceiling = model.machine.copy_ceiling;
  auto& block_ns = model.machine.block_ns;
  model.beside(
      "measuring the memory ceiling", [&runner = model.runner(), &ceiling, &block_ns](const std::atomic<bool>& cancel) {
        // Kernels of the tracks share the memory: waits for builds and counts, and none may start.
        while (runner.busy()) {
          if (cancel) throw Cancelled();
          std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        const auto steps = [&] {
          const auto simulation = runner.simulation();
          return std::pair(simulation, simulation ? simulation->steps() : 0);
        };
        const auto before = steps();
        bench::Bench bench(runner.backend(), {});
        bench.cancel_with(&cancel);
        const bench::Figure figure = bench::measure_ceiling(bench, "copy");
        if (!figure.verified) throw Error("the copy that measures the ceiling was wrong: no ceiling");
        const bench::Figure blocks = bench::measure_ceiling(bench, "blocks_32");
        if (!blocks.verified) throw Error("the blocks that measure dispatch were wrong: no rate");
        if (runner.busy() || steps() != before)
          throw Error("the tracks ran meanwhile and used the memory: the ceiling was not measured");
        ceiling = bench.ceiling("copy");
        block_ns = 1e9 / bench.ceiling("blocks_32");
        return fmt::format(
            "a copy reads and writes {:.0f} GB/s: Timings show every track's share; a block starts in {:.3g} ns",
            ceiling / 1e9, block_ns.load());
      });
}

}  // namespace warploom
