#pragma once
// The bodies of CellStates are for the sources that compile a scene's states: kernels are made from them.
#include <string>
#include <vector>

#include "gpu/core/error.h"
#include "gpu/core/launch.h"
#include "gpu/tracks/cell_programs.h"
#include "gpu/tracks/cell_track.h"

namespace warploom {

/// The names of its launches.
struct StateKernels {
  const char *initial, *difference, *paint, *window;
};

/// What a track of cells does with its states, whatever the domain and the storage. `Self`, which derives from this,
/// has, all of them const:
///   Cells value_cells()                which cells have values (cell_programs.h)
///   with_state(bytes, body)            calls body(State) with the storage that a state's bytes are
///   with_state_of(track, body)         ... with the finished state of another track of the same domain
///   with_box(bytes, body)              ... with a byte a place of the box, row-major
///   Fresh fresh_of(track)              what a state that is taken over says of itself
///   void check_start()                 throws UsageError where its work takes no start state
///   Cell first_cell(Cell value)        the cell that a value is of, or the first of them
///   StateKernels kernels
template <class Self, class Base>
class CellStates : public Base {
 public:
  using Base::Base;

  void fill(Queue& queue, std::uint64_t seed, double density) override;
  void load(Queue& queue, std::span<const std::uint8_t> state) override;
  void adopt(Queue& queue, const Track& from) override;
  std::optional<Cell> first_difference(Queue& queue, const Track& other) override;
  void edit(Queue& queue, std::span<const Cell> cells, std::uint8_t value) override;

 protected:
  /// The values of a box, in `queue`: of any thread.
  std::vector<float> gathered(Queue& queue, Index3 first, Index3 size);

 private:
  const Self& self() const { return static_cast<const Self&>(*this); }
};

template <class Self, class Base>
void CellStates<Self, Base>::fill(Queue& queue, std::uint64_t seed, double density) {
  using Cells = decltype(self().value_cells());
  this->new_state(queue, {}, [&](std::uint8_t* out) {
    self().with_state(out, [&]<class State>(const State& to) {
      const Cells cells = self().value_cells();
      launch(Self::kernels.initial, queue, assign_shape(cells, to), FillCells<Cells, State>{cells, seed, density, to});
    });
  });
}

template <class Self, class Base>
void CellStates<Self, Base>::load(Queue& queue, std::span<const std::uint8_t> state) {
  using Cells = decltype(self().value_cells());
  self().check_start();
  if (state.size() != volume(this->extent()))
    throw UsageError("a state of " + std::to_string(state.size()) + " cells; the domain's box has " +
                     std::to_string(volume(this->extent())));
  Buffer<std::uint8_t> box(queue.backend(), state.size());
  box.upload(queue, state);
  this->new_state(queue, {}, [&](std::uint8_t* out) {
    self().with_box(box.data(), [&]<class Box>(const Box& from) {
      self().with_state(out, [&]<class State>(const State& to) {
        const Cells cells = self().value_cells();
        launch(Self::kernels.initial, queue, assign_shape(cells, to), CopyCells<Cells, Box, State>{cells, from, to});
      });
    });
  });
  queue.wait();
}

template <class Self, class Base>
void CellStates<Self, Base>::adopt(Queue& queue, const Track& from) {
  using Cells = decltype(self().value_cells());
  this->new_state(queue, self().fresh_of(from), [&](std::uint8_t* out) {
    self().with_state_of(from, [&]<class Other>(const Other& other) {
      self().with_state(out, [&]<class State>(const State& to) {
        const Cells cells = self().value_cells();
        if constexpr (std::is_same_v<typename Other::Value, typename State::Value>)
          launch(Self::kernels.initial, queue, assign_shape(cells, to),
                 CopyCells<Cells, Other, State>{cells, other, to});
      });
    });
  });
  queue.wait();
}

template <class Self, class Base>
std::optional<Cell> CellStates<Self, Base>::first_difference(Queue& queue, const Track& from) {
  using Cells = decltype(self().value_cells());
  const std::uint64_t none = ~std::uint64_t{0};
  Buffer<std::uint64_t> first(queue.backend(), 1);
  first.upload(queue, {&none, 1});
  self().with_state_of(from, [&]<class Other>(const Other& other) {
    self().with_state(const_cast<std::uint8_t*>(this->finished_bytes()), [&]<class State>(const State& own) {
      const Cells cells = self().value_cells();
      if constexpr (std::is_same_v<typename Other::Value, typename State::Value>)
        launch(Self::kernels.difference, queue, cells.shape(),
               FirstDifference<Cells, State, Other>{cells, own, other, first.data()});
    });
  });
  const std::uint64_t at = first.download(queue)[0];
  if (at == none) return std::nullopt;
  return self().first_cell(Cells::cell(at));
}

template <class Self, class Base>
void CellStates<Self, Base>::edit(Queue& queue, std::span<const Cell> list, std::uint8_t value) {
  using Cells = decltype(self().value_cells());
  const Cells cells = self().value_cells();
  std::vector<std::uint64_t> keys;
  for (const Cell& cell : list)
    if (cells.contains(cell)) keys.push_back(Cells::key(cell));
  if (keys.empty()) return;
  Buffer<std::uint64_t> buffer(queue.backend(), keys.size());
  buffer.upload(queue, keys);
  const StatePair::Writer writer(this->states_, queue, true);
  self().with_state(writer.data(), [&]<class State>(const State& to) {
    if constexpr (std::is_same_v<typename State::Value, std::uint8_t>)
      launch(Self::kernels.paint, queue, row_shape(keys.size()),
             WriteCells<Cells, State>{to, buffer.data(), keys.size(), value});
  });
  queue.wait();
}

template <class Self, class Base>
std::vector<float> CellStates<Self, Base>::gathered(Queue& queue, Index3 first, Index3 size) {
  using Cells = decltype(self().value_cells());
  const StatePair::Reader reader(this->states_, queue, std::try_to_lock);
  if (!reader) return std::vector<float>(volume(size), NAN);
  Buffer<float> box(queue.backend(), volume(size));
  self().with_state(const_cast<std::uint8_t*>(reader.data()), [&]<class State>(const State& from) {
    launch(Self::kernels.window, queue, row_shape(volume(size)),
           GatherCells<Cells, State>{self().value_cells(), from, first, size, box.data()});
  });
  return box.download(queue);
}

}  // namespace warploom
