#!/usr/bin/env bash
# Runs tests with counts that are too large for every run of CI: the same code with more events. Prints the seed.
#   scripts/long.sh [PART...]     without a part: all of them
#     window    100,000 random events in the window
#     signals   50 signals to a run, and 50 to a window that is edited, each at a random moment
#     bins      20,000 random events in the window of bins, with files that change under it
#     tasks     204 runs of each strategy and application of task queues, with 1, 2 and 8 threads and 1 to 1000 blocks
#     teach     100,000 mutated scripts, tours, puzzles, classes and hand-ins, and 10,000 random events of somebody who
#               takes tours and works on puzzles
#     devices   rows of every length to 2^14 and sliced fractals to level 9, every track, exchange, order and rule, on 2, 4 and
#               8 devices, against one
#     own       1,000 falls of an own map in one window; every fractal, map, layout and block of own maps and exports
# WARPLOOM_FUZZ_SEED=N in the environment repeats a run. Needs the build of scripts/test.sh.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

parts=(window bins tasks signals teach devices own)
chosen=("$@")
for part in "${chosen[@]}"; do
  [[ " ${parts[*]} " == *" $part "* ]] || { echo "long: unknown part '$part' (known: ${parts[*]})" >&2; exit 2; }
done
[[ ${#chosen[@]} -gt 0 ]] || chosen=("${parts[@]}")

program=
for preset in cuda cpu-only; do
  [[ -x build/$preset/bin/ui_test ]] && program=build/$preset/bin/ui_test
done
[[ -n $program ]] || { echo "long: no build with tests: run scripts/test.sh first" >&2; exit 1; }
# The settings of the user stay out of it.
settings=$(mktemp -d)
trap 'rm -rf "$settings"' EXIT
export XDG_CONFIG_HOME=$settings/config XDG_STATE_HOME=$settings/state
export WARPLOOM_FUZZ_SEED=${WARPLOOM_FUZZ_SEED:-$((RANDOM * 32768 + RANDOM))}

for part in "${chosen[@]}"; do
  case $part in
    window) filter='UiFuzz.*' events=100000 ;;
    bins) filter='UiBinsFuzz.*' events=20000 ;;
    tasks)
      echo "long: tasks, 204 runs each"
      WARPLOOM_TASK_ROUNDS=17 "${program%/*}/irregular_test" --gtest_filter='*Tasks.EveryStrategyDoesEveryApplication*'
      continue
      ;;
    signals)
      echo "long: signals, 50 of them, seed $WARPLOOM_FUZZ_SEED"
      export WARPLOOM_SIGNALS=50
      python3 tests/command_line/field_test.py --program "${program%/*}/warploom" Field.test_signals_end_in_order
      xvfb-run -a -s "-screen 0 1920x1080x24" python3 tests/window/window_test.py "${program%/*}/warploom" \
        WindowTest.test_signals_at_any_moment_keep_what_was_edited
      continue
      ;;
    teach)
      echo "long: teach, 100000 texts of each kind"
      WARPLOOM_FUZZ_TEXTS=100000 "$program" --gtest_filter='*Mutated*'
      WARPLOOM_FUZZ_EVENTS=10000 "$program" --gtest_filter='UiTeachFuzz.*'
      continue
      ;;
    devices)
      echo "long: devices, all of them"
      WARPLOOM_FULL=1 "${program%/*}/butterfly_test" --gtest_filter='DeviceParts.*'
      WARPLOOM_FULL=1 "${program%/*}/fractal_test" --gtest_filter='*SlicedDevices.*'
      WARPLOOM_FULL=1 python3 tests/command_line/fractal_devices_test.py --program "${program%/*}/warploom"
      continue
      ;;
    own)
      echo "long: own maps, 1000 falls and everything"
      WARPLOOM_FALLS=1000 "${program%/*}/own_test" --gtest_filter='OwnHosts.*'
      WARPLOOM_FALLS=1000 xvfb-run -a -s "-screen 0 1920x1080x24" python3 tests/window/window_test.py \
        "${program%/*}/warploom" WindowTest.test_maps_that_fall_leave_nothing
      for test in maps simplices steps files; do
        WARPLOOM_FULL=1 python3 "tests/command_line/own_${test}_test.py" --program "${program%/*}/warploom"
      done
      continue
      ;;
  esac
  echo "long: $part, $events events, seed $WARPLOOM_FUZZ_SEED"
  WARPLOOM_FUZZ_EVENTS=$events "$program" --gtest_filter="$filter"
done
