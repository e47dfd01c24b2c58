#pragma once
#include "gpu/core/block_times.h"
#include "gpu/scenes/bins/kernels/hits.h"
#include "gpu/scenes/bins/kernels/look.h"
#include "gpu/scenes/bins/kernels/spill.h"
#include "gpu/scenes/bins/tracks/launch_audit.h"
#include "gpu/scenes/bins/tracks/track.h"

namespace warploom {

template <class Application>
class BinsTrackOf final : public BinsTrack {
 public:
  BinsTrackOf(Queue& queue, std::shared_ptr<const BinProblem> problem, const TrackInfo& info, const BinVariant& variant)
      : BinsTrack(queue, problem, Application::info, info, variant),
        application_value_(problem->settings, problem->space) {
    if constexpr (images) image_ = std::make_unique<GridImage>(problem_, &Application::kernel_transform);
    if (variant_.spreads) start_spreading(queue.backend());
    describe_stages(queue.backend());
  }

 private:
  static constexpr bool periodic = Application::info.periodic;
  static constexpr bool excludes = requires { Application::excluded_radius; };
  static constexpr bool images = requires { &Application::kernel_transform; };

  void start_spreading(Backend backend) {
    int number = 0;
    for_each_type(BinSpreads{}, [&]<class Spread>() {
      if constexpr (Spread::refusal(Application::info) == nullptr)
        if (number == variant_.number)
          spreading_ = std::make_unique<typename Spread::template Of<Application>>(space(), count());
      ++number;
    });
    const std::uint64_t sums = cells() * Application::info.components;
    check_room(backend, static_cast<double>(sums * sizeof(double) + spreading_->bytes()));
    spreading_->allocate(backend);
    sums_ = Buffer<double>(backend, sums);
  }

  LaunchShape output_shape() const override {
    if (spreading_) return spreading_->shape();
    if constexpr (periodic)
      return GatherBodies<Application, NoneGather>::shape(count());
    else
      return output_tiles().shape();
  }

  std::vector<Stage> output_stages() const override {
    const std::uint64_t bytes = cells() * Application::info.components * sizeof(float);
    std::vector<Stage> stages{{variant_.spreads ? "bins.spread" : "bins.gather", {output_shape()}, bytes, false}};
    if (excludes) stages.push_back({"bins.exclude", {row_shape(count())}, 0, false});
    return stages;
  }

  void prepare(Queue& queue, const BinSlots& slots) override {
    if (spreading_) spreading_->prepare(queue, slots);
  }

  std::uint64_t prepared_bytes() const override { return spreading_ ? spreading_->bytes() : 0; }

  void gather(Queue& queue, int state, float* out, std::uint64_t* times) override {
    if (spreading_) return spread(queue, state, out);
    const auto body = [&]<class Program>(const Program& program) {
      launch(times ? "bins.block_times" : "bins.gather", queue, output_shape(), TimedBlocks<Program>{program, times});
    };
    int number = 0;  // on the host: with_access is a device's, too
    for_each_type(BinAccesses{}, [&]<class Access>() {
      if (number++ != variant_.number) return;
      if constexpr (periodic)
        body(GatherBodies<Application, Access>{application_value_, slots(state), elements_of(state).data(), count(),
                                               space().margin, out});
      else
        body(GatherLattice<Application, Access>{application_value_, slots(state), output_tiles(), space().margin, out});
    });
  }

  void finish(Queue& queue, float* out) override {
    if constexpr (excludes)
      launch_items("bins.exclude", queue, count(),
                   ExcludeStage{view(0), space().lattice, Application::excluded_radius, out});
  }

  std::vector<double> spill(Backend backend, Pool& pool, const std::atomic<bool>* cancel,
                            const std::vector<float>& spilled, const std::vector<float>& bodies) const override {
    return backend == Backend::cuda ? spilled_as<SquareOnDevice>(pool, cancel, spilled, bodies)
                                    : spilled_as<SquareHere>(pool, cancel, spilled, bodies);
  }
  template <class Square>
  std::vector<double> spilled_as(Pool& pool, const std::atomic<bool>* cancel, const std::vector<float>& spilled,
                                 const std::vector<float>& bodies) const {
    if constexpr (periodic)
      return spill_on_bodies<Square>(application_value_, space(), pool, cancel, spilled, bodies);
    else
      return spill_on_lattice<Square>(application_value_, space(), pool, cancel, spilled);
  }

  void count_hits(Queue& queue, const BinSlots& slots, float* hits) const override {
    if constexpr (!periodic)
      launch_items("bins.hits", queue, volume(space().lattice.points),
                   HitsOfOutputs<Application>{application_value_, slots, space().lattice, space().margin, hits});
  }

  void count_culled(Queue& queue, const Elements& elements, std::uint64_t* loads) const override {
    if constexpr (!periodic)
      launch_items("bins.load", queue, elements.count,
                   CulledLoads<Application>{application_value_, elements, output_tiles(), loads});
  }

  void look_for(Queue& queue, const Elements& elements, const LookedAt& looked, const SlotOfElement& slots,
                const float* output, std::uint64_t* found, LookFound* to) const override {
    CountLook<Application> look{application_value_, space().grid,   output_tiles(),  elements,
                                space().cutoff,     space().margin, variant_.number, looked};
    const std::uint64_t items = look.begin();
    launch_sums<2>("bins.look", queue, items, found, look);
    launch_one(
        "bins.tell", queue,
        TellLook<Application>{application_value_, elements, looked, slots, found, space().lattice.points, output, to});
  }

  void run_audit(Queue& queue, const BinSlots& slots, int access, const AuditOut& out) override {
    const Elements elements = finished();
    if (spreading_) {
      spreading_->audit(queue, application_value_, slots, elements, out);
    } else if constexpr (periodic) {
      launch_audit<Application>(queue, output_shape(),
                                {application_value_, slots, elements.values, count(), space().margin, access, out});
    } else {
      launch_audit<Application>(queue, output_shape(),
                                {application_value_, slots, output_tiles(), space().margin, access, out});
    }
  }

  void spread(Queue& queue, int state, float* out) {
    TimedSpan span(queue, "bins.spread", 0);
    sums_.zero(queue);
    spreading_->add(queue, application_value_, slots(state), view(state), sums_.data());
    launch_items("bins.spread", queue, sums_.size(), RoundSums{sums_.data(), out});
    span.finish();
  }

  Application application_value_;
  std::unique_ptr<Spreading<Application>> spreading_;  ///< null: outputs gather
};

}  // namespace warploom
