#include <cmath>
#include <limits>
#include <random>

#include "gpu/core/backend.h"
#include "gpu/core/buffer.h"
#include "gpu/core/divider.h"
#include "gpu/core/format.h"
#include "gpu/core/hash.h"
#include "gpu/core/launch.h"
#include "gpu/core/statistics.h"
#include "gpu/core/types.h"
#include "tests/files/files.h"

namespace warploom {
namespace {

// ---- division -------------------------------------------------------------------------------------------------------

void check_division(std::uint32_t divisor, std::uint32_t dividend) {
  const Divider divider(divisor);
  ASSERT_EQ(divider.quotient(dividend), dividend / divisor) << dividend << " / " << divisor;
  std::uint32_t rest = dividend;
  ASSERT_EQ(divider.split(rest), dividend / divisor);
  ASSERT_EQ(rest, dividend % divisor) << dividend << " % " << divisor;
}

TEST(Divider, SmallDivisorsAroundTheirMultiples) {
  for (std::uint32_t d = 1; d <= 4096; ++d) {
    const std::uint32_t most = 0xffffffffu / d * d;  // the largest multiple
    for (const std::uint32_t multiple :
         {0u, d, 2 * d, 7 * d, 65536u / d * d, 0x7fffffffu / d * d, 0x80000000u / d * d, most})
      for (const std::uint32_t step : {0xffffffffu, 0u, 1u}) check_division(d, multiple + step);
  }
}

TEST(Divider, LargeDivisors) {
  for (int bit = 1; bit < 32; ++bit)
    for (const std::uint32_t around : {0xffffffffu, 0u, 1u}) {
      const std::uint32_t d = (1u << bit) + around;
      for (const std::uint32_t n :
           {0u, 1u, d - 1, d, d + 1, 2 * d - 1, 2 * d, 0x7fffffffu, 0x80000000u, 0xfffffffeu, 0xffffffffu})
        check_division(d, n);
    }
  check_division(0xffffffffu, 0xffffffffu);
  check_division(0xffffffffu, 0xfffffffeu);
}

TEST(Divider, Random) {
  std::mt19937 draw(2026);
  for (int i = 0; i < 1'000'000 && !HasFailure(); ++i) {
    const std::uint32_t d = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(draw()) >> draw() % 32);
    check_division(d, static_cast<std::uint32_t>(draw()));
  }
}

TEST(Divider, Default) { EXPECT_EQ(Divider().quotient(0xffffffffu), 0xffffffffu); }

TEST(Types, UnfoldIsTheInverseOfLinearIndex) {
  const Index3 extent{5, 3, 4};
  for (std::uint64_t i = 0; i < volume(extent); ++i) EXPECT_EQ(linear_index(unfold(i, extent), extent), i);
  EXPECT_EQ(volume({65536, 65536, 65536}), std::uint64_t{1} << 48);
}

// ---- figures --------------------------------------------------------------------------------------------------------

TEST(Statistics, AgainstHandComputedValues) {
  const std::vector<double> odd{5, 1, 4, 2, 3};
  const Summary five = summarize(odd);
  EXPECT_EQ(five.samples, 5u);
  EXPECT_DOUBLE_EQ(five.median, 3);
  EXPECT_DOUBLE_EQ(five.p5, 1.2);
  EXPECT_DOUBLE_EQ(five.p95, 4.8);
  EXPECT_DOUBLE_EQ(five.p99, 4.96);
  EXPECT_DOUBLE_EQ(five.minimum, 1);
  EXPECT_DOUBLE_EQ(summarize(std::vector<double>{4, 1, 3, 2}).median, 2.5);
  const Summary one = summarize(std::vector<double>{7});
  EXPECT_DOUBLE_EQ(one.median, 7);
  for (const double percentile : {one.p5, one.p95, one.p99}) EXPECT_TRUE(std::isnan(percentile)) << "of one sample";
  EXPECT_EQ(summarize({}).samples, 0u);
  EXPECT_EQ(summarize({}).median, 0);
}

TEST(Statistics, PairedRatio) {
  const std::vector<double> same{1, 2, 3, 4, 5};
  const Ratio equal = paired_ratio(same, same);
  EXPECT_EQ(equal.pairs, 5u);
  EXPECT_EQ(equal.median, 1);
  EXPECT_EQ(equal.low, 1);
  EXPECT_EQ(equal.high, 1);

  std::mt19937 draw(3);
  std::normal_distribution<double> noise(0, .1);
  int covered = 0;
  for (int round = 0; round < 100; ++round) {
    std::vector<double> slow, fast;
    for (int i = 0; i < 101; ++i) fast.push_back(1), slow.push_back(2 + noise(draw));
    const Ratio ratio = paired_ratio(slow, fast, 200);
    EXPECT_LE(ratio.low, ratio.median);
    EXPECT_LE(ratio.median, ratio.high);
    covered += ratio.low <= 2 && 2 <= ratio.high;
    EXPECT_LT(ratio.high - ratio.low, .15);
  }
  EXPECT_GE(covered, 85);  // a 95 % interval

  const Ratio short_one = paired_ratio(std::vector<double>{6, 9, 9}, std::vector<double>{2, 0});
  EXPECT_EQ(short_one.pairs, 1u);  // nothing is divided by zero, or by what is not there
  EXPECT_EQ(short_one.median, 3);
  const Ratio none = paired_ratio({}, same);
  EXPECT_EQ(none.pairs, 0u);
  EXPECT_EQ(none.median, 1);
  const std::vector<double> numerator{2, 4, 4, 8}, denominator{2, 2, 1, 1};
  EXPECT_DOUBLE_EQ(paired_ratio(numerator, denominator).median, 3);
  EXPECT_DOUBLE_EQ(paired_ratio(numerator, denominator, 0).low, 3);
}

TEST(CellHash, KnownValues) {
  // From an independent script, with arbitrary precision.
  EXPECT_EQ(cell_hash(0, 0, 0), 0xe220a8397b1dcdafu);
  EXPECT_EQ(cell_hash(1, 0, 0), 0x910a2dec89025cc1u);
  EXPECT_EQ(cell_hash(0, 1, 0), 0x6e789e6aa1b965f4u);
  EXPECT_EQ(cell_hash(0, 0, 1), 0x46093cf9861ec2e4u);
  EXPECT_EQ(cell_hash(42, 65535, 65535), 0x92c25a6fa0054eeeu);
  EXPECT_EQ(cell_hash(~std::uint64_t{0}, 4294967295, 7), 0x3e833508a1dc9fdeu);
  EXPECT_TRUE(chosen(0, 1e-300));
  EXPECT_FALSE(chosen(0, 0));
  EXPECT_TRUE(chosen(~std::uint64_t{0}, 1));
  EXPECT_FALSE(chosen(std::uint64_t{1} << 63, .5));
  EXPECT_TRUE(chosen((std::uint64_t{1} << 63) - 1, .5));
  EXPECT_EQ(text_hash(""), 0xcbf29ce484222325u);
  EXPECT_EQ(text_hash("a"), 0xaf63dc4c8601ec8cu);  // published FNV-1a vectors
  EXPECT_EQ(text_hash("foobar"), 0x85944171f73967e8u);
}

// ---- words ----------------------------------------------------------------------------------------------------------

TEST(Nearest, FewestEdits) {
  const std::vector<std::string> words{"bounding_box", "lambda_serial", "lambda_table"};
  EXPECT_EQ(nearest("lamda_table", words), "lambda_table");
  EXPECT_EQ(nearest("bounding-box", words), "bounding_box");
  EXPECT_EQ(nearest("ab", {"xy", "ba"}), "ba");  // a swap is one edit
  EXPECT_EQ(nearest("", {"long", "s"}), "s");
  EXPECT_EQ(nearest("x", {}), "");
  EXPECT_EQ(unknown_message("track", "lifes", {"life", "map"}),
            "unknown track 'lifes'; did you mean 'life'? (known: life, map)");
  EXPECT_EQ(join({"a", "b"}, "/"), "a/b");
  EXPECT_EQ(join({}), "");
}

TEST(Words, BytesAndGroups) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(1023), "1023 B");
  EXPECT_EQ(bytes_text(1024), "1.00 KiB");
  EXPECT_EQ(bytes_text(1536), "1.50 KiB");
  EXPECT_EQ(bytes_text(0x1p34), "16.00 GiB");
  EXPECT_EQ(bytes_text(0x1p80), "1.00 YiB");
  EXPECT_EQ(bytes_text(0x1p95), "32768.00 YiB");
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1 000");
  EXPECT_EQ(grouped(1234567), "1 234 567");
  EXPECT_EQ(grouped(~0ull), "18 446 744 073 709 551 615");
}

