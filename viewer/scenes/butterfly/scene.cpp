#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "gpu/core/devices.h"
#include "gpu/core/error.h"
#include "gpu/core/files.h"
#include "gpu/core/format.h"
#include "gpu/core/hash.h"
#include "gpu/core/probe.h"
#include "gpu/scenes/butterfly/butterfly.h"
#include "gpu/scenes/butterfly/kernels/operator_string.h"
#include "gpu/scenes/butterfly/tracks/network_facet.h"
#include "viewer/model/map_choice.h"
#include "viewer/model/scene_of.h"
#include "viewer/scenes/butterfly/facets.h"
#include "viewer/scenes/butterfly/parameters.h"

namespace warploom {

/// What the scene brings along for the window, scene texts, stats and benchmarks.
const SceneParts& butterfly_parts();

namespace {

/// What a copy of the scene takes along.
struct ButterflyValues {
  ButterflyParams params_;
  std::string follows_ = params_.algorithm;  ///< the algorithm that signal and tracks were chosen for
  std::filesystem::path folder_;
  std::string file_key_;  ///< what `problem_` was read from
  std::shared_ptr<const ButterflyProblem> problem_;
};

class ButterflyScene final
    : public SceneOf<ButterflyScene, ButterflyValues, OwnPictures, Reported, Libraries, Unavailable, StepMeaning,
                     FileRemarks, VariantCosts, DrawnInput, OperatorStrings, Captioned, VendorPeer> {
 public:
  explicit ButterflyScene(const ButterflyValues& values = {})
      : SceneOf({"butterfly", "Butterflies", "FFT, scan, tridiagonal systems and sorting, stage by stage"},
                butterfly_parts(), values) {}

  void describe(Describer& d) {
    std::vector<Choice> signals;
    for (const char* signal : known_algorithm().signals) signals.push_back({signal, signal, help_of(signal)});
    params_.describe(d, choices_of(butterfly_algorithms()), std::move(signals), track_choices(track_kinds(), true));
    // Those of other algorithms are known too: what refuses them gives the reason.
    auto& also = d.at("signal").also;
    for (const auto& one : butterfly_algorithms()) also.insert(also.end(), one.signals.begin(), one.signals.end());
    d.at("tracks").canonical = [algorithm = params_.algorithm](const std::string& name) {
      return butterfly_track_name(algorithm, name);
    };
    d.at("p").taking_now([this] { return own_digits(&ButterflyDigits::thread); });
    d.at("s").taking_now([this] { return own_digits(&ButterflyDigits::block); });
  }

  void resolve(const std::set<std::string>& given, const std::filesystem::path& folder) override {
    folder_ = folder;
    follow_algorithm(given);
    for (auto& track : params_.tracks) track = butterfly_track_name(params_.algorithm, track);
    ButterflySettings settings = params_.settings(folder);
    read_file(given, settings);
    check_butterfly_settings(settings);
    for (const auto& track : params_.tracks)
      if (const std::string why = refusal(settings, track); !why.empty())
        throw UsageError(fmt::format("track {}: {}", track, why));
    if (!params_.operators.empty() && params_.algorithm == "fft")
      (void)parse_operators(params_.operators, static_cast<int>(params_.n));
    if (static_cast<std::uint64_t>(params_.row) >= settings.batch)
      throw UsageError(fmt::format("row is {}; expected 0 to {}, of a batch of {}", params_.row, settings.batch - 1,
                                   settings.batch));
  }

  std::string mend(const std::string& key) override {
    if (key == "batch" && params_.row >= params_.batch) {
      params_.row = params_.batch - 1;
      return fmt::format("row is {} now, the last", params_.row);
    }
    if (key != "algorithm") return {};
    follow_algorithm({"algorithm"});
    return {};
  }

  const std::vector<TrackInfo>& track_kinds() const override { return butterfly_tracks(known_algorithm().key); }
  std::vector<std::string> picture_keys() const override { return {"network", "launch", "rows", "waterfall"}; }

  std::string remarks() const override {
    return problem_ ? remarks_text(params_.signal, problem_->remarks) : std::string();
  }

  std::string caption() const override {
    return fmt::format("{}, N = {}, {} of {}", known_algorithm().title, grouped(1ull << params_.n),
                       counted(static_cast<unsigned long long>(params_.batch), "row"),
                       is_signal_file(params_.settings(folder_))
                           ? std::filesystem::path(params_.signal).filename().string()
                           : params_.signal);
  }
  std::string look_at(const Simulation& simulation, const std::vector<std::string>& pictures) const override {
    const auto* networked = simulation.track(0).facet<NetworkFacet>();
    // Boxes of launches have no edges.
    if (!std::ranges::count(pictures, "network") || !networked || !networked->tells_stages()) return {};
    const std::string what = find_butterfly_algorithm(params_.algorithm).title;
    return fmt::format("{}, N = {}: dashed edges cross between threads.", what, grouped(1ull << params_.n));
  }

  std::vector<Topic> catalogue() const override {
    std::vector<TrackInfo> all;
    for (const auto& one : butterfly_algorithms()) add_new_tracks(all, butterfly_tracks(one.key));
    for (auto& info : all) info.title = full_title(info);
    return {maps_topic(key(), all), works_topic(key(), choices_of(butterfly_algorithms()))};
  }

  BuildRequest build_request(Backend backend) override {
    ButterflySettings settings = params_.settings(folder_);
    if (problem_ && is_signal_file(settings))
      settings.n = problem_->settings.n, settings.batch = problem_->settings.batch;
    BuildRequest request;
    hash_by_roles(request, parameters(), backend, text_hash(params_.signal + file_key_));
    request.dump_bytes =
        static_cast<double>(settings.batch) *
        static_cast<double>(std::max(input_shape(settings).row_bytes(), output_shape(settings).row_bytes()));
    // Its rows are judged on the host.
    request.memory = static_cast<double>(settings.batch) *
                     static_cast<double>(input_shape(settings).row_bytes() + output_shape(settings).row_bytes());
    for (const auto& track : params_.tracks) request.memory += butterfly_bytes(settings, track);
    request.check_memory = [settings, backend, tracks = params_.tracks](std::uint64_t released) {
      for (const auto& track : tracks) check_devices(backend, butterfly_devices(settings, track));
      for (const auto& track : tracks)
        if (const std::string why = vendor_missing(backend, settings.algorithm);
            track.starts_with("vendor") && !why.empty())
          throw UsageError(fmt::format("track {}: {}", track, why));
      check_device_memory(settings, tracks, backend, released > 0);
      double needed = 0;
      for (const auto& track : tracks)
        needed += backend == Backend::cpu ? butterfly_bytes(settings, track)
                                          : butterfly_bytes_by_device(settings, track, backend).front();
      const double available = static_cast<double>(free_bytes(backend)) + static_cast<double>(released);
      if (needed > available)
        throw UsageError(
            fmt::format("{} rows of 2^{} elements need {} of {} memory, {} free; choose a smaller n or batch",
                        settings.batch, settings.n, bytes_text(needed), name(backend), bytes_text(available)));
    };
    request.make_tracks = [settings, tracks = params_.tracks, read = problem_](Queue& queue) {
      const auto problem = std::make_shared<ButterflyProblem>();
      if (read && is_signal_file(settings)) *problem = *read;
      problem->settings = settings;
      return make_each(tracks, [&](Queue& own, const std::string& track) {
        return make_butterfly_track(own, problem, track);
      })(queue);
    };
    request.start_state = [](Queue& queue, Simulation& simulation) {
      simulation.start(queue, 0, [&](Track& track) { start_butterfly(track, queue); });
    };
    return request;
  }

  Results results(const Simulation&, Queue&) const override {
    return {{"elements", std::uint64_t{1} << params_.n}, {"batch", static_cast<std::uint64_t>(params_.batch)}};
  }

  nlohmann::ordered_json report() const override {
    nlohmann::ordered_json all = nlohmann::ordered_json::object();
    if (params_.operators.empty() || params_.algorithm != "fft") return all;
    const int n = static_cast<int>(params_.n);
    const auto made = apply_operators(parse_operators(params_.operators, n), n);
    all["operators"] = {{"string", params_.operators}, {"digits", made.digits}, {"agrees", made.is_fft}};
    return all;
  }

  std::string step_words() const override {
    static constexpr const char* drifting[] = {"tones", "chirp", "impulse", "square"};
    static constexpr const char* random[] = {"noise", "walk", "shuffled", "few"};
    const auto among = [this](const auto& list) {
      return std::any_of(std::begin(list), std::end(list), [this](const char* one) { return params_.signal == one; });
    };
    const std::string anew = "Each step makes the next input and processes all of its rows: ";
    if (params_.signal == "heat")
      return "Each step solves one step of heat flow: the result is the next right-hand side.";
    if (among(drifting))
      return anew + "the signal drifts a little from step to step. The picture Waterfall shows the last 240 outputs.";
    if (among(random)) return anew + "new random values.";
    return "The input stays the same: each step processes it again, for its time.";
  }

  std::string unavailable(Backend backend, const std::string& track) const override {
    if (track.starts_with("vendor"))
      if (std::string why = vendor_missing(backend, known_algorithm().key); !why.empty()) return why;
    return refusal(params_.settings(folder_), track);
  }

  std::vector<OptionalLibrary> libraries() const override {
    std::vector<OptionalLibrary> all;
    for (const VendorLibrary& one : vendor_libraries()) all.push_back({one.name, one.file, one.serves, one.there});
    return all;
  }

  std::vector<std::pair<std::string, Value>> drawn(const std::map<double, double>& stroke,
                                                   const std::vector<double>& now) const override {
    // What is drawn already is known as it is; other signals as they are shown.
    const auto before = params_.signal == "drawn" ? parse_curve(params_.curve) : now;
    const std::string curve = curve_words(curve_with(before, stroke, static_cast<int>(params_.n)));
    return {{"signal", std::string("drawn")}, {"curve", curve}};
  }

  Comparison against_vendor(Backend backend) const override {
    const ButterflyAlgorithm& algorithm = known_algorithm();
    if (const std::string why = vendor_missing(backend, algorithm.key); !why.empty())
      throw UsageError("track vendor: " + why);
    const int n = static_cast<int>(params_.n), nearest = nearest_butterfly_n(algorithm.key, n, algorithm.fastest);
    // Both are of one device, where rows are shared out by elements.
    const std::string one = params_.devices > 1 && params_.split != "rows" ? "@1" : "";
    Comparison made{{{"tracks", std::vector<std::string>{algorithm.fastest + one, "vendor" + one}}}, {}};
    if (nearest == n) return made;
    made.values.insert(made.values.begin(), {"n", static_cast<std::int64_t>(nearest)});
    made.changed = fmt::format("n is {} now: {} has no form for n = {}", nearest, algorithm.fastest, n);
    return made;
  }

  const std::string& operators() const override { return params_.operators; }
  std::optional<Read> read_operators(const std::string& text) const override {
    if (params_.algorithm != "fft") return std::nullopt;
    const int n = static_cast<int>(params_.n);
    try {
      const auto made = apply_operators(parse_operators(text, n), n);
      return Read{made.digits, made.is_fft, {}, 0};
    } catch (const OperatorMistake& mistake) {
      return Read{{}, false, mistake.why, mistake.character};
    }
  }

  std::vector<ButterflyCost> variant_costs() const override { return butterfly_costs(params_.settings(folder_)); }

 private:
  /// What the tracks take of themselves: "1", or "1, 3" where they differ.
  std::string own_digits(int ButterflyDigits::*which) const {
    std::vector<std::string> all;
    const ButterflySettings settings = params_.settings(folder_);
    for (const TrackInfo& info : track_kinds())
      if (std::ranges::any_of(params_.tracks,
                              [&](const std::string& track) { return kind_of_track(track) == info.name; }))
        if (const auto own = butterfly_digits(settings, info))
          if (const std::string word = std::to_string((*own).*which); !std::ranges::count(all, word))
            all.push_back(word);
    return join(all);
  }
  static std::string refusal(const ButterflySettings& settings, const std::string& track) {
    const std::string why = butterfly_track_refusal(settings.algorithm, settings.n, track);
    return why.empty() ? butterfly_devices_refusal(settings, track) : why;
  }
  /// While an unknown one is refused, lists are those of the first.
  const ButterflyAlgorithm& known_algorithm() const {
    for (const auto& one : butterfly_algorithms())
      if (params_.algorithm == one.key) return one;
    return butterfly_algorithms().front();
  }
  static const char* help_of(const std::string& signal) {
    static constexpr std::pair<const char*, const char*> all[] = {
        {"tones", "two gliding tones; one comes in again as its alias"},
        {"chirp", "a tone that rises along the row"},
        {"impulse", "a single sample that wanders"},
        {"square", "a square wave and its overtones"},
        {"noise", "random numbers"},
        {"ones", "ones"},
        {"walk", "steps of a random walk"},
        {"heat", "an implicit step of heat: the result is the next right side"},
        {"toeplitz", "-1, 2, -1"},
        {"dominant", "random rows with a dominant diagonal"},
        {"decoupled", "dominant, and some couplings are 0"},
        {"singular", "dominant, but for a row of zeros in the last system"},
        {"shuffled", "random keys"},
        {"reversed", "descending keys"},
        {"few", "eight different keys"},
        {"sorted", "keys in sorted order"},
        {"drawn", "drawn by hand: P, then the mouse over the input's bars; or by curve"}};
    for (const auto& [name, help] : all)
      if (signal == name) return help;
    return "";
  }
  /// Another algorithm has signals and tracks of its own. Those that were chosen stay where it has them, too, and were
  /// not another's usual ones.
  void follow_algorithm(const std::set<std::string>& given) {
    const auto& algorithm = find_butterfly_algorithm(params_.algorithm);
    const std::string before = std::exchange(follows_, params_.algorithm);
    if (!given.contains("signal") && before != params_.algorithm) {
      const auto& own = algorithm.signals;
      if (std::none_of(own.begin(), own.end(), [&](const char* one) { return params_.signal == one; }))
        params_.signal = own.front();
    }
    if (given.contains("tracks")) return;
    follow_tracks(params_.tracks, track_kinds(),
                  before == params_.algorithm ? nullptr : find_butterfly_algorithm(before).usual_tracks,
                  algorithm.usual_tracks);
  }
  /// n and batch follow the file.
  void read_file(const std::set<std::string>& given, ButterflySettings& settings) {
    if (!is_signal_file(settings)) {
      problem_.reset();
      file_key_.clear();
      return;
    }
    const auto file = folder_ / settings.signal;  // the signal itself where it is absolute
    std::error_code none;
    const auto size = std::filesystem::file_size(file, none);
    const std::string key =
        fmt::format("{}|{}|{}|{}|{}|{}", file.string(), none ? 0 : size,
                    none ? 0 : std::filesystem::last_write_time(file, none).time_since_epoch().count(),
                    settings.algorithm, settings.scan_operator, settings.inverse);
    settings.n_given = given.contains("n");
    settings.batch_given = given.contains("batch");
    if (!problem_ || key != file_key_ || settings.n_given || settings.batch_given) {
      problem_ = make_butterfly_problem(settings);
      file_key_ = key;
    }
    params_.n = settings.n = problem_->settings.n;
    params_.batch = static_cast<std::int64_t>(settings.batch = problem_->settings.batch);
  }
};

}  // namespace

std::unique_ptr<Scene> make_butterfly_scene() { return std::make_unique<ButterflyScene>(); }

}  // namespace warploom
