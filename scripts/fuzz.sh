#!/usr/bin/env bash
# Feeds every reader of files and texts with changed bytes, by clang's libFuzzer under the address and
# undefined-behaviour sanitizers. A fault is a crash, an error that is no refusal, a run of more than 100 ms of processor
# time, or more than 500 MB of memory. Exit code 1 if there is one; the input then lies in build/fuzz/found.
#   scripts/fuzz.sh [TARGET...]     without a target: all of them (tests/fuzz/targets.cpp)
# In the environment: WARPLOOM_FUZZ_RUNS=N runs of each target (1000000), WARPLOOM_FUZZ_JOBS=N targets at once (one for
# each core), WARPLOOM_FUZZ_SEED=N repeats a run, WARPLOOM_FUZZ_PROGRAM=FILE is a program that was built before.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/building.sh

program=${WARPLOOM_FUZZ_PROGRAM:-}
if [[ -z $program ]]; then
  scripts/setup.sh fuzz
  configure fuzz
  build fuzz fuzz
  program=build/fuzz/bin/fuzz
fi
mapfile -t known < <("$program")
chosen=("$@")
for target in "${chosen[@]}"; do
  [[ " ${known[*]} " == *" $target "* ]] || { echo "fuzz: unknown target '$target' (known: ${known[*]})" >&2; exit 2; }
done
[[ ${#chosen[@]} -gt 0 ]] || chosen=("${known[@]}")

export program runs=${WARPLOOM_FUZZ_RUNS:-1000000} seed=${WARPLOOM_FUZZ_SEED:-$((RANDOM * 32768 + RANDOM + 1))}
# The user's settings stay out of it.
export XDG_CONFIG_HOME=/nonexistent XDG_STATE_HOME=/nonexistent
mkdir -p build/fuzz/found build/fuzz/log
fuzz_one() {
  local target=$1 log=build/fuzz/log/$1 fault= started=$SECONDS
  mkdir -p "build/fuzz/corpus/$target"
  # The quarantine of freed memory counts as memory in use.
  ASAN_OPTIONS=quarantine_size_mb=16 UBSAN_OPTIONS=print_stacktrace=1 WARPLOOM_FUZZ_TARGET=$target "$program" \
    -runs="$runs" -seed="$seed" -max_len=4096 -timeout=10 -rss_limit_mb=500 -malloc_limit_mb=500 -print_final_stats=1 \
    -artifact_prefix="build/fuzz/found/$target-" "build/fuzz/corpus/$target" "tests/fuzz/corpus/$target" >"$log" 2>&1 ||
    fault=", FAULT: see $log"
  printf '%-13s %9s runs, %4s MB, %5s s%s\n' "$target" "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")" \
    "$(sed -n 's/^stat::peak_rss_mb: *//p' "$log")" $((SECONDS - started)) "$fault"
  [[ -z $fault ]]
}
export -f fuzz_one
echo "fuzz: $runs runs of ${chosen[*]}; seed $seed"
printf '%s\n' "${chosen[@]}" | xargs -P "${WARPLOOM_FUZZ_JOBS:-$(nproc)}" -I{} bash -c 'fuzz_one {}' ||
  { echo "fuzz: there are faults; keep the input in tests/fuzz/corpus/TARGET when it is mended" >&2; exit 1; }
echo "fuzz: no fault"
