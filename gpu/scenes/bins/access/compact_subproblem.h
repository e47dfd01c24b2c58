#pragma once
#include <algorithm>
#include <optional>

#include "gpu/core/buffer.h"
#include "gpu/core/scan.h"
#include "gpu/scenes/bins/access/spreading.h"
#include "gpu/scenes/bins/kernels/subproblem.h"

namespace warploom {

/// Elements by groups of compact bins, at most 1,024 a block: a saturated bin is many blocks' work.
struct CompactSubproblem {
  static constexpr BinAccessInfo info{
      .name = "compact/subproblem",
      .description =
          "elements of a row of bins, at most 1,024 a block, add their terms to a tile of outputs that is "
          "then added to the grid; saturated bins are shared out (CSR)",
      .citation = "shih2021cufinufft",
      .reads_a_group = 2};
  static constexpr const char* refusal(const BinApplicationInfo& application) {
    return application.periodic ? "outputs that are the elements themselves lie in no tile" : application.no_tile;
  }

  template <class Application>
  class Of final : public Spreading<Application> {
   public:
    using Program = SpreadSubproblems<Application>;

    Of(const BinSpace& space, std::uint64_t elements)
        : groups_(tile_groups(space, Program::components * sizeof(double), Program::most_tile_bytes, info.name)),
          group_count_(groups_.count()),
          most_(std::max<std::uint64_t>(1, std::min(group_count_, elements) + elements / most_of_a_subproblem)) {}

    /// Groups differ from step to step, launches do not: a block for every group that may hold an element, and one for
    /// every 1,024 elements; those beyond the list return at once. To ask the device how long it is would cost a wait
    /// in every step.
    LaunchShape shape() const override {
      LaunchShape row = row_shape(most_ * Program::threads);
      row.threads = {Program::threads, 1, 1};
      return row;
    }

    std::uint64_t bytes() const override {
      return (3 * group_count_ + 2) * sizeof(std::uint32_t) + most_ * sizeof(Subproblem) +
             (scratch_ ? scratch_->size() : 0);
    }
    void allocate(Backend backend) override {
      firsts_ = Buffer<std::uint32_t>(backend, group_count_ + 1);
      parts_ = Buffer<std::uint32_t>(backend, group_count_);
      places_ = Buffer<std::uint32_t>(backend, group_count_ + 1);
      list_ = Buffer<Subproblem>(backend, most_);
      scratch_.emplace(backend);
    }

    void prepare(Queue& queue, const BinSlots& slots) override {
      launch_items("bins.scan", queue, group_count_,
                   CountSubproblems{groups_, slots.offsets, group_count_, firsts_.data(), parts_.data()});
      exclusive_scan("bins.scan", queue, parts_.data(), group_count_, ~0u, places_.data(), *scratch_);
      launch_items("bins.scan", queue, group_count_, ListSubproblems{firsts_.data(), places_.data(), list_.data()});
    }
    void add(Queue& queue, const Application& application, const BinSlots& slots, const Elements&,
             double* sums) override {
      launch("bins.spread", queue, shape(), Program{application, slots, groups_, list_.data(), listed(), sums});
    }
    void audit(Queue& queue, const Application& application, const BinSlots& slots, const Elements&,
               const AuditOut& out) override {
      launch("bins.audit", queue, shape(),
             AuditSubproblems<Application>{application, slots, groups_, list_.data(), listed(),
                                           info.reads_a_group * group_count_, out});
    }

   private:
    const std::uint32_t* listed() const { return places_.data() + group_count_; }

    TileGroups groups_;
    std::uint64_t group_count_, most_;
    Buffer<std::uint32_t> firsts_, parts_, places_;
    Buffer<Subproblem> list_;
    std::optional<Scratch> scratch_;
  };
};

}  // namespace warploom
