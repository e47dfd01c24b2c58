#include <algorithm>
#include <memory>
#include <string>

#include "gpu/core/launch.h"
#include "gpu/core/stopwatch.h"
#include "gpu/scenes/fractal/devices/sliced_team.h"
#include "gpu/scenes/fractal/pictures/box_counter.h"
#include "gpu/scenes/fractal/tracks/entry.h"
#include "gpu/scenes/fractal/tracks/sliced_stepper.h"
#include "gpu/scenes/fractal/tracks/state.h"
#include "gpu/scenes/fractal/works/sliced_tables.h"
#include "gpu/scenes/fractal/works/sliced_works.h"
#include "gpu/tracks/facets/described.h"
#include "gpu/tracks/facets/over_devices.h"

namespace warploom {

namespace {

/// Its launch grid: a row of blocks, their turns downwards; of several devices those of each below those before, with
/// a row between, as GridLayout has them. All parts are served alike.
struct SlicedGrid {
  SlicedServing serving;
  Sliced state;

  WARPLOOM_HD std::uint32_t turns() const { return static_cast<std::uint32_t>(serving.turns()); }
  WARPLOOM_HD std::uint64_t visits_of_part() const {
    return std::uint64_t{serving.launch.blocks.x} * serving.launch.blocks.y * turns();
  }
  WARPLOOM_HD Index3 blocks() const {
    if (state.shape.parts > 1) return {serving.launch.blocks.x, (turns() + 1) * state.shape.parts - 1, 1};
    return turns() > 1 ? Index3{serving.launch.blocks.x, turns(), 1} : serving.launch.blocks;
  }
  WARPLOOM_HD Index3 threads() const { return serving.launch.threads; }
  WARPLOOM_HD std::uint64_t visits() const {
    return state.shape.parts > 1 ? state.shape.parts * visits_of_part() : serving.visits();
  }
  /// Of a part.
  WARPLOOM_HD std::uint64_t visit(Index3 at) const {
    const std::uint32_t row = state.shape.parts > 1 ? at.y % (turns() + 1) : at.y;
    return std::uint64_t{row} * serving.launch.blocks.x + at.x;
  }
  WARPLOOM_HD GridBlock block(Index3 at) const {
    const std::uint64_t number = visit(at);
    if (number >= serving.visits()) return {};
    const std::uint64_t before = state.shape.parts > 1 ? at.y / (turns() + 1) * visits_of_part() : 0;
    // Those with work come first, but for a few threads of the gasket's special tiles.
    std::uint32_t useful = 0;
    for (std::uint32_t step = serving.size(); step > 0; step /= 2)
      while (useful + step <= serving.size() && serving.works(number, useful + step - 1)) useful += step;
    return {true, false, useful, before + number};
  }
  WARPLOOM_HD bool useful(Index3 at, Index3 thread) const { return serving.works(visit(at), thread.x); }
  WARPLOOM_HD bool serves(Cell cell, Served& by) const {
    const auto at = state.place(cell);
    const std::uint32_t lanes = serving.shape.chunks * 32, part = at.lane / lanes;
    const auto served = serving.who(at.base, at.lane - part * lanes);
    by = {part * (state.shape.parts > 1 ? visits_of_part() : 0) + served.visit, served.thread};
    return true;
  }
};

std::string digits_text(std::uint64_t number, int count, std::uint32_t base) {
  std::string text;
  for (int i = 0; i < count; ++i, number /= base) {
    std::string digit = std::to_string(number % base);
    if (i) digit += base > 10 ? " " : "";
    text.insert(0, digit);
  }
  return text;
}

/// A thread per chunk, as they lie.
SlicedServing by_rows(const SlicedShape& shape) {
  SlicedServing to;
  to.shape = shape;
  to.launch = row_shape(shape.places());
  const std::uint64_t items = shape.places();
  if (items < to.launch.threads.x)
    to.launch.threads.x =
        static_cast<std::uint32_t>(std::max<std::uint64_t>(1, (items + warp_size - 1) / warp_size)) * warp_size;
  return to;
}

/// The state sliced by its top digits: a thread serves the cells of a block of words in one chunk, 32 an operation, and
/// no map is asked. Counts are of bits: of those of the last chunk lanes do not have all.
class SlicedTrack final : public FractalStateTrack<Sliced>, public Described, public OverDevices {
  using Base = FractalStateTrack<Sliced>;

