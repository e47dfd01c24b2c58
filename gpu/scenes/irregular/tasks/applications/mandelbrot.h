#pragma once
#include <algorithm>
#include <string>

#include "gpu/core/error.h"
#include "gpu/core/group.h"
#include "gpu/core/hash.h"
#include "gpu/scenes/irregular/tasks/application.h"

namespace warploom {

/// The part of the plane that an image shows, in whole numbers of 2^-28: pixel (X, Y) is re + s X, im + s Y.
struct MandelbrotView {
  std::int64_t s, re, im;
  /// A slow zoom and back.
  static constexpr MandelbrotView at(std::uint64_t step, int size) {
    const auto k = static_cast<std::int64_t>(step % 512), j = k > 256 ? 512 - k : k;
    const std::int64_t s = ((std::int64_t{3} << 28) - (j << 21)) / size, e = s * size / 2;
    return {s, -e - (std::int64_t{3} << 26), -e + (j << 17)};
  }
};

/// Squares of an image, by Mariani and Silver: where the border is all equal, so is the inside.
struct Mandelbrot {
  MandelbrotView view;
  std::int32_t* image;
  std::uint32_t size, iterations;

  static constexpr std::uint32_t smallest = 8, largest = 64;
  struct Square {
    std::uint32_t x, y, side;
    WARPLOOM_HD static constexpr Square of(std::uint64_t task) {
      return {static_cast<std::uint32_t>(task & 0xffff), static_cast<std::uint32_t>(task >> 16 & 0xffff),
              static_cast<std::uint32_t>(task >> 32)};
    }
    WARPLOOM_HD constexpr std::uint64_t word() const { return x | std::uint64_t{y} << 16 | std::uint64_t{side} << 32; }
    WARPLOOM_HD constexpr Square quarter(std::uint32_t i) const {
      return {x + (i & 1) * (side / 2), y + (i >> 1) * (side / 2), side / 2};
    }
    WARPLOOM_HD constexpr std::uint32_t border() const { return 4 * side - 4; }
    /// Place i of the border: top, bottom, left, right, the last two without corners.
    WARPLOOM_HD constexpr Index3 on_border(std::uint32_t i) const {
      if (i < side) return {x + i, y, 0};
      if (i < 2 * side) return {x + i - side, y + side - 1, 0};
      i -= 2 * side;
      return i < side - 2 ? Index3{x, y + 1 + i, 0} : Index3{x + side - 1, y + 1 + i - (side - 2), 0};
    }
    WARPLOOM_HD constexpr std::uint32_t inside() const { return (side - 2) * (side - 2); }
    WARPLOOM_HD constexpr Index3 in_inside(std::uint32_t i) const {
      return {x + 1 + i % (side - 2), y + 1 + i / (side - 2), 0};
    }
  };

  WARPLOOM_HD std::uint32_t escape(Index3 at) const {
    const std::int64_t re = view.s * at.x + view.re, im = view.s * at.y + view.im;
    std::int64_t x = 0, y = 0;
    for (std::uint32_t n = 0; n < iterations; ++n) {
      const std::int64_t x2 = x * x >> 28, y2 = y * y >> 28;
      if (x2 + y2 > std::int64_t{1} << 30) return n;
      y = (x * y >> 27) + im;
      x = x2 - y2 + re;
    }
    return iterations;
  }
  WARPLOOM_HD std::int32_t* pixel(Index3 at) const { return image + std::uint64_t{at.y} * size + at.x; }

  template <class Group>
  struct Shared {
    typename Group::template Tile<std::uint32_t, 1> first;
  };

  template <class Group, class Children>
  WARPLOOM_HD std::uint32_t run(Group& group, Shared<Group>& shared, std::uint64_t task, Children& children) const {
    const Square square = Square::of(task);
    const std::uint32_t border = square.border();
    typename Group::template PerThread<std::uint64_t> odd;
    typename Group::template PerThread<std::uint32_t> low, high;
    group.each([&](const Thread& thread) {
      std::uint32_t least = ~0u, most = 0;
      for (std::uint32_t i = thread.index; i < border; i += task_threads) {
        const Index3 at = square.on_border(i);
        const std::uint32_t n = escape(at);
        *pixel(at) = static_cast<std::int32_t>(n);
        if (i == 0) shared.first[0] = n;
        least = n < least ? n : least;
        most = n > most ? n : most;
      }
      low[thread] = least;
      high[thread] = most;
    });
    group.barrier();
    const std::uint32_t first = shared.first[0];
    group.each([&](const Thread& thread) {
      odd[thread] = thread.index < border && (low[thread] != first || high[thread] != first);
    });
    const bool equal = group.sum(odd) == 0;
    if (equal || square.side <= smallest) {
      const std::uint32_t inside = square.inside();
      group.each([&](const Thread& thread) {
        for (std::uint32_t i = thread.index; i < inside; i += task_threads) {
          const Index3 at = square.in_inside(i);
          *pixel(at) = static_cast<std::int32_t>(equal ? first : escape(at));
        }
      });
      return 0;
    }
    group.once([&] {
      for (std::uint32_t i = 0; i < 4; ++i) children[i] = square.quarter(i).word();
    });
    return 4;
  }

  WARPLOOM_HD static std::uint64_t told(std::uint64_t) { return 0; }
  WARPLOOM_HD std::uint64_t inputs() const { return 0; }
  WARPLOOM_HD void input(std::uint64_t) const {}

