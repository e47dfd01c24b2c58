#include "gpu/own/judgement.h"

#include <fmt/format.h>

#include "gpu/core/format.h"
#include "gpu/core/shared_pages.h"

namespace warploom {

namespace {

/// Beyond so many the numbers of each are not kept, as of built-in maps.
constexpr std::uint64_t most_visits = 1u << 28;

}  // namespace

JudgedTables::JudgedTables(Queue& queue, std::uint64_t places, std::uint64_t visits, std::uint64_t threads,
                           bool places_blocks) {
  const ScopedSharedPages shared;
  const Backend backend = queue.backend();
  const auto words = [](std::uint64_t bits) { return (bits + 31) / 32; };
  once_ = Buffer<std::uint32_t>(backend, words(places));
  twice_ = Buffer<std::uint32_t>(backend, words(places));
  tallies_ = Buffer<own::Tally>(backend, own::tally_slots);
  if (places <= most_places_with_owner) {
    owner_ = Buffer<std::uint64_t>(backend, places);
    fill_with_ones(queue, owner_.data(), owner_.bytes());
  }
  if (visits <= most_visits) {
    useful_ = Buffer<std::uint16_t>(backend, visits);
    if (places_blocks) served_ = Buffer<std::uint32_t>(backend, visits);
    if (visits * threads <= 8 * most_visits) threads_ = Buffer<std::uint32_t>(backend, words(visits * threads));
  }
  if (backend == Backend::cpu) return;  // its pages come zeroed
  const auto zero = [&](auto& table) { table.zero(queue); };
  zero(once_);
  zero(twice_);
  zero(tallies_);
  zero(useful_);
  zero(served_);
  zero(threads_);
}

void JudgedTables::take(Queue& queue, std::uint64_t visits, std::uint64_t blocks, const own::Launches& launches) {
  const auto own = [&](auto& shared) {
    auto kept = std::remove_reference_t<decltype(shared)>(Backend::cpu, shared.size());
    if (shared.bytes()) download_bytes(queue, kept.data(), shared.data(), shared.bytes());
    if (queue.backend() == Backend::cpu)
      shared.zero(queue);  // its pages are given back, though the map's process still has them mapped
    shared = std::move(kept);
  };
  own(once_);
  own(twice_);
  own(threads_);
  own(served_);
  own(owner_);
  own(useful_);
  own(tallies_);
  for (std::uint64_t i = 0; i < served_.size(); ++i)
    if (served_.data()[i] > blocks) served_.data()[i] = 0;
  for (std::uint64_t i = 0; i < owner_.size(); ++i)
    if (owner_.data()[i] >= visits) owner_.data()[i] = ~std::uint64_t{0};
  number_owners(launches);
  if (queue.backend() == Backend::cpu) return;
  const auto show = [&](auto& pictured, const auto& table) {
    pictured = std::remove_reference_t<decltype(pictured)>(queue.backend(), table.size());
    upload_bytes(queue, pictured.data(), table.data(), table.bytes());
  };
  show(pictured_once_, once_);
  show(pictured_twice_, twice_);
  show(pictured_threads_, threads_);
  show(pictured_owner_, owner_);
  show(pictured_useful_, useful_);
}

JudgedTables::Pictured JudgedTables::pictured() const {
  if (pictured_once_.data())
    return {pictured_useful_.data(), pictured_threads_.data(), pictured_owner_.data(), pictured_once_.data(),
            pictured_twice_.data()};
  return {useful_.data(), threads_.data(), owner_.data(), once_.data(), twice_.data()};
}

void JudgedTables::number_owners(const own::Launches& launches) {
  const auto turns = static_cast<std::uint64_t>(launches.turns);
  if (turns == 1) return;
  const std::uint64_t threads = volume(launches.threads);
  for (std::uint64_t i = 0; i < owner_.size(); ++i) {
    std::uint64_t& owner = owner_.data()[i];
    if (owner == ~std::uint64_t{0}) continue;
    std::uint64_t first = 0, of_launch = owner / threads;
    int launch = 0;
    for (; launch + 1 < launches.count && of_launch >= volume(launches.grids[launch]) * turns; ++launch) {
      of_launch -= volume(launches.grids[launch]) * turns;
      first += volume(launches.grids[launch]) * turns;
    }
    const std::uint64_t visit = first + of_launch % turns * volume(launches.grids[launch]) + of_launch / turns;
    owner = visit * threads + owner % threads;
  }
}

void JudgedTables::place_into(own::Arguments& with) const {
  const auto put = [&](own::Memory which, void* memory) { with.memory[static_cast<std::size_t>(which)] = memory; };
  put(own::Memory::once, once_.data());
  put(own::Memory::twice, twice_.data());
  put(own::Memory::owner, owner_.data());
  put(own::Memory::served, served_.data());
  put(own::Memory::useful, useful_.data());
  put(own::Memory::threads, threads_.data());
  put(own::Memory::tallies, tallies_.data());
}

std::uint64_t JudgedTables::bytes() const {
  return once_.bytes() + twice_.bytes() + owner_.bytes() + served_.bytes() + useful_.bytes() + threads_.bytes() +
         tallies_.bytes() + pictured_once_.bytes() + pictured_twice_.bytes() + pictured_threads_.bytes() +
         pictured_owner_.bytes() + pictured_useful_.bytes();
}

namespace {

std::string first_words(const std::optional<Cell>& at, int dimensions) {
  if (!at) return "not told";
  return dimensions > 2 ? fmt::format("({}, {}, {})", at->x, at->y, at->z) : fmt::format("({}, {})", at->x, at->y);
}
std::string fault_place(const OwnState& own) {
  const std::string& file = own.fault->file.empty() ? own.file : own.fault->file;
  return own.fault->line ? fmt::format("{}:{}", file, *own.fault->line) : file;
}

}  // namespace

std::vector<std::string> complaints(const OwnState& own, int dimensions) {
  if (own.fault)
    return {fmt::format("{}: {} {}: {}", fault_place(own), own.name, own.fault->kind == "time" ? "has no end" : "fell",
                        own.fault->text)};
  std::vector<std::string> lines;
  const Judgement& judged = own.judgement;
  if (judged.missed)
    lines.push_back(fmt::format("{}: {} cells missed, first {}", own.name, judged.missed,
                                first_words(judged.first_missed, dimensions)));
  if (judged.doubled)
    lines.push_back(fmt::format("{}: {} cells served twice or more, first {}", own.name, judged.doubled,
                                first_words(judged.first_doubled, dimensions)));
  if (judged.refused) lines.push_back(fmt::format("{}: {} writes outside the domain", own.name, judged.outside));
  return lines;
}

std::string verdict_words(const OwnState& own, int dimensions) {
  if (own.fault) {
    if (own.fault->kind == "time") return fmt::format("has no end ({})", fault_place(own));
    const auto& block = own.fault->block;
    return fmt::format("fell ({}): {}{}", fault_place(own), own.fault->text,
                       block ? ", block " + first_words(Cell{block->x, block->y, block->z}, dimensions) : "");
  }
  const Judgement& judged = own.judgement;
  if (judged.missed)
    return fmt::format("misses {} cells, the first {}{}", grouped(judged.missed),
                       first_words(judged.first_missed, dimensions),
                       judged.doubled ? fmt::format("; serves {} more than once", grouped(judged.doubled)) : "");
  if (!judged.doubled) return fmt::format("writes outside the domain {} times", grouped(judged.outside));
  return fmt::format("serves {} cells more than once, the first {}", grouped(judged.doubled),
                     first_words(judged.first_doubled, dimensions));
}

own::Tally JudgedTables::tally() const {
  own::Tally all{};
  for (std::uint64_t i = 0; i < tallies_.size(); ++i) {
    const own::Tally& one = tallies_.data()[i];
    all.served += one.served;
    all.outside += one.outside;
    all.nowhere += one.nowhere;
    all.warps_full += one.warps_full;
    all.warps_partial += one.warps_partial;
    all.warps_idle += one.warps_idle;
    all.blocks_useful += one.blocks_useful;
    for (int way = 0; way < own::Tally::most_sectors; ++way) all.sectors[way] += one.sectors[way];
  }
  return all;
}

std::optional<OwnFault> impossible(const own::Launches& launches) {
  const auto fault = [](const std::string& text) { return OwnFault{"launch", text, {}, {}, {}}; };
  constexpr std::uint32_t most_blocks = 0x7fffffff;
  if (launches.count < 1 || launches.count > own::most_launches)
    return fault(fmt::format("{} launches; 1 to {} can be", launches.count, own::most_launches));
  if (launches.turns < 1 || launches.turns > 65536)
    return fault(fmt::format("{} turns; 1 to 65536 can be", launches.turns));
  // Pictures have a row for each, and go through them.
  constexpr int most_rows = 4096;
  if (launches.turns * launches.count > most_rows)
    return fault(
        fmt::format("{} launches of {} turns; {} turns in all can be", launches.count, launches.turns, most_rows));
  const Index3 threads = launches.threads;
  const auto box = [](const Index3& of) { return fmt::format("{} x {} x {}", of.x, of.y, of.z); };
  // 32 bits an axis: the product of two fits, that of three may not.
  const auto large = [](const Index3& of) { return double(of.x) * of.y * of.z; };
  if (large(threads) < 1 || large(threads) > max_block_threads)
    return fault(fmt::format("blocks of {} threads; 1 to {} can be", box(threads), max_block_threads));
  double all = 0;
  for (int i = 0; i < launches.count; ++i) {
    const Index3 grid = launches.grids[i];
    if (large(grid) < 1 || std::max({grid.x, grid.y, grid.z}) > most_blocks)
      return fault(fmt::format("a grid of {} blocks; 1 to 2^31 - 1 an axis can be", box(grid)));
    all += large(grid) * large(threads) * launches.turns;
  }
  if (all > 0x1p40) return fault(fmt::format("a step would go through {:.3g} threads; 2^40 are the most", all));
  return std::nullopt;
}

std::uint64_t block_visits(const own::Launches& launches) {
  std::uint64_t visits = 0;
  for (int i = 0; i < launches.count; ++i) visits += volume(launches.grids[i]);
  return visits * static_cast<std::uint64_t>(launches.turns);
}

}  // namespace warploom
