#include "viewer/scenes/butterfly/parameters.h"

#include <fmt/format.h>

#include <algorithm>

#include "gpu/core/format.h"
#include "gpu/tracks/named_devices.h"

namespace warploom {

ButterflySettings ButterflyParams::settings(const std::filesystem::path& folder) const {
  ButterflySettings all;
  all.algorithm = algorithm;
  all.n = static_cast<int>(n);
  all.batch = static_cast<std::uint64_t>(batch);
  all.signal = signal;
  all.curve = parse_curve(curve);
  all.inverse = direction == "inverse" && find_butterfly_algorithm(algorithm).has_direction;
  all.scan_operator = scan_operator;
  all.exclusive = scan == "exclusive";
  all.axes = algorithm == "scan" ? static_cast<int>(axes) : 1;
  all.p = static_cast<int>(p);
  all.s = static_cast<int>(s);
  all.row = static_cast<std::uint64_t>(row);
  all.trace = static_cast<int>(trace);
  all.devices = static_cast<int>(devices);
  all.split = split;
  all.order = order;
  all.device_memory = static_cast<std::uint64_t>(device_memory) << 20;
  all.seed = seed;
  all.folder = folder;
  return all;
}

std::string ButterflyParams::only(std::initializer_list<const char*> algorithms, const char* thing) const {
  if (std::find(algorithms.begin(), algorithms.end(), algorithm) != algorithms.end()) return {};
  return "algorithm '" + algorithm + "' has no " + thing;
}

std::string ButterflyParams::own_mapping(bool of_all) const {
  std::vector<std::string> own;
  for (const auto& track : tracks)
    if (track.starts_with("index_digit") || track.starts_with("serial") || track.starts_with("thomas") ||
        track.starts_with("vendor"))
      own.push_back(track);
  if (own.empty() || (own.size() == tracks.size()) != of_all) return {};
  return join(own) + (own.size() > 1 ? ": their mapping is their own" : ": its mapping is its own");
}

bool ButterflyParams::shares_out() const {
  return devices > 1 || std::ranges::any_of(tracks, [](const auto& track) { return without_devices(track) != track; });
}

std::string ButterflyParams::no_seed() const {
  for (const char* drawn : {"noise", "walk", "toeplitz", "dominant", "decoupled", "singular", "shuffled", "few"})
    if (signal == drawn) return {};
  return "signal '" + signal + "' has nothing random";
}

void ButterflyParams::describe(Describer& d, std::vector<Choice> algorithms, std::vector<Choice> signals,
                               std::vector<Choice> maps) {
  constexpr double most_batch = 1 << 24;
  d.section("Problem");
  d.choice("algorithm", "Algorithm", algorithm, std::move(algorithms), "what is computed from each row");
  d.integer("n", "n", n, 1, ButterflySettings::largest_n,
            "a row has N = 2^n elements; with a file as signal, as many as its rows have")
      .following({"signal"})
      .saying([this] {
        return fmt::format("N = {}", std::int64_t{1} << std::clamp<std::int64_t>(n, 1, ButterflySettings::largest_n));
      });
  d.integer("batch", "Batch", batch, 1, most_batch,
            "number of rows, each a problem of its own; with a file as signal, as many as it has")
      .following({"signal"});
  d.choice("signal", "Signal", signal, std::move(signals), "content of the rows, or a file: .npy, .wav, .png")
      .counted_by_content()
      .taking({".npy", ".wav", ".png"});
  d.text("curve", "Curve", curve,
         "values of signal 'drawn': 2 to 256, from -1 to 1, spread evenly over a row; P draws them with the mouse")
      .where([this] { return signal == "drawn" ? std::string() : "signal '" + signal + "' is not drawn"; });
  d.natural("seed", "Seed", seed, "seed of random signals").where([this] { return no_seed(); });
  d.choice("direction", "Direction", direction,
           {{"forward", "forward", "the transform"}, {"inverse", "inverse", "the inverse transform"}},
           "forward or back: the inverse FFT is scaled by 1/N, the inverse DCT is DCT-III / 2N")
      .where([this] {
        return only({"fft", "real_fft", "dct"}, "direction");
      });
  d.choice("operator", "Operator", scan_operator,
           {{"add", "add", "sums, modulo 2^32"},
            {"multiply", "multiply", "products, modulo 2^32"},
            {"max", "maximum", "of signed numbers"},
            {"affine", "affine", "pairs (a, b), x -> a x + b, composed modulo 2^32"},
            {"add_float", "add, float", "sums of floats"}},
           "operator of the scan")
      .where([this] { return only({"scan"}, "operator of its own"); });
  d.choice("scan", "Scan", scan,
           {{"inclusive", "inclusive", "each with itself"}, {"exclusive", "exclusive", "each without itself"}},
           "whether an element includes itself")
      .where([this] { return only({"scan"}, "such choice"); });
  d.integer("axes", "Axes", axes, 1, 2,
            "1: sums along each row; 2: then down the columns, too, which makes an integral image")
      .where([this] { return only({"scan"}, "second axis"); });
  d.section("Mapping");
  d.integer("p", "p", p, -1, 4, "log2 of the elements per thread; auto: the variant's own")
      .or_auto(std::int64_t{-1})
      .as(Role::settings)
      .sparing([this] { return own_mapping(false); })
      .where([this] { return own_mapping(true); });
  d.integer("s", "s", s, 0, 13, "log2 of the elements per block, 5 to 13; auto: the variant's own")
      .or_auto(std::int64_t{0})
      .as(Role::settings)
      .among([] { return std::vector<std::int64_t>{0, 5, 6, 7, 8, 9, 10, 11, 12, 13}; })
      .sparing([this] { return own_mapping(false); })
      .where([this] { return own_mapping(true); });
  d.section("Devices");
  d.integer(
       "devices", "Devices", devices, 1, 16,
       "how many devices a track runs on, which a track may say itself: wang_mou@2; on the CPU pools stand for them")
      .as(Role::settings)
      .among([] {
        return std::vector<std::int64_t>{1, 2, 4, 8, 16};
      });
  d.choice("split", "Split", split,
           {{"elements", "elements", "each device has a part of every row, and what it lacks comes over the link"},
            {"rows", "rows", "each device has whole rows: nothing crosses the link"}},
           "what is shared out among several devices")
      .as(Role::settings);
  d.choice("order", "Order", order,
           {{"left", "as it is left", "outputs stay where the last stage leaves them: one exchange"},
            {"natural", "natural", "each device has a part of the row and of its spectrum, in order: three exchanges"}},
           "where several devices have the values of a transform")
      .as(Role::settings)
      .where([this] {
        return split == "rows" ? "whole rows are in order"
               : shares_out()  ? only({"fft"}, "other order")
                               : "one device has all in order";
      });
  d.integer("device_memory", "Memory", device_memory, 0, 1 << 20,
            "MiB that the tracks may take of each device, so that case 3 shows anywhere: a row that fits several alone")
      .as(Role::settings)
      .saying([this] { return std::string(device_memory ? "MiB each" : "what there is"); });
  d.section("Details");
  d.integer("row", "Row", row, 0, most_batch - 1, "the row whose network is shown, counted from 0").as(Role::settings);
  d.integer("trace", "Trace", trace, 0, 64,
            "for dumps: the first so many rows are also written stage by stage; n up to 12")
      .as(Role::settings)
      .where([this] {
        return s && n > s ? fmt::format("rows of n = {} go by several launches where s = {}", n, s) : std::string();
      });
  d.text("operators", "Operators", operators,
         "a string of operators on digits, such as G^2(7,2) R(n,1) B^4(1), applied from left to right; empty: none")
      .as(Role::settings)
      .where([this] { return only({"fft"}, "operator string"); });
  d.section("Tracks");
  d.list("tracks", "Tracks", tracks, std::move(maps), 1, 4,
         "variants side by side: variant[/exchange[/layout]][@devices]")
      .as(Role::settings)
      .once("lanes");
}

}  // namespace warploom
