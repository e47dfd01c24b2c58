#include "viewer/model/source_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "gpu/tracks/facets/sourced.h"
#include "gpu/tracks/facets/written.h"
#include "viewer/model/model.h"

namespace warploom {

namespace {

using own::SeenKind;
using own::SeenNote;

std::string words_of(const SeenNote& note, int dimensions) {
  if (note.numbers == 0) return {};
  if (note.truth) return note.number[0] ? "yes" : "no";
  if (note.real) return fmt::format("{:.6g}", note.fraction);
  if (note.numbers == 1) return fmt::format("{}", note.number[0]);
  const auto* begin = note.number;
  // What all ones stand for (words.h).
  if (std::all_of(begin, begin + note.numbers, [](std::int64_t x) { return x == 0xffffffff; })) return "nowhere";
  // In the plane z is left out.
  const int shown = note.numbers == 3 && dimensions == 2 && note.number[2] == 0 ? 2 : note.numbers;
  std::string all = "(";
  for (int i = 0; i < shown; ++i) all += fmt::format("{}{}", i ? ", " : "", note.number[i]);
  return all + ")";
}

constexpr const char* reading_values = "the values at the lines of a source";

}  // namespace

std::vector<SeenLine> seen_lines(const SourceValues& values, int dimensions) {
  std::vector<SeenLine> lines;
  std::map<std::pair<int, int>, int> times;
  SeenKind before = SeenKind::turn;  // of the note before
  for (const SeenNote& note : values.notes) {
    // Notes of a line that follow each other are of one way through it. A turn begins another, but behind the condition
    // that let it begin.
    const bool turns = note.kind == SeenKind::turn && before != SeenKind::condition;
    if (lines.empty() || lines.back().file != note.file || lines.back().line != note.line || turns)
      lines.push_back({note.file, note.line, {}, ++times[{note.file, note.line}], 1});
    before = note.kind;
    std::string words = words_of(note, dimensions);
    if (words.empty()) continue;
    if (note.kind == SeenKind::value) words.insert(0, "= ");
    std::string& all = lines.back().words;
    if (!all.empty()) all += "  ";
    all += words;
  }
  for (SeenLine& line : lines) line.turns = times[{line.file, line.line}];
  return lines;
}

std::vector<SeenLine> SourceView::shown(int file) const {
  std::map<int, SeenLine> last;
  for (std::size_t i = 0; i <= at_ && i < lines_.size(); ++i)
    if (lines_[i].file == file) last[lines_[i].line] = lines_[i];
  std::vector<SeenLine> all;
  all.reserve(last.size());
  for (auto& [line, seen] : last) all.push_back(std::move(seen));
  return all;
}

const SeenLine* SourceView::at() const { return at_ < lines_.size() ? &lines_[at_] : nullptr; }

void SourceView::show(int file) {
  front = file;
  const auto first = std::ranges::find(lines_, file, &SeenLine::file);
  if (first != lines_.end()) go_to = first->line;
}

void SourceView::step(int by) {
  if (lines_.empty()) return;
  ++version_;
  at_ = by > 0 ? std::min(at_ + 1, lines_.size() - 1) : at_ > 0 ? at_ - 1 : 0;
  front = lines_[at_].file;
  go_to = lines_[at_].line;
}

void SourceView::take(const std::optional<SourceValues>& values, int dimensions) {
  ++version_;
  lines_ = values ? seen_lines(*values, dimensions) : std::vector<SeenLine>{};
  // A source that is not shown any more has no lines.
  std::erase_if(lines_, [&](const SeenLine& line) { return static_cast<std::size_t>(line.file) >= files_.size(); });
  cut_ = values && values->cut;
  at_ = lines_.empty() ? 0 : lines_.size() - 1;
  // The first file in which something was run, where the one in front has nothing.
  if (first_ && !lines_.empty()) {
    first_ = false;
    if (std::ranges::count(lines_, front, &SeenLine::file) == 0)
      front = std::ranges::min(lines_, {}, &SeenLine::file).file;
    show(front);
  }
  why_not_ = !lines_.empty() ? "" : values ? "nothing of it is noted" : "no values are known of this thread";
}

void SourceView::follow(Model& model) {
  if (!model.view.source && !model.editing.open) return;
  const auto simulation = model.scene_simulation();
  const std::size_t track = model.active_track;
  // Tracks that are gone are held as long as they are asked.
  if (!simulation || track >= simulation->size()) return cancel();
  model.show(simulation);  // its own threads, whatever comes meanwhile
  const Selection& selection = model.picked.empty() ? model.hover : model.picked;
  const auto* written = simulation->track(track).facet<Written>();
  // A rule reads the state.
  const bool reads = written && written->texts().back()->form == "rule";
  const Key key{simulation->id(), track, model.owner_in(track, selection), reads ? simulation->version() : 0};
  model.show(nullptr);
  if (key == key_) return;
  if (model.reading(reading_values)) {
    if (!key_ || key.simulation != key_->simulation) cancel();  // of tracks that are gone
    return;
  }
  auto* sourced = simulation->track(track).facet<Sourced>();
  if (!key_ || key.simulation != key_->simulation || key.track != key_->track) {
    files_ = sourced ? sourced->sources() : std::vector<SourceFile>{};
    if (!key_ || key.track != key_->track || static_cast<std::size_t>(front) >= files_.size()) front = 0;
    take(std::nullopt);
    first_ = true;
  }
  key_ = key;
  if (!sourced || !key.who) {
    take(std::nullopt);
    why_not_ = sourced ? "select a cell or a thread to see what it computes"
                       : "this track is more than a map: maps of fractals and simplices show their source";
    return;
  }
  cancel_ = std::make_shared<std::atomic<bool>>(false);
  struct Asked {
    std::optional<SourceValues> values;
    bool given_up = false;
  };
  const auto asked = std::make_shared<Asked>();
  model.read_later(
      [simulation, sourced, who = *key.who, cancel = cancel_, asked] {
        try {
          asked->values = sourced->values(who, *cancel);
        } catch (const Cancelled&) {
          asked->given_up = true;
        } catch (const std::exception&) {
          // Without values: what was shown of another thread must not stay.
        }
      },
      [this, asked, key, dimensions = simulation->track(track).dimensions()] {
        if (asked->given_up)
          key_.reset();
        else if (key_ == key)
          take(asked->values, dimensions);
      },
      reading_values);
}

void step_source(Model& model, int by) {
  model.source.step(by);
  if (const SeenLine* at = model.source.at(); at && at->turns > 1) model.formula_level = at->turn - 1;
}

void toggle_source(Model& model) { model.view.source = !model.view.source; }

}  // namespace warploom
