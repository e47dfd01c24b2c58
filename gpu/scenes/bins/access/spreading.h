#pragma once
#include "gpu/core/launch.h"
#include "gpu/scenes/bins/access/access.h"
#include "gpu/scenes/bins/kernels/application.h"
#include "gpu/scenes/bins/kernels/stages.h"
#include "gpu/scenes/bins/kernels/sums.h"

// What a spread says of itself
// ----------------------------
// A spread is an access that elements drive: they add their terms to the outputs that they reach. It is an empty
// struct, one header in access/ and one line in list.h:
//
//   static constexpr BinAccessInfo info
//   static constexpr const char* refusal(const BinApplicationInfo&)
//                                     why that application has no such track; null: it has one
//   template <class Application> class Of : public Spreading<Application>
//                                     at work; Of(const BinSpace&, std::uint64_t elements) throws UsageError where
//                                     these cannot be spread so. Not instantiated where the application is refused.
namespace warploom {

/// A spread at work for an application. All its functions are the stepping thread's.
template <class Application>
class Spreading {
 public:
  virtual ~Spreading() = default;
  /// Of the launch that spreads, and of its audit: the same in every step.
  virtual LaunchShape shape() const = 0;
  /// Bytes of the backend's memory that it takes.
  virtual std::uint64_t bytes() const { return 0; }
  /// Takes them; before all that follows.
  virtual void allocate(Backend) {}
  /// Once the offsets of the bins are known, their slots not yet filled: what else the spread reads. Part of bins.scan.
  virtual void prepare(Queue&, const BinSlots&) {}
  /// Adds all terms to `sums`: (points, components). Part of bins.spread.
  virtual void add(Queue& queue, const Application& application, const BinSlots& slots, const Elements& elements,
                   double* sums) = 0;
  /// Adds to what is in `out`.
  virtual void audit(Queue& queue, const Application& application, const BinSlots& slots, const Elements& elements,
                     const AuditOut& out) = 0;
};

}  // namespace warploom
