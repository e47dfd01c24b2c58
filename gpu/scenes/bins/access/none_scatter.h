#pragma once
#include "gpu/scenes/bins/access/spreading.h"
#include "gpu/scenes/bins/kernels/spread.h"

namespace warploom {

/// A thread per element, and no bins.
struct NoneScatter {
  static constexpr BinAccessInfo info{
      .name = "none/scatter",
      .description = "a thread per element: it adds its term to every output in reach, atomically"};
  static constexpr const char* refusal(const BinApplicationInfo& application) {
    return application.periodic ? "outputs that move cannot be added to while they are computed" : nullptr;
  }

  template <class Application>
  class Of final : public Spreading<Application> {
   public:
    Of(const BinSpace& space, std::uint64_t elements) : lattice_(space.lattice), elements_(elements) {}
    LaunchShape shape() const override { return row_shape(elements_); }
    void add(Queue& queue, const Application& application, const BinSlots&, const Elements& elements,
             double* sums) override {
      launch_items("bins.spread", queue, elements_, SpreadElements<Application>{application, elements, lattice_, sums});
    }
    void audit(Queue& queue, const Application& application, const BinSlots&, const Elements& elements,
               const AuditOut& out) override {
      launch("bins.audit", queue, shape(), AuditSpread<Application>{application, elements, lattice_, out});
    }

   private:
    Lattice lattice_;
    std::uint64_t elements_;
  };
};

}  // namespace warploom
