# ---- Running it. Before this stand, of the scene, the storage and the work:
#   arguments()             the structure that the kernels are given, without addresses
#   start_state()           a box of values; serial(state): the box after a step, or the sum of a work that folds, and
#                           the scale of its rounding errors
#   cells                   which places of the box have a value; addresses, elements: where it lies in memory
#   counted, counts         the counts of cells among all that own_visits makes
#   seal(state), live(state)


class Device:
    """The kernels on a GPU, by CuPy."""

    def __init__(self):
        import cupy
        self.cupy = cupy
        folders = [os.environ.get("CUDA_PATH"), cupy.cuda.get_cuda_path(), "/usr/local/cuda"] if needs_toolkit else []
        includes = tuple(f"-I{folder}/include" for folder in folders if os.path.exists(f"{folder}/include/mma.h"))[:1]
        options = ("-default-device", "-std=c++20", "-diag-suppress=2282")
        self.module = cupy.RawModule(code=kernels, options=options + includes, backend="nvrtc")
        self.memory = {"in": cupy.zeros(elements, value), "out": cupy.zeros(elements, value),
                       "sums": cupy.zeros(sum_words, np.uint64), "table": cupy.asarray(table),
                       "points": cupy.asarray(points)}
        self.given = arguments()
        size, *programs = self.ask("own_sizes", np.dtype("u8"), 3)
        if size != self.given.itemsize:
            sys.exit(f"the structure of the kernels has {size} bytes, the record here {self.given.itemsize}")
        self.program_types = {name: np.dtype([("bytes", "u1", int(bytes))])
                              for name, bytes in zip(("own_step", "own_visits"), programs)}
        self.launches = {}
        self.address()
        self.shape = self.ask("own_launches", launches_type, 1, self.given)[0]
        self.shape_there = cupy.asarray(np.frombuffer(self.shape.tobytes(), np.uint8))

    def address(self, **others):
        """Writes where memory lies into the structure."""
        for name, memory in {**self.memory, **others}.items():
            self.given["memory"][name] = memory.data.ptr if memory.size else 0
        if table.size:  # first what places blocks, then what places the threads of a block
            self.given["memory"]["placing"] = self.memory["table"].data.ptr
            self.given["memory"]["table"] = self.memory["table"].data.ptr + 4 * intra_first

    def ask(self, kernel, kind, count, *given):
        """A kernel of one thread that writes so many answers of this kind."""
        answer = self.cupy.zeros(kind.itemsize * count, np.uint8)
        self.module.get_function(kernel)((1,), (1,), (*given, answer))
        return self.cupy.asnumpy(answer).view(kind)

    def prepare(self, name):
        """The launches of a kernel, each with all that it is given. What it works on is made once, by a kernel of one
        thread, and handed over by value: made in every thread it would lie in slow memory."""
        key = name, self.given.tobytes()
        if key in self.launches:
            return self.launches[key]
        kernel, given, launches = self.module.get_function(name), self.given.copy(), []
        threads = tuple(int(self.shape["threads"][axis]) for axis in "xyz")
        for i in range(self.shape["count"]):
            program = self.ask(name + "_program", self.program_types[name], 1, given, np.int32(i))
            x, y, z = grid = tuple(int(self.shape["grids"][i][axis]) for axis in "xyz")
            is_folded = x >= 2**31 or y >= 2**16 or z >= 2**16  # past the limits of a device: a row of rows
            if is_folded:
                row = min(x * y * z, 2**20)
                grid = (row, (x * y * z + row - 1) // row, 1)
            at = np.zeros(1, launch_type)
            at["shape"], at["launch"], at["turns"] = self.shape_there.data.ptr, i, self.shape["turns"]
            at["blocks"], at["folded"] = self.shape["grids"][i], is_folded
            launches.append((kernel, grid, threads, (program, at) if built_in else (given, program, at)))
        return self.launches.setdefault(key, launches)

    def launch(self, launches):
        for kernel, grid, threads, given in launches:
            kernel(grid, threads, given)

    def contract(self):
        """Every cell is served by one thread, and nothing else is."""
        served = self.cupy.zeros(counts, np.uint32)
        self.address(out=served)
        self.launch(self.prepare("own_visits"))
        times = self.cupy.asnumpy(served)
        missed, doubled = np.count_nonzero(times[counted] == 0), np.count_nonzero(times[counted] > 1)
        others = int(times.sum()) - int(times[counted].sum())
        if missed or doubled or others:
            print(f"the map misses {missed} cells, serves {doubled} twice or more, "
                  f"and {others} threads write elsewhere")
        return not (missed or doubled or others)

    def write(self, state):
        flat = np.zeros(elements, value)
        if elements:
            flat[addresses] = state[cells]
        self.memory["in"] = self.cupy.asarray(flat)

    def read(self, name):
        state = np.zeros(cells.shape, value)
        state[cells] = self.cupy.asnumpy(self.memory[name])[addresses]
        return state

    def step(self):
        """Milliseconds that a step takes."""
        events = self.cupy.cuda.Event(), self.cupy.cuda.Event()
        self.address()
        launches = self.prepare("own_step")
        events[0].record()
        self.launch(launches)
        events[1].record()
        events[1].synchronize()
        return self.cupy.cuda.get_elapsed_time(*events)

    def finish(self):
        """What was written is read next; what a step leaves out must not look like what an earlier one wrote."""
        memory = self.memory
        if not folds:
            memory["in"], memory["out"] = memory["out"], memory["in"]
            memory["out"].fill(0)
        memory["sums"].fill(0)


def next_state(state):
    """By NumPy alone."""
    should, _ = serial(state)
    return state if folds else should.astype(value)


def run(steps):
    """On a GPU, step by step beside NumPy: the state, whether they agree, and milliseconds."""
    state = start_state()
    device = Device()
    agrees = device.contract()
    device.write(state)
    times = []
    for i in range(steps if agrees else 0):
        times.append(device.step())
        should, scale = serial(state)
        if folds:
            agrees = whole_sum(device.cupy.asnumpy(device.memory["sums"])) % 2**64 == should
        else:
            state = device.read("out")
            agrees = bool(np.all(np.abs(state.astype(np.float64) - should) <= 1e-4 * scale))
        if not agrees:
            print(f"step {i + 1} is not what NumPy makes of the step before")
            break
        device.finish()
    # What a step takes is measured apart: one after the other, and not from a device that rested while NumPy was
    # checking. A wrong result has no time.
    spent = 0
    for i in range(40 if agrees else 0):
        if i in (0, 10):
            times = []
        times.append(device.step())
        device.finish()
        spent += times[-1]
        if spent > 500:
            break
    return state, agrees, times


def main(words):
    alone = "--serial" in words
    numbers = [int(word) for word in words if word != "--serial"]
    steps = numbers[0] if numbers else usual_steps
    if alone:
        state, said, agrees = start_state(), "", True
        for _ in range(steps):
            state = next_state(state)
    else:
        state, agrees, times = run(steps)
        median = sorted(times)[len(times) // 2] if times else 0
        said = f" agrees={'yes' if agrees else 'no'} median_ms={median:.6f}"
    alive = live(state)
    print(f"seal={seal(state):016x}" + ("" if alive is None else f" live={alive}") + said)
    return 0 if agrees else 3
