#!/usr/bin/env bash
# Everything that CI holds besides scripts/test.sh, part by part. Installs what is missing. Warnings are errors. The
# sanitized builds are Clang's, which compiles them in 60 % of the time that GCC 12 takes.
#   scripts/check.sh [PART...]     without a part: all of them, in this order
#     headers   each header compiles alone
#     cuda      everything compiles as CUDA, to be checked, not to be run; left out where nvcc is not
#     tidy      clang-tidy
#     tsan      the tests that have threads, under the thread sanitizer
#     asan      the CPU tests under the address and undefined-behaviour sanitizers
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/building.sh

has_nvcc() { command -v nvcc >/dev/null || [[ -x /usr/local/cuda/bin/nvcc ]]; }

check_headers() {
  configure headers
  build headers warploom_glad  # its headers are generated; nothing else is built
  scripts/check_headers.py --build build/headers
}
check_cuda() {
  has_nvcc || { echo "no nvcc was found: left out"; return; }
  configure check-cuda
  build check-cuda warploom_glad warploom_kit_files  # these sources are generated
  scripts/check_cuda.py
}
check_tidy() {
  configure asan
  build asan warploom_glad  # its headers are generated
  scripts/tidy.py
}
check_tsan() {
  configure tsan
  build tsan threads_test gpu_core_test
  ctest --preset tsan -R '^(threads_test|gpu_core_test)$'
}
check_asan() {
  configure asan
  build asan
  # These wait for compilers most of their time: what the program does of own maps, own_test and ui_test run, too.
  ctest --preset asan -j 2 -E '^(cli_own_(maps|simplices|steps|python)|checked_teams_.*)$'
}

parts=(headers cuda tidy tsan asan)
chosen=("$@")
for part in "${chosen[@]}"; do
  [[ " ${parts[*]} " == *" $part "* ]] || { echo "check: unknown part '$part' (known: ${parts[*]})" >&2; exit 2; }
done
[[ ${#chosen[@]} -gt 0 ]] || chosen=("${parts[@]}")

scripts/setup.sh check
times=()
for part in "${chosen[@]}"; do
  echo
  echo "check: $part"
  started=$SECONDS
  "check_$part"
  times+=("$part $(((SECONDS - started) / 60)):$(printf %02d $(((SECONDS - started) % 60)))")
  # The last lines are those of the last part: of all parts, ctest's summary.
  [[ $part == "${chosen[-1]}" ]] || echo "check: so far, in minutes: ${times[*]}"
done