 public:
  SlicedTrack(Queue& queue, const FractalSettings& settings, const TrackInfo& info)
      : Base(queue, settings, info),
        shape_(domain_),
        tables_(queue, domain_, shape_),
        serving_(by_rows(shape_)),
        boxes_(domain_, shape_) {
    if (shape_.parts > 1) {
      team_ = std::make_unique<SlicedTeam>(queue, domain_, shape_, settings_.rule);
      serving_ = team_->serving(0);
      offer<OverDevices>(*this);
    } else if (settings_.work == "life") {
      stepper_ = make_sliced_stepper({queue, domain_, shape_, settings_.rule});
      serving_ = stepper_->serving();
    }
    offer<Described>(*this);
    make_stage(queue, {shape_.parts, serving_.launch}, states_.one_bytes(), serving_.turns(), serving_.visits());
    state_bytes_ = held() + tables_.bytes() + (stepper_ ? stepper_->bytes() : 0);
    for (int k = 0; team_ && k < devices_in_all(); ++k) state_bytes_ += team_->bytes_on(k);
    if (team_) report_ = std::make_shared<DevicesReport>(first_report());
  }

  void count(Queue&) override {
    Counts counts;
    counts.items = serving_.items;
    counts.launched = counts.launched_stated = shape_.parts * serving_.visits() * serving_.size() * counts.items;
    counts.useful = counts.useful_stated = cells_;
    counts.blocks = shape_.parts * serving_.visits();
    for (std::uint32_t part = 0; part < shape_.parts; ++part) count_part(serving_of(part), counts);
    counts.sectors = (states_.one_bytes() + 31) / 32;
    const std::lock_guard lock(count_mutex_);
    counts_ = counts;
  }

  bool owner(Cell cell, Owner& who) const override {
    if (!domain_.contains(cell)) return false;
    const auto at = writable(nullptr).place(cell);
    const std::uint32_t lanes = shape_.chunks * 32, part = at.lane / lanes;
    const auto served = serving_.who(at.base, at.lane - part * lanes);
    const std::uint64_t blocks = serving_.launch.block_count();
    who = {static_cast<int>(part),
           unfold(served.visit % blocks, serving_.launch.blocks),
           static_cast<int>(served.visit / blocks),
           {served.thread, 0, 0},
           served.item};
    return true;
  }
  std::optional<Target> target(const Owner& who) const override {
    const auto found = bit(who);
    if (!found.there) return std::nullopt;
    return Target{writable(nullptr).cell({found.base, found.lane}), true};
  }
  /// Its cells lie all over the domain.
  std::optional<std::pair<Cell, Cell>> footprint(const Owner& who) const override {
    Owner first = who;
    first.item = 0;
    if (!bit(first).there) return std::nullopt;
    return std::pair{Cell{0, 0, 0}, Cell{domain_.extent.x, domain_.extent.y, 1}};
  }
  Formula formula(const Owner& who) const override {
    const auto at = bit(who);
    if (!at.there) return {};
    const std::uint32_t k = domain_.copies;
    const int tile_digits = serving_.kind == SlicedServing::Kind::rows ? 0 : shape_.tile_digits;
    int in_registers = 0;
    std::uint64_t in_tile = 1;
    for (std::uint64_t words = 1; words < serving_.in_block; words *= k) ++in_registers;
    for (int i = 0; i < tile_digits; ++i) in_tile *= k;
    Formula formula{"digits of the cell, the highest first", {}, {}};
    const auto line = [&](const char* what, std::uint64_t number, int digits) {
      if (digits) formula.steps.push_back({what, digits_text(number, digits, k), std::to_string(number)});
    };
    line("bit", at.lane, domain_.level - shape_.base_digits);
    line(tile_digits ? "tile" : "word", at.base / in_tile, shape_.base_digits - tile_digits);
    line("block of words", at.base % in_tile / serving_.in_block, tile_digits - in_registers);
    line("register", at.base % serving_.in_block, in_registers);
    const std::string word = "word " + std::to_string(at.base), chunk = ", chunk " + std::to_string(at.lane / 32);
    formula.result = {"it is", word + chunk, "bit " + std::to_string(at.lane % 32)};
    return formula;
  }

