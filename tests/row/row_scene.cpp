#include "tests/row/row_scene.h"

#include "tests/row/row_parts.h"
#include "tests/row/row_track.h"
#include "viewer/model/scene_of.h"

namespace warploom {

namespace {

struct RowParams {
  std::int64_t n = 100, block = 32;
  std::uint64_t seed = 1;
  std::vector<std::string> tracks{"straight", "backwards"};

  void describe(Describer& d, std::vector<Choice> maps) {
    d.section("Domain");
    d.integer("n", "Cells", n, 1, 1 << 20, "cells of the row");
    d.integer("block", "Block", block, 1, 1024, "threads of a block").as(Role::settings);
    d.natural("seed", "Seed", seed, "start of the hash that decides states");
    d.list("tracks", "Tracks", tracks, std::move(maps), 1, 4, "thread maps side by side").as(Role::settings);
  }
};

struct RowValues {
  RowParams params_;
};

class RowScene final : public SceneOf<RowScene, RowValues, OwnPictures> {
 public:
  explicit RowScene(const RowValues& values = {})
      : SceneOf({"row", "Row", "rule 90 on a row of cells"}, row_parts(), values) {}

  void describe(Describer& d) { params_.describe(d, track_choices(row_tracks(), false)); }
  void resolve(const std::set<std::string>&, const std::filesystem::path&) override {}
  std::string mend(const std::string&) override { return {}; }
  const std::vector<TrackInfo>& track_kinds() const override { return row_tracks(); }
  std::vector<std::string> picture_keys() const override { return {"row"}; }
  BuildRequest build_request(Backend backend) override {
    BuildRequest request;
    hash_by_roles(request, parameters(), backend, 0);
    request.dump_bytes = double(params_.n);
    request.check_memory = [](std::uint64_t) {};
    const RowSettings settings{static_cast<std::uint32_t>(params_.n), static_cast<std::uint32_t>(params_.block),
                               params_.seed};
    request.make_tracks = make_each(params_.tracks, [settings](Queue& queue, const std::string& track) {
      return make_row_track(queue, settings, track);
    });
    request.start_state = [](Queue& queue, Simulation& simulation) {
      simulation.start(queue, 0, [&](Track& track) { start_row(track, queue); });
    };
    return request;
  }
  Results results(const Simulation& simulation, Queue&) const override {
    return {{"alive_cells", simulation.status()[0].seal.sum}};
  }
  std::vector<Topic> catalogue() const override { return {maps_topic(key(), row_tracks())}; }
};

}  // namespace

std::unique_ptr<Scene> make_row_scene() { return std::make_unique<RowScene>(); }
std::vector<std::unique_ptr<Scene>> row_alone() {
  std::vector<std::unique_ptr<Scene>> all;
  all.push_back(make_row_scene());
  return all;
}

}  // namespace warploom
