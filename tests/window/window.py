"""A window of the program, driven by xdotool: what the tests of the window share."""

import ctypes
import ctypes.util
import os
import pathlib
import struct
import subprocess
import sys
import time
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "command_line"))
from files import png_chunks

PROGRAM, START_SECONDS = "", 20


def xdotool(*words):
    return subprocess.run(["xdotool", *map(str, words)], capture_output=True, text=True, timeout=20).stdout.strip()


def ask_to_close(window):
    """WM_DELETE_WINDOW, as a window manager sends it; xdotool's windowquit needs a window manager, and there is none."""
    x11 = ctypes.CDLL(ctypes.util.find_library("X11"))

    class Message(ctypes.Structure):
        _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("sent", ctypes.c_int), ("display", ctypes.c_void_p),
                    ("window", ctypes.c_ulong), ("message", ctypes.c_ulong), ("format", ctypes.c_int), ("data", ctypes.c_long * 5),
                    ("room", ctypes.c_long * 24)]

    x11.XOpenDisplay.restype, x11.XInternAtom.restype = ctypes.c_void_p, ctypes.c_ulong
    x11.XInternAtom.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
    x11.XSendEvent.argtypes = [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int, ctypes.c_long, ctypes.c_void_p]
    x11.XCloseDisplay.argtypes = [ctypes.c_void_p]
    display = x11.XOpenDisplay(None)
    event = Message(type=33, window=int(window), format=32, message=x11.XInternAtom(display, b"WM_PROTOCOLS", 0))
    event.data[0] = x11.XInternAtom(display, b"WM_DELETE_WINDOW", 0)
    x11.XSendEvent(display, int(window), 0, 0, ctypes.byref(event))
    x11.XCloseDisplay(display)


def paeth(left, up, corner):
    return min((left, up, corner), key=lambda one: abs(left + up - corner - one))


def png_colours(path):
    """Width, height and how many different colours the rows hold (an 8-bit RGB or RGBA PNG)."""
    chunks = png_chunks(path)
    width, height, _, kind = struct.unpack(">IIBB", chunks[0][1][:10])
    step = {2: 3, 6: 4}[kind]
    raw = zlib.decompress(b"".join(body for name, body in chunks if name == "IDAT"))
    line, previous, colours = width * step, bytearray(width * step), set()
    for y in range(height):
        start = y * (line + 1)
        kind, row = raw[start], bytearray(raw[start + 1 : start + 1 + line])
        for i in range(line):
            left = row[i - step] if i >= step else 0
            up, corner = previous[i], previous[i - step] if i >= step else 0
            row[i] = row[i] + (paeth(left, up, corner) if kind == 4 else (0, left, up, (left + up) // 2)[kind]) & 255
        previous = row
        colours.update(bytes(row[x * step : x * step + 3]) for x in range(0, width, 7))
    return width, height, len(colours)


class Window:
    """The program under way, in a working folder and with settings of its own."""

    def __init__(self, folder, *words):
        self.folder = pathlib.Path(folder)
        work = self.folder / "work"
        work.mkdir(exist_ok=True)
        self.pictures = self.folder / "home" / "Pictures"
        self.pictures.mkdir(parents=True, exist_ok=True)
        environment = dict(os.environ, HOME=str(self.folder / "home"), XDG_STATE_HOME=str(self.folder / "state"),
                           XDG_CONFIG_HOME=str(self.folder / "config"))
        self.log = open(self.folder / "log", "w+")
        self.began = time.monotonic()
        self.process = subprocess.Popen([PROGRAM, "view", *map(str, words)], cwd=work, env=environment, stdout=self.log, stderr=self.log)
        self.work = work
        self.id = ""

    def wait_for(self):
        while time.monotonic() - self.began < START_SECONDS:
            if self.process.poll() is not None:
                raise AssertionError(f"it ended with {self.process.returncode}: {self.words()}")
            found = xdotool("search", "--onlyvisible", "--pid", self.process.pid).split()
            if found:
                self.id = found[-1]
                time.sleep(0.6)
                xdotool("windowfocus", self.id)
                time.sleep(0.2)
                return self
            time.sleep(0.1)
        raise AssertionError("no window: " + self.words())

    def words(self):
        self.log.flush()
        return (self.folder / "log").read_text()

    def key(self, *names, pause=0.15):
        for name in names:
            xdotool("key", name)
            time.sleep(pause)

    def wait_end(self, seconds=20):
        return self.process.wait(timeout=seconds)

    def quit(self):
        return self.key("ctrl+q") or self.wait_end()

    def size(self):
        text = xdotool("getwindowgeometry", "--shell", self.id)
        values = dict(line.split("=") for line in text.splitlines() if "=" in line)
        return int(values["WIDTH"]), int(values["HEIGHT"])

    def cpu_seconds(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.log.close()
