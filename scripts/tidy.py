#!/usr/bin/env python3
"""clang-tidy with the repository's .clang-tidy over the C++ of gpu/ and viewer/, kernels as the CPU sees them.

Sources are looked at in bunches, one after the other in one text: most of clang-tidy's time goes into the headers that
they share. A bunch that does not compile in one, because two of its sources use the same name, is halved. Kernels are
seen in full in the first source that CMake writes of each list of maps. Prints each finding once; fails where there is
one.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import compile_commands
from compile_commands import ROOT

BUNCH = 20
# How far the analyzer follows the paths of a function; its own default is 225 000, and takes three times as long.
NODES, NODES_DEEP = 20_000, 225_000
FINDING = re.compile(r"^(/[^:]+):(\d+):(\d+): (warning|error): (.*) (\[[\w.,-]+\])$")


def sources_of(file):
    """Of a source that CMake made to compile several as one, those; else the source itself."""
    if file.parent.name not in ("Unity", "grouped"):
        return [file]
    return [pathlib.Path(name) for name in re.findall(r'^#include "(.*)"$', file.read_text(), re.MULTILINE)]


def read_commands(build):
    """The sources, and the flags of each."""
    flags_of, lists = {}, set()
    for compiled, words, _ in sorted(compile_commands.read(build)):
        # Leaves out options of GCC alone, and those that would only split the bunches.
        flags = [word for word in compile_commands.without_output(words, compiled, precompiled=False)[1:]
                 if word not in ("-Werror", "-Wno-restrict", "-xc++") and not word.startswith("-O")]
        for file in sources_of(compiled):
            if file.is_relative_to(build / "gpu/scenes") and file.suffix == ".cu":
                name = file.parent.name + file.name.split("_")[0]  # "simplextriangle"
                if name in lists:
                    continue
                lists.add(name)
            elif not any(file.is_relative_to(ROOT / room) for room in ("gpu", "viewer")):
                continue
            flags_of[file] = flags
    # A check that sees little finds nothing.
    written = {file for room in ("gpu", "viewer") for file in (ROOT / room).rglob("*.cpp")}
    if missing := written - set(flags_of):
        sys.exit(f"tidy: {build} does not compile {min(missing)}, nor {len(missing) - 1} others: configure it anew")
    return flags_of


def bunches_of(flags_of):
    """Sources of one folder of a room and of equal flags, at most BUNCH together."""
    groups = {}
    for file, flags in sorted(flags_of.items()):
        parts = file.relative_to(ROOT).parts
        groups.setdefault((parts[:3] if parts[1] == "scenes" else parts[:2], tuple(flags)), []).append(file)
    return [(files[at:at + BUNCH], list(flags)) for (_, flags), files in groups.items() for at in range(0, len(files), BUNCH)]


def look_at(files, flags, nodes, folder):
    """The findings in sources, each (file, line, column, text)."""
    lines, origins = [], []
    for file in files:
        text = file.read_text().splitlines()
        lines += text
        origins += [(str(file), number + 1) for number in range(len(text))]
    together = pathlib.Path(tempfile.mkstemp(suffix=".cpp", dir=folder)[1])
    together.write_text("\n".join(lines) + "\n")
    said = subprocess.run(
        ["clang-tidy", "--quiet", f"--config-file={ROOT / '.clang-tidy'}", f"--header-filter=^{ROOT}/(gpu|viewer)/",
         str(together), "--", "-x", "c++", "-Xclang", "-analyzer-config", "-Xclang", f"max-nodes={nodes}", "-Wreserved-identifier", *flags],
        capture_output=True, text=True, cwd=ROOT)
    findings, failed = set(), False
    for line in said.stdout.splitlines():
        if match := FINDING.match(line):
            failed = failed or match[4] == "error"
            file, number = match[1], int(match[2])
            if file == str(together):
                file, number = origins[number - 1]
            findings.add((file, number, int(match[3]), f"{match[5]} {match[6]}"))
    failed = failed or (said.returncode and not findings)
    if failed and len(files) > 1:
        half = len(files) // 2
        return look_at(files[:half], flags, nodes, folder) | look_at(files[half:], flags, nodes, folder)
    if failed and not findings:
        sys.exit(f"tidy: clang-tidy failed on {files[0]}:\n{said.stdout}{said.stderr}")
    return findings


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--build", type=pathlib.Path, default=ROOT / "build/asan", help="a configured build without CUDA")
    arguments.add_argument("--deep", action="store_true", help="follow each function's paths as far as clang-tidy does")
    arguments.add_argument("files", nargs="*", type=pathlib.Path, metavar="FILE", help="only these sources")
    given = arguments.parse_args()
    flags_of = read_commands(given.build.resolve())
    if given.files:
        wanted = [file.resolve() for file in given.files]
        for file in wanted:
            if file not in flags_of:
                sys.exit(f"tidy: {file} is not a source of gpu/ or viewer/ that {given.build} compiles")
        flags_of = {file: flags_of[file] for file in wanted}
    findings = set()
    with tempfile.TemporaryDirectory() as folder:
        # The longest first, so that the last one is short.
        bunches = sorted(bunches_of(flags_of), key=lambda bunch: -len(bunch[0]))
        nodes = NODES_DEEP if given.deep else NODES
        for found in compile_commands.in_parallel(lambda bunch: look_at(*bunch, nodes, folder), bunches):
            findings |= found
    for file, line, column, text in sorted(findings):
        print(f"{pathlib.Path(file).relative_to(ROOT) if file.startswith(str(ROOT)) else file}:{line}:{column}: {text}")
    print(f"tidy: {len(flags_of)} sources, {len(findings)} findings")
    sys.exit(bool(findings))


if __name__ == "__main__":
    main()
