#pragma once
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "viewer/base/paths.h"
#include "viewer/model/own_trust.h"

namespace warploom {

class Model;

/// What a compiler says of a line of a text.
struct OwnMessage {
  int line = 0;    ///< from 1 on
  int column = 0;  ///< from 1 on; 0: not told
  std::string words;
};

/// A text in the editor. What is typed is kept, whether it runs or not.
struct OwnDraft {
  std::uint64_t id = 0;  ///< the same in every session; 0: none yet
  std::string file;      ///< "fold.h"
  std::string path;      ///< where it is saved; empty: nowhere yet
  std::string name;      ///< "own:fold"; empty: it never ran
  std::string typed;
  std::string ran;                     ///< the text that runs, as it was typed; empty: none
  std::string ran_at;                  ///< "12:04": since when
  std::string saved;                   ///< what the file held when it was read or written last
  bool gone = false;                   ///< the file is not there any more
  std::optional<std::string> on_disk;  ///< the file holds another text than what was saved, and so does the editor
  std::vector<OwnMessage> messages;    ///< of the text that was tried last
  std::string tried;                   ///< ... itself
  std::string status;                  ///< what became of it, in words
  bool failed = false, compiling = false;
  std::chrono::steady_clock::time_point since;  ///< when it began to be compiled

  // Of the session that kept it.
  std::string was, had_run;  ///< its name and the text that ran

  bool is_saved() const { return !path.empty() && typed == saved && !gone; }
  void compiles() {
    compiling = true;
    since = std::chrono::steady_clock::now();
    status = "it is being compiled";
  }
  /// Another text was tried than the one that runs, and cannot run.
  bool older_runs() const { return failed && !compiling && !ran.empty() && tried != ran; }
};

/// The editor's texts and what is asked of them. The window's thread.
struct OwnEditing {
  bool open = false;  ///< the column is shown
  /// For so many frames its text is to take the keyboard: a click or a key that is under way may take it away again.
  int focus_frames = 0;
  static constexpr int focus_takes = 8;
  bool has_focus = false;  ///< ... has it, in this frame
  /// Of show_first_fault: no text was run here yet; the next fault is shown; one was.
  enum class FirstFault { no_text_ran, waits, shown } first_fault = FirstFault::no_text_ran;
  void text_runs() {
    if (first_fault == FirstFault::no_text_ran) first_fault = FirstFault::waits;
  }
  bool as_typed = false;    ///< texts run by themselves when nothing was typed for a while
  std::size_t shown = 0;    ///< the draft in front
  int go_to = 0;            ///< a line to bring into view, with the cursor; 0: none
  int at_line = 0;          ///< where the cursor of the text in front is, or goes to
  int comments_wanted = 0;  ///< the lines of the selection are to be commented, or no more
  std::vector<OwnDraft> drafts;
  static constexpr std::size_t most_closed = 8;
  std::vector<OwnDraft> closed;  ///< with text that is nowhere else, the last one first
  /// Of drafts that this window has, or had: the text that was read or kept last.
  std::map<std::uint64_t, std::string> known;
  std::optional<std::size_t> run_wanted;  ///< a draft that is to run
  std::uint64_t edits = 0;                ///< grows with what is typed

  OwnDraft* front() { return shown < drafts.size() ? &drafts[shown] : nullptr; }
  /// The draft of a track, or, without a name, that of a file which never ran.
  OwnDraft* find(const std::string& name, const std::string& path = {});
  /// Shows a draft of this text in front; `path` as of OwnDraft. One with the same file and text is shown again.
  void show(const std::string& file, const std::string& text, const std::string& path);
  /// Behind the others. A second one of a file's name has a number, as its track has.
  OwnDraft& add(OwnDraft draft);
  /// Closes one; what it shows as a track stays. Text that is nowhere else can be opened again.
  void close(std::size_t draft);
  void reopen(std::size_t of_closed);
};

/// Takes in the texts of own maps that run and have no draft yet.
void open_own_texts(Model& model);
/// Opens or closes the editor.
void toggle_editor(Model& model);
/// Opens it with the text of an own map in front: "own:fold".
void edit_own(Model& model, const std::string& name);
/// Opens the glossary at the words that own maps are written in.
void show_own_words(Model& model);
/// The error before or after the cursor's line; `by` is -1 or 1.
void go_to_error(OwnEditing& editing, int by);
/// Writes the draft in front to its file, and asks for one where it has none. Throws FileError, UsageError.
void save_own_draft(Model& model);
/// Writes it to this file, which is its own from now on. Throws FileError where its name makes no track's name.
void save_own_draft_as(Model& model, const std::string& path);
/// Shows a file's text in front; nothing runs. Throws FileError.
void open_own_file(Model& model, const std::string& path);
/// Opens the file of the draft in front in the user's own editor: $VISUAL, else what the desktop opens it with. Throws
/// UsageError where there is none.
void open_in_own_editor(Model& model);
/// "fold.h:3:5: what" and more lines of that kind.
std::vector<OwnMessage> own_messages_of(const std::string& file, const std::string& lines);

/// The drafts of a session: written when they changed, so that nothing typed is lost; what another window kept stays. A
/// folder that cannot be written is no reason to fail.
void keep_own_drafts(OwnEditing& editing) noexcept;
/// Those of the last session. What cannot be read is left out.
void restore_own_drafts(OwnEditing& editing) noexcept;

/// The examples that come with the program: their files, by name.
std::vector<std::filesystem::path> own_examples();

}  // namespace warploom
