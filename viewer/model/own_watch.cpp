#include "viewer/model/own_watch.h"

#include <chrono>
#include <filesystem>
#include <utility>

#include "gpu/core/error.h"
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

/// A text that was taken over, in the words of its judge.
void tell_how_it_runs(Model& model, const std::string& name) {
  const auto simulation = model.runner().simulation();
  for (std::size_t i = 0; simulation && i < simulation->size(); ++i) {
    const auto* written = simulation->track(i).facet<Written>();
    if (!written || written->own().name != name) continue;
    const OwnState own = written->own();
    const bool bad = *own.badge();
    model.tell(own.file + (bad                  ? " " + verdict_words(own, simulation->track(i).dimensions())
                           : own.kind == "rule" ? " runs"
                                                : " runs: each of " + grouped(own.judgement.cells) + " cells once"),
               bad);
    return;
  }
  model.tell(find_own(name)->file + " is loaded; no track shows it");
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
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    for (File& file : files_) {
      const std::uint64_t now = stamp_of(file.of.path);
      if (std::exchange(file.stamp, now) != now || now == 0 || now == file.taken) continue;
      file.taken = now;
      {
        const std::lock_guard lock(mutex_);
        saved_.push_back(file.of);
      }
      wake_();
    }
  }
}

void OwnWatch::follow(Model& model) {
  if (trying_) {
    const Runner::Builds builds = model.runner().builds();
    if (model.build_asked() > trying_->build) trying_->build = model.build_asked();  // it went on with other parameters
    if (builds.shown >= trying_->build) {
      note_own_run(*find_own(trying_->name));
      tell_how_it_runs(model, trying_->name);
      trying_.reset();
    } else if (builds.given_up >= trying_->build) {
      const std::string error = model.runner().error();
      put_own(trying_->name, trying_->before);
      trying_.reset();
      model.runner().clear_error();
      if (!error.empty()) model.tell(error + "; the text of before runs on", true);
    }
  }
  if (trying_ || model.building()) return;
  std::vector<OwnFile> saved;
  {
    const std::lock_guard lock(mutex_);
    saved = std::exchange(saved_, {});
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

void OwnWatch::take(Model& model, const OwnFile& file) {
  try {
    OwnSource text = read_own_file(file.path);
    const auto before = find_own(file.name);
    if (text.source == before->source) {
      // It was wrong in between.
      if (model.notice_is_error) tell_how_it_runs(model, file.name);
      return;
    }
    if (text.kind() != before->kind())
      throw FileError(text.file + ": a " + before->kind() + " has become a " + text.kind() +
                      "; start Warploom with it");
    put_own(file.name, std::make_shared<const OwnSource>(std::move(text)));
    trying_ = Trying{file.name, before, 0};
    model.tell(before->file + " was saved: it is being compiled");
    model.rebuild();
    trying_->build = model.build_asked();
  } catch (const Error& error) {
    if (trying_) put_own(trying_->name, trying_->before);
    trying_.reset();
    model.tell(std::string(error.what()) + "; the text of before runs on", true);
  }
}

}  // namespace warploom
