#include "viewer/model/own_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <tuple>
#include <utility>

#include "gpu/core/error.h"
#include "gpu/core/files.h"
#include "gpu/core/format.h"
#include "gpu/core/hash.h"
#include "gpu/own/registry.h"
#include "gpu/tracks/facets/written.h"
#include "viewer/model/own_texts.h"

namespace warploom {

namespace {

/// Changes when a file is written, or another is put in its place: editors save either way.
std::uint64_t stamp_of(const std::string& path) {
  std::error_code none;
  const auto written = std::filesystem::last_write_time(path, none);
  if (none) return 0;
  const auto size = std::filesystem::file_size(path, none);
  if (none) return 0;
  return key_hash(static_cast<std::uint64_t>(written.time_since_epoch().count()), size) | 1;
}

/// "18.8 % waste; compiled in 0.31 s, g++ 12.2.0"
std::string cost_words(const OwnState& own) {
  return fmt::format("{:.1f} % waste; {}, {}", 100 * own.judgement.waste(),
                     own.cached ? "compiled before" : fmt::format("compiled in {:.2f} s", own.compile_ms / 1000),
                     own.compiler);
}

/// Whether own maps are compiled for the domain that is shown.
bool knows_constants(Model& model) {
  for (const auto& parameter : model.shown_scene().parameters())
    if (parameter.key == "constants") return to_text(parameter.get()) == "on";
  return false;
}

}  // namespace

std::pair<std::string, bool> how_it_runs(Model& model, const std::string& name) {
  const auto simulation = model.runner().simulation();
  for (std::size_t i = 0; simulation && i < simulation->size(); ++i) {
    const auto* written = simulation->track(i).facet<Written>();
    if (!written || written->own().name != name) continue;
    const OwnState own = written->own();
    const bool bad = *own.badge();
    if (own.judging())
      return {
          own.file + (model.runner().judging() ? " runs, and is being judged" : " runs; it was not judged to the end"),
          false};
    return {own.file + (bad ? " " + verdict_words(own, simulation->track(i).dimensions())
                        : own.kind == "rule"
                            ? " runs"
                            : " runs: each of " + grouped(own.judgement.cells) + " cells once; " + cost_words(own) +
                                  (knows_constants(model) ? "; compiled for this very size" : "")),
            bad};
  }
  return {find_own(name)->file + " is loaded; no track shows it", false};
}

namespace {

/// "12:04", of now.
std::string time_of_day() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  return fmt::format("{:02}:{:02}", local.tm_hour, local.tm_min);
}
/// What goes on while a text has an error.
std::string still_runs(const OwnDraft* draft) {
  return fmt::format("; the text of {} runs on", draft && !draft->ran_at.empty() ? draft->ran_at : "before");
}

/// The track that shows a text; none: nullopt.
std::optional<std::size_t> track_of(Model& model, const std::string& name) {
  const auto& tracks = model.scene().tracks();
  for (std::size_t i = 0; i < tracks.size(); ++i)
    if (tracks[i].substr(0, tracks[i].find('/')) == name) return i;
  return std::nullopt;
}

/// As one more track; where there are four, in the place of the active one, which is told. False: refused.
bool add_track(Model& model, const std::string& name) {
  auto tracks = model.scene().tracks();
  constexpr std::size_t most_tracks = 4;
  if (tracks.size() < most_tracks) {
    tracks.push_back(name);
    return model.set("tracks", tracks);
  }
  auto& place = tracks[std::min(model.active_track, tracks.size() - 1)];
  const std::string before = std::exchange(place, name);
  const bool taken = model.set("tracks", tracks);
  if (taken) model.tell("four tracks are the most: " + name + " runs in place of " + before);
  return taken;
}

/// Whether the editor shows what is to be said of a text.
bool is_in_front(Model& model, const OwnDraft* draft) {
  return draft && model.editing.open && model.editing.front() == draft;
}

}  // namespace

