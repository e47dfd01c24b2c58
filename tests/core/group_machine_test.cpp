#include <algorithm>

#include "gpu/core/product.h"
#include "tests/core/groups.h"
#include "tests/files/files.h"

// What the hardware does for a warp or a block at once: votes as words, copies into shared memory that no register
// sees, products of matrices. Against plain serial loops.

namespace warploom {
namespace {

class GroupMachine : public Groups {};
WARPLOOM_UNDER_EVERY_GROUP(GroupMachine);

WARPLOOM_HD bool flag_of(std::uint64_t block, std::uint64_t thread, unsigned round) {
  return brought(block, thread, round) % 3 == 0;
}

// ---- votes

/// Every thread is told its warp's word.
struct WarpWords {
  static constexpr unsigned rounds = 4;
  std::uint64_t* out;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    typename Group::template PerThread<bool> flags;
    typename Group::template PerThread<std::uint32_t> votes;
    for (unsigned round = 0; round < rounds; ++round) {
      group.each([&](const Thread& thread) { flags[thread] = flag_of(group.block_number(), thread.index, round); });
      group.warp_ballot(flags, votes);
      group.each([&](const Thread& thread) {
        out[group.block_number() * group.size() + thread.index] += std::uint64_t{votes[thread]} << round;
      });
    }
  }
};

TEST_P(GroupMachine, WarpBallotIsTheWordOfTheOwnWarp) {
  check_threads<WarpWords>([](const LaunchShape& shape, std::uint64_t block, std::uint64_t thread) {
    std::uint64_t total = 0;
    for (unsigned round = 0; round < WarpWords::rounds; ++round) {
      std::uint32_t word = 0;
      for (std::uint64_t t = thread / 32 * 32; t < std::min(thread / 32 * 32 + 32, volume(shape.threads)); ++t)
        word |= std::uint32_t{flag_of(block, t, round)} << (t % 32);
      total += std::uint64_t{word} << round;
    }
    return total;
  });
}

// ---- copies without registers

/// Batches of a value a thread, one in use while the next two are on their way.
template <class Value>
struct Pipeline {
  static constexpr unsigned batches = 7, ahead = 2, most = 512;
  template <class Group>
  struct Shared {
    typename Group::template Tile<Value, (ahead + 1) * most> tile;
  };
  const Value* from;  ///< [batches, threads of the block]
  std::uint64_t* out;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group, Shared<Group>& shared) const {
    for (unsigned batch = 0; batch < ahead; ++batch) start(group, shared, batch);
    for (unsigned batch = 0; batch < batches; ++batch) {
      start(group, shared, batch + ahead);
      group.template copied<ahead>();
      group.barrier();
      group.each([&](const Thread& thread) {
        const unsigned neighbour = (thread.index + 1) % group.size();
        const Value found = shared.tile[batch % (ahead + 1) * most + neighbour];
        out[group.block_number() * group.size() + thread.index] += (batch + 1) * std::uint64_t{found};
      });
      group.barrier();
    }
  }

 private:
  template <class Group>
  WARPLOOM_HD void start(Group& group, Shared<Group>& shared, unsigned batch) const {
    if (batch < batches)
      group.each([&](const Thread& thread) {
        group.copy_async(shared.tile, batch % (ahead + 1) * most + thread.index,
                         from + batch * group.size() + thread.index);
      });
    group.end_copies();
  }
};

template <class Value>
Value sent(std::uint64_t batch, std::uint64_t thread) {
  return static_cast<Value>(key_hash(batch, thread));
}

TEST_P(GroupMachine, CopiesArriveBatchByBatch) {
  const auto check = [&]<class Value>(Value) {
    for (const std::uint32_t threads : {1u, 32u, 33u, 512u}) {
      using Program = Pipeline<Value>;
      std::vector<Value> values;
      for (unsigned batch = 0; batch < Program::batches; ++batch)
        for (std::uint32_t t = 0; t < threads; ++t) values.push_back(sent<Value>(batch, t));
      Buffer<Value> from(backend(), values.size());
      from.upload(*queue, values);
      const LaunchShape shape{{3, 1, 1}, {threads, 1, 1}};
      Buffer<std::uint64_t> out(backend(), shape.thread_count());
      out.zero(*queue);
      run(shape, Program{from.data(), out.data()});
      const auto found = out.download(*queue);
      for (std::uint64_t i = 0; i < found.size(); ++i) {
        std::uint64_t wanted = 0;
        for (unsigned batch = 0; batch < Program::batches; ++batch)
          wanted += (batch + 1) * std::uint64_t{sent<Value>(batch, (i % threads + 1) % threads)};
        ASSERT_EQ(found[i], wanted) << threads << " threads, " << sizeof(Value) << " bytes, slot " << i;
      }
    }
  };
  check(std::uint32_t{});
  check(std::uint64_t{});
}

/// A barrier before what was copied is there.
struct Forgetful {
  template <class Group>
  struct Shared {
    typename Group::template Tile<std::uint32_t, max_block_threads> tile;
  };
  const std::uint32_t* from;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group, Shared<Group>& shared) const {
    group.each([&](const Thread& thread) { group.copy_async(shared.tile, thread.index, from + thread.index); });
    group.end_copies();
    group.barrier();
  }
};

TEST(GroupMachineFaults, ABarrierDoesNotWaitForCopies) {
  Queue queue(Backend::cpu, false, 1);
  const std::vector<std::uint32_t> from(64);
  EXPECT_THROW(
      detail::launch_on_cpu<CheckedGroup>("test.group", queue, {{1, 1, 1}, {64, 1, 1}}, Forgetful{from.data()}),
      GroupError);
}

