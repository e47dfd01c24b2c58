#include "viewer/model/own_editing.h"

#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <sstream>

#include "gpu/core/error.h"
#include "gpu/core/files.h"
#include "gpu/core/format.h"
#include "gpu/own/compiling.h"
#include "gpu/own/registry.h"
#include "gpu/own/text.h"
#include "gpu/tracks/facets/written.h"
#include "viewer/model/model.h"
#include "viewer/model/own_watch.h"

namespace warploom {

namespace {

/// A file's name that no draft but `of` has: a second one of that name has a number, as its track has.
std::string free_file(const OwnEditing& editing, const std::string& file, const OwnDraft* of) {
  const auto taken = [&](const std::string& name) {
    return std::ranges::any_of(editing.drafts, [&](const OwnDraft& one) { return &one != of && one.file == name; });
  };
  const std::string stem = file.substr(0, file.rfind('.'));
  std::string free = file;
  for (int number = 2; taken(free); ++number) free = fmt::format("{}_{}.h", stem, number);
  return free;
}

/// What is typed, and what was made of it, are one text.
bool reads_as(const std::string& typed, const OwnSource& text) {
  try {
    return !typed.empty() && read_own_text(text.file, typed).source == text.source;
  } catch (const Error&) {
    return false;
  }
}

/// The whole path. Throws FileError where its name makes no track's name.
std::filesystem::path own_path(const std::string& path) {
  std::filesystem::path file = std::filesystem::absolute(path);
  if (!is_own_stem(file.stem().string()))
    throw FileError(path + ": a track is called like the file: letters, digits, '_' and '-'");
  return file;
}

}  // namespace

OwnDraft* OwnEditing::find(const std::string& name, const std::string& path) {
  const auto found = std::ranges::find_if(
      drafts, [&](const OwnDraft& draft) { return draft.name == name && (!name.empty() || draft.path == path); });
  return found == drafts.end() ? nullptr : &*found;
}

void OwnEditing::show(const std::string& file, const std::string& text, const std::string& path) {
  for (std::size_t i = 0; i < drafts.size(); ++i)
    if (drafts[i].file == file && drafts[i].typed == text) {
      shown = i;
      return;
    }
  OwnDraft draft;
  draft.file = file;
  draft.path = path;
  draft.typed = text;
  if (!path.empty()) draft.saved = text;
  add(std::move(draft));
  shown = drafts.size() - 1;
  ++edits;
}

OwnDraft& OwnEditing::add(OwnDraft draft) {
  draft.file = free_file(*this, draft.file, nullptr);
  if (draft.id == 0) {
    std::random_device chance;
    draft.id = (std::uint64_t{chance()} << 32 | chance()) >> 1 | 1;  // TOML's integers are signed
  }
  known.try_emplace(draft.id, draft.typed);
  drafts.push_back(std::move(draft));
  return drafts.back();
}

void OwnEditing::reopen(std::size_t of_closed) {
  OwnDraft draft = std::move(closed[of_closed]);
  closed.erase(closed.begin() + static_cast<std::ptrdiff_t>(of_closed));
  add(std::move(draft));
  shown = drafts.size() - 1;
  focus_frames = focus_takes;
  ++edits;
}

void OwnEditing::close(std::size_t draft) {
  if (OwnDraft& one = drafts[draft]; one.typed != one.ran && !one.is_saved()) {
    one.name.clear();
    one.messages.clear();
    one.compiling = false;
    closed.insert(closed.begin(), std::move(one));
    if (closed.size() > most_closed) closed.resize(most_closed);
  }
  drafts.erase(drafts.begin() + static_cast<std::ptrdiff_t>(draft));
  run_wanted.reset();  // it counts them
  if (shown >= draft && shown > 0) --shown;
  ++edits;
}

void open_own_texts(Model& model) {
  OwnEditing& editing = model.editing;
  auto names = own_names();
  const auto rules = own_rules();
  names.insert(names.end(), rules.begin(), rules.end());
  for (const std::string& name : names) {
    const auto text = find_own(name);
    if (editing.find(name)) continue;
    const auto from = std::ranges::find(model.own_files, name, &OwnFile::name);
    const std::string path = from == model.own_files.end() ? std::string() : from->path;
    // As its file has it: what runs has lost line ends of other systems.
    std::string typed = text->source;
    try {
      if (!path.empty()) typed = read_file(path);
    } catch (const Error&) {
      // It is gone; what runs stays.
    }
    // A draft of the last session that ran as this track, of the same file, or with this very text, is its own.
    const auto ran_as = [&](const OwnDraft& draft) {
      return draft.was == name && (path.empty() || draft.path == path) && reads_as(draft.had_run, *text);
    };
    const auto same = std::ranges::find_if(editing.drafts, [&](const OwnDraft& draft) {
      return draft.name.empty() && (ran_as(draft) || (draft.file == text->file &&
                                                      (path.empty() ? draft.typed == typed : draft.path == path)));
    });
    if (same != editing.drafts.end()) {
      same->name = name;
      same->ran = ran_as(*same) ? same->had_run : typed;
      continue;
    }
    OwnDraft draft;
    draft.file = text->file;
    draft.name = name;
    draft.path = path;
    draft.typed = draft.ran = typed;
    if (!path.empty()) draft.saved = typed;
    editing.add(std::move(draft));
    ++editing.edits;
  }
  const auto& tracks = model.scene().tracks();
  if (model.active_track >= tracks.size()) return;
  const std::string map = tracks[model.active_track].substr(0, tracks[model.active_track].find('/'));
  for (std::size_t i = 0; i < editing.drafts.size(); ++i)
    if (editing.drafts[i].name == map) editing.shown = i;
}

void toggle_editor(Model& model) {
  // The column shows one or the other.
  const bool covered = std::exchange(model.view.source, false);
  model.editing.open = covered || !model.editing.open;
  if (!model.editing.open) return;
  open_own_texts(model);
  model.editing.focus_frames = OwnEditing::focus_takes;
}

void edit_own(Model& model, const std::string& name) {
  open_own_texts(model);
  OwnEditing& editing = model.editing;
  const OwnDraft* const draft = editing.find(name);
  if (!draft) return;
  model.view.source = false;
  editing.open = true;
  editing.shown = static_cast<std::size_t>(draft - editing.drafts.data());
  editing.focus_frames = OwnEditing::focus_takes;
}

void show_own_words(Model& model) {
  model.glossary_word = "in own maps";
  model.glossary_open = true;
}

void go_to_error(OwnEditing& editing, int by) {
  const OwnDraft* draft = editing.front();
  if (!draft || draft->messages.empty()) return;
  std::vector<int> lines;
  for (const OwnMessage& message : draft->messages) lines.push_back(message.line);
  std::ranges::sort(lines);
  const int from = editing.at_line;
  const auto next = by > 0 ? std::ranges::upper_bound(lines, from) : std::ranges::lower_bound(lines, from);
  if (by > 0)
    editing.go_to = next == lines.end() ? lines.front() : *next;
  else
    editing.go_to = next == lines.begin() ? lines.back() : *(next - 1);
  editing.at_line = editing.go_to;
  editing.focus_frames = OwnEditing::focus_takes;
}

void save_own_draft(Model& model) {
  OwnDraft* draft = model.editing.front();
  if (!draft) throw UsageError("no text of an own map is open");
  if (draft->path.empty()) {
    model.path_prompt = "save_own";
    return;
  }
  std::error_code none;
  if (!draft->on_disk && std::filesystem::exists(draft->path, none))
    if (std::string there = read_file(draft->path); there != draft->saved && there != draft->typed)
      draft->on_disk = std::move(there);
  if (draft->on_disk) throw UsageError(draft->file + " was changed by another program: say first which text to keep");
  write_atomically(draft->path, draft->typed);
  draft->saved = draft->typed;
  draft->gone = false;
  draft->on_disk.reset();
  model.tell("saved " + draft->path);
}

void save_own_draft_as(Model& model, const std::string& path) {
  OwnDraft* draft = model.editing.front();
  if (!draft) throw UsageError("no text of an own map is open");
  const std::filesystem::path file = own_path(path);
  write_atomically(file, draft->typed);
  draft->path = file.string();
  draft->file = free_file(model.editing, file.filename().string(), draft);
  draft->saved = draft->typed;
  draft->gone = false;
  draft->on_disk.reset();
  ++model.editing.edits;
  model.tell("saved " + draft->path);
}

void open_own_file(Model& model, const std::string& path) {
  const std::filesystem::path file = own_path(path);
  std::string text = read_file(file);
  if (text.size() > most_own_bytes || valid_utf8(text) != text || text.find('\0') != text.npos)
    throw FileError(path + ":1: this is no text, or more than 64 KiB");
  model.editing.show(file.filename().string(), text, file.string());
  model.editing.open = true;
  model.editing.focus_frames = OwnEditing::focus_takes;
  model.tell(file.filename().string() + " is open in the editor: Ctrl+Enter runs it");
}

void open_in_own_editor(Model& model) {
  const OwnDraft* draft = model.editing.front();
  if (!draft) throw UsageError("no text of an own map is open");
  if (draft->path.empty()) {
    model.path_prompt = "save_own";
    return model.tell("first it needs a file; then open it once more");
  }
  if (!draft->is_saved()) save_own_draft(model);
  const char* const visual = std::getenv("VISUAL");
  const std::string editor = visual && *visual ? visual : "xdg-open";
  if (which(editor.substr(0, editor.find(' '))).empty())
    throw UsageError(visual && *visual ? "VISUAL=" + editor + ": there is no such program"
                                       : "no editor: set VISUAL, e.g. VISUAL=gedit, or install xdg-utils");
  // A shell of its own takes $VISUAL apart, and ends at once: the editor is no child of this program.
  std::string shell = "/bin/sh", option = "-c", words = editor + " \"$1\" >/dev/null 2>&1 &", name = "sh",
              path = draft->path;
  char* all[]{shell.data(), option.data(), words.data(), name.data(), path.data(), nullptr};
  // Signals that this program waits for are not kept from it.
  posix_spawnattr_t how;
  posix_spawnattr_init(&how);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&how, &none);
  posix_spawnattr_setpgroup(&how, 0);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  pid_t child = 0;
  const int failed = posix_spawn(&child, shell.c_str(), nullptr, &how, all, environ);
  posix_spawnattr_destroy(&how);
  if (failed) throw Error(shell + ": " + std::generic_category().message(failed));
  waitpid(child, nullptr, 0);
  model.tell(
      "asked " + editor + " to open " + draft->file +
      (draft->name.empty() ? "; run it here once, then what is saved there runs" : ": what is saved there runs"));
}