OwnWatch::OwnWatch(std::vector<OwnFile> files, std::function<void()> wake) : wake_(std::move(wake)) {
  // What was saved since it was read is looked at first; an equal text is let be.
  for (auto& file : files) files_.push_back({std::move(file), 0, 0});
  if (!files_.empty()) thread_ = std::thread([this] { watch(); });
}

OwnWatch::~OwnWatch() {
  over_ = true;
  if (thread_.joinable()) thread_.join();
}

void OwnWatch::watch() {
  while (!over_) {
    // What rests for one look is whole: editors write in pieces.
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    bool woken = false;
    std::error_code none;
    {
      const std::lock_guard lock(mutex_);
      for (File& file : files_) {
        const std::uint64_t now = stamp_of(file.of.path);
        if (std::exchange(file.stamp, now) != now || (now != 0 && now == file.taken)) continue;
        if (now != 0 && std::filesystem::is_empty(file.of.path, none) && ++file.empty < most_empty_looks) continue;
        if (now == 0) {
          if (file.taken == 0 || std::exchange(file.gone, true)) continue;
          gone_.push_back(file.of);
        } else {
          file.empty = 0;
          file.taken = now;
          file.gone = false;
          saved_.push_back(file.of);
        }
        woken = true;
      }
    }
    if (woken) wake_();
  }
}

void OwnWatch::watch_drafts(const OwnEditing& editing) {
  for (const OwnDraft& draft : editing.drafts) {
    if (draft.path.empty()) continue;
    // One that never ran is known by its file.
    std::string& watched = watched_[draft.name.empty() ? draft.path : draft.name];
    if (std::exchange(watched, draft.path) == draft.path) continue;
    const std::lock_guard lock(mutex_);
    const OwnFile of{draft.name, draft.path};
    const auto same = [&](const File& file) {
      return file.of.name == of.name && (!of.name.empty() || file.of.path == of.path);
    };
    const auto known = std::ranges::find_if(files_, same);
    if (known != files_.end() && known->of.path == draft.path) continue;
    std::erase_if(files_, same);
    files_.push_back({{draft.name, draft.path}, 0, 0});  // what was saved before is looked at, too
    if (!thread_.joinable()) thread_ = std::thread([this] { watch(); });
  }
}

void OwnWatch::follow(Model& model) {
  watch_drafts(model.editing);
  if (judged_later_ && !model.building() && !model.runner().judging())
    if (const std::string name = *std::exchange(judged_later_, std::nullopt); track_of(model, name)) {
      // Of a draft that was tried with another text since, that stands.
      const OwnDraft* draft = model.editing.find(name);
      if (!draft || draft->tried == draft->ran) tell_how_it_runs(model, name);
    }
  if (trying_) {
    const Runner::Builds builds = model.runner().builds();
    if (model.build_asked() > trying_->build) trying_->build = model.build_asked();  // it went on with other parameters
    if (builds.shown >= trying_->build)
      end_trial(model, true);
    else if (builds.given_up >= trying_->build)
      end_trial(model, false);
  }
  if (trying_ || model.building()) return;
  follow_judging(model);
  if (const auto draft = std::exchange(model.editing.run_wanted, std::nullopt);
      draft && *draft < model.editing.drafts.size()) {
    run(model, *draft);
    if (trying_) return;
  }
  std::vector<OwnFile> saved, gone;
  {
    const std::lock_guard lock(mutex_);
    saved = std::exchange(saved_, {});
    gone = std::exchange(gone_, {});
  }
  for (const OwnFile& file : gone) {
    OwnDraft* const draft = model.editing.find(file.name, file.path);
    if (draft) draft->gone = true;
    if (file.name.empty() && !draft) continue;  // it was closed, or has a name by now
    model.tell(file.path + (file.name.empty() ? " is gone; its text" : " is gone; its text runs on, and") +
                   " stands in the editor (Ctrl+E)",
               true);
  }
  // One after the other: an error is then of one file.
  for (std::size_t i = 0; i < saved.size(); ++i) {
    take(model, saved[i]);
    if (!trying_) continue;
    const std::lock_guard lock(mutex_);
    saved_.insert(saved_.begin(), saved.begin() + static_cast<std::ptrdiff_t>(i) + 1, saved.end());
    return;
  }
}

