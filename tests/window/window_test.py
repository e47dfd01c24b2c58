#!/usr/bin/env python3
"""The real program in a real window: keys, mouse, sizes, closing, session, cost.
usage: xvfb-run -a -s "-screen 0 1920x1080x24" window_test.py PROGRAM [TEST...]
Exit code 77: skipped (no display, xdotool or OpenGL)."""

import ctypes
import ctypes.util
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

import window
from lost_context import LostContextInWindow
from own_maps import OwnMapsInWindow
from teaching import TeachingInWindow
from window import Window, ask_to_close, png_colours, xdotool

from field_test import listens

TESTS = pathlib.Path(__file__).parent.parent
BINS_FRAMES, BINS_STEPS = 50, 12  # a second, at least, on two cores that others may use, too


class WindowTest(OwnMapsInWindow, TeachingInWindow, LostContextInWindow, unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="warploom-window-")
        self.open = []

    def tearDown(self):
        for window in self.open:
            window.end()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, *words):
        window = Window(self.folder, *words)
        self.open.append(window)
        return window.wait_for()

    def ends(self, *words, seconds=120):
        """One that ends by itself; its stats."""
        window = Window(self.folder, *words, "--stats", "s.json")
        self.open.append(window)
        self.assertEqual(window.wait_end(seconds), 0, window.words())
        return json.loads((window.work / "s.json").read_text())

    def quits(self, window):
        self.assertEqual(window.quit(), 0, window.words())

    def reaches(self, measure, what):
        """measure() -> (reached, figures in words), three times at most: others may use the machine, too."""
        seen = []
        for _ in range(3):
            reached, words = measure()
            seen.append(f"{words}, load {os.getloadavg()[0]:.1f}")
            print(f"{what}: {seen[-1]}", file=sys.stderr)
            if reached:
                return
        self.fail(f"{what}: {seen}")

    def state(self):
        folder = pathlib.Path(self.folder) / "state" / "warploom"
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def session(self):
        return (self.state() / "session.toml").read_text()

    @staticmethod
    def steps_of(session):
        return int(re.search(r"^steps = (\d+)$", session, re.M)[1])

    def test_keys_and_capture(self):
        w = self.start("fractal", "--set", "level=6", "--size", "1280x720")
        self.assertLess(time.monotonic() - w.began, 8, "the first picture takes long")
        w.key("period", "period", "space", "space", "r", "Tab", "Tab", "l", "n", "bracketright", "bracketleft", "o", "o", "t", "t", "h", "h", "F1", "F1")
        w.key(*"123456789")
        w.key("Escape", "Escape", "Escape")
        self.assertTrue(w.process.poll() is None, "Escape must never quit: " + w.words())
        w.key("F12", pause=1.5)
        shots = list(w.pictures.glob("*.png"))
        self.assertEqual(len(shots), 1, w.words())
        width, height, colours = png_colours(shots[0])
        self.assertEqual((width, height), (1280, 720))
        self.assertGreater(colours, 16)
        self.quits(w)
        self.assertEqual(list(w.work.glob("*")), [], "files in the working folder that were not asked for")

    def test_a_picture_alone_is_saved_beside_the_window(self):
        w = self.start("fractal", "--set", "level=6", "--size", "1280x720")
        w.key("space")
        xdotool("mousemove", "--window", w.id, 700, 450)  # over B's launch grid
        for name in ("p.svg", "p.png"):
            w.key("ctrl+F12", pause=1)
            w.key("ctrl+a")
            xdotool("type", "--delay", 60, str(w.work / name))
            w.key("Return", pause=0.5)
            deadline = time.monotonic() + 20
            while not (w.work / name).exists() and time.monotonic() < deadline:
                time.sleep(0.1)
            self.assertTrue((w.work / name).exists(), w.words())
        svg = xml.etree.ElementTree.parse(w.work / "p.svg").getroot()
        words = [text.text for text in svg.iter("{http://www.w3.org/2000/svg}text")]
        self.assertTrue(words[0].startswith("B  ") and words[1].startswith("Launch grid"), words)
        self.assertEqual(len(list(svg.iter("{http://www.w3.org/2000/svg}image"))), 1)
        self.assertEqual(png_colours(w.work / "p.png")[0], 1600)
        self.assertEqual({file.name for file in w.work.glob("*")}, {"p.svg", "p.png"})
        w.key("space")
        self.quits(w)

    def test_a_scene_that_is_opened_is_kept_with_its_picture(self):
        file = pathlib.Path(self.folder) / "small.toml"
        file.write_text('schema = 1\nscene = "simplex"\n[parameters]\nn = 24\n')
        w = self.start("--scene-file", file)
        deadline = time.monotonic() + 30
        while not (kept := list((self.state() / "recent").glob("????????????????.png"))) and time.monotonic() < deadline:
            time.sleep(.1)
        self.quits(w)
        self.assertEqual(len(kept), 1, w.words())
        width, height, colours = png_colours(kept[0])
        self.assertTrue(width <= 240 and height <= 180 and colours > 16, (width, height, colours))
        self.assertIn(str(file), (self.state() / "recent.json").read_text())

    def test_a_film_of_counted_frames_has_each_of_them(self):
        self.ends("fractal", "--backend", "cpu", "--set", "level=4", "--size", "640x480", "--frames", "20", "--record", "film")
        self.assertEqual(len(list((self.open[-1].work / "film").glob("frame_*.png"))), 20)

    def test_a_picture_that_is_being_saved_is_finished_or_said_to_be_given_up(self):
        for end in ("close", "signal"):
            w = self.start("fractal", "--set", "level=13", "--size", "1600x900")
            w.key("ctrl+F12", pause=1)
            w.key("ctrl+a")
            file = w.work / f"{end}.png"
            xdotool("type", "--delay", 60, str(file))
            if end == "close":
                xdotool("key", "--delay", 1, "Return", "ctrl+q")
                self.assertEqual(w.wait_end(60), 0, w.words())
                self.assertEqual(png_colours(file)[0], 1600, w.words())
            else:
                w.key("Return", pause=0.5)  # a signal may overtake a key that the window has not seen yet
                w.process.send_signal(signal.SIGTERM)
                self.assertEqual(w.wait_end(), 128 + signal.SIGTERM, w.words())
                self.assertTrue(file.exists() or f"not saved: {file}" in w.words(), w.words())
        self.assertEqual({one.name for one in w.work.glob("*")} - {"signal.png"}, {"close.png"}, "something half written")

    def test_mouse_and_sizes(self):
        w = self.start("fractal", "--set", "level=6", "--size", "1280x720")
        for x, y in [(400, 200), (450, 220), (700, 300), (700, 450), (400, 480), (60, 90), (1100, 200)]:
            xdotool("mousemove", "--window", w.id, x, y)
            time.sleep(0.05)
            xdotool("click", 1)
        xdotool("mousemove", "--window", w.id, 400, 200)
        xdotool("click", "--repeat", 8, "--delay", 30, 4)
        xdotool("mousedown", 1)
        xdotool("mousemove", "--window", w.id, 460, 260)
        time.sleep(0.1)
        xdotool("mouseup", 1)
        xdotool("click", "--repeat", 30, "--delay", 10, 5)
        for size in [(900, 600), (640, 480), (320, 240), (1600, 900)]:
            xdotool("windowsize", w.id, *size)
            time.sleep(0.7)
            self.assertTrue(w.process.poll() is None, f"{size}: {w.words()}")
            self.assertEqual(w.size(), size)
            w.key("period")
        self.quits(w)

    def test_a_drag_zoom_and_track_come_back(self):
        w = self.start()
        w.key("l")  # the first start says welcome, and any key leaves that page
        w.key("l")  # three tracks are columns: at the left is A's data, above its launch grid
        xdotool("mousemove", "--window", w.id, 520, 170)
        xdotool("click", "--repeat", 4, "--delay", 60, 4)
        time.sleep(0.3)
        w.key("period", "period", "period", "t")
        self.quits(w)
        first = self.session()
        self.assertIn("steps = 3", first)
        self.assertIn("light", first)
        self.assertEqual(first.split("tracks")[1].split("]")[0].count(","), 2)
        self.assertNotIn("zoom = 1.0", first)
        w = self.start()
        time.sleep(1)
        self.quits(w)
        self.assertEqual(self.session(), first)

    def test_a_tab_that_is_first_chosen_begins_small(self):
        w = self.start("--size", "1280x720")
        xdotool("mousemove", "--window", w.id, 291, 20)
        time.sleep(0.2)
        xdotool("click", 1)
        time.sleep(1.5)
        w.key("f", pause=1.5)
        w.key("f", pause=1.5)
        self.quits(w)
        self.assertRegex(self.session(), r"input = ['\"]few['\"]")
        stats = self.ends("bins", "--frames", 2)
        self.assertEqual((stats["parameters"]["input"], stats["parameters"]["bin"]), ("few", 2))
        stats = self.ends("bins", "--frames", 2, "--set", "input=300")
        self.assertEqual((stats["parameters"]["input"], stats["parameters"]["bin"]), ("300", 0))

    def test_a_session_file_decides(self):
        (self.state() / "session.toml").write_text('schema = 1\nscene = "fractal"\n[parameters]\nlevel = 5\nseed = 99\n[run]\nsteps = 4\n')
        self.quits(self.start())
        text = self.session()
        self.assertTrue(all(line in text for line in ["level = 5", "seed = 99", "steps = 4"]), text)

    def test_a_session_of_an_earlier_version(self):
        for name in ("session.toml", "layout.toml"):
            shutil.copy(TESTS / "old" / name, self.state())
        w = self.start()
        self.assertEqual(w.size(), (1100, 700))
        self.quits(w)
        text = self.session()
        self.assertIn("tracks = [ 'bounding_box', 'lambda_shuffle' ]", text)
        self.assertIn("steps = 299", text)

    def test_a_broken_session_is_survived(self):
        (self.state() / "session.toml").write_text("nonsense [[[")
        (self.state() / "layout.toml").write_text("left_width = 'x'\nui_scale = nan\n")
        self.quits(self.start())
        self.assertEqual((self.state() / "session-left-out.toml").read_text(), "nonsense [[[")
        self.assertNotIn("nonsense", (self.state() / "session.toml").read_text())
        # A layout that cannot be read costs the session nothing.
        (self.state() / "layout.toml").write_text("nonsense [[[")
        self.quits(self.start())
        self.assertEqual((self.state() / "layout-left-out.toml").read_text(), "nonsense [[[")
        self.assertEqual((self.state() / "session-left-out.toml").read_text(), "nonsense [[[")

    def test_closing_by_the_window_manager(self):
        w = self.start("fractal", "--set", "level=5")
        ask_to_close(w.id)
        self.assertEqual(w.wait_end(), 0, w.words())

    def test_signals_and_a_lost_display_save_what_there_is(self):
        def saved(w, code):
            self.assertEqual(w.wait_end(), code, w.words())
            self.assertIn("level = 6", (w.folder / "state/warploom/session.toml").read_text())
            self.assertEqual(json.loads((w.work / "x.json").read_text())["parameters"]["level"], 6)
            shutil.rmtree(w.folder / "state")

        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            w = self.start("fractal", "--set", "level=6", "--stats", "x.json")
            w.process.send_signal(number)
            saved(w, 128 + number)
        read, write = os.pipe()
        server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1600x900x24"], pass_fds=[write],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        before, os.environ["DISPLAY"] = os.environ["DISPLAY"], ":" + os.read(read, 10).decode().strip()
        try:
            w = self.start("fractal", "--set", "level=6", "--stats", "x.json")
            server.kill()
            saved(w, 5)
        finally:
            os.environ["DISPLAY"] = before
            server.kill()
            server.wait()

    def test_signals_at_any_moment_keep_what_was_edited(self):
        """While the window starts, replays, steps and is edited: the session has what was painted and all steps."""
        rng = random.Random(int(os.environ.get("WARPLOOM_FUZZ_SEED", 5)))
        for pause in (0.3, 1, 3):  # others may use the machine, too
            w = self.start("fractal", "--set", "level=9", "--size", "1280x720")
            xdotool("mousemove", "--window", w.id, 400, 200)
            w.key("period", "period", "p", pause=pause)
            xdotool("mousedown", 1)
            time.sleep(pause)
            xdotool("mousemove", "--window", w.id, 470, 270)
            time.sleep(pause)
            xdotool("mouseup", 1)
            time.sleep(pause)
            self.quits(w)
            if "painted" in self.session():
                break
        edited, steps = 0, self.steps_of(self.session())
        for turn in range(int(os.environ.get("WARPLOOM_SIGNALS", 6))):
            number = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)[turn % 3]
            with self.subTest(number.name, turn=turn):
                before, pressed = self.session(), 0
                self.assertIn("painted", before)
                self.assertEqual(self.steps_of(before), steps)
                w = Window(self.folder, "--stats", "s.json")
                self.open.append(w)
                while w.process.poll() is None and not listens(w.process.pid, number):
                    time.sleep(0.002)
                if turn % 2:
                    w.wait_for()
                    for _ in range(rng.randrange(1, 5)):
                        w.key("period", pause=0.2 * rng.random())
                        pressed += 1
                else:
                    time.sleep(rng.choice((0.1, 0.5, 2)) * rng.random())
                w.process.send_signal(number)
                self.assertEqual(w.wait_end(), 128 + number, w.words())
                after = self.session()
                now = self.steps_of(after)
                self.assertTrue(steps <= now <= steps + pressed, (steps, now, pressed))
                if now == steps:  # the state, then, is what it was
                    self.assertEqual(*(re.search(r"^cells = .*$", text, re.M)[0] for text in (before, after)))
                if turn % 2:
                    self.assertLessEqual(json.loads((w.work / "s.json").read_text())["steps"], now)
                edited += now > steps
                steps = now
        self.assertGreater(edited, 0)

    def test_frames_stats_and_capture(self):
        stats = self.ends("fractal", "--set", "level=6", "--frames", 30, "--size", "900x600", "--capture", "c.png", "--overlay", seconds=60)
        self.assertEqual(stats["schema"], "warploom.stats/1")
        self.assertEqual(stats["frames"], 30)
        self.assertIsNotNone(stats["frame"])
        width, height, colours = png_colours(self.open[0].work / "c.png")
        self.assertEqual((width, height), (900, 600))
        self.assertGreater(colours, 16)

    def test_an_idle_window_costs_nothing(self):
        w = self.start("fractal", "--size", "1280x720")
        xdotool("mousemove", "--window", w.id, 640, 710)
        time.sleep(3)

        def share():
            before = w.cpu_seconds()
            time.sleep(5)
            used = (w.cpu_seconds() - before) / 5
            return used < 0.05, f"{100 * used:.2f} % of a core"

        self.reaches(share, "idle")
        self.quits(w)

    def test_the_default_scene_runs_smoothly(self):
        def frames():
            frame = self.ends("fractal", "--size", "1280x720", "--frames", 300, "--warmup", 30)["frame"]
            rate, ui = frame["frames_per_second"], frame["ui_median_ms"]
            return rate >= 60 and ui <= 2, f"{rate:.1f} frames/s, ui {ui:.2f} ms, frame {frame['median_ms']:.2f} ms"

        self.reaches(frames, "1280x720")

    def test_bins_step_while_they_are_shown(self):
        """Two tracks of 16,384 bodies: the window comes first, and they go on beside it."""
        def frames():
            stats = self.ends("bins", "--set", "input=demo", "--size", "1280x720", "--frames", 400, "--warmup", 60)
            rate = stats["frame"]["frames_per_second"]
            steps = stats["steps"] / stats["frames"] * rate
            return (rate >= BINS_FRAMES and steps >= BINS_STEPS,
                    f"{rate:.1f} frames/s, {steps:.1f} steps/s, frame {stats['frame']['median_ms']:.2f} ms")

        self.reaches(frames, "bins")

    def test_a_solid_turns_smoothly(self):
        """10^4 blocks in two tracks: while the mouse turns them, each track's picture is made anew 30 times a second."""
        def pictures():
            w = self.start("simplex", "--size", "1280x720", "--set", "n=38", "--set", "block=1", "--stats", "s.json")
            xdotool("mousemove", "--window", w.id, 860, 200)
            xdotool("mousedown", 1)
            began, moves = time.monotonic(), 0
            while time.monotonic() - began < 3:
                xdotool("mousemove_relative", "--", 5 if moves // 40 % 2 == 0 else -5, 0)
                moves += 1
            seconds = time.monotonic() - began
            xdotool("mouseup", 1)
            self.quits(w)
            stats = json.loads((w.work / "s.json").read_text())
            rates = [k["samples"] / seconds for track in stats["tracks"] for k in track["kernels"] if k["name"] == "simplex.colour"]
            return (len(rates) == 2 and min(rates) >= 30,
                    f"{[round(r, 1) for r in rates]} pictures/s, {stats['frame']['frames_per_second']:.1f} frames/s")

        self.reaches(pictures, "solids turned")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    window.PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    if not os.environ.get("DISPLAY") or not shutil.which("xdotool"):
        print("skipped: no DISPLAY or no xdotool; run under xvfb-run -a", file=sys.stderr)
        return 77
    # Xvfb resets when its last client leaves, and refuses whoever comes at that moment: one client stays.
    ctypes.CDLL(ctypes.util.find_library("X11")).XOpenDisplay(None)
    with tempfile.TemporaryDirectory() as folder:
        probe = subprocess.run([window.PROGRAM, "view", "fractal", "--set", "level=2", "--frames", "1"], capture_output=True, text=True, timeout=60,
                               env=dict(os.environ, XDG_STATE_HOME=folder, XDG_CONFIG_HOME=folder), cwd=folder)
    if probe.returncode == 5:
        print("skipped: " + probe.stderr, file=sys.stderr)
        return 77
    return 0 if unittest.main(exit=False, verbosity=2).result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
