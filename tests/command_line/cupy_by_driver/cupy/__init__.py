"""The few calls of CuPy that exported tracks make, over libnvrtc and libcuda: a stand-in for tests on machines that
have a GPU and no CuPy. It is no part of Warploom, and nothing else uses it:

  PYTHONPATH=tests/command_line/cupy_by_driver python3 A_lambda_serial.py
"""

import ctypes
import os
import sys
import types

import numpy as np

driver = ctypes.CDLL("libcuda.so.1")


def checked(result, what):
    if result:
        words = ctypes.c_char_p()
        driver.cuGetErrorString(result, ctypes.byref(words))
        raise RuntimeError(f"{what}: {(words.value or b'?').decode()}")


def call(name, *given):
    checked(getattr(driver, name)(*given), name)


def memory(array):
    return ctypes.c_uint64(array.data.ptr), ctypes.c_size_t(array.nbytes)


call("cuInit", 0)
device, context = ctypes.c_int(), ctypes.c_void_p()
call("cuDeviceGet", ctypes.byref(device), 0)
call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
call("cuCtxSetCurrent", context)


major, minor = ctypes.c_int(), ctypes.c_int()
call("cuDeviceGetAttribute", ctypes.byref(major), 75, device)
call("cuDeviceGetAttribute", ctypes.byref(minor), 76, device)


class ndarray:
    """Memory of the device; its shape and type are those of what it was made from."""

    def __init__(self, shape, dtype):
        like = np.empty(shape, dtype)
        self.shape, self.dtype, self.size, self.nbytes = like.shape, like.dtype, like.size, like.nbytes
        pointer = ctypes.c_uint64()
        if self.nbytes:
            call("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(self.nbytes))
        self.data = types.SimpleNamespace(ptr=pointer.value)

    def __del__(self):
        if self.nbytes and not sys.is_finalizing():
            driver.cuMemFree_v2(ctypes.c_uint64(self.data.ptr))

    def fill(self, value):
        assert value == 0
        there, size = memory(self)
        if self.nbytes:
            call("cuMemsetD8_v2", there, ctypes.c_ubyte(0), size)


def zeros(shape, dtype):
    made = ndarray(shape, dtype)
    made.fill(0)
    return made


def asarray(values):
    values = np.ascontiguousarray(values)
    made = ndarray(values.shape, values.dtype)
    there, size = memory(made)
    if made.nbytes:
        call("cuMemcpyHtoD_v2", there, ctypes.c_void_p(values.ctypes.data), size)
    return made


def asnumpy(values):
    made = np.empty(values.shape, values.dtype)
    there, size = memory(values)
    if values.nbytes:
        call("cuMemcpyDtoH_v2", ctypes.c_void_p(made.ctypes.data), there, size)
    return made


def compiled(code, options):
    """The cubin of a source. Throws with NVRTC's words."""
    nvrtc = ctypes.CDLL(os.environ.get("WARPLOOM_NVRTC", "libnvrtc.so.13"))
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), code.encode(), b"kernels.cu", 0, None, None)
    words = [word.encode() for word in (*options, f"-arch=sm_{major.value}{minor.value}")]
    if nvrtc.nvrtcCompileProgram(program, len(words), (ctypes.c_char_p * len(words))(*words)):
        nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value)
        nvrtc.nvrtcGetProgramLog(program, log)
        raise RuntimeError(log.value.decode())
    nvrtc.nvrtcGetCUBINSize(program, ctypes.byref(size))
    cubin = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetCUBIN(program, cubin)
    return cubin


class RawModule:
    def __init__(self, code, options=(), backend="nvrtc"):
        assert backend == "nvrtc"
        self.cubin, self.module = compiled(code, options), ctypes.c_void_p()
        call("cuModuleLoadData", ctypes.byref(self.module), self.cubin)

    def get_function(self, name):
        function = ctypes.c_void_p()
        call("cuModuleGetFunction", ctypes.byref(function), self.module, name.encode())

        def launch(grid, block, given):
            # Arrays of the device are pointers; arrays and numbers of NumPy are handed over by value.
            kept = [np.array([one.data.ptr], np.uint64) if isinstance(one, ndarray) else np.atleast_1d(one)
                    for one in given]
            places = (ctypes.c_void_p * len(kept))(*[one.ctypes.data for one in kept])
            sides = [ctypes.c_uint(side) for side in (*grid, 1, 1)[:3] + (*block, 1, 1)[:3]]
            call("cuLaunchKernel", function, *sides, ctypes.c_uint(0), None, places, None)

        return launch


class Event:
    def __init__(self):
        self.event = ctypes.c_void_p()
        call("cuEventCreate", ctypes.byref(self.event), 0)

    def __del__(self):
        if not sys.is_finalizing():
            driver.cuEventDestroy_v2(self.event)

    def record(self):
        call("cuEventRecord", self.event, None)

    def synchronize(self):
        call("cuEventSynchronize", self.event)


def get_elapsed_time(begin, end):
    milliseconds = ctypes.c_float()
    call("cuEventElapsedTime", ctypes.byref(milliseconds), begin.event, end.event)
    return milliseconds.value


cuda = types.SimpleNamespace(Event=Event, get_elapsed_time=get_elapsed_time,
                             get_cuda_path=lambda: os.environ.get("CUDA_PATH"))