void OwnWatch::follow_judging(Model& model) {
  const auto simulation = model.runner().simulation();
  const std::uint64_t now = simulation && !model.runner().judging() ? simulation->id() : 0;
  if (std::exchange(told_of_, now) == now || now == 0) return;
  for (std::size_t i = 0; i < simulation->size(); ++i)
    if (const auto* written = simulation->track(i).facet<Written>())
      if (OwnDraft* const draft = model.editing.find(written->own().name);
          draft && !draft->ran.empty() && draft->tried == draft->ran)
        tell_in_editor(model, *draft);
}

void OwnWatch::tell_in_editor(Model& model, OwnDraft& draft) {
  std::tie(draft.status, draft.failed) = how_it_runs(model, draft.name);
  draft.messages.clear();
  const auto simulation = model.runner().simulation();
  if (const auto track = track_of(model, draft.name); track && simulation && *track < simulation->size())
    if (const auto* written = simulation->track(*track).facet<Written>())
      if (const auto fault = written->own().fault; fault && fault->line && fault->file.empty())
        draft.messages = {{*fault->line, 0, fault->text}};
}

void OwnWatch::tell_how_it_runs(Model& model, const std::string& name) {
  OwnDraft* const draft = model.editing.find(name);
  if (const auto [words, bad] = how_it_runs(model, name); !is_in_front(model, draft)) model.tell(words, bad);
  if (draft) tell_in_editor(model, *draft);
}

void OwnWatch::end_trial(Model& model, bool shown) {
  const Trying tried = *std::exchange(trying_, std::nullopt);
  OwnDraft* const draft = model.editing.find(tried.name);
  if (draft) draft->compiling = false;
  if (shown) {
    if (const auto track = track_of(model, tried.name); track && is_in_front(model, draft))
      model.activate(*track);  // what its lines compute is shown of the active one
    judged_later_ = model.runner().judging() ? std::optional(tried.name) : std::nullopt;
    tell_how_it_runs(model, tried.name);
    if (!draft) return;
    draft->ran = draft->tried;
    draft->ran_at = time_of_day();
    return;
  }
  const std::string error = model.runner().error();
  if (tried.before)
    put_own(tried.name, tried.before);
  else
    drop_own(tried.name);
  model.runner().clear_error();
  const std::string runs_on = tried.before ? still_runs(draft) : "";
  if (draft) {
    draft->messages = own_messages_of(draft->file, error);
    draft->status = (error.empty() ? "it was given up" : error.substr(0, error.find('\n'))) + runs_on;
    draft->failed = true;
    if (!tried.before) draft->name.clear();
  }
  if (!error.empty() && !is_in_front(model, draft)) model.tell(error + runs_on, true);
}

void OwnWatch::run(Model& model, std::size_t number) {
  OwnDraft& draft = model.editing.drafts[number];
  draft.tried = draft.typed;
  draft.messages.clear();
  draft.failed = false;
  try {
    if (const std::string why = why_no_own_maps(model.scene()); !why.empty()) throw UsageError(why);
    OwnSource text = read_own_text(draft.file, draft.typed);
    if (draft.name.empty()) return try_first(model, draft.file, std::move(text));
    if (text.source == find_own(draft.name)->source) {
      if (text.kind() != "rule" && !track_of(model, draft.name)) return show_as_track(model, draft.name);
      const auto [words, bad] = how_it_runs(model, draft.name);
      draft.status = words;
      draft.failed = bad;
      return;
    }
    draft.compiles();
    try_text(model, draft.name, std::move(text));
  } catch (const Error& error) {
    draft.compiling = false;
    draft.failed = true;
    draft.messages = own_messages_of(draft.file, error.what());
    draft.status = error.what() + std::string(draft.ran.empty() ? "" : still_runs(&draft));
    if (!is_in_front(model, &draft)) model.tell(draft.status, true);
  }
}

