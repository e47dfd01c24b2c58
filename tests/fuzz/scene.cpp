#include "tests/fuzz/scene.h"

#include "viewer/model/scene_of.h"

namespace warploom {

namespace {

struct FuzzParams {
  std::int64_t n = 5, block = 4;
  std::uint64_t seed = 1;
  double share = .5;
  std::string rule = "B3/S23", shape = "square", input = "none", state;
  std::vector<std::string> tracks{"plain"};
};

struct FuzzValues {
  FuzzParams params_;
  std::vector<TextField> own_;
  std::vector<std::uint8_t> cells_;
  std::pair<std::uint64_t, std::string> origin_;
};

const std::vector<TrackInfo>& kinds() {
  static const std::vector<TrackInfo> all = [] {
    std::vector<TrackInfo> infos;
    for (const char* name : {"plain", "other", "other/way"}) {
      TrackInfo info;
      info.name = name;
      infos.push_back(info);
    }
    return infos;
  }();
  return all;
}

const SceneParts& fuzz_parts() {
  static const SceneParts all{.spaces = {{"bin", "X,Y", false}, {"element", "N", true}}};
  return all;
}

class FuzzScene final : public SceneOf<FuzzScene, FuzzValues, OwnText, StoredState> {
 public:
  explicit FuzzScene(const FuzzValues& values = {}) : SceneOf({"fuzz", "Fuzz", "for tests"}, fuzz_parts(), values) {}

  void describe(Describer& d) {
    d.integer("n", "n", params_.n, 1, 1 << 20, "a number");
    d.integer("block", "Block", params_.block, 1, 64, "one of a few").as(Role::settings).once("tile").among([] {
      return std::vector<std::int64_t>{1, 2, 4, 8};
    });
    d.natural("seed", "Seed", params_.seed, "any");
    d.real("share", "Share", params_.share, 0, 1, "a share").following({"n"});
    d.text("rule", "Rule", params_.rule, "a text").checked([](const std::string& text) {
      if (text.size() > 100) throw UsageError("rule: too long");
    });
    d.choice("shape", "Shape", params_.shape, {{"square", "", ""}, {"round", "", ""}}, "a choice");
    d.choice("input", "Input", params_.input, {{"none", "", ""}}, "a choice or a file").taking({".npy", ".png"});
    d.path("state", "State", params_.state, "a file").taking({".rle"});
    d.list("tracks", "Tracks", params_.tracks, track_choices(kinds(), true), 1, 4, "tracks").as(Role::settings);
  }
  void resolve(const std::set<std::string>&, const std::filesystem::path&) override {}
  std::string mend(const std::string&) override { return {}; }
  const std::vector<TrackInfo>& track_kinds() const override { return kinds(); }
  BuildRequest build_request(Backend) override { throw Error("it has no tracks"); }
  Results results(const Simulation&, Queue&) const override { return {}; }
  std::vector<Topic> catalogue() const override { return {}; }

  const char* section() const override { return "mask"; }
  const char* parameter() const override { return "input"; }
  std::vector<TextField> written() const override { return own_; }
  void read(const std::vector<TextField>& fields) override { own_ = fields; }

  void forget_file() override { params_.state.clear(); }
  void forget_state() override {}
  Index3 domain_extent() const override { return {static_cast<std::uint32_t>(params_.n), 8, 1}; }
  void set_state(std::vector<std::uint8_t> cells, std::uint32_t width, std::uint32_t height, std::uint64_t step,
                 std::string history) override {
    if (width != domain_extent().x || height != domain_extent().y || cells.size() != std::size_t{width} * height)
      throw std::logic_error("a state of another domain");
    cells_ = std::move(cells);
    origin_ = {step, std::move(history)};
  }
  std::pair<std::uint64_t, std::string> start_origin() const override { return origin_; }
  const std::vector<std::uint8_t>* start_state() const override { return cells_.empty() ? nullptr : &cells_; }
};

}  // namespace

std::vector<std::unique_ptr<Scene>> fuzz_scenes() {
  std::vector<std::unique_ptr<Scene>> all;
  all.push_back(std::make_unique<FuzzScene>());
  return all;
}

}  // namespace warploom