std::vector<OwnMessage> own_messages_of(const std::string& file, const std::string& lines) {
  std::vector<OwnMessage> all;
  std::istringstream rest(lines);
  for (std::string line; std::getline(rest, line);) {
    if (!line.starts_with(file + ":")) continue;
    OwnMessage message;
    std::size_t at = file.size() + 1;
    const auto number = [&] {
      int value = 0;
      const std::size_t begin = at;
      while (at < line.size() && line[at] >= '0' && line[at] <= '9') value = value * 10 + (line[at++] - '0');
      if (at == begin || at >= line.size() || line[at] != ':') {
        at = begin;
        return 0;
      }
      ++at;
      return value;
    };
    message.line = number();
    message.column = number();
    message.words = line.substr(std::min(line.find_first_not_of(' ', at), line.size()));
    if (message.line > 0) all.push_back(std::move(message));
  }
  return all;
}

std::vector<std::filesystem::path> own_examples() {
  std::vector<std::filesystem::path> files;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(data_folder() / "assets/own", none))
    if (entry.path().extension() == ".h") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

void show_first_fault(Model& model) {
  // What a question hides, this would tell.
  if (model.editing.first_fault != OwnEditing::FirstFault::waits || model.teaching.hides_figures()) return;
  const auto simulation = model.scene_simulation();
  for (std::size_t i = 0; simulation && i < simulation->size(); ++i)
    if (const auto* written = simulation->track(i).facet<Written>())
      if (const OwnState own = written->own(); !own.judging() && (own.judgement.missed || own.judgement.doubled)) {
        model.view.colour_by = ColourBy::visits;
        model.editing.first_fault = OwnEditing::FirstFault::shown;
        return;
      }
}

}  // namespace warploom
