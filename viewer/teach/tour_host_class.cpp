// The class that is open: what it offers, and what of it is kept until it is handed in.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gpu/core/files.h"
#include "viewer/base/json_text.h"
#include "viewer/base/paths.h"
#include "viewer/teach/tour_host.h"

namespace warploom {

namespace {

/// What was answered in a class so far, by its id.
std::filesystem::path work_file(const Classroom& of) { return state_folder() / "classes" / (of.id + ".json"); }

}  // namespace

void TourHost::open_class(const std::filesystem::path& folder) {
  class_ = read_classroom(std::filesystem::absolute(folder));
  Teaching& teaching = stage_.model.teaching;
  teaching.class_title = class_->title;
  teaching.tours.clear();
  teaching.puzzles.clear();
  for (const auto& key : class_->tours) {
    const auto file = class_->tour(key);
    const Tour tour = read_tour(file);
    teaching.tours.push_back(
        {tour.key, tour.title, tour.idea, tour.scene, tour.minutes, tour.steps.size(), file.string()});
  }
  for (const auto& key : class_->puzzles) {
    const auto file = class_->puzzle(key);
    const Puzzle puzzle = read_puzzle(file);
    teaching.puzzles.push_back(
        {puzzle.key, puzzle.title, puzzle.task, puzzle.shows, puzzle.scene, puzzle.unit, file.string(), {}});
  }
  for (const auto& scene : class_->scenes) teaching.class_scenes.push_back(class_->scene(scene).string());
  // What cannot be read begins anew.
  try {
    loaded_ = read_hand_in(work_file(*class_), *class_, "");
  } catch (const Error&) {
    loaded_ = empty_hand_in(*class_, "");
  }
  for (TourRow& tour : teaching.tours)
    tour.done = std::ranges::count(loaded_["tours"], nlohmann::ordered_json(tour.key)) > 0;
  list_puzzles();
  teaching.welcome = true;
}

nlohmann::ordered_json TourHost::work() const {
  auto all = loaded_;
  for (const auto& [key, one] : answers_)
    add_answer(all, one.report, one.tries.attempts, static_cast<std::uint64_t>(std::lround(one.tries.seconds)),
               one.map);
  add_work(all, {{"answers", nlohmann::ordered_json::array()}, {"predictions", predictions_}, {"tours", tours_done_}});
  return all;
}

void TourHost::keep_work() {
  if (!class_) return;
  stage_.model.guarded([&] {
    make_folder(work_file(*class_).parent_path());
    write_atomically(work_file(*class_), json_text(work()));
  });
}

void TourHost::hand_in(const std::string& file) {
  if (!class_) return;
  const std::string ending = ".warploom.json", stem = std::filesystem::path(file).filename().string();
  const std::string name = stem.ends_with(ending) ? stem.substr(0, stem.size() - ending.size())
                                                  : std::filesystem::path(file).stem().string();
  check_student(name);
  if (const auto folder = std::filesystem::absolute(file).parent_path(); !std::filesystem::is_directory(folder))
    throw UsageError(folder.string() + ": no such folder; a name with '/' in it is read as one");
  auto all = read_hand_in(file, *class_, name);
  add_work(all, work());
  write_atomically(file, json_text(all));
  stage_.model.tell(fmt::format("handed in as {}: {} of {} puzzles answered, {} predictions, {} of {} tours; {}", name,
                                all["answers"].size(), class_->puzzles.size(), all["predictions"].size(),
                                all["tours"].size(), class_->tours.size(), std::filesystem::absolute(file).string()));
}

}  // namespace warploom