  /// A thread's cells lie all over the domain: none can fly to them.
  bool flies() const override { return false; }
  /// Of a cell: the words that its word reads, and where a neighbour is another lane's, which bit becomes which.
  std::vector<std::pair<std::string, std::string>> describe(const Selection& selection) const override {
    const Cell cell = selection.at;
    if (selection.space != Selection::cell || !domain_.contains(cell)) return {};
    const Sliced state = writable(nullptr);
    const auto own = state.place(cell);
    // Words of its own lane in one row; each neighbour of another lane is a row.
    std::string words;
    std::vector<std::pair<std::string, std::string>> rows, crossings;
    for (int y = -1; y <= 1; ++y)
      for (int x = -1; x <= 1; ++x) {
        const std::int64_t there_x = std::int64_t{cell.x} + x, there_y = std::int64_t{cell.y} + y;
        if ((x == 0 && y == 0) || there_x < 0 || there_y < 0 || there_x >= domain_.extent.x ||
            there_y >= domain_.extent.y)
          continue;
        const Cell there{static_cast<std::uint32_t>(there_x), static_cast<std::uint32_t>(there_y), 0};
        if (!domain_.contains(there)) continue;
        const auto at = state.place(there);
        const std::string number = std::to_string(at.base);
        if (at.lane == own.lane)
          words += (words.empty() ? "" : ", ") + number;
        else
          crossings.emplace_back(
              "bit crosses", "word " + number + ", " + std::to_string(at.lane) + " \u2192 " + std::to_string(own.lane));
      }
    rows.emplace_back("word, bit", std::to_string(own.base) + ", " + std::to_string(own.lane));
    if (team_) {
      rows.emplace_back("device, chunk",
                        std::to_string(own.lane / 32 / shape_.chunks) + ", " + std::to_string(own.lane / 32));
      if (!crossings.empty())
        rows.emplace_back("border word", "sent to all other devices in each step, " +
                                             std::to_string(shape_.chunks * 4) + " bytes of it by each");
    }
    rows.emplace_back("reads", words.empty() ? "no other word of its lane"
                                             : (words.find(',') == words.npos ? "word " : "words ") + words);
    rows.insert(rows.end(), crossings.begin(), crossings.end());
    return rows;
  }
  void paint_cells(Queue& queue, const PictureRequest& request) override {
    const int leaf = counted_leaf(request);
    if (leaf < 0) return paint_by(queue, request, SlicedGrid{serving_, writable(nullptr)});
    const StatePair::Reader reader(states_, queue);
    const Sliced state = readable(reader.data());
    const BoxCounter::Reader counted(boxes_, queue, state.words, reader.serial());
    picture_bytes_ = boxes_.bytes();
    launch("fractal.colour", queue, PlaneTiles::shape(request.target),
           FractalPicture<Sliced, StateValue, BoxCounts>{domain_, state, StateValue{}, request.camera, request.target,
                                                         request.palette, leaf, counted.counts()});
  }
  void paint_launches(Queue& queue, const PictureRequest& request) override {
    if (counts()) paint_board(queue, request, SlicedGrid{serving_, writable(nullptr)});
  }
  /// Of states all cells are shown, by counts of whole boxes, where a pixel has such.
  int samples_on_device(const PictureRequest& request) const override {
    return counted_leaf(request) >= 0 ? 0 : Base::samples_on_device(request);
  }

  std::shared_ptr<const DevicesReport> devices() const override {
    const std::lock_guard lock(report_mutex_);
    return report_;
  }

 protected:
  std::uint64_t steps_of_launch() const override { return stepper_ ? stepper_->at_once() : 1; }
  bool times_itself() const override { return team_ != nullptr; }
  /// The mean of the steps' longest times.
  void timed(Queue& queue, std::uint64_t steps) override {
    if (team_ && queue.stopwatch && steps)
      queue.stopwatch->record(kernel_, stages_[0].bytes, batch_ms_ / static_cast<double>(steps), team_->launches());
    batch_ms_ = 0;
  }
  void advance(Queue& queue, const std::uint8_t* from, std::uint8_t* to, std::uint64_t count, bool last) override {
    if (team_) return advance_all(queue, from, to);
    if (stepper_) {
      const SlicedStates states{readable(from).words, writable(to).words, shape_, tables_.view()};
      const SealSlots slots = seals_.slots(serving_.launch);
      return stepper_->step(
          {queue, kernel_.c_str(), states, stages_[0].bytes, count, fuses(count, last) ? &slots : nullptr});
    }
    const auto go = [&](const auto& program) {
      launch(kernel_.c_str(), queue, serving_.launch, program, stages_[0].bytes);
    };
    if (settings_.work == "single_write") return go(SlicedWrite{writable(to)});
    sums_.zero(queue);
    if (settings_.work == "reduction")
      go(SlicedFold<LiveCells>{readable(from), {sums_.data()}});
    else
      go(SlicedFold<CellPlaces>{readable(from), {sums_.data()}});
  }
  void advancing(Queue& queue, std::uint64_t count, bool last) override {
    if (fuses(count, last)) seals_.clear(queue);
  }
  void advanced(std::uint64_t count, bool last) override {
    seal_is_fused_ = fuses(count, last);
    if (seal_is_fused_) seals_.turn();
  }

