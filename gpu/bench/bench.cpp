#include "gpu/bench/bench.h"

#include <random>

#include "gpu/bench/ceilings.h"
#include "gpu/bench/suites.h"
#include "gpu/core/error.h"
#include "gpu/core/hash.h"

namespace warploom::bench {

const std::string* Settings::given(const std::string& key) const {
  const auto at = set.find(key);
  return at == set.end() ? nullptr : &at->second;
}

Bench::Bench(Backend backend, Settings settings) : settings_(std::move(settings)), queue_(backend) {
  if (settings_.samples < 3 || settings_.warm_ups < 0 || !(settings_.scale > 0))
    throw UsageError("a benchmark needs at least 3 samples per figure, and some data");
  std::random_device device;
  seed_ = settings_.seed.value_or(std::uint64_t{device()} << 32 | device());
}

std::uint64_t Bench::fresh_seed() { return cell_hash(seed_, ++seeds_, 0); }

void Bench::check_cancelled() const {
  if (queue_.cancel && *queue_.cancel) throw Cancelled();
}

void Bench::report(const std::string& what, double fraction) {
  check_cancelled();
  if (progress) progress(what, fraction);
}

void Bench::part(const std::string& name, std::vector<Figure>& figures, const std::function<void()>& run) {
  if (done.contains(name)) return;
  const std::size_t before = figures.size();
  run();
  if (finished) finished(name, std::span<const Figure>(figures).subspan(before));
}

double Bench::ceiling(const std::string& name) {
  if (!ceilings_.contains(name)) measure_ceiling(*this, name);
  return ceilings_.at(name);
}

std::uint64_t Bench::cache_bytes() const { return backend() == Backend::cuda ? cuda_status().l2_bytes : 0; }

void Bench::overwrite_cache() {
  if (cache_bytes() == 0) return;
  if (overwritten_.size() == 0) overwritten_ = Buffer<std::uint8_t>(backend(), 4 * cache_bytes());
  overwritten_.zero(queue_);
}

}  // namespace warploom::bench
