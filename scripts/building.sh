# What the scripts share; read by them with `source`. Functions alone.

# device_answers: whether an NVIDIA device is there to run on, and a compiler for it.
device_answers() {
  command -v nvidia-smi >/dev/null && nvidia-smi -L 2>/dev/null | grep -q '^GPU 0' || return 1
  command -v nvcc >/dev/null || [[ -x /usr/local/cuda/bin/nvcc ]] ||
    { echo "an NVIDIA device answers, but no nvcc was found: building the CPU program alone" >&2; return 1; }
}

# configure PRESET [OPTION...]: quiet unless it fails.
configure() {
  local preset=$1 log
  shift
  log=$(mktemp)
  if ! cmake --preset "$preset" "$@" >"$log" 2>&1; then
    cat "$log"
    rm -f "$log"
    return 1
  fi
  grep -h 'Backends:' "$log" || true
  rm -f "$log"
}

# build PRESET [TARGET...]: with its progress in per cent and the minutes that are left.
build() {
  local preset=$1 started=$SECONDS
  shift
  NINJA_STATUS='@%f/%t@' cmake --build "build/$preset" ${1:+--target "$@"} 2>&1 | show_progress
  echo "built in $(((SECONDS - started) / 60)) min $(((SECONDS - started) % 60)) s"
}

# Ninja's lines become per cent on one line of a terminal, and a line each tenth elsewhere; all else is passed on.
show_progress() {
  local line done total percent left last=-1 begin=$SECONDS
  while IFS= read -r line; do
    if [[ $line =~ ^@([0-9]+)/([0-9]+)@ ]]; then
      done=${BASH_REMATCH[1]} total=${BASH_REMATCH[2]}
      percent=$((100 * done / total))
      left=$((done ? (SECONDS - begin) * (total - done) / done : 0))
      if [[ -t 1 ]]; then
        printf '\r  %3d %%, %d min %02d s left ' "$percent" $((left / 60)) $((left % 60))
      elif ((percent / 10 != last)); then
        last=$((percent / 10))
        ((done)) && printf '  %3d %%, %d min %02d s left\n' "$percent" $((left / 60)) $((left % 60))
      fi
    elif [[ $line != 'ninja: no work to do.' && $line != 'ninja: Entering directory'* ]]; then
      printf '%s\n' "$line"
    fi
  done
  if [[ -t 1 ]]; then printf '\r%40s\r' ''; fi
}
