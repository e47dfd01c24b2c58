#include "gpu/bench/track_bench.h"

#include "gpu/core/error.h"
#include "gpu/tracks/facets/fill.h"

namespace warploom::bench {

bool Expected::holds(Track& track, Queue& queue) const {
  const Seal seal = track.seal(queue).value();
  return agreed && (hash || sum || fold) && seal.hash == hash.value_or(seal.hash) &&
         seal.sum == sum.value_or(seal.sum) && (!fold || seal.folded == fold);
}

Expected sealed(Track& track, Queue& queue, const std::string& source) {
  const Seal seal = track.seal(queue).value();
  return {seal.hash, seal.sum, seal.folded, source};
}

void fresh_start(Track& track, Queue& queue, std::uint64_t seed, double density) {
  for (int state = 0; state < 2; ++state) {
    track.need<FillFacet>().fill(queue, seed, density);
    finish_step(track, queue);
  }
}

void finish_step(Track& track, Queue& queue) {
  queue.wait();
  track.publish(queue);
}

Contestant track_contestant(const std::string& name, const std::shared_ptr<Track>& track,
                            std::function<void(Track&, Queue&)> poison, std::function<bool(Track&, Queue&)> right) {
  return {name, [track](Queue& queue) { track->step(queue); },
          [track, poison = std::move(poison)](Queue& queue) { poison(*track, queue); },
          [track, right = std::move(right)](Queue& queue) {
            track->publish(queue);
            return right(*track, queue);
          },
          track};
}

std::vector<Figure> TrackBench::run() {
  for (at_ = 0; at_ < parts_.size(); ++at_) {
    report(parts_[at_].name);
    bench_.part(suite_ + "/" + parts_[at_].name, figures, parts_[at_].run);
  }
  return std::move(figures);
}

void TrackBench::report(const std::string& what, double share) const {
  bench_.report(what, (static_cast<double>(at_) + share) / static_cast<double>(parts_.size()));
}

void TrackBench::add_part(const std::string& name, std::function<void()> run, std::function<Figure()> instead) {
  if (instead) run = [this, run = std::move(run), instead = std::move(instead)] { unless_refused(run, instead); };
  parts_.push_back({name, std::move(run)});
}

void TrackBench::skip(Figure figure, const std::string& why) {
  figure.skip(why);
  add(std::move(figure));
}

void TrackBench::unless_refused(const std::function<void()>& run, const std::function<Figure()>& instead) {
  try {
    run();
  } catch (const UsageError& error) {
    skip(instead(), error.what());
  }
}

}  // namespace warploom::bench