/// As many batches under way as the ring holds, of which it reads one that it has not waited for.
template <unsigned waited>
struct Hasty {
  static constexpr unsigned ahead = 2, threads = 64;
  template <class Group>
  struct Shared {
    typename Group::template Tile<std::uint32_t, (ahead + 1) * threads> tile;
  };
  const std::uint32_t* from;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group, Shared<Group>& shared) const {
    for (unsigned batch = 0; batch <= ahead; ++batch) {
      group.each([&](const Thread& thread) {
        group.copy_async(shared.tile, batch * threads + thread.index, from + thread.index);
      });
      group.end_copies();
    }
    group.template copied<waited>();
    group.barrier();
    group.each([&](const Thread& thread) { (void)std::uint32_t{shared.tile[thread.index]}; });
  }
};

TEST(GroupMachineFaults, ABatchIsReadBeforeItIsWaitedFor) {
  Queue queue(Backend::cpu, false, 1);
  const std::vector<std::uint32_t> from(64);
  const LaunchShape shape{{1, 1, 1}, {64, 1, 1}};
  EXPECT_NO_THROW(detail::launch_on_cpu<CheckedGroup>("test.group", queue, shape, Hasty<2>{from.data()}));
  const auto hasty = [&] { detail::launch_on_cpu<CheckedGroup>("test.group", queue, shape, Hasty<3>{from.data()}); };
  expect_parts(message_of<GroupError>(hasty), {"copied() has not waited for its batch"});
}

// ---- products

/// Elements small enough for both kinds of operands to be exact, unlike in every place.
WARPLOOM_HD std::uint32_t element(std::uint64_t block, std::uint64_t matrix, unsigned row, unsigned column) {
  return static_cast<std::uint32_t>(key_hash(block * 3 + matrix, row * 16 + column) % 200);
}

/// Two products, the second's C from what threads read of the first.
template <class Operands>
struct Products {
  std::uint64_t* out;  ///< [blocks, 256]
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    using Sum = typename Operands::Sum;
    const std::uint64_t block = group.block_number();
    const auto a = [&](unsigned i, unsigned k) { return element(block, 0, i, k); };
    const auto b = [&](unsigned k, unsigned j) { return element(block, 1, k, j); };
    for (unsigned turn = 0; turn < 2; ++turn) {
      const auto& d = group.template product<Operands>(
          a, b, [&](unsigned i, unsigned j) { return static_cast<Sum>(element(block, 2, i, j) + turn); });
      group.each([&](const Thread& thread) {
        for (unsigned i = thread.index; i < 256; i += group.size())
          out[block * 256 + i] += static_cast<std::uint64_t>(d.at(i / 16, i % 16)) << 32 * turn;
      });
    }
  }
};

TEST_P(GroupMachine, ProductsAreExactWhereOperandsAre) {
  const auto check = [&]<class Operands>(Operands) {
    for (const std::uint32_t threads : {32u, 33u, 64u, 96u, 256u, 1024u}) {
      const LaunchShape shape{{4, 1, 1}, {threads, 1, 1}};
      Buffer<std::uint64_t> out(backend(), 4 * 256);
      out.zero(*queue);
      run(shape, Products<Operands>{out.data()});
      const auto found = out.download(*queue);
      for (unsigned block = 0; block < 4; ++block)
        for (unsigned i = 0; i < 16; ++i)
          for (unsigned j = 0; j < 16; ++j) {
            std::uint64_t sum = element(block, 2, i, j);
            for (unsigned k = 0; k < 16; ++k) sum += std::uint64_t{element(block, 0, i, k)} * element(block, 1, k, j);
            ASSERT_EQ(found[block * 256 + i * 16 + j], sum + ((sum + 1) << 32)) << threads << ' ' << i << ' ' << j;
          }
    }
  };
  check(HalfOperands{});
  check(ByteOperands{});
}

/// D[i][0] = what a 16-bit float keeps of an element of A.
struct Rounded {
  const float* values;  ///< 16
  std::uint32_t* out;   ///< 16, the sums' bits
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    const auto& d = group.template product<HalfOperands>(
        [&](unsigned i, unsigned k) { return k == 0 ? values[i] : 0.f; },
        [](unsigned k, unsigned j) { return k == 0 && j == 0 ? 1.f : 0.f; }, [](unsigned, unsigned) { return 0.f; });
    group.each([&](const Thread& thread) {
      if (thread.index < 16) out[thread.index] = static_cast<std::uint32_t>(d.at(thread.index, 0));
    });
  }
};

TEST_P(GroupMachine, OperandsAreRoundedTo16BitFloats) {
  // 2048 + 1 lies between two, nearest even; 59049 = 3^10 has 16 bits of which 11 are kept: 59040.
  const std::vector<float> values{0,    1,    2047, 2048, 2049, 2050, 2051,  4097,
                                  4098, 4099, 6561, 2187, 729,  729,  59049, 65504};
  const std::vector<std::uint32_t> wanted{0,    1,    2047, 2048, 2048, 2050, 2052,  4096,
                                          4096, 4100, 6560, 2188, 729,  729,  59040, 65504};
  Buffer<float> from(backend(), 16);
  Buffer<std::uint32_t> out(backend(), 16);
  from.upload(*queue, values);
  run({{1, 1, 1}, {64, 1, 1}}, Rounded{from.data(), out.data()});
  EXPECT_EQ(out.download(*queue), wanted);
}

TEST(GroupMachineFaults, AProductNeedsAWarp) {
  Queue queue(Backend::cpu, false, 1);
  std::vector<std::uint64_t> out(256);
  EXPECT_THROW(detail::launch_on_cpu<CheckedGroup>("test.group", queue, {{1, 1, 1}, {31, 1, 1}},
                                                   Products<ByteOperands>{out.data()}),
               GroupError);
}

}  // namespace
}  // namespace warploom
