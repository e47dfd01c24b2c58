#include "viewer/model/scene_parts.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <unordered_map>

namespace warploom {

std::vector<Term> base_terms() {
  return {
      {"address", "Where a cell's value lies in memory, in bytes from the start of the track's state."},
      {"alone", "Only one track runs: there is no other seal to compare with."},
      {"mis-mapped",
       "A block that an inexact map sends to a wrong place: the cells that it should serve are left out."},
      {"all-gather", "An exchange in which every device sends the same to all others: the border words of a fractal."},
      {"all-to-all", "An exchange in which every device has a part for each of the others: that of a transform."},
      {"baseline",
       "The track that the others are compared with: the first, or another by the command \"Use the active track as "
       "the baseline\"."},
      {"block", "A group of threads that a launch starts together and that can share memory: blockIdx in CUDA."},
      {"bounding box",
       "The simplest map: one thread for every place of the box around the domain; those outside are wasted."},
      {"cell", "A place of the domain with a value. Its state is kept in memory and changed by every step."},
      {"ceiling",
       "The most that memory does: bytes per second that a copy of data larger than every cache reads and writes, "
       "measured here. A state that fits the cache can pass 100 %."},
      {"closed form", "The number of threads a map launches by its formula, next to the number counted in a run."},
      {"border word",
       "A word of a sliced state with a neighbour in other lanes: all that several devices tell each other."},
      {"coalescing",
       "Accesses of a warp's lanes to neighbouring bytes are served together: fewer sectors, less waiting."},
      {"data space", "The domain itself: its cells and their values."},
      {"device", "A GPU, or a pool of CPU threads that stands for one."},
      {"domain", "All cells that are worked on: a fractal, a triangle, a tetrahedron."},
      {"edited",
       "The state was painted, or a rule changed in mid-run: the parameters alone do not reproduce this run."},
      {"full warp", "A warp with 32 useful threads; where threads serve several cells, all of them inside the domain."},
      {"idle warp", "A warp none of whose threads is useful: launched for nothing."},
      {"inexact", "A map that computes its roots in rounded arithmetic and fails somewhere. It never shows a ratio."},
      {"interop",
       "How a picture gets from CUDA to OpenGL. GL zero-copy: without a copy; staged: through a device buffer; upload: "
       "through main memory."},
      {"interval", "The 95 % confidence interval of the median ratio, by resampling the measured pairs (bootstrap)."},
      {"kernel", "A program that every thread of a launch runs. It is timed on the device, launch included."},
      {"lane", "A thread's place in its warp, 0 to 31."},
      {"launch grid", "The blocks of threads that a launch starts, in one to three dimensions."},
      {"launch order", "The number of a block in its launch."},
      {"layout", "The order of cells in memory: linear, blocked (a block's cells together), or in the whole box."},
      {"line", "128 bytes of memory that a cache stores as one line: four sectors."},
      {"link",
       "What joins devices, and carries values from one to another: NVLink, PCI Express, or copies between pools."},
      {"map", "The function from a block and a thread to the cell that they serve."},
      {"P5, P95, P99", "Percentiles: 5, 95 and 99 of 100 samples take no longer. One sample has none."},
      {"padding", "Places of a layout that hold no cell; slots of bins that hold no element."},
      {"partial warp", "A warp with some useful threads, fewer than 32: the others wait for them."},
      {"peer access", "A device that reads and writes another one's memory by itself, without the host."},
      {"ratio",
       "The baseline's time divided by the track's: the median over steps measured in pairs. Above 1 the track is "
       "faster. Shown only if both compute the same."},
      {"sample",
       "One measured run of a kernel in one step, between two events on the device, or by the clock on the CPU."},
      {"seal",
       "A hash of a track's whole state, taken after every step. Equal seals mean that all tracks computed the same."},
      {"sealed", "The track's state equals the others', cell by cell, at this step."},
      {"sector", "32 bytes: the smallest amount that memory transfers."},
      {"thread", "One of the threads of a block, identified by its place in it: threadIdx in CUDA."},
      {"track", "One of the columns A to D: each runs the same data and steps under its own map."},
      {"useful", "A thread that serves a cell of the domain or, in bins, has an output to sum."},
      {"warp", "32 threads of a block with consecutive numbers that run together."},
      {"warp efficiency", "Useful threads divided by all lanes of all launched warps."},
      {"waste", "Threads that were launched but serve no cell or output."},
      {"work", "What every thread does at its cell: a life-like rule, a sum, a distance between points."},
  };
}

const std::vector<Term>& glossary() {
  static std::vector<Term> terms;
  if (terms.size() == known_parts().terms.size()) return terms;
  terms = known_parts().terms;
  const auto small = [](char letter) { return std::tolower(static_cast<unsigned char>(letter)); };
  std::ranges::sort(terms, [&](const Term& one, const Term& other) {
    return std::ranges::lexicographical_compare(std::string_view(one.word), std::string_view(other.word), {}, small,
                                                small);
  });
  return terms;
}

const std::string& meaning(const std::string& word) {
  // Every widget of every frame asks: looked up in a map, made again when a scene came.
  static std::unordered_map<std::string, std::string> all;
  if (all.size() != known_parts().terms.size()) {
    all.clear();
    for (const Term& term : known_parts().terms) all.emplace(term.word, term.text);
  }
  static const std::string nothing;
  const auto found = all.find(word);
  return found == all.end() ? nothing : found->second;
}

std::string meaning_of_label(std::string_view label) {
  std::string word(label.substr(0, label.find(" \u00b7 ")));
  // "P95" and "KERNEL" are written as the glossary has them, or as words in a sentence are.
  if (const std::string& own = meaning(word); !own.empty()) return own;
  std::ranges::transform(word, word.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (const std::string& own = meaning(word); !own.empty() || !word.ends_with('s')) return own;
  return meaning(word.substr(0, word.size() - 1));
}

}  // namespace warploom
