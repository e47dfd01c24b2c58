#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gpu/core/backend.h"
#include "viewer/model/teaching.h"
#include "viewer/teach/question.h"
#include "viewer/teach/script.h"

namespace warploom {

/// An expression of a file, and the line that it stands in.
struct LineCheck {
  std::size_t line;
  Expression asked;
};

/// One step of a tour (docs/learning.md).
struct TourStep {
  std::string title, text;
  std::size_t line = 0;  ///< of its [[steps]]
  Script script;         ///< `do`
  std::optional<LineCheck> until;
  Script then;  ///< what brings `until` about
  std::vector<LineCheck> checks;
  std::optional<Question> question;
  Script look;  ///< where the reason of the answer can be seen
  /// A line of `do` glides.
  bool glides = false;
};

/// assets/tours/KEY.toml, or the user's own.
struct Tour {
  std::string key, title, idea, scene;
  int minutes = 0;               ///< 0: not said
  std::optional<Backend> needs;  ///< its figures hold on this one alone
  std::string origin;            ///< its file, for errors
  std::filesystem::path folder;
  std::vector<TourStep> steps;
};

/// Throws FileError, "FILE:LINE: " first.
Tour read_tour(const std::filesystem::path& file);
Tour read_tour_text(const std::string& text, const std::string& origin, const std::filesystem::path& folder);

/// Files of one kind that come with the program, and the user's own, which replace those of the same name:
/// assets/WHAT and WHAT of the configuration folder, by their keys.
std::vector<std::filesystem::path> shipped_files(const std::string& what);
/// Whether one of them comes with the program.
bool comes_with_program(const std::filesystem::path& file);
/// The file that a word of the command line names: with a '/' or ending in .toml a file, else the key of a shipped one.
/// Throws UsageError with the nearest key.
std::filesystem::path named_file(const std::string& what, const std::string& word);

/// What cannot be read is left out, which `left_out` is told with the reason, a line each.
std::vector<TourRow> known_tours(std::vector<std::string>* left_out = nullptr);

/// The backend that a tour runs on where `wanted`, a name of choose_backend, leaves the choice. Throws as that does.
Backend backend_of(const Tour& tour, const std::string& wanted);

}  // namespace warploom
