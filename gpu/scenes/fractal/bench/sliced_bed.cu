#include "gpu/scenes/fractal/bench/sliced_bed.h"

#include "gpu/bench/programs.h"
#include "gpu/scenes/fractal/works/members.h"
#include "gpu/scenes/fractal/works/seal.h"
#include "gpu/tracks/cell_programs.h"

namespace warploom::bench {

namespace {

struct DiffersFrom {
  const std::uint32_t *a, *b;
  WARPLOOM_HD std::uint64_t operator()(std::uint64_t i) const { return a[i] != b[i]; }
};

}  // namespace

SlicedBed::SlicedBed(Queue& queue, const FractalDomain& domain, const std::vector<Rule>& rules)
    : domain_(domain),
      shape_(domain),
      tables_(queue, domain, shape_),
      slots_(queue.backend(), 2 * SealSlots::words_in_all) {
  for (const Rule& rule : rules) steppers_.push_back(make_sliced_stepper({queue, domain, shape_, rule}));
  for (auto& state : states_) {
    state = Buffer<std::uint32_t>(queue.backend(), shape_.state_chunks());
    state.zero(queue);
  }
  slots_.zero(queue);
}

void SlicedBed::fill(Queue& queue, std::uint64_t seed, double density) {
  const Sliced to{states_[0].data(), domain_, shape_};
  const FractalCells cells{domain_, domain_.cells()};
  launch("bench.fill", queue, to.assign_shape(), FillCells<FractalCells, Sliced>{cells, seed, density, to});
  fill_with_ones(queue, states_[1].data(), states_[1].bytes());
}

SlicedStates SlicedBed::states(bool back) const {
  return {states_[back ? 1 : 0].data(), states_[back ? 0 : 1].data(), shape_, tables_.view()};
}

SealSlots SlicedBed::next_slots(const LaunchShape& shape) {
  std::uint64_t* const sets[] = {slots_.data(), slots_.data() + SealSlots::words_in_all};
  const SealSlots slots{sets[set_], sets[1 - set_], shape.block_count()};
  set_ = 1 - set_;
  return slots;
}

void SlicedBed::step(Queue& queue, std::size_t rule, std::uint64_t count, bool sealed) {
  const SlicedStepper& by = *steppers_[rule];
  const SealSlots slots = sealed ? next_slots(by.serving().launch) : SealSlots{};
  by.step({queue, "bench.sliced", states(false), 2 * bytes(), count, sealed ? &slots : nullptr});
}

void SlicedBed::seal_of(Queue& queue, const std::uint32_t* words) {
  with_seal_words(Sliced{const_cast<std::uint32_t*>(words), domain_, shape_}, [&](auto program) {
    const LaunchShape shape = program.launch_shape();
    program.to = next_slots(shape);
    launch("bench.seal", queue, shape, program, bytes());
  });
}

void SlicedBed::seal(Queue& queue) { seal_of(queue, states_[0].data()); }

SlicedBed::Total SlicedBed::sealed(Queue& queue) {
  std::vector<std::uint64_t> words(SealSlots::words_in_all);
  download_bytes(queue, words.data(), slots_.data() + (1 - set_) * SealSlots::words_in_all,
                 words.size() * sizeof(std::uint64_t));
  const auto total = SealSlots::total(words);
  return {total.seal, total.live};
}

SlicedBed::Total SlicedBed::result(Queue& queue) {
  seal_of(queue, states_[1].data());
  return sealed(queue);
}

void SlicedBed::copy(Queue& queue, unsigned quads) {
  copy_quads(queue, states_[0].data(), states_[1].data(), bytes() / sizeof(Quad), quads);
}

bool SlicedBed::equal(Queue& queue) {
  return sum_over(queue, states_[0].size(), DiffersFrom{states_[0].data(), states_[1].data()}) == 0;
}

SlicedBed::Total SlicedBed::after_single_steps(Queue& queue, std::size_t rule, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i)
    steppers_[rule]->step({queue, "bench.sliced", states(i % 2 != 0), 2 * bytes()});
  seal_of(queue, states_[count % 2 ? 1 : 0].data());
  return sealed(queue);
}

}  // namespace warploom::bench