  static Mandelbrot on(const TasksProblem& problem, std::uint64_t step, std::uint8_t* state, std::uint32_t*,
                       const std::uint32_t*) {
    const IrregularSettings& set = problem.settings;
    return {MandelbrotView::at(step, set.size), reinterpret_cast<std::int32_t*>(state),
            static_cast<std::uint32_t>(set.size), static_cast<std::uint32_t>(set.iterations)};
  }
  static std::vector<std::uint32_t> constants(const TasksProblem&) { return {}; }
  static TaskApplicationInfo info();
};

/// So many iterations until a point leaves the circle of radius 2, at most `iterations`: once more, for the oracle.
inline std::int32_t mandelbrot_iterations(std::int64_t re, std::int64_t im, std::int32_t iterations) {
  constexpr std::int64_t one = std::int64_t{1} << 28;
  std::int64_t x = 0, y = 0, xx = 0, yy = 0;
  std::int32_t n = 0;
  while (n < iterations && xx + yy <= 4 * one) {
    const std::int64_t cross = x * y >> 27;
    x = xx - yy + re;
    y = cross + im;
    xx = x * x >> 28;
    yy = y * y >> 28;
    ++n;
  }
  return n;
}

/// The image by brute force, and the tasks by what it shows. Images that take too long are judged by the
/// pixels that the tasks ask for, and by some others, chosen by hash.
inline TaskOracle mandelbrot_oracle(const TasksProblem& problem, std::uint64_t step, Pool& pool,
                                    const std::atomic<bool>* cancel) {
  const auto size = static_cast<std::size_t>(problem.settings.size);
  const std::int32_t iterations = problem.settings.iterations;
  const MandelbrotView view = MandelbrotView::at(step, problem.settings.size);
  const auto brute = [&](std::size_t i) {
    return mandelbrot_iterations(view.s * static_cast<std::int64_t>(i % size) + view.re,
                                 view.s * static_cast<std::int64_t>(i / size) + view.im, iterations);
  };
  TaskOracle oracle;
  oracle.image.assign(size * size, -1);
  oracle.brute.assign(size * size, -1);
  constexpr double most = 2147483648.;
  const bool whole = static_cast<double>(size * size) * iterations <= most;
  // Pixels one after another, or a sample; a chunk at a time, so that it can be told to stop.
  const std::size_t count = whole ? size * size : static_cast<std::size_t>(most / iterations);
  constexpr std::size_t chunk = 64;
  const auto some = [&](std::uint64_t k) {
    for (std::size_t i = k * chunk; i < std::min(count, (k + 1) * chunk); ++i) {
      const std::size_t at = whole ? i : key_hash(step, i) % (size * size);
      relaxed_store(&oracle.brute[at], brute(at));
    }
  };
  if (!pool.run((count + chunk - 1) / chunk, some, cancel)) throw Cancelled();
  const auto value = [&](Index3 at) {
    const std::size_t i = std::size_t{at.y} * size + at.x;
    if (oracle.brute[i] < 0) oracle.brute[i] = brute(i);
    return oracle.image[i] = oracle.brute[i];
  };
  std::vector<std::int32_t> values;
  oracle.tree = TaskTree::grown(
      Mandelbrot::info().first(problem),
      [&](std::uint64_t word, auto& children) {
        const Mandelbrot::Square square = Mandelbrot::Square::of(word);
        std::int64_t work = 0;
        const auto see = [&](std::uint32_t places, auto place) {
          values.clear();
          for (std::uint32_t i = 0; i < places; ++i) values.push_back(value(place(i)));
          for (std::uint32_t i = 0; i < places; i += task_threads)
            work += std::int64_t{50} *
                    (1 + *std::max_element(values.begin() + i, values.begin() + std::min(i + task_threads, places)));
        };
        see(square.border(), [&](std::uint32_t i) { return square.on_border(i); });
        const std::int32_t first = values[0];
        if (std::ranges::all_of(values, [&](std::int32_t n) { return n == first; })) {
          for (std::uint32_t i = 0; i < square.inside(); ++i) {
            const Index3 at = square.in_inside(i);
            oracle.image[std::size_t{at.y} * size + at.x] = first;
          }
        } else if (square.side <= Mandelbrot::smallest) {
          see(square.inside(), [&](std::uint32_t i) { return square.in_inside(i); });
        } else {
          for (std::uint32_t i = 0; i < 4; ++i) children.push_back(square.quarter(i).word());
        }
        return work;
      },
      cancel);
  return oracle;
}

inline TaskApplicationInfo Mandelbrot::info() {
  return {"mandelbrot",
          "Mandelbrot set",
          "squares whose border is all equal are filled, others are quartered",
          true,
          [](const TasksProblem& problem) {
            const auto size = static_cast<std::uint32_t>(problem.settings.size);
            std::vector<std::uint64_t> all;
            for (std::uint32_t y = 0; y < size; y += largest)
              for (std::uint32_t x = 0; x < size; x += largest) all.push_back(Square{x, y, largest}.word());
            return all;
          },
          mandelbrot_oracle,
          [](const TasksProblem& problem) {
            const auto size = static_cast<std::uint64_t>(problem.settings.size);
            return size * size * sizeof(std::int32_t);
          },
          [](const TasksProblem&) { return std::uint64_t{0}; },
          [](const TasksProblem&, std::uint64_t task) {
            const Square square = Square::of(task);
            return "square (" + std::to_string(square.x) + ", " + std::to_string(square.y) + ") of side " +
                   std::to_string(square.side);
          }};
}

}  // namespace warploom
