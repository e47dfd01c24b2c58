// How right the outputs of a track are.
#include <algorithm>
#include <cstring>
#include <set>

#include "gpu/core/hash.h"
#include "gpu/core/launch.h"
#include "gpu/core/pool.h"
#include "gpu/core/watched_work.h"
#include "gpu/scenes/butterfly/tracks/oracle.h"
#include "gpu/scenes/butterfly/tracks/programs.h"
#include "gpu/scenes/butterfly/tracks/track.h"

namespace warploom {

namespace {

/// What programs told as bits, all turned.
double turned_back(std::uint64_t told) {
  const std::uint64_t bits = ~told;
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace

std::set<std::uint64_t> ButterflyTrack::rows_judged() const {
  const std::uint64_t batch = settings().batch;
  std::set<std::uint64_t> rows;
  // All rows of few elements, else the first, the last and 62 by hash; of very long ones fewer: an answer in double
  // takes its time.
  constexpr std::uint64_t few_elements = 1u << 20, most_elements = 1u << 26;
  if (cells_ <= few_elements) {
    for (std::uint64_t row = 0; row < batch; ++row) rows.insert(row);
    return rows;
  }
  const std::uint64_t wanted = std::min(batch, std::clamp<std::uint64_t>(most_elements >> settings().n, 2, 64));
  rows = {0, batch - 1};
  for (std::uint64_t i = 2; rows.size() < wanted; ++i) rows.insert(key_hash(time_, i) % batch);
  return rows;
}

double ButterflyTrack::worst_apart(Queue& queue, const ButterflyTrack& reference) {
  const std::uint64_t batch = settings().batch;
  const auto *own = reinterpret_cast<const float*>(output_[front_].data()),
             *theirs = reinterpret_cast<const float*>(reference.output_[reference.front_].data());
  Buffer<std::uint64_t> worst(queue.backend(), 1);
  fill_with_ones(queue, worst.data(), worst.bytes());
  if (settings().algorithm == "scan")
    launch("butterfly.compare", queue, row_shape(batch),
           CompareScans{own, theirs, reinterpret_cast<const float*>(input(front_).data()), settings().n, batch,
                        settings().exclusive, worst.data()});
  else
    launch("butterfly.compare", queue, {{static_cast<std::uint32_t>(batch), 1, 1}, {256, 1, 1}},
           CompareRows{own, theirs, out_.row_bytes() / 4, worst.data()});
  return turned_back(worst.download(queue)[0]);
}

double ButterflyTrack::worst_left(Queue& queue) {
  const std::uint64_t batch = settings().batch;
  const auto* x = reinterpret_cast<const float*>(output_[front_].data());
  const SystemOrder order{settings().n, batch, variant_.interleaved};
  Buffer<std::uint64_t> most(queue.backend(), batch), worst(queue.backend(), 1);
  fill_with_ones(queue, most.data(), most.bytes());
  fill_with_ones(queue, worst.data(), worst.bytes());
  launch("butterfly.compare", queue, row_shape(cells_), LargestUnknowns{x, order, most.data()});
  launch("butterfly.compare", queue, row_shape(cells_),
         LeftOfSystems{reinterpret_cast<const SystemRow*>(input(front_).data()), x, order, most.data(),
                       singular_[front_].data(), worst.data()});
  return turned_back(worst.download(queue)[0]);
}

Verdict ButterflyTrack::verdict(Queue& queue, const Track& other) {
  const ButterflyJudge judge = butterfly_judge(settings());
  Verdict verdict{"oracle", judge.kind, 0, 0, judge.bound, zero_[front_]};
  const std::uint64_t batch = settings().batch;
  const auto rows = rows_judged();
  const bool all = rows.size() == batch;
  if (settings().axes == 2) {
    const auto in = rows_of(queue, input(front_), in_), out = rows_of(queue, output_[front_], out_);
    const auto judge_all = [&](std::uint64_t) { verdict.error = plane_error(settings(), in.data(), out.data()); };
    if (!queue.host_pool().run(1, judge_all, queue.cancel)) throw Cancelled();
    verdict.rows = batch;
  } else {
    const auto row_at = [&](std::uint64_t row, const Buffer<std::uint8_t>& buffer, const RowShape& shape) {
      std::vector<std::uint8_t> bytes(shape.row_bytes());
      if (!variant_.interleaved)
        download_bytes(queue, bytes.data(), buffer.data() + row * shape.row_bytes(), bytes.size());
      else
        download_rows(queue, bytes.data(), shape.bytes, buffer.data() + row * shape.bytes, batch * shape.bytes,
                      shape.bytes, shape.elements);
      return bytes;
    };
    std::vector<std::uint64_t> singular;
    if (is_system()) singular = singular_[front_].download(queue);
    std::vector<std::uint8_t> every_in, every_out;
    if (all) every_in = rows_of(queue, input(front_), in_), every_out = rows_of(queue, output_[front_], out_);
    std::vector<std::uint64_t> judged;
    for (const std::uint64_t row : rows)
      if (!is_system() || singular[row] == no_zero_pivot) judged.push_back(row);
    verdict.rows = judged.size();
    // All cores judge, of rows that are fetched as many at a time as there are.
    Pool& pool = queue.host_pool();
    const std::size_t at_once = all ? std::max<std::size_t>(1, judged.size()) : pool.threads();
    std::vector<double> errors(judged.size());
    for (std::size_t first = 0; first < judged.size(); first += at_once) {
      const std::size_t count = std::min(at_once, judged.size() - first);
      const auto share = [&](std::size_t row) { return static_cast<double>(row) / static_cast<double>(judged.size()); };
      const PartOfWork part(share(first), share(first + count));
      std::vector<std::vector<std::uint8_t>> in(all ? 0 : count), out(all ? 0 : count);
      for (std::size_t i = 0; i < in.size(); ++i) {
        in[i] = row_at(judged[first + i], input(front_), in_);
        out[i] = row_at(judged[first + i], output_[front_], out_);
      }
      const bool finished = pool.run(
          count,
          [&](std::uint64_t i) {
            const std::uint64_t row = judged[first + i];
            errors[first + i] =
                all ? row_error(settings(), &every_in[row * in_.row_bytes()], &every_out[row * out_.row_bytes()])
                    : row_error(settings(), in[i].data(), out[i].data());
          },
          queue.cancel);
      if (!finished) throw Cancelled();
    }
    for (const double error : errors) verdict.error = std::max(verdict.error, error);
  }
  // Rows that the oracle did not see: of systems by what they leave, of others by how near they are to the first
  // track's.
  const auto& reference = dynamic_cast<const ButterflyTrack&>(other);
  const bool is_exact = out_.numpy[1] == 'i' || out_.numpy[1] == 'u';
  if (all || settings().axes == 2 || is_exact || (!is_system() && this == &reference)) return verdict;
  const double apart = is_system() ? worst_left(queue) : worst_apart(queue, reference);
  const double bound = (is_system() ? 1 : 2) * judge.bound;
  if (!(apart <= bound)) verdict.error = std::max(verdict.error, apart);
  return verdict;
}

}  // namespace warploom
