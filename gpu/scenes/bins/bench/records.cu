#include "gpu/scenes/bins/bench/records.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "gpu/bench/measure.h"
#include "gpu/bench/programs.h"
#include "gpu/core/error.h"
#include "gpu/core/scan.h"
#include "gpu/scenes/bins/kernels/space.h"
#include "gpu/scenes/bins/kernels/stages.h"

#ifdef __CUDACC__
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_radix_sort.cuh>

#include "gpu/core/cuda_check.h"
#endif

namespace warploom::bench {

namespace {

// ---- records ------------------------------------------------------------------------------------------------------

struct alignas(16) Record {
  float x, y, z, w;
};

/// In the unit cube: anywhere, or nine in ten of them in 64 clumps.
struct MakeRecords {
  Record* to;
  std::uint64_t seed;
  bool clustered;
  WARPLOOM_HD float unit(std::uint64_t i, unsigned axis) const {
    return static_cast<float>(key_hash(seed + axis, i) >> 40) * 0x1p-24f;
  }
  WARPLOOM_HD float along(std::uint64_t i, unsigned axis, std::uint64_t clump) const {
    const float anywhere = unit(i, axis);
    if (clump == 0) return anywhere;
    const float middle = .05f + .9f * unit(clump, 8 + axis);
    return middle + .04f * (anywhere + unit(i, 4 + axis) - 1);
  }
  WARPLOOM_HD void operator()(std::uint64_t i) const {
    const std::uint64_t drawn = key_hash(~seed, i), clump = clustered && drawn % 10 ? 1 + (drawn >> 32) % 64 : 0;
    to[i] = {along(i, 0, clump), along(i, 1, clump), along(i, 2, clump), unit(i, 3)};
  }
};

WARPLOOM_HD std::uint64_t record_hash(const Record& record) {
  const auto part = [](float a, float b) {
    return static_cast<std::uint64_t>(static_cast<double>(a) * 0x1p24) << 32 |
           static_cast<std::uint64_t>(static_cast<double>(b) * 0x1p24);
  };
  return key_hash(part(record.x, record.y), part(record.z, record.w));
}

struct HashOfRecord {
  const Record* records;
  WARPLOOM_HD std::uint64_t operator()(std::uint64_t i) const { return record_hash(records[i]); }
};

WARPLOOM_HD std::uint32_t bin_of_record(const BinGrid& grid, const Record& record) {
  return static_cast<std::uint32_t>(grid.number(grid.bin_of({{record.x, record.y, record.z}})));
}

/// Counts places whose bin is below the one before them.
struct FallsBack {
  const Record* binned;
  BinGrid grid;
  WARPLOOM_HD std::uint64_t operator()(std::uint64_t i) const {
    return i > 0 && bin_of_record(grid, binned[i]) < bin_of_record(grid, binned[i - 1]);
  }
};

struct KeyRecords {
  const Record* records;
  BinGrid grid;
  std::uint32_t* keys;
  WARPLOOM_HD void operator()(std::uint64_t i) const { keys[i] = bin_of_record(grid, records[i]); }
};

struct GatherRecords {
  const Record* from;
  const std::uint32_t* order;
  Record* to;
  WARPLOOM_HD void operator()(std::uint64_t i) const { to[i] = from[order[i]]; }
};

/// Records, their bins, and what the ways to bin them need.
struct RecordCase {
  std::uint64_t count;
  BinGrid grid;
  Buffer<Record> records, binned;
  Buffer<std::uint32_t> bins, ranks, counts, offsets, keys, order;
  Buffer<std::int32_t> places;
  Scratch scratch;
  std::uint64_t hash = 0;

  /// Room for records and keys, and for what they have in their bins.
  RecordCase(Backend backend, std::uint64_t records_in_all, const BinGrid& bins_of_them)
      : count(records_in_all), grid(bins_of_them), scratch(backend) {
    records = Buffer<Record>(backend, count);
    for (auto* words : {&bins, &ranks, &keys}) *words = Buffer<std::uint32_t>(backend, count);
    counts = Buffer<std::uint32_t>(backend, grid.count());
  }

  static std::shared_ptr<RecordCase> make(Bench& bench, std::uint64_t count, bool clustered) {
    const Backend backend = bench.backend();
    const double side = std::max(1., std::round(std::cbrt(static_cast<double>(count) / 8)));
    auto made = std::make_shared<RecordCase>(
        backend, count, make_bin_grid({0, 0, 0}, {1 / side, 1 / side, 1 / side}, {side, side, side}));
    made->binned = Buffer<Record>(backend, count);
    made->order = Buffer<std::uint32_t>(backend, count);
    made->offsets = Buffer<std::uint32_t>(backend, made->grid.count() + 1);
    made->places = Buffer<std::int32_t>(backend, count);
    launch_items("bench.records", bench.queue(), count,
                 MakeRecords{made->records.data(), bench.fresh_seed(), clustered});
    made->hash = sum_over(bench.queue(), count, HashOfRecord{made->records.data()});
    return made;
  }

