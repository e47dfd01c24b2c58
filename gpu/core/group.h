#pragma once
#include "gpu/core/cpu_group.h"
#include "gpu/core/program.h"
#include "gpu/core/solo_group.h"
#include "gpu/core/thread.h"

#ifdef __CUDACC__
#include "gpu/core/cuda_group.h"
#endif
#ifdef WARPLOOM_CHECK_GROUPS
#include "gpu/core/checked_group.h"
#endif

// The group contract
// ------------------
// A group program is the code of one block, written once for CUDA and the CPU. *Thread* is threadIdx, *lane* a thread's
// place in its warp. What stands outside the calls below is uniform code: every thread of the block runs it, with the
// same values; on the CPU it runs once.
//
//   on_device           a constant of the class: what differs between processors, and is no matter of results, asks it.
//
// For each thread
//   each(f)             f(Thread) in every thread, in any order. NO barrier, neither before nor after.
//   once(f)             f() in thread 0. No barrier.
//   pause(looks = 0)    in a loop that waits for another block, inside each or once: on the CPU gives the core away for
//                       a moment, and throws Cancelled when the launch was given up, as what it waits for may never
//                       come. A device sleeps the longer, up to two microseconds, the more often a thread has looked in
//                       vain: those who work have the memory to themselves.
//   PerThread<Value>    a value of each thread: a register on CUDA. `x[thread]` is of the thread that runs, inside each
//                       (`x[lane]` inside each_in_warp), and of no other. Undefined before it is set.
//
// Shared memory
//   barrier()           what one thread put into shared memory another sees only after a barrier; and what one has read
//                       another may overwrite only after a barrier.
//   warp_barrier()      the same among the threads of each warp alone.
//   Tile<Value, count>  an array in shared memory: a member of the program's Shared struct (program.h). Undefined
//                       before it is set, in each block anew. Its values are read and written whole: `x = tile[i]`,
//                       `tile[i] = x`, `tile[i] += x`; never `auto x = tile[i]`. Uniform code may read it; it is
//                       written in each, once and the like, where one thread does it.
//   dynamic_tile<Value>(count, first_byte = 0)
//                       `count` values from that byte on of the program's dynamic shared memory (program.h). Two that
//                       overlap are the same memory. first_byte is a multiple of the alignment of Value.
//
//   tile_maximum(tile, i, value)
//                       inside each: tile[i] becomes the largest of what it is and of what threads, any number of them,
//                       raise it to: a std::uint32_t or std::uint64_t. It was set before, and a barrier lies between
//                       this and every other access of the place, of the same thread, too.
//   copy_async(tile, i, from)
//                       inside each: *from of global memory becomes tile[i], a value of 4, 8 or 16 bytes on as many,
//                       without a register of the thread on its way. It is there after copied() and a barrier.
//   copy_async_or_zero(tile, i, from, there)
//                       the same, or zero where `there` is false: then nothing is read.
//   end_copies()        uniform code: what was copied since the last call is a batch.
//   copied<newest = 0>()    uniform code: waits for all batches but the newest ones. No barrier.
//
// Launches that begin early (program.h)
//   after_previous()    waits until all that was launched before in the queue is done, and its memory written. Reached
//                       by all threads before they touch what earlier launches touched. Else nothing.
//   next_may_begin()    inside each or not: what was launched after this, if it begins early, need not wait for this
//                       launch to end, but for its after_previous.
//
// Collectives: reached by all threads of the block (of the warp, where so said), never inside each. Some contain
// barriers on CUDA; which, depends on the size of the block: do not rely on them.
//   sum(x)              the sum over the block, the same in every thread. Barriers, above one warp.
//   exclusive_sum(x)    each thread's x becomes the sum over the threads before it; returns the sum over the block, the
//                       same in every thread. Barriers, above one warp.
//   product<Operands>(a, b, c)
//                       D = A B + C of 16 x 16 numbers (product.h), where a(row, column) and so on are the elements:
//                       by a tensor core. Of blocks of 32 threads and more. What it returns every thread may read until
//                       the next product of the block. Barriers.
//   sum_once(x, f, again)   f(sum over the block) in thread 0. Barriers, above one warp.
//   same(f, again)      f() where it is the same in every thread, computed by all or by a few of them: f reads what all
//                       threads read and writes nothing. Barriers, from four warps on. Its value is trivially copyable.
//     `again`: this call may have been reached before in this block with no barrier since; false saves a barrier.
//   each_in_warp(f)     f(WarpLane) in every lane of every warp. No barrier.
//   warp_sum(x, items)  the sum over the warp of what each_in_warp set, of which only the first `items` lanes differ
//                       from zero; the same in every lane, and, as all else in uniform code, in every warp. No barrier.
//   each_warp_sum(x, f) f(number of the warp, sum over it) once for each warp whose sum is not zero; several warps may
//                       come as one. In the first lane. No barrier.
//   each_warp_count(flags, f)
//                       f(threads the warp has, in how many the flag is set) once for each warp, in its first lane. No
//                       barrier.
//   warp_ranks(flags, ranks)
//                       each thread's rank becomes how many threads before it in its warp have the flag. No barrier.
//   warp_segmented_sum(values, heads)
//                       each thread's value becomes the sum over it and the threads before it in its warp, from the
//                       last of them on whose head is set; a warp begins as if one were. No barrier.
//   warp_ballot(flags, votes)
//                       each thread's vote becomes a word whose bit i is the flag of lane i of its warp; 0 of lanes
//                       that are not live. No barrier.
//   ballot(flags)       of a block of one warp at most: a word whose bit i is the flag of thread i, the same in every
//                       thread. No barrier.
//   shuffle(values, lanes, to)
//                       each thread's `to` becomes the value of the lane of its warp that it names, which must be live.
//                       No barrier. Values are trivially copyable, of whole 4-byte words.
//   each_warp_distinct(flags, keys, f)
//                       f(how many different keys the threads with a flag hold) once for each warp, in its first lane.
//                       No barrier.
//
// CpuGroup trusts its program. CheckedGroup runs in its place in debug and sanitizer builds, and throws GroupError for
// what breaks this contract.

namespace warploom {

/// Calls body(i) for the item i that each thread of a row of blocks stands for (row_shape), where there is one. No
/// barrier, as in each.
template <class Group, class Body>
WARPLOOM_HD void each_item(Group& group, std::uint64_t count, Body&& body) {
  const std::uint64_t first = group.block_number() * group.size();
  group.each([&](const Thread& thread) {
    if (first + thread.index < count) body(first + thread.index);
  });
}

}  // namespace warploom