// ---- memory ---------------------------------------------------------------------------------------------------------

TEST(Buffer, ComesAndBecomesZeroed) {
  Queue queue(Backend::cpu, false, 1);
  for (const std::uint64_t size : {1u, 4095u, 4097u, (1u << 24) + 5u}) {  // the last is zeroed by giving pages back
    Buffer<std::uint8_t> buffer(Backend::cpu, size);
    EXPECT_EQ(buffer.data()[0] + buffer.data()[size - 1], 0);
    buffer.data()[0] = buffer.data()[size - 1] = buffer.data()[size / 2] = 9;
    buffer.zero(queue);
    EXPECT_EQ(buffer.data()[0] + buffer.data()[size - 1] + buffer.data()[size / 2], 0);
  }
  EXPECT_EQ(Buffer<int>(Backend::cpu, 0).data(), nullptr);
}

TEST(Buffer, MovesAndTransfers) {
  Queue queue(Backend::cpu, false, 1);
  Buffer<std::uint32_t> from(Backend::cpu, 4), to;
  from.upload(queue, std::vector<std::uint32_t>{1, 2, 3, 4});
  to = std::move(from);
  EXPECT_EQ(to.download(queue), (std::vector<std::uint32_t>{1, 2, 3, 4}));
  Buffer<std::uint32_t> third(std::move(to));
  EXPECT_EQ(third.size(), 4u);
  EXPECT_EQ(third.bytes(), 16u);
  Buffer<std::uint32_t> copy(Backend::cpu, 4);
  copy_bytes(queue, copy.data(), third.data(), 16);
  EXPECT_EQ(copy.download(queue)[3], 4u);
  EXPECT_THROW(Buffer<std::uint8_t>(Backend::cpu, std::uint64_t{1} << 60), UsageError);
}