  void poison(Queue& queue) {
    fill_with_ones(queue, binned.data(), binned.bytes());
    fill_with_ones(queue, places.data(), places.bytes());
  }
  /// Every record is there, bin after bin.
  bool right(Queue& queue) const {
    return sum_over(queue, count, HashOfRecord{binned.data()}) == hash &&
           sum_over(queue, count, FallsBack{binned.data(), grid}) == 0;
  }
  Elements elements() const { return {&records.data()->x, 4, count}; }

  void histogram(Queue& queue) {
    counts.zero(queue);
    launch_items("bins.histogram", queue, count,
                 HistogramStage{elements(), grid, bins.data(), ranks.data(), counts.data()});
  }
  void by_ranks(Queue& queue) {
    histogram(queue);
    exclusive_scan("bins.scan", queue, counts.data(), grid.count(), ~0u, offsets.data(), scratch);
    launch_items(
        "bins.scatter", queue, count,
        ScatterStage{elements(), bins.data(), ranks.data(), offsets.data(), 0, &binned.data()->x, places.data()});
  }
  void by_order(Queue& queue) {
    launch_items("bench.keys", queue, count, KeyRecords{records.data(), grid, keys.data()});
    stable_order("bench.sort", queue, keys.data(), count, grid.count(), order.data(), scratch);
    launch_items("bench.gather", queue, count, GatherRecords{records.data(), order.data(), binned.data()});
  }
#ifdef __CUDACC__
  /// The records themselves as the values of the sort.
  void by_sort(Queue& queue) {
    launch_items("bench.keys", queue, count, KeyRecords{records.data(), grid, keys.data()});
    int bits = 1;
    while (bits < 32 && grid.count() > 1ull << bits) ++bits;
    auto* stream = static_cast<cudaStream_t>(queue.stream());
    const auto items = static_cast<std::int64_t>(count);
    std::size_t bytes = 0;
    WARPLOOM_CUDA(cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys.data(), order.data(), records.data(),
                                                  binned.data(), items, 0, bits, stream));
    WARPLOOM_CUDA(cub::DeviceRadixSort::SortPairs(scratch.bytes(bytes), bytes, keys.data(), order.data(),
                                                  records.data(), binned.data(), items, 0, bits, stream));
  }
#endif
};

std::string power_text(std::uint64_t count) {
  for (unsigned power = 0; power < 63; ++power)
    if (count == 1ull << power) return "2^" + std::to_string(power);
  return std::to_string(count);
}

// ---- histograms -----------------------------------------------------------------------------------------------------

/// Keys below `bins` as records that stand in the middle of their bins.
struct MakeKeys {
  std::uint32_t* keys;
  Record* records;
  std::uint64_t seed;
  std::uint32_t bins;
  WARPLOOM_HD void operator()(std::uint64_t i) const {
    keys[i] = static_cast<std::uint32_t>(key_hash(seed, i) >> 32) % bins;
    const std::uint32_t row = keys[i] / 4096;
    records[i] = {static_cast<float>(keys[i] % 4096) + .5f, static_cast<float>(row) + .5f, .5f, 0};
  }
};

}  // namespace

