// What the scene of butterflies takes: algorithms, tracks, and what goes together.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/scenes/butterfly/butterfly.h"
#include "gpu/scenes/butterfly/networks/list.h"
#include "gpu/scenes/butterfly/tracks/transform.h"
#include "gpu/scenes/butterfly/tuned/fft_long.h"
#include "gpu/scenes/butterfly/tuned/list.h"
#include "gpu/scenes/butterfly/tuned/scan_plans.h"
#include "gpu/scenes/butterfly/tuned/sort_plans.h"
#include "gpu/scenes/butterfly/tuned/system_plans.h"
#include "gpu/tracks/named_devices.h"

namespace warploom {

const std::vector<ButterflyAlgorithm>& butterfly_algorithms() {
  static const std::vector<const char*> waves{"tones", "chirp", "impulse", "square", "noise", "drawn"};
  static const std::vector<ButterflyAlgorithm> all{
      {"fft", "FFT", "the discrete Fourier transform of complex rows", "lobeiras2016indexdigit", waves, "radix2,radix8",
       "index_digit/tuned", true},
      {"real_fft", "Real FFT", "of real rows, by a complex transform of half the length", "lobeiras2015bplg", waves,
       "radix2,radix8", "index_digit/tuned", true},
      {"dct", "DCT", "the cosine transform of real rows (DCT-II; its inverse is DCT-III / 2N)", "lobeiras2015bplg",
       waves, "radix2,radix8", "index_digit/tuned", true},
      {"scan",
       "Scan",
       "prefix sums, products, maxima and compositions",
       "ladner1980prefix",
       {"ones", "walk", "noise", "drawn"},
       "kogge_stone,brent_kung",
       "ladner_fischer/tuned"},
      {"tridiagonal",
       "Tridiagonal",
       "systems of equations of three unknowns each",
       "wang1991divide",
       {"heat", "toeplitz", "dominant", "decoupled", "singular", "drawn"},
       "cyclic_reduction,wang_mou",
       "wang_mou/tuned"},
      {"sort",
       "Sort",
       "sorting networks on keys",
       "batcher1968sorting",
       {"shuffled", "reversed", "few", "sorted", "drawn"},
       "bitonic,odd_even_merge",
       "bitonic/tuned"}};
  return all;
}

const ButterflyAlgorithm& find_butterfly_algorithm(const std::string& key) {
  for (const auto& one : butterfly_algorithms())
    if (key == one.key) return one;
  throw UsageError(unknown_message("algorithm", key, texts_of(butterfly_algorithms(), &ButterflyAlgorithm::key)));
}

namespace {

bool is_fft(const std::string& algorithm) {
  return algorithm == "fft" || algorithm == "real_fft" || algorithm == "dct";
}

/// A variant, and the ways in which its data may cross.
struct Variant {
  NetworkInfo info;
  std::vector<const char*> exchanges;  ///< the first is the usual one; empty: it has none
};

const std::vector<const char*> every_exchange{"shared", "shuffle", "global"},
    exchange_of_scans{"shared", "shuffle", "global", "look_back"};

/// body<Network>(): of the networks of an algorithm; of Fourier transforms the variants of one network.
template <class Body>
void each_network(const std::string& algorithm, Body&& body) {
  if (algorithm == "scan") for_each_type(ScanNetworks{}, body);
  if (algorithm == "tridiagonal") for_each_type(TridiagonalNetworks{}, body);
  if (algorithm == "sort") for_each_type(SortNetworks{}, body);
}
std::span<const FftVariant> fft_variants_of(const std::string& algorithm) {
  return is_fft(algorithm) ? std::span<const FftVariant>(fft_variants) : std::span<const FftVariant>();
}

/// What a vendor's library makes of it.
constexpr NetworkInfo vendor_info{"vendor", "Vendor", "the library that others use for it, where it is there",
                                  "frigo2005fftw"};

/// Digits of the networks that a tuned track has plans for, and how its blocks hold their rows.
struct TunedLengths {
  int least, most;
  NetworkMapping (*mapping)(int n);
};
/// Of a variant of an algorithm, of systems that are interleaved or not; nullopt: it has no tuned form.
std::optional<TunedLengths> tuned_lengths_of(const std::string& algorithm, const std::string& variant,
                                             bool interleaved = false) {
  std::optional<TunedLengths> found;
  for_each_type(TunedFfts{}, [&]<class Plans>() {
    if (interleaved || variant != Plans::key) return;
    constexpr int least = Plans::shapes.least(), most = Plans::shapes.most();
    if constexpr (Plans::real)
      if (is_fft(algorithm)) found = {least, most, [](int n) { return mapping_of(Plans::real_shape(n)); }};
    if (algorithm != "fft") return;
    found = {least, most, [](int n) { return mapping_of(Plans::shapes.at(n)); }};
    if constexpr (Plans::long_rows) {
      found->most = LongFft::most;
      found->mapping = [](int n) {
        if (n <= most) return mapping_of(Plans::shapes.at(n));
        const PassShape& first = long_ffts[n - LongFft::least].passes[0];
        return NetworkMapping{n, first.p, first.p + first.l};
      };
    }
  });
  each_network(algorithm, [&]<class Network>() {
    const auto of_form = [&]<class Form>(Form) {
      if constexpr (Form::there) found = {Form::least, Form::most, [](int n) { return Form::mapping(n); }};
    };
    if (variant != Network::info.key) return;
    if (interleaved)
      of_form(InterleavedForm<Network>{});
    else
      of_form(TunedForm<Network>{});
  });
  return found;
}
/// Digits of the network: real rows are transformed as complex ones of half the length.
int network_digits(const std::string& algorithm, int n) {
  return algorithm == "real_fft" || algorithm == "dct" ? n - 1 : n;
}

std::vector<Variant> variants_of(const std::string& algorithm) {
  std::vector<Variant> all;
  each_network(algorithm, [&]<class Network>() {
    auto exchanges = algorithm == "scan" ? exchange_of_scans : every_exchange;
    if (tuned_lengths_of(algorithm, Network::info.key)) exchanges.push_back("tuned");
    all.push_back({Network::info, Network::serial ? std::vector<const char*>{} : exchanges});
  });
  for (const FftVariant& one : fft_variants_of(algorithm)) {
    std::vector<const char*> exchanges{"shared"};
    if (one.shuffles) exchanges.push_back("shuffle");
    if (one.log_radix) exchanges.push_back("global");
    if (tuned_lengths_of(algorithm, one.info.key)) exchanges.push_back("tuned");
    all.push_back({one.info, std::move(exchanges)});
  }
  all.push_back({vendor_info, {}});
  return all;
}

TrackInfo track_info(const Variant& variant, const std::string& exchange, const std::string& layout) {
  TrackInfo info;
  info.map = variant.info.key;
  info.intra = exchange;
  info.layout = layout;
  info.name = info.map;
  const bool usual = variant.exchanges.empty() || exchange == variant.exchanges.front();
  if (!usual || (!layout.empty() && layout != "plain" && !variant.exchanges.empty())) info.name += "/" + exchange;
  if (!layout.empty() && layout != "plain") info.name += "/" + layout;
  info.title = variant.info.title;
  info.description = variant.info.description;
  if (exchange == "tuned") info.description += "; tuned: which digit lies where is known when the program is compiled";
  info.citation = variant.info.citation;
  return info;
}

std::vector<TrackInfo> tracks_of(const std::string& algorithm) {
  std::vector<TrackInfo> all;
  for (const Variant& variant : variants_of(algorithm)) {
    if (variant.exchanges.empty()) {
      all.push_back(track_info(variant, "", ""));
      if (algorithm == "tridiagonal") all.push_back(track_info(variant, "", "interleaved"));
      continue;
    }
    for (const std::string exchange : variant.exchanges) {
      const bool laid_out = is_fft(algorithm) && exchange == "shared";
      all.push_back(track_info(variant, exchange, laid_out ? "plain" : ""));
      for (const char* layout : {"padded", "swizzled"})
        if (laid_out) all.push_back(track_info(variant, exchange, layout));
      if (exchange == "tuned" && tuned_lengths_of(algorithm, variant.info.key, true))
        all.push_back(track_info(variant, exchange, "interleaved"));
    }
  }
  return all;
}

}  // namespace

const std::vector<TrackInfo>& butterfly_tracks(const std::string& algorithm) {
  static const std::vector<TrackInfo> fft = tracks_of("fft"), real = tracks_of("real_fft"), scan = tracks_of("scan"),
                                      systems = tracks_of("tridiagonal"), sort = tracks_of("sort");
  return algorithm == "fft"           ? fft
         : is_fft(algorithm)          ? real
         : algorithm == "scan"        ? scan
         : algorithm == "tridiagonal" ? systems
                                      : sort;
}

const TrackInfo& find_butterfly_track(const std::string& algorithm, const std::string& name) {
  const auto& known = butterfly_tracks(find_butterfly_algorithm(algorithm).key);
  const std::string wanted = name.substr(0, name.find('@'));
  // Spelled out, or as short as it can be.
  const auto long_name = [](const TrackInfo& info) {
    return info.map + (info.intra.empty() ? "" : "/" + info.intra) + (info.layout.empty() ? "" : "/" + info.layout);
  };
  for (const auto& info : known)
    if (info.name == wanted || long_name(info) == wanted ||
        (info.layout == "plain" && info.map + "/" + info.intra == wanted))
      return info;
  throw UsageError(unknown_message("track of '" + algorithm + "'", wanted, texts_of(known, &TrackInfo::name)));
}

ButterflyVariant butterfly_variant(const ButterflySettings& settings, const TrackInfo& track) {
  ButterflyVariant variant;
  variant.variant = track.map;
  variant.exchange = track.intra == "shuffle"  ? Exchange::shuffle
                     : track.intra == "global" ? Exchange::global
                     : track.intra == "tuned"  ? Exchange::tuned
                                               : Exchange::shared;
  variant.looks_back = track.intra == "look_back";
  variant.layout = track.layout == "padded"     ? WordLayout::padded
                   : track.layout == "swizzled" ? WordLayout::swizzled
                                                : WordLayout::plain;
  variant.interleaved = track.layout == "interleaved";
  const int n = network_digits(settings.algorithm, settings.n);
  if (variant.exchange == Exchange::tuned) {
    if (const auto lengths = tuned_lengths_of(settings.algorithm, track.map, variant.interleaved))
      variant.mapping = lengths->mapping(std::clamp(n, lengths->least, lengths->most));
    variant.mapping.n = n;
    variant.looks_back = settings.algorithm == "scan" && n > variant.mapping.s;
    return variant;
  }
  if (track.map == "index_digit") {
    const int p = n <= 6 || n >= 10 ? 4 : 3;
    variant.mapping = {n, std::min(p, n), n <= 9 ? 9 : 12};
    return variant;
  }
  MappingHabits habits{settings.algorithm == "tridiagonal" ? 1 : 2, settings.algorithm == "tridiagonal" ? 11 : 12};
  for (const FftVariant& one : fft_variants)
    if (is_fft(settings.algorithm) && track.map == one.info.key) habits = {one.log_radix, 12, true};
  variant.mapping = network_mapping(n, habits, settings.p, settings.s);
  // A block has 1024 threads at most: of short problems fewer come into it.
  variant.mapping.s = std::min(variant.mapping.s, variant.mapping.p + 10);
  return variant;
}

std::vector<ButterflyCost> butterfly_costs(const ButterflySettings& settings) {
  std::vector<ButterflyCost> all;
  const auto add = [&](const NetworkInfo& info, const auto& network) {
    all.push_back({info.key, info.title, network.stages(), network.nodes()});
  };
  each_network(settings.algorithm, [&]<class Network>() { add(Network::info, network_of<Network>(settings.n)); });
  for (const FftVariant& one : fft_variants_of(settings.algorithm)) {
    const auto& track = find_butterfly_track(settings.algorithm, one.info.key);
    const NetworkMapping mapping = butterfly_variant(settings, track).mapping;
    add(one.info, FftNetwork{mapping.n, mapping.p, one.log_radix ? one.log_radix : mapping.p});
  }
  return all;
}

std::optional<ButterflyDigits> butterfly_digits(const ButterflySettings& settings, const TrackInfo& track) {
  if (track.intra.empty()) return std::nullopt;
  const NetworkMapping mapping = butterfly_variant(settings, track).mapping;
  return ButterflyDigits{mapping.p, mapping.s};
}

RowShape input_shape(const ButterflySettings& settings) {
  const std::uint64_t elements = std::uint64_t{1} << settings.n;
  const std::string& what = settings.algorithm;
  if (what == "fft") return {elements, 8, 1, "<c8", "complex64"};
  if (what == "real_fft" && settings.inverse) return {elements / 2 + 1, 8, 1, "<c8", "complex64"};
  if (what == "tridiagonal") return {elements, 16, 4, "<f4", "float32"};
  if (what == "sort") return {elements, 4, 1, "<u4", "uint32"};
  if (what == "scan" && settings.scan_operator == "affine") return {elements, 8, 2, "<u4", "uint32"};
  if (what == "scan" && settings.scan_operator != "add_float") return {elements, 4, 1, "<i4", "int32"};
  return {elements, 4, 1, "<f4", "float32"};
}

RowShape output_shape(const ButterflySettings& settings) {
  if (settings.algorithm == "real_fft" && !settings.inverse)
    return {(std::uint64_t{1} << settings.n) / 2 + 1, 8, 1, "<c8", "complex64"};
  if (settings.algorithm == "real_fft" || settings.algorithm == "tridiagonal")
    return {std::uint64_t{1} << settings.n, 4, 1, "<f4", "float32"};
  return input_shape(settings);
}

std::uint64_t moved_bytes(const ButterflySettings& settings) {
  return settings.batch * (input_shape(settings).row_bytes() + output_shape(settings).row_bytes());
}

double butterfly_moved_bytes(const ButterflySettings& settings) { return static_cast<double>(moved_bytes(settings)); }

std::uint64_t blocks_of(const NetworkMapping& mapping, std::uint64_t batch) {
  return mapping.n <= mapping.s ? mapping.blocks(batch) : batch << (mapping.n - mapping.s);
}

bool is_signal_file(const ButterflySettings& settings) {
  return settings.signal.find('.') != std::string::npos || settings.signal.find('/') != std::string::npos;
}

void check_butterfly_settings(const ButterflySettings& settings) {
  const auto& algorithm = find_butterfly_algorithm(settings.algorithm);
  const auto refuse_range = [](const char* key, std::int64_t value, const char* range) {
    throw UsageError(std::string(key) + " is " + std::to_string(value) + "; expected " + range);
  };
  if (settings.n < 1 || settings.n > ButterflySettings::largest_n) refuse_range("n", settings.n, "1 to 24");
  static_assert(ButterflySettings::largest_n == 24);
  if (settings.batch < 1 || settings.batch > 1u << 24)
    refuse_range("batch", static_cast<std::int64_t>(settings.batch), "1 to 16777216");
  check_device_count("devices", settings.devices);
  if (settings.split != "elements" && settings.split != "rows")
    throw UsageError(unknown_message("split", settings.split, {"elements", "rows"}));
  if (settings.order != "left" && settings.order != "natural")
    throw UsageError(unknown_message("order", settings.order, {"left", "natural"}));
  if (settings.s != 0 && (settings.s < 5 || settings.s > 13)) refuse_range("s", settings.s, "auto (0), or 5 to 13");
  if (!is_signal_file(settings)) {
    const auto& known = algorithm.signals;
    if (std::none_of(known.begin(), known.end(), [&](const char* one) { return settings.signal == one; }))
      throw UsageError(
          unknown_message("signal of '" + settings.algorithm + "'", settings.signal, {known.begin(), known.end()}) +
          ", or a .npy, .wav or .png file");
  }
  if (settings.trace > 0) {
    if (settings.n > 12)
      throw UsageError("trace: n is " + std::to_string(settings.n) + ", and stages are told up to n = 12");
  }
}

namespace {

/// From the least n of which a track has a plan to the most; nullopt: it is a general one, or a library's.
std::optional<std::pair<int, int>> planned_lengths(const std::string& algorithm, int n, std::string name) {
  name.resize(std::min(name.size(), name.find('@')));
  const bool interleaved = name.ends_with("/tuned/interleaved");
  if (!interleaved && !name.ends_with("/tuned")) return std::nullopt;
  const auto lengths = tuned_lengths_of(algorithm, name.substr(0, name.find('/')), interleaved);
  if (!lengths) return std::nullopt;
  const int more = n - network_digits(algorithm, n);
  return std::pair(lengths->least + more, lengths->most + more);
}

}  // namespace

int nearest_butterfly_n(const std::string& algorithm, int n, const std::string& name) {
  const auto lengths = planned_lengths(algorithm, n, name);
  return lengths ? std::clamp(n, lengths->first, lengths->second) : n;
}

std::string butterfly_track_refusal(const std::string& algorithm, int n, const std::string& name) {
  const int nearest = nearest_butterfly_n(algorithm, n, name);
  if (nearest == n) return {};
  const auto [least, most] = *planned_lengths(algorithm, n, name);
  return fmt::format("n is {}, and its plans are of n from {} to {}; choose n={}, or {}", n, least, most, nearest,
                     name.substr(0, name.find('/')));
}

double rows_bytes(const ButterflySettings& settings) {
  const double in = static_cast<double>(input_shape(settings).row_bytes()),
               out = static_cast<double>(output_shape(settings).row_bytes());
  // A file is the input of both states.
  return static_cast<double>(settings.batch) * ((is_signal_file(settings) ? 1 : 2) * in + 2 * out);
}

double butterfly_bytes(const ButterflySettings& settings, const std::string& track) {
  if (butterfly_devices(settings, track) > 1) {
    const auto all = butterfly_bytes_by_device(settings, track, Backend::cpu);
    return std::accumulate(all.begin(), all.end(), 0.);
  }
  const auto batch = static_cast<double>(settings.batch);
  const ButterflyVariant variant = butterfly_variant(settings, find_butterfly_track(settings.algorithm, track));
  const bool several =
      variant.exchange == Exchange::global || (variant.mapping.n > variant.mapping.s && !variant.looks_back);
  const bool by_tiles = variant.exchange != Exchange::global;
  const double value = settings.algorithm == "tridiagonal" && variant.variant == "ladner_fischer" ? 32
                       : settings.algorithm == "tridiagonal"                                      ? 16
                       : is_fft(settings.algorithm)                                               ? 8
                                                    : input_shape(settings).bytes;
  const bool tuned = variant.exchange == Exchange::tuned;
  const double work = variant.variant == "thomas" ? 8
                      : tuned                     ? (several && is_fft(settings.algorithm) ? value : 0)
                      : several && by_tiles && variant.variant == "bitonic"                   ? 0
                      : several && by_tiles && variant.variant == "wang_mou"                  ? 1.25 * value
                      : several && variant.variant != "serial" && variant.variant != "vendor" ? 2 * value
                                                                                              : 0;
  // Of each problem what is singular; of tuned systems also which are flagged, and a list of them.
  const double of_problem = tuned && settings.algorithm == "tridiagonal" ? 24 : 8;
  return rows_bytes(settings) + work * batch * std::ldexp(1., settings.n) + of_problem * batch;
}

}  // namespace warploom
