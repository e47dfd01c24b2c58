#include "gpu/scenes/fractal/devices/sliced_team.h"

#include "gpu/core/error.h"
#include "gpu/core/launch.h"

namespace warploom {

SlicedTeam::PartTables::PartTables(Queue& queue, const FractalDomain& domain, const SlicedShape& part)
    : DigitTables(queue, domain),
      none_(queue, std::vector<std::uint16_t>(std::size_t{directions} * part.chunks * 32, SlicedSteps::no_lane)) {
  view_.lanes = none_.data();
}

SlicedTeam::SlicedTeam(const Queue& queue, const FractalDomain& domain, const SlicedShape& shape, const Rule& rule)
    : team_(Team::of(queue.backend(), static_cast<int>(domain.devices))), shape_(shape), rule_(rule) {
  if (!team_->direct())
    throw UsageError("sliced states lie on the first card, which the others here do not reach; choose devices=1");
  const Border border = border_of(domain, shape.part(0));
  count_ = border.words.size();
  std::vector<std::uint64_t> places;
  places.reserve(count_);
  for (const std::uint64_t word : border.words) places.push_back(shape.part(0).place(word, 0));
  const std::uint64_t of_part = count_ * shape.chunks;
  for (int device = 0; device < team_->size(); ++device) {
    Queue& own = team_->queue(device);
    const OnDevice here(own.device());
    Held& held = held_.emplace_back();
    held.shape = shape.part(static_cast<std::uint32_t>(device));
    held.steps = std::make_unique<PartTables>(own, domain, held.shape);
    held.stepper = make_sliced_stepper({own, domain, held.shape, rule});
    held.lanes = std::make_unique<SlicedTables>(own, domain, shape);
    held.places = Buffer<std::uint64_t>(own, places);
    held.beside = Buffer<BorderBeside>(own, border.beside);
    held.sent = Buffer<std::uint32_t>(own.backend(), of_part);
    held.border = Buffer<std::uint32_t>(own.backend(), of_part * static_cast<std::uint64_t>(team_->size()));
  }
  const std::uint64_t bytes = of_part * sizeof(std::uint32_t), devices = domain.devices;
  if (bytes) link_ = all_gather(team_->size(), bytes);
  link_bytes_ = bytes * devices * (devices - 1);
}

std::vector<TeamSpan> SlicedTeam::step(Queue& outer, const char* kernel, const std::uint32_t* from,
                                       std::uint32_t* to) const {
  const std::uint64_t part = shape_.part_chunks();
  Team::Step step(*team_, outer);
  if (count_) {
    std::vector<const void*> sent;
    std::vector<void*> received;
    for (const Held& held : held_) {
      sent.push_back(held.sent.data());
      received.push_back(held.border.data());
    }
    step.each("fractal.pack", [&](int device, Queue& queue) {
      const Held& held = held_[static_cast<std::size_t>(device)];
      launch("fractal.pack", queue, row_shape(held.sent.size()),
             PackBorder{from + static_cast<std::uint64_t>(device) * part, held.places.data(), count_, shape_.chunks,
                        held.sent.data()});
    });
    step.exchange("fractal.link", link_, sent, received);
  }
  step.each(kernel, [&](int device, Queue& queue) {
    const Held& held = held_[static_cast<std::size_t>(device)];
    const std::uint64_t first = static_cast<std::uint64_t>(device) * part;
    const SlicedStates states{from + first, to + first, held.shape, held.steps->view()};
    held.stepper->step({queue, kernel, states});
    if (count_)
      with_logic(rule_, [&]<class Logic>(const Logic& logic) {
        launch(kernel, queue, row_shape(held.sent.size()),
               BorderStep<Logic>{states, held.places.data(), held.beside.data(), held.border.data(),
                                 held.lanes->view().lanes, shape_.all_chunks(), count_, logic});
      });
  });
  return step.finish();
}

std::uint64_t SlicedTeam::bytes_on(int device) const {
  const Held& held = held_[static_cast<std::size_t>(device)];
  return held.steps->bytes() + held.stepper->bytes() + held.lanes->bytes() + held.places.bytes() + held.beside.bytes() +
         held.sent.bytes() + held.border.bytes();
}

}  // namespace warploom