void OwnWatch::show_as_track(Model& model, const std::string& name) {
  if (!add_track(model, name)) throw UsageError(model.notice.empty() ? "it cannot run here" : model.notice);
  trying_ = Trying{name, find_own(name), model.build_asked()};
  if (trying_->build == 0) end_trial(model, true);
}

void OwnWatch::try_first(Model& model, const std::string& file, OwnSource text) {
  model.editing.text_runs();
  const bool is_rule = text.form == "rule";
  const std::string known = same_own(text), name = known.empty() ? add_own(std::move(text)) : known;
  const auto draft = std::ranges::find(model.editing.drafts, file, &OwnDraft::file);
  draft->name = name;
  draft->compiles();
  if (is_rule ? !model.set("work", name) : !add_track(model, name)) {
    const std::string why = model.notice;
    if (known.empty()) drop_own(name);
    draft->name.clear();
    throw UsageError(why.empty() ? "it cannot run here" : why);
  }
  trying_ = Trying{name, known.empty() ? nullptr : find_own(name), 0};
  trying_->build = model.build_asked();
  // It runs as it is: nothing was built.
  if (trying_->build == 0) end_trial(model, true);
}

void OwnWatch::try_text(Model& model, const std::string& name, OwnSource text) {
  model.editing.text_runs();
  const auto before = find_own(name);
  if (text.kind() != before->kind())
    throw FileError(text.file + ": a " + before->kind() + " has become a " + text.kind() +
                    "; open it as a text of its own");
  put_own(name, std::make_shared<const OwnSource>(std::move(text)));
  trying_ = Trying{name, before, 0};
  try {
    model.rebuild();
  } catch (...) {
    put_own(name, before);
    trying_.reset();
    throw;
  }
  trying_->build = model.build_asked();
}

void OwnWatch::take(Model& model, const OwnFile& file) {
  OwnDraft* const draft = model.editing.find(file.name, file.path);
  if (!draft && file.name.empty()) return;  // it was closed, or has a name by now
  const bool loaded = std::ranges::count(own_names(), file.name) + std::ranges::count(own_rules(), file.name) > 0;
  if (!draft && !loaded) return;  // it never compiled
  try {
    if (draft) {
      draft->gone = false;
      const std::string bytes = read_file(file.path);
      if (valid_utf8(bytes) != bytes || bytes.find('\0') != bytes.npos)
        throw FileError(draft->file + ":1: this is no text");
      if (bytes == draft->saved && draft->typed != bytes) return;  // the editor's own save, and more was typed since
      if (draft->typed != draft->saved && draft->typed != bytes) {
        // Nothing that was typed is lost: the editor asks.
        draft->on_disk = bytes;
        return model.tell(draft->file + " was changed by another program; the editor asks which text to keep", true);
      }
      const bool another = draft->typed != bytes;
      draft->typed = draft->saved = bytes;
      if (another) ++model.editing.edits;
      if (draft->name.empty()) {
        if (another) model.tell(draft->file + " was changed by another program, and is loaded");
        return;
      }
      draft->tried = bytes;
      draft->messages.clear();
    }
    OwnSource text = draft ? read_own_text(draft->file, draft->typed) : read_own_file(file.path);
    if (text.source == find_own(file.name)->source) {
      // It was wrong in between.
      const auto [words, bad] = how_it_runs(model, file.name);
      if (draft && draft->failed && model.notice_is_error) model.tell(words, bad);
      if (draft) {
        draft->ran = draft->tried;
        draft->status.clear();  // it says how it runs
        draft->failed = false;
      }
      return;
    }
    if (draft) draft->compiles();
    model.tell(text.file + " was saved: it is being compiled");
    try_text(model, file.name, std::move(text));
  } catch (const Error& error) {
    if (draft) {
      draft->compiling = false;
      draft->failed = true;
      draft->messages = own_messages_of(draft->file, error.what());
      draft->status = error.what() + (draft->ran.empty() ? "" : still_runs(draft));
    }
    model.tell(error.what() + (loaded ? still_runs(draft) : ""), true);
  }
}

}  // namespace warploom
