#include <fmt/format.h>

#include <algorithm>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/files/input.h"
#include "gpu/scenes/irregular/hash/list.h"
#include "gpu/scenes/irregular/tracks/hash_track.h"

namespace warploom {

const std::vector<HashStrategy>& hash_strategies() {
  static const std::vector<HashStrategy> all = [] {
    std::vector<HashStrategy> strategies;
    for_each_type(HashTables{}, [&]<class Table>() { strategies.push_back(strategy_of<Table>()); });
    return strategies;
  }();
  return all;
}

const HashStrategy& hash_strategy(const std::string& name) {
  return *std::ranges::find(hash_strategies(), name, &HashStrategy::name);
}

namespace {

struct KeyRecipeName {
  const char* key;
  KeyRecipe recipe;
};
constexpr KeyRecipeName key_recipe_names[] = {{"voxels", KeyRecipe::voxels},
                                              {"random", KeyRecipe::random},
                                              {"sequential", KeyRecipe::sequential},
                                              {"duplicates", KeyRecipe::duplicates}};

/// Throws UsageError for a name that is neither a recipe nor that of a NumPy file.
KeyRecipe key_recipe_of(const IrregularSettings& settings) {
  for (const KeyRecipeName& one : key_recipe_names)
    if (settings.keys == one.key) return one.recipe;
  if (extension_of(settings.keys) == ".npy") return KeyRecipe::file;
  throw UsageError(unknown_message("keys", settings.keys, texts_of(key_recipe_names, &KeyRecipeName::key)) +
                   ", or a NumPy file: .npy");
}

HashShape hash_shape_of(const HashProblem& problem, const IrregularSettings& settings) {
  return {problem.count, problem.seed, settings.load, settings.bucket, settings.hash == "published"};
}

void check_hash(const IrregularSettings& settings, const std::vector<std::string>&) {
  key_recipe_of(settings);
  const std::vector<std::uint32_t> widths{4, 8, 16};
  if (const auto width = static_cast<std::uint32_t>(settings.bucket); !std::ranges::count(widths, width))
    throw UsageError(fmt::format("bucket {}: a bucket has 4, 8 or 16 slots; the nearest is {}", width,
                                 nearest_number(width, widths).value_or(8)));
}

std::uint64_t hash_problem_key(const IrregularSettings& settings) {
  std::uint64_t key = text_hash("hash|" + file_stamp(settings, settings.keys));
  for (const double value : {static_cast<double>(settings.count), static_cast<double>(settings.side), settings.hits})
    key = text_hash(fmt::format("{}|", value), key);
  return key_hash(key, settings.seed);
}

std::shared_ptr<const IrregularProblem> make_hash_problem(const IrregularSettings& settings) {
  auto problem = std::make_shared<HashProblem>();
  problem->recipe = key_recipe_of(settings);
  problem->seed = settings.seed;
  problem->hits = settings.hits;
  problem->sheet.side = static_cast<std::uint32_t>(settings.side);
  problem->name = settings.keys;
  constexpr std::int64_t usual_count = 100'000;
  problem->count = static_cast<std::uint64_t>(settings.count ? settings.count : usual_count);
  if (problem->moves()) problem->count = count_voxels(problem->sheet);
  if (problem->recipe == KeyRecipe::file) {
    const auto file = settings.folder / settings.keys;
    problem->file = read_keys(file);
    problem->count = problem->file.size();
    problem->name = file.filename().string();
  }
  return problem;
}

double hash_bytes(const IrregularProblem& of, const IrregularSettings& settings, const std::string& track) {
  const auto& problem = dynamic_cast<const HashProblem&>(of);
  const HashStrategy& strategy = hash_strategy(track);
  const HashShape shape = hash_shape_of(problem, settings);
  const auto n = static_cast<double>(problem.count);
  const double keys = problem.recipe == KeyRecipe::file ? 8 * n : problem.moves() ? 8 * n : 4 * n;
  return keys + 2 * (8 * n + static_cast<double>(strategy.bytes(shape))) + 8 * n +
         static_cast<double>(strategy.scratch(shape));
}

double hash_dump_bytes(const IrregularSettings& settings) {
  // Answers and slots are 8 bytes each, of at most so many keys.
  double keys = static_cast<double>(settings.count ? settings.count : 100'000);
  const KeyRecipe recipe = key_recipe_of(settings);
  if (recipe == KeyRecipe::voxels) keys = 12 * static_cast<double>(settings.side) * static_cast<double>(settings.side);
  if (recipe == KeyRecipe::file) {
    std::error_code none;
    const auto size = std::filesystem::file_size(settings.folder / settings.keys, none);
    keys = none ? 0 : static_cast<double>(size);
  }
  return recipe == KeyRecipe::file ? keys : 8 * keys / std::min(settings.load, .7);
}

std::string hash_caption(const IrregularProblem& of) {
  const auto& problem = dynamic_cast<const HashProblem&>(of);
  std::string name = problem.name;
  if (problem.recipe != KeyRecipe::file) name[0] = static_cast<char>(name[0] - 'a' + 'A');
  return fmt::format("{}, {} and as many queries", name, counted(problem.count, "key"));
}

/// What the pictures show of the first tracks that were counted.
std::string hash_look_at(const Simulation& simulation, const std::vector<std::string>& pictures) {
  const auto shows = [&](const char* key) { return std::ranges::find(pictures, key) != pictures.end(); };
  std::shared_ptr<const HashReport> any, built;
  for (std::size_t i = 0; i < simulation.size(); ++i)
    if (const auto* table = simulation.track(i).facet<HashFacet>())
      if (const auto report = table->report()) {
        if (!any) any = report;
        if (!built && !report->buckets.rounds.empty()) built = report;
      }
  if (!any) return {};
  if (!pictures.empty() && pictures.front() == "voxels")
    return fmt::format("The queries are a second sheet: {} of its {} voxels are found, where the two cut.",
                       grouped(any->hits), grouped(any->shape.keys));
  if (built && shows("rounds"))
    return fmt::format(
        "Two levels cost when they are built, {:.1f} rounds a bucket, {} the slowest: red pairs throw others out. They "
        "pay off when they are asked.",
        built->facts.rounds, *std::ranges::max_element(built->buckets.rounds));
  return "The colour of a slot is what its key costs to find. A warp waits for the longest of its 32 queries.";
}

}  // namespace

const IrregularSystem& hash_system() {
  static const IrregularSystem system = [] {
    IrregularSystem all{
        .key = "hash",
        .title = "Hash tables",
        .description = "tables of 32-bit keys: who finds its slot taken looks on, or throws another out",
        .citation = "alcantara2009hashing",
        .tracks = {},
        .usual_tracks = "two_level,linear",
        .pictures = {"table", "rounds", "voxels"},
        .step_words =
            "A step makes the next keys, builds their table and asks all queries again. "
            "Voxels move by one along x; other keys stay as they are.",
        .check = check_hash,
        .problem_key = hash_problem_key,
        .problem = make_hash_problem,
        .bytes = hash_bytes,
        .dump_bytes = hash_dump_bytes,
        .make = [](Queue& queue, const std::shared_ptr<const IrregularProblem>& problem,
                   const IrregularSettings& settings, const TrackInfo& info) -> std::unique_ptr<Track> {
          auto ours = std::dynamic_pointer_cast<const HashProblem>(problem);
          const HashShape shape = hash_shape_of(*ours, settings);
          return std::make_unique<HashTrack>(queue, std::move(ours), hash_strategy(info.name), shape, info);
        },
        .caption = hash_caption,
        .look_at = hash_look_at};
    for (const HashStrategy& one : hash_strategies())
      all.tracks.push_back({.name = one.name,
                            .map = one.name,
                            .intra = {},
                            .storage = {},
                            .layout = {},
                            .title = one.title,
                            .description = one.description,
                            .citation = one.citation});
    return all;
  }();
  return system;
}

}  // namespace warploom