 private:
  int devices_in_all() const { return static_cast<int>(shape_.parts); }
  /// Parts are served alike, but for the lanes that the last one may not have.
  SlicedServing serving_of(std::uint32_t part) const {
    SlicedServing serving = serving_;
    if (shape_.parts > 1) serving.shape = shape_.part(part);
    return serving;
  }
  SlicedServing::Bit bit(const Owner& who) const {
    const std::uint64_t visit = static_cast<std::uint64_t>(who.turn) * serving_.launch.block_count() +
                                linear_index(who.block, serving_.launch.blocks);
    const auto part = static_cast<std::uint32_t>(who.launch);
    if (part >= shape_.parts) return {};
    auto found = serving_of(part).bit({visit, who.thread.x, who.item});
    found.lane += part * shape_.chunks * 32;
    return found;
  }
  static void count_part(const SlicedServing& serving, Counts& counts) {
    for (std::uint64_t visit = 0; visit < serving.visits(); ++visit) {
      // All tiles are alike, and so are all rows but the last.
      const bool alike = visit > 0 && visit + 1 < serving.visits() && serving.kind != SlicedServing::Kind::corners;
      const std::uint64_t times = alike ? serving.visits() - 2 : 1;
      bool useful = false;
      for (std::uint32_t first = 0; first < serving.size(); first += warp_size) {
        std::uint32_t works = 0;
        for (std::uint32_t i = first; i < first + warp_size && i < serving.size(); ++i)
          works += serving.works(visit, i);
        (works == warp_size ? counts.warps_full : works ? counts.warps_partial : counts.warps_idle) += times;
        useful |= works > 0;
      }
      counts.blocks_useful += useful * times;
      visit += times - 1;
    }
  }
  /// One step of all devices.
  void advance_all(Queue& queue, const std::uint8_t* from, std::uint8_t* to) {
    auto spans = team_->step(queue, kernel_.c_str(), readable(from).words, writable(to).words);
    batch_ms_ += longest_ms(spans);
    auto report = std::make_shared<DevicesReport>(*devices());
    tell_step(*report, std::move(spans));
    const std::lock_guard lock(report_mutex_);
    report_ = std::move(report);
  }
  DevicesReport first_report() const {
    DevicesReport report = begun_report(team_->team());
    report.exchanges = team_->link_bytes() > 0;
    report.bytes = team_->link_bytes();
    report.values = report.bytes / sizeof(std::uint32_t);
    report.problem = "state";
    report.problem_bytes = 2 * states_.one_bytes();
    report.allowed = settings_.device_memory;
    for (std::size_t k = 0; k < report.each.size(); ++k) {
      auto& each = report.each[k];
      // Of cards the first one has them whole.
      each.input = each.output = report.pools ? shape_.part_chunks() * sizeof(std::uint32_t)
                                 : k == 0     ? states_.one_bytes()
                                              : 0;
      each.bytes = each.input + each.output + team_->bytes_on(static_cast<int>(k));
      each.blocks = serving_.launch.block_count();
    }
    if (report.fits_several_alone()) report.fits = 3;
    return report;
  }
  /// Whether a launch adds up the seal of what it writes.
  bool fuses(std::uint64_t count, bool last) const {
    return stepper_ && last && count == 1 && seal_with_step_ && stepper_->seals();
  }
  /// The boxes that a picture takes as a whole, though they may lie under two pixels: their level; 0: it takes those
  /// alone that lie under one. Below 0: it has no use for counts.
  int counted_leaf(const PictureRequest& request) const {
    if (request.colour_by != ColourBy::state || !request.so_far.all()) return -1;
    if (!large() && request.samples_per_side == 0)  // all cells, whatever it takes
      return boxes_.helps(request.camera.cells_per_pixel_x, request.camera.cells_per_pixel_y) ? 0 : -1;
    // Boxes of which each lies under the pixel of its middle, too small to be seen.
    PictureRequest coarse = request;
    coarse.samples_per_side = boxes_a_pixel;
    const int leaf = std::min(sampled_level(domain_, coarse), boxes_.highest());
    return leaf >= boxes_.lowest() ? leaf : -1;
  }
  static constexpr int boxes_a_pixel = 4;

  SlicedShape shape_;
  SlicedTables tables_;
  std::unique_ptr<SlicedStepper> stepper_;  ///< of an automaton on one device
  std::unique_ptr<SlicedTeam> team_;        ///< of one on several
  double batch_ms_ = 0;                     ///< of the steps that are under way
  mutable std::mutex report_mutex_;
  std::shared_ptr<const DevicesReport> report_;  ///< under report_mutex_
  SlicedServing serving_;
  BoxCounter boxes_;
};

}  // namespace

detail::FractalEntries detail::sliced_entries() {
  // Of an automaton: what its tiles' threads have, the usual kernels taken, whatever the devices.
  const auto launched = [](const FractalDomain& domain, int) -> std::uint64_t {
    return SlicedShape(domain).state_chunks() * 32;
  };
  return {{whole_info(Sliced::info, Sliced::info), 0, make_track_of<SlicedTrack>, launched, Sliced::bytes}};
}

}  // namespace warploom
