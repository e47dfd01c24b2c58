// The texts of the editor from one session to the next.
#include <toml++/toml.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "gpu/core/files.h"
#include "viewer/model/own_editing.h"

namespace warploom {

namespace {

std::filesystem::path drafts_file() { return state_folder() / "own-drafts.toml"; }
/// Beyond so many the oldest are not kept for another session.
constexpr std::size_t most_drafts = 50;

toml::table kept_draft(const OwnDraft& draft) {
  return toml::table{{"id", static_cast<std::int64_t>(draft.id)},
                     {"file", draft.file},
                     {"path", draft.path},
                     {"name", draft.name.empty() ? draft.was : draft.name},
                     {"source", draft.typed},
                     {"ran", draft.name.empty() ? draft.had_run : draft.ran},
                     {"saved", draft.saved}};
}
/// Without a file's name: it is none.
OwnDraft draft_of(const toml::table& kept) {
  OwnDraft draft;
  const auto text = [&](const char* key) { return kept[key].value_or(std::string()); };
  draft.id = static_cast<std::uint64_t>(kept["id"].value_or(std::int64_t{0}));
  draft.file = text("file");
  draft.path = text("path");
  draft.typed = text("source");
  draft.saved = text("saved");
  draft.was = text("name");
  draft.had_run = text("ran");
  return draft;
}
std::vector<OwnDraft> drafts_in(const toml::table& file, const char* key, std::size_t most) {
  std::vector<OwnDraft> all;
  const auto* drafts = file[key].as_array();
  for (std::size_t i = 0; drafts && i < drafts->size() && i < most; ++i)
    if (const auto* one = drafts->get(i)->as_table())
      if (OwnDraft draft = draft_of(*one); !draft.file.empty()) all.push_back(std::move(draft));
  return all;
}

}  // namespace

void keep_own_drafts(OwnEditing& editing) noexcept {
  try {
    // Another window may have kept drafts of its own, or changed one that this window only shows.
    std::vector<OwnDraft> theirs, their_closed;
    try {
      const auto file = toml::parse(read_file(drafts_file()));
      theirs = drafts_in(file, "draft", most_drafts);
      their_closed = drafts_in(file, "closed", OwnEditing::most_closed);
    } catch (const std::exception&) {
      // There is none, or it is no such file.
    }
    std::vector<OwnDraft> all;
    for (const OwnDraft& draft : editing.drafts) {
      std::string& known = editing.known[draft.id];
      const auto other = std::ranges::find(theirs, draft.id, &OwnDraft::id);
      const bool theirs_is_newer = other != theirs.end() && other->typed != known && draft.typed == known;
      all.push_back(theirs_is_newer ? *other : draft);
      if (!theirs_is_newer) known = draft.typed;
    }
    // One that this window closed stays closed, unless it was changed meanwhile. Older files have no numbers.
    for (const OwnDraft& other : theirs) {
      const auto known = editing.known.find(other.id);
      const bool here = std::ranges::count(editing.drafts, other.id, &OwnDraft::id) > 0;
      if (other.id != 0 && !here && (known == editing.known.end() || known->second != other.typed))
        all.push_back(other);
    }
    // Where there are too many, those that their files have, too, go first.
    if (all.size() > most_drafts) {
      std::stable_partition(all.begin(), all.end(), [](const OwnDraft& draft) { return draft.is_saved(); });
      all.erase(all.begin(), all.end() - most_drafts);
    }
    auto closed = editing.closed;
    for (const OwnDraft& other : their_closed) {
      const auto is_other = [&](const OwnDraft& draft) { return draft.id == other.id; };
      if (std::ranges::none_of(closed, is_other) && std::ranges::none_of(all, is_other)) closed.push_back(other);
    }
    toml::array drafts, closed_drafts;
    for (const OwnDraft& one : all) drafts.push_back(kept_draft(one));
    for (const OwnDraft& one : closed) closed_drafts.push_back(kept_draft(one));
    make_folder(state_folder());
    std::ostringstream text;
    text << toml::toml_formatter{toml::table{{"open", editing.open}, {"draft", drafts}, {"closed", closed_drafts}},
                                 toml::format_flags::allow_unicode_strings}
         << "\n";
    write_atomically(drafts_file(), text.str());
  } catch (const std::exception&) {
    // The next time.
  }
}

void restore_own_drafts(OwnEditing& editing) noexcept {
  try {
    std::error_code none;
    if (!std::filesystem::exists(drafts_file(), none)) return;
    const auto all = toml::parse(read_file(drafts_file()));
    for (OwnDraft& draft : drafts_in(all, "draft", most_drafts)) {
      draft.gone = !draft.path.empty() && !std::filesystem::exists(draft.path, none);
      editing.add(std::move(draft));
    }
    editing.closed = drafts_in(all, "closed", OwnEditing::most_closed);
    for (const OwnDraft& one : editing.closed) editing.known[one.id] = one.typed;
    editing.open = all["open"].value_or(false);
  } catch (const std::exception&) {
    // They are left out, and kept under another name.
    std::error_code none;
    std::filesystem::rename(drafts_file(), state_folder() / "own-drafts-left-out.toml", none);
  }
}

}  // namespace warploom
