#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpu/core/buffer.h"
#include "gpu/core/types.h"
#include "gpu/own/runner.h"

namespace warploom {

/// How an own map keeps its contract: every cell of the domain is served exactly once.
struct Judgement {
  bool whole = false;                               ///< every visit was asked
  double share = 0;                                 ///< of the visits that were asked so far, 0..1
  std::uint64_t visits = 0;                         ///< threads launched, turns counted
  std::uint64_t cells = 0;                          ///< of the domain
  std::uint64_t served = 0;                         ///< visits that landed on a cell
  std::uint64_t missed = 0, doubled = 0;            ///< cells of no visit, and of more than one
  std::uint64_t outside = 0;                        ///< visits whose answer is neither a cell nor nowhere
  std::optional<Cell> first_missed, first_doubled;  ///< row by row
  double milliseconds = 0;
  bool refused = false;  ///< it is a kernel, whose writes outside were refused
  /// Of threads, 0..1.
  double waste() const { return visits ? 1 - static_cast<double>(served) / static_cast<double>(visits) : 0; }
  /// A cell that is missed, else one that is served more than once.
  std::optional<Cell> first_wrong() const { return first_missed ? first_missed : first_doubled; }
  bool keeps() const { return whole && missed == 0 && doubled == 0 && !refused; }
};

/// What is to be said of an own map.
struct OwnState {
  std::string name, file, kind, form, hash, compiler;
  double compile_ms = 0;
  bool cached = false;
  bool trusted = false;  ///< steps without tests that no answer needs
  Judgement judgement;
  std::optional<OwnFault> fault;

  /// Not all of it is known yet: what runs is the checked map, and there are no figures.
  bool judging() const { return kind != "rule" && !fault && !judgement.whole; }
  /// What spoils its figures, in two words; empty: nothing.
  const char* badge() const {
    if (fault) return fault->kind == "time" ? "NO END" : "FELL";
    return judgement.whole && !judgement.keeps() ? "CONTRACT BROKEN" : "";
  }
};

/// What is wrong with it, a line each, as the command line says it.
std::vector<std::string> complaints(const OwnState& own, int dimensions);

/// The same as a predicate: "misses 392 cells, the first (32, 32)". Of one that is broken.
std::string verdict_words(const OwnState& own, int dimensions);

/// Memory that judging fills, of shared pages: what own::Judge writes, and what is read of it.
class JudgedTables {
 public:
  /// `places`: marks a map has, by the number of a place. `visits`: of blocks, each of so many threads. Zeroed.
  JudgedTables(Queue& queue, std::uint64_t places, std::uint64_t visits, std::uint64_t threads, bool places_blocks);

  /// Once it is judged: from now on its own memory of the host, which no map can write, without what cannot be: visits
  /// of threads from `visits` on, and blocks from `blocks` on. Owners are numbered by visit: judging runs all turns of
  /// a block before the next block.
  void take(Queue& queue, std::uint64_t visits, std::uint64_t blocks, const own::Launches& launches);

  /// Where they lie, for the arguments of a run.
  void place_into(own::Arguments& with) const;
  std::uint64_t bytes() const;

  bool once(std::uint64_t place) const { return bit(once_.data(), place); }
  bool twice(std::uint64_t place) const { return bit(twice_.data(), place); }
  const std::uint32_t* threads() const { return threads_.data(); }
  static constexpr std::uint64_t most_places_with_owner = 1u << 24;
  /// The least visit of a thread that serves a place; null where there are more places.
  const std::uint64_t* owner() const { return owner_.data(); }
  const std::uint16_t* useful() const { return useful_.data(); }
  const std::uint32_t* served() const { return served_.data(); }
  own::Tally tally() const;

  /// What pictures read, of the queue's backend. Null as the others are.
  struct Pictured {
    const std::uint16_t* useful = nullptr;
    const std::uint32_t* threads = nullptr;
    const std::uint64_t* owner = nullptr;
    const std::uint32_t *once = nullptr, *twice = nullptr;
  };
  Pictured pictured() const;

 private:
  void number_owners(const own::Launches& launches);
  static bool bit(const std::uint32_t* bits, std::uint64_t at) { return bits[at / 32] >> at % 32 & 1; }
  Buffer<std::uint32_t> once_, twice_, threads_, served_;
  Buffer<std::uint64_t> owner_;
  Buffer<std::uint16_t> useful_;
  Buffer<own::Tally> tallies_;
  Buffer<std::uint32_t> pictured_once_, pictured_twice_,
      pictured_threads_;  ///< of a device, where that is the backend, and those that follow
  Buffer<std::uint64_t> pictured_owner_;
  Buffer<std::uint16_t> pictured_useful_;
};

/// Empty where such launches can be; else why they cannot, as a fault of kind `launch`.
std::optional<OwnFault> impossible(const own::Launches& launches);
/// Visits of blocks, of all launches and turns.
std::uint64_t block_visits(const own::Launches& launches);

}  // namespace warploom
