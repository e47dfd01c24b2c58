#pragma once
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "viewer/teach/puzzle.h"
#include "viewer/teach/tour.h"

namespace warploom {

/// A folder that a lecturer hands out: class.toml, and copies of tours, puzzles and scenes (docs/learning.md). Nothing
/// is sent: students give files back.
struct Classroom {
  std::filesystem::path folder;
  std::string title, id;                            ///< id: 16 hex digits
  std::vector<std::string> tours, puzzles, scenes;  ///< keys; of scenes names of files

  /// The file of one of its puzzles. Throws UsageError with the nearest; FileError where it leads out of the folder.
  std::filesystem::path puzzle(const std::string& key) const;
  std::filesystem::path tour(const std::string& key) const;
  std::filesystem::path scene(const std::string& name) const;
};

/// Throws FileError, "FILE:LINE: " first.
Classroom read_classroom(const std::filesystem::path& folder);

struct ClassWish {
  std::string title;
  std::vector<std::string> tours, puzzles, scenes;  ///< keys or files
  /// Checks a tour that does not come with the program, and throws where it does not hold. Null: none is checked.
  std::function<void(const Tour&)> check = {};
  std::function<void(const Puzzle&)> check_puzzle = {};  ///< the same of a puzzle
};
/// Makes the folder, as a whole or not at all. Throws FileError where it exists, or where something named is malformed.
void make_classroom(const std::filesystem::path& folder, const ClassWish& wish);

/// Throws UsageError: empty, longer than 80 characters, or with control characters.
void check_student(const std::string& name);

/// A hand-in without answers, predictions or tours.
nlohmann::ordered_json empty_hand_in(const Classroom& classroom, const std::string& name);
/// Adds answers, predictions and tours to what is handed in; of the same question the new ones stand.
void add_work(nlohmann::ordered_json& hand_in, const nlohmann::ordered_json& work);
/// A hand-in, warploom.class/1, whoever's it is. Throws FileError where it is damaged.
nlohmann::ordered_json parsed_hand_in(const std::filesystem::path& file);
/// What a student hands in, warploom.class/1, from a file; empty lists where it is not there yet. Throws FileError
/// where it is damaged, of another class, or another's.
nlohmann::ordered_json read_hand_in(const std::filesystem::path& file, const Classroom& classroom,
                                    const std::string& name);
/// What a hand-in holds of the own map that an answer names: its file and source; null: it names none.
nlohmann::ordered_json own_map_of(const Settings& answer);
/// Adds an answer (warploom.answer/1), or takes the place of an earlier one to the same puzzle.
void add_answer(nlohmann::ordered_json& hand_in, const nlohmann::ordered_json& answer, std::size_t attempts,
                std::uint64_t seconds, const nlohmann::ordered_json& map);

/// The first lines of its tables.
inline constexpr std::string_view answers_header =
    "name,puzzle,solved,score,unit,claimed,hints,attempts,seconds,note,file";
inline constexpr std::string_view predictions_header = "name,tour,step,question,given,truth,verdict,file";

/// The tables of a class, judged anew.
struct Collected {
  std::string answers, predictions;  ///< CSV
  std::vector<std::string> unread;   ///< a line for each file that could not be read
  std::vector<std::string> people;   ///< a line for each of the others: how much it holds
};
/// `trust`: own maps of answers are run. Throws Cancelled.
Collected collect(const Classroom& classroom, const std::vector<std::string>& files, bool trust,
                  const std::function<bool()>& stopped);

}  // namespace warploom