std::vector<std::uint64_t> record_counts(const Bench& bench, const std::vector<unsigned>& on_cuda, unsigned on_cpu) {
  std::vector<std::uint64_t> all;
  const auto scaled = [&](unsigned power) {
    const double count = std::ldexp(bench.settings().scale, static_cast<int>(power));
    return std::uint64_t{1} << std::max(8, static_cast<int>(std::lround(std::log2(std::max(1., count)))));
  };
  if (bench.backend() == Backend::cpu) return {scaled(on_cpu)};
  all.reserve(on_cuda.size());
  for (const unsigned power : on_cuda) all.push_back(scaled(power));
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::vector<Figure> record_figures(Bench& bench) {
  std::vector<Figure> figures;
  for (const bool clustered : {false, true})
    for (const std::uint64_t count : record_counts(bench, {24, 25, 26, 27}, 18)) {
      const std::string name = std::string("records/") + (clustered ? "clustered/" : "uniform/") + power_text(count);
      bench.report(name);
      const auto c = RecordCase::make(bench, count, clustered);
      const auto contestant = [&](const char* variant, void (RecordCase::*run)(Queue&)) {
        return Contestant{variant, [c, run](Queue& queue) { (c.get()->*run)(queue); },
                          [c](Queue& queue) { c->poison(queue); }, [c](Queue& queue) { return c->right(queue); }};
      };
      std::vector<Contestant> all{contestant("ranks", &RecordCase::by_ranks)};
      const char* order = bench.backend() == Backend::cuda ? "CUB sort of pairs, gather" : "counting sort, gather";
      all.push_back(contestant(order, &RecordCase::by_order));
#ifdef __CUDACC__
      if (bench.backend() == Backend::cuda) all.push_back(contestant("CUB sort of records", &RecordCase::by_sort));
#endif
      const auto samples = measure(bench, all);
      for (std::size_t i = 0; i < all.size(); ++i) {
        Figure figure{"binning",
                      name + "/" + all[i].name,
                      "G records/s",
                      {{"records", std::to_string(count)},
                       {"bins", std::to_string(c->grid.count())},
                       {"spread", clustered ? "clustered" : "uniform"},
                       {"verified_by", "every record there, bin after bin"}}};
        set_rates(figure, samples[i], static_cast<double>(count), 1e9);
        if (i) set_peer(figure, all[0].name, samples[i], samples[0]);
        // Two reads of a record, its rank written and read, and the record written.
        constexpr double least_bytes = 56;
        set_rate_share(bench, figure, "copy", 1e9 * least_bytes);
        figures.push_back(std::move(figure));
      }
    }
  return figures;
}

std::vector<Figure> histogram_figures(Bench& bench) {
  std::vector<Figure> figures;
  Queue& queue = bench.queue();
  const Backend backend = bench.backend();
  const std::uint64_t count = record_counts(bench, {26}, 18).front();
  for (const double bins : {512., 2048., 8192.}) {
    const auto used = static_cast<std::uint32_t>(bins);
    // An axis has at most 4,096 bins.
    const auto held = std::make_shared<RecordCase>(
        backend, count, make_bin_grid({0, 0, 0}, {1, 1, 1}, {std::min(bins, 4096.), std::max(1., bins / 4096.), 1}));
    launch_items("bench.keys", queue, count,
                 MakeKeys{held->keys.data(), held->records.data(), bench.fresh_seed(), used});
    std::vector<std::uint32_t> should(used);
    for (const std::uint32_t key : held->keys.download(queue)) ++should[key];
    const auto poison = [held](Queue& to) { fill_with_ones(to, held->counts.data(), held->counts.bytes()); };
    const auto right = [held, should](Queue& asked) {
      const auto found = held->counts.download(asked);
      return std::equal(should.begin(), should.end(), found.begin());
    };
    std::vector<Contestant> all{{"bins.histogram", [held](Queue& to) { held->histogram(to); }, poison, right}};
#ifdef __CUDACC__
    if (backend == Backend::cuda) {
      const auto count_keys = [held, count, used](void* memory, std::size_t& bytes, Queue& to) {
        WARPLOOM_CUDA(cub::DeviceHistogram::HistogramEven(
            memory, bytes, held->keys.data(), held->counts.data(), static_cast<int>(used) + 1, std::uint32_t{0}, used,
            static_cast<std::int64_t>(count), static_cast<cudaStream_t>(to.stream())));
      };
      std::size_t bytes = 0;
      count_keys(nullptr, bytes, queue);
      all.push_back({"CUB histogram of keys",
                     [held, count_keys, bytes](Queue& to) {
                       std::size_t given = bytes;
                       count_keys(held->scratch.bytes(std::max<std::size_t>(1, bytes)), given, to);
                     },
                     poison, right});
    }
#endif
    const auto samples = measure(bench, all);
    for (std::size_t i = 0; i < all.size(); ++i) {
      Figure figure{"binning",
                    "histogram/" + std::to_string(used) + "/" + all[i].name,
                    "G records/s",
                    {{"records", std::to_string(count)},
                     {"bins", std::to_string(used)},
                     {"bytes_read_a_record", i ? "4" : "16"},
                     {"gives", i ? "counts" : "counts, bins and ranks"}}};
      set_rates(figure, samples[i], static_cast<double>(count), 1e9);
      if (i == 0 && all.size() > 1) set_peer(figure, all[1].name, samples[0], samples[1]);
      figures.push_back(std::move(figure));
    }
  }
  return figures;
}

}  // namespace warploom::bench
