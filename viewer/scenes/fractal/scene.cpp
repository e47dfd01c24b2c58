#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/core/hash.h"
#include "gpu/files/input.h"
#include "gpu/files/states.h"
#include "gpu/scenes/fractal/files/masks.h"
#include "gpu/scenes/fractal/fractal.h"
#include "gpu/scenes/fractal/maps/domain.h"
#include "gpu/tracks/facets/storage.h"
#include "gpu/tracks/named_devices.h"
#include "viewer/base/paths.h"
#include "viewer/model/own_rules.h"
#include "viewer/model/scene_of.h"
#include "viewer/scenes/fractal/parameters.h"
#include "viewer/scenes/fractal/start_state.h"

namespace warploom {

/// What the scene brings along for the window, scene texts, stats and benchmarks.
const SceneParts& fractal_parts();

namespace {

bool is_mask_file(const std::string& fractal) { return extension_of(fractal) == ".toml"; }

/// The fractals that came with the program and the user's own, in the order of their keys.
KnownMasks all_masks() {
  KnownMasks known = read_masks_within({data_folder() / "assets", config_folder()});
  // Known by their keys: a scene text need not write them out.
  for (auto& mask : known.masks) mask.file.clear();
  return known;
}

/// What a copy of the scene takes along.
struct FractalValues {
  KnownMasks known_ = all_masks();
  FractalParams params_;
  StartCells start_;
  bool state_given_ = false, custom_ = false;
  StateFile loaded_;
  std::string loaded_from_, history_;  ///< of a state that was given
  TrackSubstitutes substitutes_;
  mutable std::vector<TheoryCurve> curves_;
  mutable std::string curves_of_;
  double side_ = 0;  ///< n of the domain that was resolved last; 0: none was
};

class FractalScene final : public SceneOf<FractalScene, FractalValues, Theory, OwnText, StoredState, Papers,
                                          Substituting, FileRemarks, Captioned, TakesOwnMaps, Unavailable> {
 public:
  explicit FractalScene(const FractalValues& values = {})
      : SceneOf({"fractal", "Fractals", "automata and elementary works on fractals of non-overlapping boxes"},
                fractal_parts(), values) {}

  void describe(Describer& d) {
    std::vector<Choice> fractals;
    for (const auto& mask : known_.masks)
      fractals.push_back(
          {mask.key, mask.name,
           fmt::format("k = {}, s = {}, dimension {:.3f} \u00b7 {}", mask.copies(),
                       mask.side_x() == mask.side_y() ? std::to_string(mask.side_x())
                                                      : fmt::format("{} \u00d7 {}", mask.side_x(), mask.side_y()),
                       mask.dimension(), mask.status)});
    params_.describe(d, std::move(fractals), with_own_rules(choices_of(fractal_works())),
                     track_choices(track_kinds(), false));
    d.at("level").saying([this] { return side_text(); });
    d.at("block").among([this] { return legal_blocks(); }).saying([this] {
      return "\u00d7 " + std::to_string(block_height());
    });
    for (const char* drawn : {"density", "seed"})
      d.at(drawn).where([this] { return start_.cells ? "the start state is given: no cell is random" : ""; });
    d.at("state").saying(
        [this] { return state_given_ ? fmt::format("given, step {}", start_.step) : std::string("random"); });
    // Names with their defaults left out or written out are the same track.
    Parameter& tracks = d.at("tracks");
    tracks.canonical = [](const std::string& name) { return fractal_track_name(name); };
    tracks.set = [this](const Value& value) {
      params_.tracks.clear();
      for (const auto& name : std::get<std::vector<std::string>>(value))
        params_.tracks.push_back(fractal_track_name(name));
    };
  }

  void resolve(const std::set<std::string>& given, const std::filesystem::path& folder) override {
    // Paths are the names themselves where those are absolute.
    if (is_mask_file(params_.fractal)) set_mask(read_mask(folder / params_.fractal));
    const Mask& mask = this->mask();
    const auto level = static_cast<int>(params_.level);
    const FractalDomain domain(mask, level);  // throws when a side does not fit
    side_ = std::pow(mask.side_x(), level);
    if (params_.block == 0)
      params_.block = block_side(mask, default_block_digits(mask, level));
    else if (given.contains("block"))
      (void)block_digits_of(mask, level, params_.block);
    else
      (void)mend("level");
    substitutes_.apply(params_.tracks, given.contains("tracks"), [&](const std::string& name) {
      return Substitute{name,
                        with_devices_of(name, compiled_fractal_track(find_fractal_track(name), params_.work).name),
                        "it looks for neighbours, which work '" + params_.work + "' does not need"};
    });
    const Rule rule = parse_rule(params_.rule);
    params_.rule = text(rule);
    if (params_.state.empty()) {
      if (!state_given_) start_.cells.reset();
    } else {
      // Read once; again when it is named anew.
      if (given.contains("state") || loaded_from_ != params_.state) {
        loaded_ = read_state(folder / params_.state, domain.extent);
        loaded_from_ = params_.state;
      }
      const StateFile& loaded = loaded_;
      if (loaded.rule && given.contains("state") && !given.contains("rule")) {
        try {
          params_.rule = text(parse_rule(*loaded.rule));
        } catch (const UsageError& error) {
          throw FileError(params_.state + ": " + error.what());
        }
        // A plane of the domain's own size is what runs here: outside all is dead.
        const std::string own_plane = fmt::format("P{},{}", domain.extent.x, domain.extent.y);
        if (!loaded.bounded_grid.empty() && loaded.bounded_grid != own_plane)
          throw FileError(fmt::format(
              "{}: its rule asks for the bounded grid ':{}'; here the domain ends at {} x {} and all beyond "
              "is dead (':{}'); give the rule as well, {}, to run it so",
              params_.state, loaded.bounded_grid, domain.extent.x, domain.extent.y, own_plane, params_.rule));
      }
      start_ = {placed(mask, level, loaded, params_.state), 0};
      state_given_ = false;
    }
    if (start_.cells)
      check_start(mask, level, *start_.cells, params_.state.empty() ? "the stored state" : params_.state);
  }

  std::vector<Substitute> substitutes() const override { return substitutes_.of(params_.tracks); }
  std::string remarks() const override {
    return params_.state.empty() ? std::string() : remarks_text(params_.state, loaded_.remarks);
  }
  std::vector<std::string> left_out() const override { return known_.left_out; }

  std::string mend(const std::string& key) override {
    if (key != "fractal" && key != "level") return {};
    const std::int64_t before = params_.block;
    if (is_mask_file(params_.fractal)) return {};
    std::string told = key == "fractal" ? keep_side() : "";
    side_ = std::pow(mask().side_x(), params_.level);
    const auto legal = legal_block_digits(mask(), static_cast<int>(params_.level));
    if (params_.block == 0) {
      params_.block = block_side(mask(), default_block_digits(mask(), static_cast<int>(params_.level)));
      return told;
    }
    // The nearest legal side, as a ratio.
    const auto distance = [&](int j) {
      return std::abs(std::log(double(block_side(mask(), j))) - std::log(std::max(1., double(before))));
    };
    const int best =
        *std::min_element(legal.begin(), legal.end(), [&](int a, int b) { return distance(a) < distance(b); });
    params_.block = block_side(mask(), best);
    if (params_.block == before) return told;
    return fmt::format("block {} is not legal here: now {}{}{}", before, params_.block, told.empty() ? "" : "; ", told);
  }

  std::vector<std::string> foreign_words() const override { return {"riangle", "etrahedr"}; }
  bool is_map(const TrackInfo& track) const override { return is_fractal_map(track.name); }
  const std::vector<TrackInfo>& track_kinds() const override { return fractal_tracks(params_.work); }

  BuildRequest build_request(Backend backend) override {
    FractalSettings settings = this->settings();
    settings.block_digits = block_digits_of(settings.mask, settings.level, params_.block);
    BuildRequest request;
    request.dump_bytes = std::pow(double(mask().side_x()), double(params_.level)) *
                         std::pow(double(mask().side_y()), double(params_.level));
    hash_by_roles(request, parameters(), backend, start_.hash(text_hash(join(settings.mask.rows, "/"))));
    hash_rule(request, params_.work);
    if (state_given_) request.history = history_;
    for (const auto& track : params_.tracks)
      request.memory += fractal_track_bytes(settings.mask, settings.level, settings.block_digits, track);
    request.check_memory = [settings, backend, tracks = params_.tracks](std::uint64_t released) {
      check_fractal_memory(backend, settings, tracks, released);
    };
    request.make_tracks = make_each(params_.tracks, [settings](Queue& queue, const std::string& track) {
      return make_fractal_track(queue, settings, track);
    });
    request.start_state = start_.starting(params_.seed, params_.density);
    return request;
  }

  std::string unavailable(Backend, const std::string& track) const override {
    // Menus ask in each frame: of one device there is nothing to find out.
    if (devices_of_track(track, static_cast<int>(params_.devices)) == 1) return {};
    return fractal_devices_refusal(settings(), track);
  }

  std::vector<Topic> catalogue() const override {
    Topic fractals{"fractals", {}, true};
    for (const auto& mask : known_.masks)
      fractals.rows.push_back(
          {mask.key,
           {{"name", mask.name},
            {"k", std::to_string(mask.copies())},
            {"s", mask.side_x() == mask.side_y() ? std::to_string(mask.side_x())
                                                 : fmt::format("{}x{}", mask.side_x(), mask.side_y())},
            {"rows", join(mask.rows, " ")},
            {"status", mask.status}}});
    return {maps_topic(key(), fractal_tracks()), works_topic(key(), choices_of(fractal_works())), fractals};
  }

  Results results(const Simulation& simulation, Queue&) const override {
    const TrackStatus status = simulation.reference_status();
    Results all{
        {"cells", simulation.reference_track().cells()},
        {"hausdorff_dimension", mask().dimension()},
    };
    if (status.sealed) all.insert(all.begin() + 1, {"alive_cells", status.seal.sum});
    for (std::size_t i = 0; i < simulation.size(); ++i) {
      const auto* stored = simulation.track(i).facet<StorageFacet>();
      if (!stored) continue;
      std::string key = "memory_gain_" + simulation.track(i).info().storage;
      if (stored->tile_side()) key += fmt::format("_rho_{}", stored->tile_side());
      const bool told = std::any_of(all.begin(), all.end(), [&](const auto& row) { return row.first == key; });
      if (!told) all.emplace_back(key, stored->memory_gain());
    }
    if (status.folded && params_.work == "reduction") all.emplace_back("reduction_sum", *status.folded);
    return all;
  }

  std::string caption() const override {
    return fmt::format("{}, level {}: {} \u00d7 {} places, blocks of {} \u00d7 {}", mask().name, params_.level,
                       grouped(std::llround(std::pow(mask().side_x(), params_.level))),
                       grouped(std::llround(std::pow(mask().side_y(), params_.level))), params_.block, block_height());
  }
  std::string look_at(const Simulation&, const std::vector<std::string>& pictures) const override {
    return std::ranges::count(pictures, "launch") ? "Below, what is hatched is launched for nothing." : std::string();
  }

  std::string sentence(const Simulation& simulation) const override {
    const Track& track = simulation.track(0);
    const double places = double(track.extent().x) * track.extent().y;
    return fmt::format("The bounding box has {:.2f} places per cell.", places / double(track.cells()));
  }

  std::vector<TheoryCurve> waste() const override {
    // Asked for every frame.
    const std::string now =
        fmt::format("{}|{}|{}|{}", join(mask().rows, "/"), params_.block, params_.level, join(params_.tracks));
    if (now != std::exchange(curves_of_, now)) curves_ = waste_curves();
    return curves_;
  }
  std::vector<TheoryCurve> waste_curves() const {
    std::vector<TheoryCurve> curves;
    int digits = 0;
    while (block_side(mask(), digits) < params_.block) ++digits;
    for (std::size_t i = 0; i < params_.tracks.size(); ++i) {
      TheoryCurve curve;
      curve.track = i;
      // Threads a cell, up to sides of 65536 and what a domain can have.
      for (int r = digits; r <= FractalDomain::most_levels && std::pow(mask().side_x(), r) <= 65536 * 1.01 &&
                           std::pow(mask().side_y(), r) <= 0x7fffffff;
           ++r) {
        curve.n.push_back(std::pow(mask().side_x(), r));
        curve.value.push_back(fractal_launched(mask(), r, digits, params_.tracks[i]) / std::pow(mask().copies(), r));
      }
      curves.push_back(std::move(curve));
    }
    return curves;
  }

  const char* section() const override { return "mask"; }
  const char* parameter() const override { return "fractal"; }
  std::vector<TextField> written() const override {
    if (mask().file.empty() && !(custom_ && params_.fractal == "mask")) return {};
    return {{"name", mask().name}, {"rows", mask().rows}};
  }
  void read(const std::vector<TextField>& fields) override {
    Mask mask;
    mask.name = mask.key = "mask";
    for (const auto& [key, value] : fields) {
      const auto* name = std::get_if<std::string>(&value);
      const auto* rows = std::get_if<std::vector<std::string>>(&value);
      if (key == "name" && name)
        mask.name = *name;
      else if (key == "rows" && rows)
        mask.rows = *rows;
      else if (key == "name" || key == "rows")
        throw UsageError("mask." + key + ": expected " + (name ? "a list of rows" : "text"));
      else
        throw UsageError(unknown_message("key of [mask]", key, {"name", "rows"}));
    }
    check(mask);
    custom_ = true;
    set_mask(mask);
  }

  Made made() const override { return {params_.fractal, params_.work, static_cast<double>(params_.block)}; }

  void forget_file() override { params_.state.clear(); }
  void forget_state() override {
    params_.state.clear();
    start_ = {};
    state_given_ = false;
    history_.clear();
  }
  Index3 domain_extent() const override { return FractalDomain(mask(), static_cast<int>(params_.level)).extent; }
  const std::vector<std::uint8_t>* start_state() const override { return start_.cells ? &*start_.cells : nullptr; }
  std::pair<std::uint64_t, std::string> start_origin() const override {
    return {start_.step, state_given_ ? history_ : std::string()};
  }
  void set_state(std::vector<std::uint8_t> cells, std::uint32_t width, std::uint32_t height, std::uint64_t step,
                 std::string history) override {
    history_ = std::move(history);
    StateFile file{width, height, std::move(cells), {}, false};
    params_.state.clear();
    state_given_ = true;
    start_ = {placed(mask(), static_cast<int>(params_.level), file, "the stored state"), step};
  }

 private:
  /// Without the digits of a block.
  FractalSettings settings() const {
    FractalSettings all{mask(), static_cast<int>(params_.level), 0, params_.work, parse_rule(params_.rule)};
    all.constants = params_.constants == "on";
    all.devices = static_cast<int>(params_.devices);
    all.device_memory = static_cast<std::uint64_t>(params_.device_memory) << 20;
    return all;
  }
  const Mask& mask() const {
    for (const auto& mask : known_.masks)
      if (mask.key == params_.fractal) return mask;
    throw UsageError("fractal '" + params_.fractal + "' is not loaded");
  }

  /// Another fractal at the level whose n is nearest to what was there: at the same level it may be 256 times as wide.
  std::string keep_side() {
    if (side_ <= 1 || mask().side_x() < 2) return {};
    const double by_level = std::log(mask().side_x());
    const auto level = std::max<std::int64_t>(1, std::llround(std::log(side_) / by_level));
    if (level == params_.level) return {};
    params_.level = level;
    return fmt::format("level {}: its n = {} is nearest to {}", level,
                       grouped(std::llround(std::pow(mask().side_x(), level))),
                       grouped(static_cast<unsigned long long>(side_)));
  }

  std::vector<std::int64_t> legal_blocks() const {
    std::vector<std::int64_t> sides;
    for (const int j : legal_block_digits(mask(), static_cast<int>(params_.level)))
      sides.push_back(block_side(mask(), j));
    return sides;
  }
  std::string side_text() const {
    const double x = std::pow(mask().side_x(), double(params_.level)),
                 y = std::pow(mask().side_y(), double(params_.level));
    return x == y ? fmt::format("n = {:.0f}", x) : fmt::format("{:.0f} \u00d7 {:.0f}", x, y);
  }
  std::uint32_t block_height() const {
    std::uint32_t height = 1;
    for (int j = 0; block_side(mask(), j) < params_.block; ++j) height *= mask().side_y();
    return height;
  }

  /// Takes a mask in under its key, in place of one of the same key.
  void set_mask(Mask mask) {
    params_.fractal = mask.key;
    const auto same = std::ranges::find(known_.masks, mask.key, &Mask::key);
    if (same != known_.masks.end())
      *same = std::move(mask);
    else
      known_.masks.push_back(std::move(mask));
  }
};

}  // namespace

std::unique_ptr<Scene> make_fractal_scene() {
  auto scene = std::make_unique<FractalScene>();
  (void)scene->mend("fractal");
  return scene;
}

}  // namespace warploom
