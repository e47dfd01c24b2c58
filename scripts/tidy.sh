#!/usr/bin/env bash
# clang-tidy with the repository's .clang-tidy over the C++ of gpu/ and viewer/, kernels as the CPU sees them. Prints
# each finding once; fails where there is one.
#   scripts/tidy.sh [--build build/asan] [FILE...]     FILE: only these sources; the build must be one without CUDA
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=build/asan
if [[ ${1:-} == --build ]]; then build=$2; shift 2; fi
[[ -f $build/compile_commands.json ]] || { echo "tidy: $build is not configured: cmake --preset asan" >&2; exit 1; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# GCC's own warnings, and its precompiled headers, are unknown to clang.
python3 - "$build/compile_commands.json" "$folder" "$PWD" "$@" <<'PYTHON'
import json, pathlib, re, sys
database, folder, root, *wanted = sys.argv[1:]
wanted = {str(pathlib.Path(name).resolve()) for name in wanted}
entries = []
for entry in json.load(open(database)):
    file = pathlib.Path(entry["file"])
    if not any(file.is_relative_to(f"{root}/{room}") for room in ("gpu", "viewer")):
        continue
    if wanted and str(file) not in wanted:
        continue
    command = entry["command"].replace(" -Wno-restrict", "").replace(" -Werror ", " ").replace(" -Winvalid-pch", "")
    entry["command"] = re.sub(r" -include \S*cmake_pch\S*", "", command)
    entries.append(entry)
json.dump(entries, open(f"{folder}/compile_commands.json", "w"))
print("\n".join(entry["file"] for entry in entries), file=open(f"{folder}/files", "w"))
PYTHON
# A finding in a header is told by every source that includes it.
xargs -P 2 -n 1 clang-tidy -p "$folder" --quiet <"$folder/files" >"$folder/said" 2>"$folder/noise" || true
grep -h -E '(warning|error): .*\[' "$folder/said" | sort -u >"$folder/findings" || true
sed "s#^$PWD/##" "$folder/findings"
echo "tidy: $(wc -l <"$folder/files") sources, $(wc -l <"$folder/findings") findings"
[[ ! -s $folder/findings ]]
