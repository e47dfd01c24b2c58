"""What the acceptance scripts for machines with a GPU share: `SCRIPT PROGRAM OUTPUT_FOLDER [PART...]`."""
import json
import os
import pathlib
import subprocess
import sys
import time

program, out = sys.argv[1], pathlib.Path(sys.argv[2])
out.mkdir(parents=True, exist_ok=True)
os.environ["XDG_STATE_HOME"] = os.environ["XDG_CONFIG_HOME"] = str(out / "xdg")
failures = []


def run(*words, timeout=300, prefix=(), code=0):
    result = subprocess.run([*prefix, program, *map(str, words)], capture_output=True, text=True, timeout=timeout)
    if result.returncode != code:
        failures.append(f"{' '.join(map(str, words))}: exit code {result.returncode}: {result.stderr.strip()[-400:]}")
    return result


def check(what, good, detail=""):
    print(f"{'ok  ' if good else 'FAIL'} {what} {detail}", flush=True)
    if not good:
        failures.append(f"{what} {detail}")


def stats_of(*words, **options):
    file = out / "stats.json"
    file.unlink(missing_ok=True)
    run(*words, "--stats", file, **options)
    return json.loads(file.read_text()) if file.exists() else None


def finish(bodies, parts):
    """Runs the parts; one that breaks does not take the others with it."""
    for part in parts:
        began = time.time()
        try:
            bodies[part]()
        except Exception as error:
            failures.append(f"part {part}: {error!r}")
        print(f"---- {part}: {time.time() - began:.1f} s", flush=True)
    print("FAILURES:" if failures else "all good")
    for failure in failures:
        print("  ", failure)
    sys.exit(1 if failures else 0)
