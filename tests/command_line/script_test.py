"""Scripts by `run`: what they bring about, and what is refused (docs/scripts.md)."""

import json
import re
from pathlib import Path

from oracle import FRACTALS, Fractal, Life
from warploom_test import ProgramTest, main

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "scripts.md"
TWO_RULES = ("scene fractal\nset fractal=vicsek level=3 block=3 tracks=bounding_box,lambda_table/lookup\nwait built\nstep 7\n"
             "stats mid.json\nset rule=B36/S125\nstep 2\n")


def seals_of_two_rules():
    """After the steps of each rule, by serial loops."""
    fractal = Fractal(FRACTALS["vicsek"], 3)
    first = Life(fractal).randomise().step(7)
    return first.seal(), Life(fractal, "B36/S125").load(first.rows()).step(2).seal()


class Scripts(ProgramTest):
    def script(self, text, *options, name="s.txt"):
        (self.folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return self.warploom("run", "--script", name, "--backend", "cpu", "--interop", "none", *options)

    def stats(self, name):
        return json.loads((self.folder / name).read_text())

    def test_steps_and_seals_are_those_of_loops(self):
        done = self.script(TWO_RULES, "--stats", "end.json")
        self.assertEqual(done.code, 0, done)
        middle, end = self.stats("mid.json"), self.stats("end.json")
        self.assertEqual((middle["steps"], end["steps"]), (7, 9))
        for stats, seal in zip((middle, end), seals_of_two_rules()):
            self.assertEqual([track["seal"] for track in stats["tracks"]], [seal] * 2)

    def test_the_example_of_the_document_runs(self):
        blocks = re.findall(r"```warploom\n(.*?)```", DOCUMENT.read_text(), re.S)
        self.assertTrue(blocks)
        for block in blocks:
            done = self.script(block)
            self.assertEqual(done.code, 0, f"{block}\n{done}")
        self.assertEqual(len(blocks[0].strip().splitlines()), 20)

    def test_what_does_not_hold_ends_with_3(self):
        for line, words in (("check tracks.A.threads.launched = 5", "it is 65536"),
                            ("mark nowhere/at/all", "no such widget"), ("click nowhere", "no widget"),
                            ("check tracks.A.threads.lunched = 5", "there is no tracks.A.threads.lunched"),
                            ("check tracks.*.threads.lunched = 0", "there is no tracks")):
            done = self.script(f"scene fractal\nset level=8\n{line}\n", "--stats", "s.json")
            self.assertEqual(done.code, 3, done)
            self.assertIn("s.txt:3: ", done.err)
            self.assertIn(words, done.err)
            self.assertFalse((self.folder / "s.json").exists())

    def test_wrong_texts_end_with_1_before_their_first_line(self):
        lines = {"stepp": "'step'", "set levell=4": "'level'", "view zom=2": "'zoom'", "scene fractals": "'fractal'",
                 "check trakcs.A.agrees = true": "'tracks'", "check tracks.A.kernels.0.median_ms < 5": "times differ",
                 "check tracks.A.numbers.setup_ms < 5": "times differ", "describe": "--describe", "forget_learning": "view --script",
                 "check view.zom = 2": "'zoom'", "check view.zom != 2": "'zoom'", "check selection.spce = null": "'space'",
                 "check stpes != 5": "'steps'", "select cel:2,10": "cell:X,Y", "hover cell:2;10": "cell:X,Y", "mark thred:A:1,1": "thread:TRACK",
                 "view theme=drak": "'dark'", "view zoom=abc": "zoom", "check steps": "OP", 'say "open': "quote", "wait 3600 s": "60", "step 1.5": "whole number"}
        for line, words in lines.items():
            done = self.script(f"dump d\n{line}\n")
            self.assertEqual(done.code, 1, done)
            self.assertIn("s.txt:2: ", done.err)
            self.assertIn(words, done.err)
            self.assertFalse((self.folder / "d").exists())
        for text, words in ((b"step\n" * 10001, "s.txt:10001:"), (b"step\n\xff\xfe\n", "s.txt:2:"), (b"say " + b"a" * 5000, "s.txt:1:")):
            done = self.script(text)
            self.assertEqual(done.code, 1, done)
            self.assertIn(words, done.err)

    def test_what_is_refused_where_it_stands_ends_with_1(self):
        for line in ("set level=99", "track D", "slice"):
            done = self.script(f"scene fractal\n{line}\n")
            self.assertEqual(done.code, 1, done)
            self.assertIn("s.txt:2: ", done.err)

    def test_a_preset_with_a_script_steps_as_the_script_says(self):
        done = self.script("step 3\n", "--preset", "irregular_sheet", "--stats", "s.json")
        self.assertEqual(done.code, 0, done)
        self.assertEqual(self.stats("s.json")["steps"], 3)

    def test_standard_input_and_missing_files(self):
        done = self.warploom("run", "--script", "-", "--backend", "cpu", "--stats", "s.json")  # standard input is empty
        self.assertEqual(done.code, 0, done)
        self.assertEqual(self.stats("s.json")["steps"], 0)
        self.assertEqual(self.warploom("run", "--script", "gone.txt").code, 1)

    def test_captures_are_scenes(self):
        (self.folder / "s.txt").write_text("set level=3 block=4\nstep 2\nsay \"two steps\"\ncapture c.png\nstep\n")
        done = self.warploom("run", "fractal", "--script", "s.txt", "--backend", "cpu", "--stats", "s.json", "--size", "900x600")
        if done.code == 5:
            self.skipTest("no OpenGL")
        self.assertEqual(done.code, 0, done)
        again = self.warploom("run", "--scene-file", "c.png", "--backend", "cpu", "--stats", "again.json")
        self.assertEqual(again.code, 0, again)
        self.assertEqual((self.stats("s.json")["steps"], self.stats("again.json")["steps"]), (3, 2))

    def test_a_map_typed_into_the_editor_runs(self):
        lines = ("scene simplex\nset domain=triangle n=64 tracks=bounding_box\nwait built\npress Ctrl+E\nwait 30 frames\n"
                 "click editor/box\nwait 30 frames\npress Ctrl+Enter\nwait built\ncheck tracks.B.own.judge.missed = 0\n"
                 'type editor/box.h/code "Place place(Block b, Domain) { return b.y ? Place{b.x, b.y} : nowhere; }"\n'
                 "press Ctrl+Enter\nwait 3 frames\nwait built\nstep 2\ncheck tracks.B.own.judge.missed = 36\n"
                 "check tracks.A.agrees = true\n")
        done = self.script(lines)
        self.assertEqual(done.code, 3, done)  # of a broken map
        self.assertEqual(done.err.splitlines()[0], "warploom: own:box: 36 cells missed, first (0, 0)")

    def test_lines_are_listed_beside_the_commands(self):
        names = [row["name"].split()[0] for row in json.loads(self.warploom("list", "commands", "--json").out)]
        for name in ("step", "set", "view", "mark", "check", "capture", "play"):
            self.assertIn(name, names)


if __name__ == "__main__":
    main()
