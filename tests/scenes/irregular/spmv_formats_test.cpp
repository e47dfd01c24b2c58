#include <cmath>
#include <set>

#include "gpu/core/error.h"
#include "gpu/core/hash.h"
#include "gpu/scenes/irregular/spmv/format.h"
#include "gpu/scenes/irregular/spmv/spmv.h"
#include "gpu/scenes/irregular/tracks/spmv_track.h"
#include "tests/backends.h"

// Formats of sparse products: what they store and compute, against the rows themselves.

namespace warploom {

namespace {

struct Case {
  const char* matrix;
  std::int64_t n;
};
constexpr Case small_cases[] = {{"stencil5", 1}, {"stencil5", 7}, {"stencil27", 3}, {"fem", 5},
                                {"circuit", 12}, {"random", 200}, {"rmat", 256}};

IrregularSettings settings_of(const Case& one) {
  IrregularSettings settings;
  settings.matrix = one.matrix;
  settings.n = one.n;
  settings.sigma = 70;  // no multiple of a slice
  return settings;
}

std::string words_of(const SpmvFormat& format, const Case& one) {
  return format.info.name + " of " + one.matrix + " " + std::to_string(one.n);
}

class SpmvFormats : public BackendTest {
 protected:
  SpmvSource source_of(const SpmvMatrix& matrix) {
    return {matrix, {*queue, matrix.row_starts}, {*queue, matrix.column_of}, {*queue, matrix.values}};
  }
  /// What a format makes of x, where y was something else.
  std::vector<float> multiplied(const SpmvFormat& format, const SpmvMatrix& matrix, const IrregularSettings& settings,
                                const std::vector<float>& x) {
    const auto layout = format.layout(matrix, settings);
    SpmvSource source = source_of(matrix);
    const auto product = format.product(*queue, source, *layout);
    Buffer<float> in(*queue, x), out(GetParam(), matrix.rows);
    fill_with_ones(*queue, out.data(), out.bytes());
    product->multiply(*queue, in.data(), out.data());
    return out.download(*queue);
  }
};

/// x of a step, and y by a double loop.
std::vector<float> vector_of(const SpmvProblem& problem, std::uint64_t step) {
  const SpmvVector vector = spmv_vector(problem, step);
  std::vector<float> x(problem.matrix.columns);
  for (std::uint32_t c = 0; c < problem.matrix.columns; ++c) x[c] = vector.at(c);
  return x;
}
std::vector<double> product_of(const SpmvMatrix& matrix, const std::vector<float>& x) {
  std::vector<double> y(matrix.rows);
  for (std::uint32_t r = 0; r < matrix.rows; ++r)
    for (std::uint64_t j = matrix.row_starts[r]; j < matrix.row_starts[r + 1]; ++j)
      y[r] += static_cast<double>(matrix.values[j]) * x[static_cast<std::size_t>(matrix.column_of[j])];
  return y;
}

TEST_P(SpmvFormats, MultiplyExactly) {
  std::vector<Case> cases(std::begin(small_cases), std::end(small_cases));
  // Carries of many warps: several levels of fix_up.
  cases.push_back({"rmat", 4096});
  for (const Case& one : cases) {
    const IrregularSettings settings = settings_of(one);
    const auto problem = make_spmv_problem(settings);
    const auto x = vector_of(*problem, 3);
    const auto right = product_of(problem->matrix, x);
    for (const SpmvFormat* format : spmv_formats()) {
      const auto y = multiplied(*format, problem->matrix, settings, x);
      ASSERT_EQ(std::vector<double>(y.begin(), y.end()), right) << words_of(*format, one);
    }
  }
}

TEST_P(SpmvFormats, MultiplyUnderEverySetting) {
  const Case one{"circuit", 20};
  IrregularSettings settings = settings_of(one);
  const auto problem = make_spmv_problem(settings);
  const auto x = vector_of(*problem, 0);
  const auto right = product_of(problem->matrix, x);
  const auto check = [&](const char* track, const std::string& words) {
    const auto y = multiplied(*find_spmv_format(track), problem->matrix, settings, x);
    EXPECT_EQ(std::vector<double>(y.begin(), y.end()), right) << track << ", " << words;
  };
  for (const int items : {1, 2, 3, 7, 31, 32}) settings.items = items, check("csr/merge", std::to_string(items));
  for (const int lanes : {2, 4, 8, 16, 32}) settings.row_lanes = lanes, check("csr/warp", std::to_string(lanes));
  for (const char* width : {"0", "1", "4", "60", "99999", "cusp", "bytes"})
    settings.hyb_width = width, check("hyb/row", width);
  for (const int sigma : {1, 2, 31, 32, 33, 400, 1 << 30})
    settings.sigma = sigma, check("sell/row", std::to_string(sigma));
}

TEST_P(SpmvFormats, StoreEachNonzeroAtItsPlaceAndNothingElse) {
  for (const Case& one : small_cases) {
    const IrregularSettings settings = settings_of(one);
    const auto problem = make_spmv_problem(settings);
    const SpmvMatrix& matrix = problem->matrix;
    for (const SpmvFormat* format : spmv_formats()) {
      const auto layout = format->layout(matrix, settings);
      SpmvSource source = source_of(matrix);
      std::vector<float> stored = format->product(*queue, source, *layout)->stored(*queue);
      ASSERT_EQ(stored.size(), layout->stored()) << words_of(*format, one);
      for (std::uint64_t j = 0; j < matrix.nonzeros(); ++j) {
        const std::uint64_t place = layout->spot(j).place;
        ASSERT_EQ(stored.at(place), matrix.values[j]) << words_of(*format, one) << ", nonzero " << j;
        stored[place] = 0;  // no other may be there: values are not 0
      }
      EXPECT_EQ(std::count(stored.begin(), stored.end(), 0.f), static_cast<std::ptrdiff_t>(stored.size()));
    }
  }
}

TEST_P(SpmvFormats, RepeatRealSums) {
  IrregularSettings settings = settings_of({"circuit", 20});
  settings.values = "real";
  const auto problem = make_spmv_problem(settings);
  const auto x = vector_of(*problem, 0);
  for (const SpmvFormat* format : spmv_formats())
    EXPECT_EQ(multiplied(*format, problem->matrix, settings, x), multiplied(*format, problem->matrix, settings, x));
}

/// A track is judged wrong as soon as one y is.
TEST_P(SpmvFormats, AWrongSumIsFound) {
  if (GetParam() == Backend::cuda) GTEST_SKIP() << "y is spoilt in the host's memory";
  for (const char* values : {"integer", "real"}) {
    IrregularSettings settings = settings_of({"circuit", 12});
    settings.values = values;
    const auto problem = make_spmv_problem(settings);
    const auto make = [&] {
      auto track = make_spmv_track(*queue, problem, settings, find_spmv_format("csr/merge")->info);
      track->need<IrregularFacet>().start(*queue);
      track->publish(*queue);
      return track;
    };
    const auto right = make(), wrong = make();
    EXPECT_TRUE(wrong->need<Approximate>().verdict(*queue, *right).holds());
    {
      const SpmvTrack::Reading reading(dynamic_cast<SpmvTrack&>(*wrong), *queue);
      const_cast<float*>(reading.y())[37] += 1;
    }
    const Verdict verdict = wrong->need<Approximate>().verdict(*queue, *right);
    EXPECT_FALSE(verdict.holds());
    EXPECT_GT(verdict.error, verdict.bound);
    if (!problem->matrix.exact()) continue;
    EXPECT_NE(wrong->seal(*queue)->hash, right->seal(*queue)->hash);
    const auto at = wrong->first_difference(*queue, *right);
    ASSERT_TRUE(at);
    EXPECT_EQ(at->y, 37u);
    EXPECT_FALSE(right->first_difference(*queue, *make()));
  }
}

TEST_P(SpmvFormats, AdoptGoesOnFromTheSameStep) {
  const IrregularSettings settings = settings_of({"fem", 4});
  const auto problem = make_spmv_problem(settings);
  const auto first = make_spmv_track(*queue, problem, settings, find_spmv_format("csr/row")->info),
             second = make_spmv_track(*queue, problem, settings, find_spmv_format("hyb/row")->info);
  first->need<IrregularFacet>().start(*queue);
  first->publish(*queue);
  for (int i = 0; i < 3; ++i) first->step(*queue), first->publish(*queue);
  second->adopt(*queue, *first);
  second->publish(*queue);
  EXPECT_EQ(first->seal(*queue)->hash, second->seal(*queue)->hash);
  EXPECT_EQ(SpmvTrack::Reading(dynamic_cast<SpmvTrack&>(*second), *queue).step(), 3u);
  // A step that is given up leaves the track as it was.
  second->step(*queue);
  second->give_up(*queue);
  EXPECT_EQ(first->seal(*queue)->hash, second->seal(*queue)->hash);
  second->step(*queue), second->publish(*queue);
  EXPECT_NE(first->seal(*queue)->hash, second->seal(*queue)->hash);
}

WARPLOOM_ON_BOTH_BACKENDS(SpmvFormats);

/// Each question of a layout is another one's inverse, and what is counted is what can be seen.
TEST(SpmvLayouts, AnswerAlike) {
  for (const Case& one : small_cases) {
    const IrregularSettings settings = settings_of(one);
    const auto problem = make_spmv_problem(settings);
    const SpmvMatrix& matrix = problem->matrix;
    for (const SpmvFormat* format : spmv_formats()) {
      SCOPED_TRACE(words_of(*format, one));
      const auto layout = format->layout(matrix, settings);
      EXPECT_EQ(layout->bytes(), format->bytes(matrix, settings).bytes);
      for (std::uint64_t j = 0; j < matrix.nonzeros(); ++j) {
        const SpmvSpot spot = layout->spot(j);
        ASSERT_EQ(layout->at_place(spot.place), j);
        ASSERT_EQ(layout->at_turn(spot.launch, spot.thread, spot.turn), j);
        ASSERT_LT(spot.turn, layout->warp_turns(spot.launch, spot.thread / warp_size));
      }
      std::uint64_t filled = 0, useful = 0, turns = 0, full = 0, partial = 0, longest = 0;
      for (std::uint64_t place = 0; place < layout->stored(); ++place) filled += layout->at_place(place) != no_nonzero;
      EXPECT_EQ(filled, matrix.nonzeros());
      for (std::size_t launch = 0; launch < layout->threads().size(); ++launch) {
        const int l = static_cast<int>(launch);
        for (std::uint64_t warp = 0; warp < layout->warps(l); ++warp) {
          const std::uint64_t own = layout->warp_turns(l, warp);
          std::vector<std::uint64_t> lanes(own);
          for (std::uint64_t thread = warp * warp_size; thread < (warp + 1) * warp_size; ++thread) {
            const SpmvLayout::Share share = layout->share(l, thread);
            std::uint64_t next = share.first, count = 0;
            for (std::uint64_t turn = 0; turn < own; ++turn) {
              const std::uint64_t j = layout->at_turn(l, thread, turn);
              if (j == no_nonzero) continue;
              EXPECT_EQ(j, next);
              next += share.stride;
              ++count;
              ++lanes[turn];
            }
            EXPECT_EQ(count, share.count());
            useful += count;
          }
          turns += own;
          longest = std::max(longest, own);
          for (const std::uint64_t count : lanes) full += count == warp_size, partial += count > 0 && count < warp_size;
        }
      }
      const Counts& counts = layout->counts();
      EXPECT_EQ(useful, matrix.nonzeros());
      EXPECT_EQ(counts.useful, useful);
      EXPECT_EQ(counts.launched, warp_size * turns);
      EXPECT_EQ(layout->longest_turns(), longest);
      EXPECT_EQ(counts.warps_full, full);
      EXPECT_EQ(counts.warps_partial, partial);
      EXPECT_EQ(counts.warps_idle, turns - full - partial);
      EXPECT_LE(counts.blocks_useful, counts.blocks);
    }
  }
}

TEST(SpmvLayouts, ThreadsServeTheirNonzeros) {
  Queue queue(Backend::cpu, false, 1);
  const Case one{"circuit", 12};
  const IrregularSettings settings = settings_of(one);
  const auto problem = make_spmv_problem(settings);
  const SpmvMatrix& matrix = problem->matrix;
  for (const SpmvFormat* format : spmv_formats()) {
    SCOPED_TRACE(format->info.name);
    const auto track = make_spmv_track(queue, problem, settings, format->info);
    const auto& threads = track->need<Threads>();
    for (std::uint64_t j = 0; j < matrix.nonzeros(); ++j) {
      const Cell cell{static_cast<std::uint32_t>(matrix.column_of[j]), matrix.row_of(j), 0};
      Owner who;
      ASSERT_TRUE(threads.owner(cell, who));
      ASSERT_TRUE(threads.launched(who));
      const auto target = threads.target(who);
      ASSERT_TRUE(target && target->useful);
      ASSERT_EQ(target->cell, cell);
      const auto box = threads.footprint(who);
      ASSERT_TRUE(box);
      ASSERT_TRUE(box->first.x <= cell.x && cell.x < box->second.x && box->first.y <= cell.y && cell.y < box->second.y);
      const auto served = threads.served(who);
      ASSERT_TRUE(served.cells > 0 && served.cells <= served.places);
      ASSERT_TRUE(threads.target(threads.at_work(who))->useful);
    }
    Owner who;
    EXPECT_FALSE(threads.owner({matrix.columns, 0, 0}, who));
    EXPECT_FALSE(threads.owner({0, matrix.rows, 0}, who));
    EXPECT_FALSE(threads.owner({matrix.columns - 1, 0, 0}, who));  // it is 0
    EXPECT_FALSE(threads.launched({7, {}, 0, {}}));
  }
}

TEST(SpmvMatrices, KeepTheirRules) {
  IrregularSettings settings;
  settings.n = 0;
  const std::pair<const char*, std::uint64_t> nonzeros[] = {{"stencil5", 5 * 64 * 64 - 4 * 64},
                                                            {"stencil27", 46 * 46 * 46},
                                                            {"fem", 9 * (7 * 32 * 32 - 8 * 32 + 2)},
                                                            {"circuit", 28498}};
  for (const auto& [name, count] : nonzeros) {
    settings.matrix = name;
    EXPECT_EQ(make_spmv_problem(settings)->matrix.nonzeros(), count) << name;
  }
  EXPECT_EQ(make_spmv_problem(settings)->matrix.largest_x, 8);
  // A row of more than 2^24 / 64 would need smaller numbers: none of the usual ones has it.
  for (const char* wrong : {"circut", "rmat.txt"}) {
    settings.matrix = wrong;
    EXPECT_THROW(make_spmv_problem(settings), UsageError);
  }
  settings.matrix = "rmat";
  settings.n = 3;
  EXPECT_THROW(make_spmv_problem(settings), UsageError);
  settings.matrix = "none.mtx";
  EXPECT_THROW(make_spmv_problem(settings), FileError);
}

TEST(SpmvMatrices, WidthsFollowTheirRules) {
  IrregularSettings settings;
  for (const char* name : {"circuit", "rmat", "fem"}) {
    settings.matrix = name;
    const auto problem = make_spmv_problem(settings);
    const SpmvMatrix& matrix = problem->matrix;
    const auto lengths = spmv_lengths(matrix);
    const auto longer = [&](std::uint32_t width) {
      std::uint64_t rows = 0;
      for (std::uint32_t row = 0; row < matrix.rows; ++row) rows += matrix.length(row) > width;
      return rows;
    };
    std::uint32_t bytes = 0, cusp = 0;
    for (std::uint32_t w = 1; w <= matrix.longest; ++w)
      if (12 * longer(w - 1) > 8 * matrix.padded_rows()) bytes = w;
    while (!(3 * longer(cusp) < matrix.rows || longer(cusp) < 4096)) ++cusp;
    EXPECT_EQ(hyb_width("bytes", matrix, lengths), bytes) << name;
    EXPECT_EQ(hyb_width("cusp", matrix, lengths), cusp) << name;
    EXPECT_EQ(hyb_width("3", matrix, lengths), 3u);
    EXPECT_EQ(hyb_width("100000", matrix, lengths), matrix.longest);
  }
  for (const char* wrong : {"", "-1", "wide", "1.5"}) EXPECT_THROW(check_hyb_width(wrong), UsageError) << wrong;
}

}  // namespace

}  // namespace warploom
