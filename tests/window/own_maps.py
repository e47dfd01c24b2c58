"""Own maps in the real window: a part of WindowTest (window_test.py), which has its helpers."""

import json
import os
import pathlib
import re
import shutil
import sys
import time

from window import xdotool

TESTS = pathlib.Path(__file__).parent.parent


class OwnMapsInWindow:
    def test_a_script_clicks_and_types(self):
        """The mouse of a script, though the real one rests elsewhere: an example, changed by typing, runs and is mended."""
        box = "Place place(Block b, Domain) { return {b.x, b.y}; }"
        wrong = "Place place(Block b, Domain) { return b.y ? Place{b.x, b.y} : nowhere; }"
        lines = ["scene simplex", "set domain=triangle n=64 block=8 tracks=bounding_box", "wait built", "press Ctrl+E", "wait 20 frames",
                 "click editor/box", "wait 20 frames", "press Ctrl+Enter", "wait built", "check tracks.B.own.judge.missed = 0"]
        for text, missed in ((wrong, 36), (box, 0)):
            lines += [f'type editor/box.h/code "{text}"', "press Ctrl+Enter", "wait 20 frames", "wait built",
                      f"check tracks.B.own.judge.missed = {missed}"]
        script = pathlib.Path(self.folder) / "script.txt"
        script.write_text("\n".join([*lines, "quit"]) + "\n")
        self.ends("--backend", "cpu", "--script", script)

    def test_a_map_that_is_saved_elsewhere_runs(self):
        examples = TESTS.parent / "assets" / "own"
        file = pathlib.Path(self.folder) / "fold.h"
        shutil.copy(examples / "rectangle.h", file)
        w = self.start("simplex", "--backend", "cpu", "--map", file, "--set", "domain=triangle", "--set", "n=64", "--set", "block=16",
                       "--set", "tracks=bounding_box,own:fold", "--stats", "x.json")
        # As editors save: another file is put in its place. Then one with an error: what was right before it stays.
        broken = (examples / "rectangle_broken.h").read_text()
        beside = file.with_suffix(".new")
        beside.write_text(broken)
        beside.rename(file)
        time.sleep(4)
        file.write_text(broken.replace("return {b.x, b.y};", "return {b.x, b.y}"))
        time.sleep(3)
        w.key("period", pause=1.5)
        self.quits(w)
        track = json.loads((w.work / "x.json").read_text())["tracks"][1]
        self.assertEqual((track["own"]["judge"]["missed"], track["own"]["judge"]["first_missed"]), (392, [32, 32]))
        self.assertEqual(track["badge"], "CONTRACT BROKEN")
        # The session holds the text, and runs it again: this user ran it here.
        self.assertIn("Wrong on purpose", self.session())
        again = self.start("--stats", "x.json")
        self.quits(again)
        self.assertEqual(json.loads((again.work / "x.json").read_text())["tracks"][1]["own"]["judge"]["missed"], 392)
        # Nobody ran it elsewhere: there it does not run unasked.
        shutil.rmtree(self.state() / "own-maps-run")
        other = self.start("--stats", "x.json")
        self.quits(other)
        self.assertTrue(all(track["own"] is None for track in json.loads((other.work / "x.json").read_text())["tracks"]))

    def test_a_map_is_typed(self):
        """The editor: letter by letter, Ctrl+Enter, a mistake, and a program that is killed while something is typed."""
        def type_text(text):
            for line in text.split("\n"):
                xdotool("type", "--delay", "4", line)
                w.key("Return", pause=.05)

        settings = ["--backend", "cpu", "--set", "domain=triangle", "--set", "n=64", "--set", "block=16", "--set", "tracks=bounding_box",
                    "--size", "1280x800"]
        file = pathlib.Path(self.folder) / "fold.h"
        file.write_text("Place place(Block b, Domain) { return {b.x, b.y}; }\n")
        w = self.start("simplex", *settings, "--map", file, "--set", "tracks=bounding_box,own:fold", "--stats", "x.json")
        w.key("ctrl+e", pause=1)
        # Held as by a hand: one that is up again within a frame selects nothing.
        for words in (["keydown", "ctrl"], ["key", "a"], ["keyup", "ctrl"]):
            xdotool(*words)
            time.sleep(.15)
        w.key("Delete", pause=.2)
        type_text("Place grid(Domain d) { return {d.blocks, d.blocks}; }\n// typed\n"
                  "Place place(Block b, Domain) {\nif (b.x == 1) return nowhere;\nreturn {b.x, b.y};")
        xdotool("type", "}")
        time.sleep(.3)
        began = time.monotonic()
        w.key("ctrl+Return", pause=0)
        notes = self.state() / "own-maps-run"
        while not any("// typed" in note.read_text() for note in notes.glob("*.h")):
            self.assertLess(time.monotonic() - began, 10, w.words() + (self.state() / "own-drafts.toml").read_text())
            time.sleep(.02)
        print(f"typed map ran after {time.monotonic() - began:.2f} s", file=sys.stderr)
        # A mistake: the text before runs on. What is typed is kept, the mistake included.
        xdotool("type", "x y z")
        time.sleep(.3)  # letters of a frame in which Ctrl goes down are none for Dear ImGui
        w.key("ctrl+Return", pause=2)
        drafts = self.state() / "own-drafts.toml"
        self.assertIn("x y z", drafts.read_text())
        w.key("Escape", pause=.3)
        w.key("period", pause=1)
        self.quits(w)
        track = json.loads((w.work / "x.json").read_text())["tracks"][1]
        self.assertGreater(track["own"]["judge"]["missed"], 0)
        # Killed in mid-edit: the text is there again.
        again = self.start("simplex", *settings)
        again.key("ctrl+e", "ctrl+e", pause=.7)
        xdotool("type", "// unsaved words")
        time.sleep(1.5)
        again.process.kill()
        again.process.wait()
        self.assertIn("unsaved words", drafts.read_text())
        third = self.start("simplex", *settings)
        time.sleep(1)
        self.quits(third)
        self.assertIn("unsaved words", drafts.read_text())

    def test_maps_that_fall_leave_nothing(self):
        """A map that falls and is mended, again and again: processes, handles and memory stay as they were."""
        file = pathlib.Path(self.folder) / "fold.h"
        backend = os.environ.get("WARPLOOM_TEST_BACKEND", "cpu")
        # A division by zero does not fall on a device.
        wrong = "b.x / (d.n - 64)" if backend == "cpu" else "*(unsigned*)(0x123456789000 + 4096 * b.x)"
        texts = ["Place place(Block b, Domain) { return {b.x, b.y}; }\n",
                 f"Place place(Block b, Domain d) {{ return {{{wrong}, b.y}}; }}\n"]
        file.write_text(texts[0])
        w = self.start("simplex", "--backend", backend, "--map", file, "--set", "domain=triangle", "--set", "n=64",
                       "--set", "tracks=bounding_box,own:fold")
        process = pathlib.Path("/proc") / str(w.process.pid)

        def hosts():
            found = 0
            for task in process.glob("task/*/children"):
                try:
                    found += sum("warploom-host" in pathlib.Path(f"/proc/{pid}/comm").read_text() for pid in task.read_text().split())
                except OSError:
                    pass  # it ended meanwhile
            return found

        def becomes(count):
            end = time.monotonic() + 30
            while (there := hosts()) != count:
                if time.monotonic() > end:
                    self.fail(f"{there} hosts, not {count}; " + w.words())
                time.sleep(.02)

        def held():
            kilobytes = int(re.search(r"VmRSS:\s+(\d+)", (process / "status").read_text())[1])
            return len(list((process / "fd").iterdir())), kilobytes

        becomes(1)
        falls = int(os.environ.get("WARPLOOM_FALLS", "6"))
        for fall in range(falls):
            for hosts_then, text in ((0, texts[1]), (1, texts[0])):
                file.write_text(text)
                becomes(hosts_then)
            if fall == 2:
                before = held()
        time.sleep(1)
        handles, memory = held()
        print(f"falls: {falls}, handles {before[0]} then {handles}, memory {before[1]} then {memory} kB", file=sys.stderr)
        self.assertLessEqual(handles, before[0] + 2)
        self.assertLess(memory, before[1] + 30_000)
        self.quits(w)
