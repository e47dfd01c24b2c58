#include "viewer/model/glossary.h"

#include <unordered_map>

namespace warploom {

const std::vector<Term>& glossary() {
  static const std::vector<Term> terms{
      {"address", "Where a cell's value lies in memory, in bytes from the start of the track's state."},
      {"alone", "Only one track runs: there is nothing to seal it against."},
      {"astray", "A block that an inexact map sends to a place that is not its own: what it should serve is left out."},
      {"baseline",
       "The track that the others are held against: the first, or another by the command \"Ratios are against the "
       "active track\"."},
      {"beta", "What one map costs over another, measured alone: the time of its blocks over the time of the other's."},
      {"bin", "A box of the space, with the elements that lie in it: who is near is looked for in few bins."},
      {"block", "A group of threads that a launch starts together and that can share memory: blockIdx in CUDA."},
      {"bounding box",
       "The simplest map: one thread for every place of the box around the domain; those outside are wasted."},
      {"cell", "A place of the domain with a value. Its state is kept in memory and changed by every step."},
      {"cap", "The most elements that a bin has slots for; what is beyond it is spilled."},
      {"ceiling",
       "What memory does at most: bytes a second that a copy of data larger than every cache reads and writes, "
       "measured "
       "here. A state that fits the cache can pass 100 %."},
      {"closed form", "The number of threads a map launches by its formula, beside the number counted by running it."},
      {"coalescing", "Lanes of a warp that touch neighbouring bytes are served together: few sectors, little waiting."},
      {"compact bins", "As many slots as there are elements, bin after bin; where each begins is looked up."},
      {"cutoff", "Beyond this distance an element does not act on an output."},
      {"data space", "The domain itself: which cells there are and what they hold."},
      {"depth", "How many elements a bin holds."},
      {"domain", "All cells the program works on: a fractal, a triangle, a tetrahedron."},
      {"early item",
       "An item that lies before the first whole sector of its row of memory: the first block of the row serves it "
       "besides its own."},
      {"edited", "The state was painted, or a rule was changed in mid-run: parameters alone do not give this run."},
      {"embedded", "Cells are stored in the whole box, holes too: as many places as the box has."},
      {"full warp", "A warp with 32 useful threads; where threads serve several cells, all of them inside the domain."},
      {"idle warp", "A warp none of whose threads is useful: launched, and of no use at all."},
      {"inexact", "A map that computes its roots in rounded arithmetic and fails somewhere. It never shows a ratio."},
      {"interop",
       "Handing a picture from CUDA to OpenGL. GL zero-copy: nothing is copied; staged: through a buffer of the "
       "device; upload: through main memory."},
      {"interval", "Where the median ratio lies with 95 % certainty, by resampling the measured pairs (bootstrap)."},
      {"kernel", "A program that every thread of a launch runs. Its time is taken on the device, launch included."},
      {"gang", "Blocks that a GPU launches as one (a CTA): fewer to start, each with a barrier of its own."},
      {"item", "Which of the cells of its box a thread serves, counted along x, then y, then z."},
      {"lane", "A thread's place in its warp, 0 to 31."},
      {"launch grid", "What the GPU is asked for: blocks of threads in one to three dimensions."},
      {"launch order", "The number of a block in its launch."},
      {"layout",
       "In which order cells lie in memory: linear, blocked (a block's cells together), or in the whole box."},
      {"line", "128 bytes of memory that a cache holds together: four sectors."},
      {"lookup", "Inside a block every thread looks its cell up in a table."},
      {"map", "The function that tells a block and a thread which cell is theirs."},
      {"member", "A place of the box that belongs to the domain."},
      {"P5, P95, P99", "The times that 5, 95 and 99 of 100 samples do not pass."},
      {"padding", "Places of a layout that hold no cell; slots of bins that hold no element."},
      {"partial warp", "A warp with some useful threads, fewer than 32: the others wait for them."},
      {"ratio",
       "The time of the baseline over a track's, as the median over steps measured in pairs. Above 1 the track is "
       "faster. Shown only where both compute the same."},
      {"regular bins", "As many slots in every bin as the deepest needs: no look-up, and much padding."},
      {"rho", "The side of a block, in cells."},
      {"sample",
       "One measured run of a kernel in one step, between two events on the device, or by the clock on the CPU."},
      {"seal", "A hash of a track's whole state, taken after every step. Equal seals: all tracks computed the same."},
      {"sealed", "The track's state equals the others', cell by cell, at this step."},
      {"sector", "32 bytes: the least that memory hands over at once."},
      {"shape",
       "How work is shared out: the side of a block, the cells that a thread serves, the blocks that are launched as "
       "one. A map and a shape are chosen apart: at its best shape a bounding box is hardly slower."},
      {"slot", "A place in memory for one element of a bin."},
      {"spill", "What a bin has no slots for: the processor adds it to the outputs while the device gathers the rest."},
      {"sub-boxes", "Inside a block every thread tests its own place of the block's small box."},
      {"tau", "What a thread of a map costs over a thread of another, with the work."},
      {"thread", "One of a block's workers, by its place in the block: threadIdx in CUDA."},
      {"track", "One of the columns A to D: the same data and steps under a map of its own."},
      {"unroll", "Inside a block the map is applied once more, so that only threads with a cell are launched."},
      {"useful", "A thread that serves a cell of the domain; of bins: one that has an output to sum."},
      {"warp", "32 threads of a block that run together, in order of their numbers."},
      {"warp efficiency", "Useful threads over all lanes of all warps launched."},
      {"waste", "Threads that were launched and serve no cell, or no output."},
      {"work", "What every thread does with its cell: a rule of life, a sum, a distance to a point."},
  };
  return terms;
}

const std::string& meaning(const std::string& word) {
  // Asked for by every widget of every frame.
  static const std::unordered_map<std::string, std::string> all = [] {
    std::unordered_map<std::string, std::string> terms;
    for (const auto& term : glossary()) terms.emplace(term.word, term.text);
    return terms;
  }();
  static const std::string nothing;
  const auto found = all.find(word);
  return found == all.end() ? nothing : found->second;
}

}  // namespace warploom
