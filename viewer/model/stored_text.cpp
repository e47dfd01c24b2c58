#include "viewer/model/stored_text.h"

#include <fmt/format.h>

#include <memory>
#include <sstream>
#include <utility>

#include "gpu/tracks/facets/editable.h"

namespace warploom {

void unpack_state(StoredState& scene, const std::string& text, std::uint64_t step, const std::string& history) {
  std::istringstream in(text);
  std::uint64_t width = 0, height = 0;
  std::string runs;
  std::string more;
  if (!(in >> width >> height >> runs) || (in >> more)) throw FileError("its stored state is damaged");
  // A few characters can promise gigabytes.
  if (const Index3 domain = scene.domain_extent(); width != domain.x || height != domain.y || domain.z > 1)
    throw FileError(fmt::format("its stored state has {} x {} cells and belongs to another domain", width, height));
  std::vector<std::uint8_t> cells;
  cells.reserve(width * height);
  std::uint64_t run = 0;
  for (const char c : runs) {
    if (c >= '0' && c <= '9') {
      run = run * 10 + static_cast<std::uint64_t>(c - '0');
      if (run > width * height) throw FileError("its stored state is damaged");
      continue;
    }
    if ((c != 'b' && c != 'o') || cells.size() + run > width * height) throw FileError("its stored state is damaged");
    cells.insert(cells.end(), run, c == 'o');
    run = 0;
  }
  if (cells.size() != width * height) throw FileError("its stored state is damaged");
  scene.set_state(std::move(cells), static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), step,
                  history);
}

std::string pack_state(const std::vector<std::uint8_t>& cells, std::uint32_t width, std::uint32_t height) {
  std::string text = fmt::format("{} {} ", width, height);
  for (std::size_t i = 0; i < cells.size();) {
    std::size_t end = i + 1;
    while (end < cells.size() && cells[end] == cells[i]) ++end;
    text += std::to_string(end - i) + (cells[i] ? 'o' : 'b');
    i = end;
  }
  return text;
}

namespace {

bool is_edited(Model& model) {
  const auto simulation = model.runner().simulation();
  return simulation && !model.starts_anew() && !model.runner().history().empty() &&
         simulation->track(0).facet<Editable>() && simulation->track(0).extent().z <= 1;
}

/// Any thread.
EditedState read_edited(Runner& runner) {
  return runner.ask([](Queue& queue, Simulation& tracks) {
    Track& track = tracks.reference_track();
    return EditedState{pack_state(track.need<Editable>().state(queue), track.extent().x, track.extent().y),
                       tracks.steps(), tracks.reference_status().seal.hash};
  });
}

}  // namespace

EditedState edited_state(Model& model) { return is_edited(model) ? read_edited(model.runner()) : EditedState(); }

void with_edited_state(Model& model, std::function<void(const EditedState&)> then) {
  if (!is_edited(model)) return then({});
  auto edited = std::make_shared<EditedState>();
  model.read_later([&runner = model.runner(), edited] { *edited = read_edited(runner); },
                   [edited, then = std::move(then)] { then(*edited); });
}

}  // namespace warploom