struct Nothing {
  template <class Group>
  WARPLOOM_HD void operator()(Group&) const {}
};
// It would run on the CPU, over memory of the device.
TEST(Launches, OfASourceWithoutTheDeviceAreRefusedThere) {
  if (!cuda_status().usable) GTEST_SKIP() << "no device";
  Queue queue(Backend::cuda);
  EXPECT_THROW(launch("test.nothing", queue, row_shape(1), Nothing{}), Error);
}

TEST(Backend, Choice) {
  EXPECT_EQ(choose_backend("cpu"), Backend::cpu);
  EXPECT_EQ(choose_backend("auto"), cuda_status().usable ? Backend::cuda : Backend::cpu);
  EXPECT_THROW(choose_backend("cud"), UsageError);
  EXPECT_THROW(choose_backend(""), UsageError);
  if (!cuda_status().usable) {
    EXPECT_THROW(choose_backend("cuda"), CudaUnavailable);
    EXPECT_NE(cuda_status().problem, "");
    EXPECT_NE(cuda_status().remedy, "");
  }
  EXPECT_GT(free_bytes(Backend::cpu), 0u);
}

/// What the kernel keeps of files that were read is given back when memory is asked for: it is free.
TEST(Backends, PageCacheOfAContainerIsFree) {
  const TemporaryFolder folder;
  const auto write = [&](const char* name, const char* text) { std::ofstream(folder / name) << text; };
  const auto free = [&] { return free_in_container(folder.path.string()); };
  constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(free(), no_limit) << "no cgroup";
  write("memory.max", "1000000\n");
  write("memory.current", "900000\n");
  EXPECT_EQ(free(), 100'000u);
  write("memory.stat", "anon 100000\nfile 800000\ninactive_file 700000\nactive_file 100000\n");
  EXPECT_EQ(free(), 800'000u);
  write("memory.current", "1200000\n");
  EXPECT_EQ(free(), 500'000u);
  write("memory.stat", "inactive_file 9000000\n");
  EXPECT_EQ(free(), 1'000'000u) << "never more than the limit";
  write("memory.max", "max\n");
  EXPECT_EQ(free(), no_limit);
  EXPECT_GE(cpu_threads(), 1u);
}

}  // namespace
}  // namespace warploom
