"""Tours and handouts in the real window: a part of WindowTest (window_test.py), which has its helpers."""

import json
import pathlib
import re
import subprocess
import time

import window
from files import png_chunks, png_texts
from script_test import TWO_RULES, seals_of_two_rules
from window import xdotool

# At 1280 x 720: buttons of the strip, and places of the pictures of the first tour's level 4.
GO_ON, ANSWER, CELL, HATCHED = (1046, 603), (1054, 603), (562, 245), (678, 395)


def estimated(share):
    """The place of the strip's slider for a share of its range."""
    return round(912 + 212 * share), 675


class TeachingInWindow:
    def test_a_tour_by_mouse_by_keys_and_shown(self):
        """What the learner clicks, what they do by keys alone, and *Show me* alone come to the same end."""
        def click(at):
            xdotool("mousemove", "--window", w.id, *at)
            time.sleep(.15)
            xdotool("click", 1)
            time.sleep(.4)

        def by_mouse():
            for at in (GO_ON, estimated(81 / 256), ANSWER, GO_ON, CELL, GO_ON, HATCHED, GO_ON, GO_ON):
                click(at)
            time.sleep(1)
            click(GO_ON)
            time.sleep(5.5)  # until what flies is there
            click(GO_ON)
            time.sleep(2)
            click(estimated(3 / 100))
            click(ANSWER)

        def by_keys():
            w.key("Next", "8", "1", "Return", "Return", "F6", "Right", "Escape", "Next", "F6", "F6", "Right", "Right", "Escape", "Next", "Next", pause=.4)
            time.sleep(1)
            w.key("Next")
            time.sleep(5.5)
            w.key("Next", pause=2)
            w.key("3", "Return", pause=.4)

        def shown():
            w.key(*["Next"] * 8, pause=.5)  # the question is skipped, and what is asked is done for the learner
            time.sleep(1)
            w.key("Next", "Next", pause=2)
            w.key("Next", pause=.5)

        ends = []
        for way in (by_mouse, by_keys, shown):
            w = self.start("fractal", "--backend", "cpu", "--size", "1280x720", "--set", "level=6")
            self.quits(w)
            before = self.session()
            w = self.start("--backend", "cpu", "--size", "1280x720", "--tour", "thread_map")
            way()
            w.key("F12", pause=1.5)
            shots = list(w.pictures.glob("*.png"))
            self.assertEqual(len(shots), 1, w.words())
            ends.append(png_texts(shots[0])["warploom-scene"][1])
            shots[0].unlink()
            w.key("Next", pause=.6)
            self.quits(w)
            learned = json.loads((self.state() / "learning.json").read_text())
            (self.state() / "learning.json").unlink()
            self.assertEqual([one["found"] for one in learned["answers"]], ["none", "none"] if way == shown else ["exact", "close"])
            self.assertEqual(learned["tours"], ["thread_map"])
            self.assertEqual(self.session(), before, "the learner's scene comes back")
        self.assertIn("level = 12", ends[0])
        for end in ends[1:]:
            self.assertEqual(end, ends[0])

    def test_a_script_ends_with_the_seals_of_loops(self):
        script = pathlib.Path(self.folder) / "script.txt"
        script.write_text(TWO_RULES + "quit\n")
        end = self.ends("--backend", "cpu", "--script", script)
        self.assertEqual([track["seal"] for track in end["tracks"]], [seals_of_two_rules()[1]] * 2)
        self.assertEqual(end["steps"], 9)

    def test_a_handout_of_the_window_is_that_of_the_command(self):
        script = pathlib.Path(self.folder) / "script.txt"
        script.write_text("set level=5 tracks=bounding_box,lambda_serial,lambda_table/lookup\nwait built\nstep 6\nhandout\nwait 5 frames\n"
                          'type path/file "mine"\npress Enter\nwait 30 frames\nquit\n')
        stats = self.ends("fractal", "--backend", "cpu", "--script", script)
        work = pathlib.Path(self.folder) / "work"
        mine, theirs = work / "mine", work / "theirs"
        command = re.search(r"^warploom (run .*) --capture again.png$", (mine / "README.md").read_text(), re.M)[1]
        words = command.replace("scene.toml", str(mine / "scene.toml")).split()
        subprocess.run([window.PROGRAM, *words, "--handout", str(theirs)], check=True, timeout=60)
        self.assertEqual({path.name for path in mine.iterdir()}, {path.name for path in theirs.iterdir()})
        for name in ("scene.toml", "waste.csv", "waste.svg"):  # the others hold times
            self.assertEqual((mine / name).read_bytes(), (theirs / name).read_bytes(), name)
        pictures = [[body for kind, body in png_chunks(folder / "picture.png") if kind == "IDAT"] for folder in (mine, theirs)]
        self.assertTrue(pictures[0])
        self.assertEqual(*pictures)
        seals = [[track["seal"] for track in json.loads((folder / "stats.json").read_text())["tracks"]] for folder in (mine, theirs)]
        self.assertEqual(*seals)
        self.assertEqual(seals[0], [track["seal"] for track in stats["tracks"]])
