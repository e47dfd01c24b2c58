#include "gpu/scenes/irregular/tracks/hash_track.h"

#include <algorithm>

#include "gpu/core/error.h"
#include "gpu/core/launch.h"
#include "gpu/core/scoped_member.h"
#include "gpu/core/watched_work.h"
#include "gpu/scenes/irregular/pictures/hash_pictures.h"
#include "gpu/tracks/sum_over.h"

namespace warploom {

namespace {

struct SealAnswer {
  const std::uint64_t* answers;
  WARPLOOM_HD std::uint64_t operator()(std::uint64_t i) const { return key_hash(answers[i], i); }
};
struct AnswerAt {
  const std::uint64_t* answers;
  WARPLOOM_HD std::uint64_t operator()(std::uint64_t i) const { return answers[i]; }
};

/// What warps of 32 queries in their order do: a thread adds up a warp.
struct TallyWarps {
  static constexpr std::uint64_t threads_per_chunk = 512;
  enum Word { turns, full_turns, hits, probes_of_hits, probes_of_misses, words };
  static constexpr std::size_t size = words + 2 * HashReport::most_probes;

  const std::uint32_t* probes;
  std::uint64_t queries;
  std::uint64_t* to;  ///< (size): the words, then queries found by their probes, and queries not found

  WARPLOOM_HD void operator()(std::uint64_t warp) const {
    const std::uint64_t first = warp * warp_size, left = queries - first, lanes = left < warp_size ? left : warp_size;
    std::uint32_t most = 0, least = ~0u;
    std::uint64_t found = 0, of_hits = 0, of_misses = 0;
    for (std::uint64_t lane = 0; lane < lanes; ++lane) {
      const std::uint32_t told = probes[first + lane], count = told & ~found_bit;
      const bool hit = told & found_bit;
      most = count > most ? count : most;
      least = count < least ? count : least;
      found += hit;
      (hit ? of_hits : of_misses) += count;
      const std::uint64_t bin = count < HashReport::most_probes ? count : HashReport::most_probes - 1;
      atomic_add(to + words + (hit ? 0 : HashReport::most_probes) + bin, std::uint64_t{1});
    }
    atomic_add(to + turns, std::uint64_t{most});
    if (lanes == warp_size) atomic_add(to + full_turns, std::uint64_t{least});
    atomic_add(to + hits, found);
    atomic_add(to + probes_of_hits, of_hits);
    atomic_add(to + probes_of_misses, of_misses);
  }
};

const HashTrack& hash_track_of(const Track& track) { return dynamic_cast<const HashTrack&>(track); }

}  // namespace

HashTrack::HashTrack(Queue& queue, std::shared_ptr<const HashProblem> problem, const HashStrategy& strategy,
                     const HashShape& shape, const TrackInfo& info)
    : problem_(std::move(problem)),
      strategy_(strategy),
      shape_(shape),
      slots_(strategy_.slots(shape_)),
      tally_(queue.backend(), TallyWarps::size),
      scratch_(queue.backend()),
      scanning_(queue.backend()),
      pair_(queue, 1),
      success_(std::make_unique<LevelTwoSuccess>(shape.seed, shape.published)) {
  const Backend backend = queue.backend();
  offer<IrregularFacet>(*this);
  offer<Approximate>(*this);
  offer<Counted>(*this);
  offer<LaneTurns>(*this);
  offer<Numbers>(*this);
  offer<RateFacet>(*this);
  offer<Compared>(*this);
  offer<Described>(*this);
  offer<Curves>(*this);
  offer<HashFacet>(*this);
  info_ = info;
  kernel_ = "hash.total";
  extent_ = {static_cast<std::uint32_t>(shape_.keys), 1, 1};
  cells_ = shape_.keys;
  const std::uint64_t n = shape_.keys;
  if (problem_->recipe == KeyRecipe::file) file_.assign(queue, problem_->file);
  if (problem_->moves()) {
    const std::uint64_t rows = std::uint64_t{problem_->sheet.side} * problem_->sheet.side;
    row_counts_ = Buffer<std::uint32_t>(backend, rows);
    row_offsets_ = Buffer<std::uint32_t>(backend, rows + 1);
  }
  queries_ = Buffer<std::uint32_t>(backend, n);
  probes_ = Buffer<std::uint32_t>(backend, n);
  for (auto& state : states_) {
    if (problem_->moves() || &state == &states_[0]) state.keys = Buffer<std::uint32_t>(backend, n);
    state.answers = Buffer<std::uint64_t>(backend, n);
    state.table = strategy_.make(queue, shape_);
  }
  if (problem_->moves()) {
    make_voxels(queue, 0, true, queries_.data());
  } else {
    const KeySource source = problem_->source(file_.data());
    launch_items("hash.keys", queue, n, MakeHashKeys{source, states_[0].keys.data()});
    launch_items("hash.keys", queue, n, MakeHashQueries{source, queries_.data()});
  }
  queue.wait();
  if (problem_->moves()) stages_.push_back({"hash.keys", {row_shape(row_counts_.size())}, 4 * n, false});
  for (const char* kernel : strategy_.kernels) {
    LaunchShape launched = row_shape(n);
    if (strategy_.bucket_threads && kernel == strategy_.kernels.back())
      launched = {row_of_blocks(slots_ / 576), {strategy_.bucket_threads, 1, 1}};
    stages_.push_back({kernel, {launched}, 0, false});
  }
  output_stage_ = stages_.size();
  stages_.push_back({"hash.lookup", {row_shape(n)}, 12 * n, false});
  state_bytes_ = file_.bytes() + row_counts_.bytes() + row_offsets_.bytes() + queries_.bytes() + probes_.bytes() +
                 strategy_.scratch(shape_);
  for (const auto& state : states_) state_bytes_ += state.keys.bytes() + state.answers.bytes() + state.table->bytes();
  own_pictures_ = make_hash_pictures(*this);
  for (const auto& picture : own_pictures_) pictures_.push_back(picture.get());
}

HashTrack::~HashTrack() = default;

void HashTrack::make_voxels(Queue& queue, std::uint64_t time, bool mirror, std::uint32_t* to) {
  const VoxelSheet& sheet = problem_->sheet;
  RowsOfVoxels rows{sheet, static_cast<std::uint32_t>(time % sheet.side), mirror, row_counts_.data(), nullptr, to};
  TimedSpan span(queue, "hash.keys", 4 * shape_.keys);
  launch_items("hash.keys", queue, row_counts_.size(), rows);
  exclusive_scan("hash.keys", queue, row_counts_.data(), row_counts_.size(), ~0u, row_offsets_.data(), scanning_);
  rows.offsets = row_offsets_.data();
  launch_items("hash.keys", queue, row_counts_.size(), rows);
  span.finish();
}

void HashTrack::make_state(Queue& queue, std::uint64_t time) {
  HashState& state = states_[1 - front_];
  const StatePair::Writer writer(pair_, queue, false);
  if (problem_->moves()) make_voxels(queue, time, false, state.keys.data());
  const PartOfWork part(.1, 1, strategy_.kernels.size() + 1);
  TimedSpan total(queue, "hash.total", 0);
  TimedSpan building(queue, "hash.build", 0);
  state.table->build(queue, keys(1 - front_).data(), scratch_);
  building.finish();
  state.table->look_up(queue, queries_.data(), shape_.keys, state.answers.data());
  total.finish();
  state.time = time;
}

void HashTrack::poison(Queue& queue) {
  const StatePair::Writer writer(pair_, queue, false);
  Buffer<std::uint64_t>& answers = states_[1 - front_].answers;
  fill_with_ones(queue, answers.data(), answers.bytes());
}

void HashTrack::adopt(Queue& queue, const Track& from) {
  const HashTrack& other = hash_track_of(from);
  make_state(queue, other.states_[other.front_].time);
}

void HashTrack::publish(Queue&) {
  pair_.flip();
  front_ = 1 - front_;
  ++published_;
}

std::optional<Seal> HashTrack::seal(Queue& queue) {
  const std::uint64_t* answers = states_[front_].answers.data();
  Seal seal;
  seal.hash = sum_over("hash.seal", queue, shape_.keys, SealAnswer{answers}, sums_);
  seal.sum = sum_over("hash.seal", queue, shape_.keys, AnswerAt{answers}, sums_);
  return seal;
}

std::optional<Cell> HashTrack::first_difference(Queue& queue, const Track& other) {
  const auto mine = states_[front_].answers.download(queue),
             theirs = hash_track_of(other).states_[hash_track_of(other).front_].answers.download(queue);
  const auto differs = std::ranges::mismatch(mine, theirs);
  if (differs.in1 == mine.end()) return std::nullopt;
  return Cell{static_cast<std::uint32_t>(differs.in1 - mine.begin()), 0, 0};
}

Verdict HashTrack::verdict(Queue& queue, const Track&) {
  const HashState& state = states_[front_];
  const auto oracle = problem_->oracle(queue, state.time);
  Verdict verdict{"oracle", "bitwise", oracle->answers.size(), 0, 0, std::nullopt};
  // Answers come in parts, so that few of them take no room for all.
  constexpr std::uint64_t at_once = 1u << 22;
  std::vector<std::uint64_t> part;
  std::uint64_t first = 0, end = 0;
  for (std::uint64_t i = 0; i < oracle->answers.size(); ++i) {
    const std::uint64_t row = oracle->rows.empty() ? i : oracle->rows[i];
    if (row >= end) {
      if (queue.cancel && queue.cancel->load()) throw Cancelled();
      first = row;
      end = std::min(shape_.keys, first + at_once);
      part.resize(end - first);
      download_bytes(queue, part.data(), state.answers.data() + first, part.size() * sizeof(std::uint64_t));
    }
    verdict.error += part[row - first] != oracle->answers[i];
  }
  count(queue);
  return verdict;
}

void HashTrack::spoil(Queue& queue, std::uint64_t query, std::uint64_t answer) {
  upload_bytes(queue, states_[front_].answers.data() + query, &answer, sizeof answer);
}

void HashTrack::count(Queue& queue) {
  if (reported_ == published_ && report()) return;
  const ScopedUntimed counting(queue);
  const HashState& state = states_[front_];
  const std::uint64_t n = shape_.keys, warps = (n + warp_size - 1) / warp_size;
  state.table->count_probes(queue, queries_.data(), n, probes_.data());
  tally_.zero(queue);
  launch_items("hash.probes", queue, warps, TallyWarps{probes_.data(), n, tally_.data()});
  const auto told = tally_.download(queue);
  auto report = std::make_shared<HashReport>();
  report->shape = shape_;
  report->facts = state.table->facts(queue);
  report->buckets = state.table->buckets(queue);
  report->hits = told[TallyWarps::hits];
  report->misses = n - report->hits;
  const auto mean = [](std::uint64_t sum, std::uint64_t of) {
    return of ? static_cast<double>(sum) / static_cast<double>(of) : 0;
  };
  report->probes_hit = mean(told[TallyWarps::probes_of_hits], report->hits);
  report->probes_miss = mean(told[TallyWarps::probes_of_misses], report->misses);
  const auto begin = told.begin() + TallyWarps::words;
  report->of_hits.assign(begin, begin + HashReport::most_probes);
  report->of_misses.assign(begin + HashReport::most_probes, begin + 2 * HashReport::most_probes);
  Counts& counts = report->counts;
  counts.launched = counts.launched_stated = warp_size * told[TallyWarps::turns];
  counts.useful = counts.useful_stated = told[TallyWarps::probes_of_hits] + told[TallyWarps::probes_of_misses];
  counts.blocks = counts.blocks_useful = row_shape(n).block_count();
  counts.warps_full = told[TallyWarps::full_turns];
  counts.warps_partial = told[TallyWarps::turns] - counts.warps_full;
  const std::scoped_lock lock(report_mutex_);
  report_ = std::move(report);
  reported_ = published_;
}

std::shared_ptr<const HashReport> HashTrack::report() const {
  const std::scoped_lock lock(report_mutex_);
  return report_;
}

std::optional<Counts> HashTrack::counts() const {
  const auto of = report();
  return of ? std::optional(of->counts) : std::nullopt;
}

std::vector<DumpArray> HashTrack::dumps(Queue& queue) {
  const auto dump = [](const char* name, const char* numpy, const char* type, const auto& values, const char* meaning) {
    check_dump(static_cast<double>(values.size() * sizeof values[0]));
    return DumpArray{name, numpy, type, {values.size()}, array_bytes(values), meaning};
  };
  check_dump(8. * static_cast<double>(std::max(shape_.keys, slots_)));
  std::vector<DumpArray> all{
      dump("keys", "<u4", "uint32", keys(front_).download(queue), "the keys of the table, in the order they came in"),
      dump("queries", "<u4", "uint32", queries_.download(queue), "the keys that were asked for"),
      dump("answers", "<u8", "uint64", states_[front_].answers.download(queue),
           "of each query the value of its key, or 2^32 where it is not there")};
  for (auto& array : states_[front_].table->dumps(queue)) all.push_back(std::move(array));
  return all;
}

void HashTrack::ask(Queue& questions, const Selection& selection) {
  const bool of_key = selection.space == key_space;
  if (!of_key && selection.space != slot_space) return;
  const Reading reading(*this, questions);
  if (const auto before = looked(selection); before && before->serial == reading.serial()) return;
  auto found = std::make_shared<Looked>();
  found->serial = reading.serial();
  found->selection = selection;
  const bool inside = !of_key && selection.at.x < slots_;
  if (of_key || inside) {
    Buffer<HashWalk> walk(questions.backend(), 1);
    Buffer<std::uint64_t> word(questions.backend(), 1);
    if (of_key) {
      found->key = selection.at.x;
    } else {
      reading.table().look(questions, 0, walk.data(), selection.at.x, word.data());
      found->word = word.download(questions)[0];
      if (found->word != empty_word) found->key = word_key(found->word);
    }
    if (found->key) {
      reading.table().look(questions, *found->key, walk.data(), empty_word, nullptr);
      found->walk = walk.download(questions)[0];
    }
  }
  const std::scoped_lock lock(looked_mutex_);
  constexpr std::size_t most_looked = 16;
  std::erase_if(looked_, [&](const auto& one) {
    return one->selection.space == selection.space && one->selection.at == selection.at;
  });
  looked_.insert(looked_.begin(), std::move(found));
  if (looked_.size() > most_looked) looked_.pop_back();
}

std::shared_ptr<const HashTrack::Looked> HashTrack::looked(const Selection& selection) const {
  const std::scoped_lock lock(looked_mutex_);
  for (const auto& one : looked_)
    if (one->selection.space == selection.space && one->selection.at == selection.at) return one;
  return nullptr;
}

}  // namespace warploom
