"""A small strace: which system calls a process makes, in order, over all its threads (Linux on x86-64, ptrace(2))."""

from __future__ import annotations

import ctypes
import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

SEIZE, INTERRUPT, SYSCALL, GETREGS, GETEVENTMSG = 0x4206, 0x4207, 24, 12, 0x4201
SYSGOOD, TRACECLONE = 0x01, 0x08
CLONE_EVENT: Final = 3
WALL: Final = 0x40000000
NAMES: Final = {1: "write", 18: "pwrite64", 20: "writev", 74: "fsync", 75: "fdatasync"}
_SYSCALL_STOP: Final = signal.SIGTRAP | 0x80
_RDI, _ORIG_RAX = 14, 15  # places in user_regs_struct


@dataclass(frozen=True, slots=True)
class Asked:
    """One call, as it began."""

    name: str
    path: str  # of the file it is about


class Tracer:
    """Follows a running process that is a child of this one; `run` returns what it asked for until it ended."""

    def __init__(self, pid: int) -> None:
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._libc.ptrace.argtypes = (ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p)
        self._libc.ptrace.restype = ctypes.c_long
        self._pid = pid
        self._inside: dict[int, bool] = {}  # thread: whether it is in a call
        self._calls: list[Asked] = []
        for thread in (int(each.name) for each in Path(f"/proc/{pid}/task").iterdir()):
            self._ask(SEIZE, thread, 0, SYSGOOD | TRACECLONE)
            self._ask(INTERRUPT, thread)
            self._inside[thread] = False

    def _ask(self, request: int, thread: int, address: int = 0, value: int = 0) -> None:
        if self._libc.ptrace(request, thread, address, value) < 0:
            error = ctypes.get_errno()
            raise OSError(error, os.strerror(error))

    def run(self) -> list[Asked]:
        while self._inside:
            stopped = False
            for thread in [*self._inside]:
                found, status = os.waitpid(thread, os.WNOHANG | WALL)
                if found:
                    stopped = True
                    self._stopped(thread, status)
            if not stopped:
                time.sleep(0.0005)
        return self._calls

    def _stopped(self, thread: int, status: int) -> None:
        if not os.WIFSTOPPED(status):
            del self._inside[thread]
            return
        number, event, passed_on = os.WSTOPSIG(status), status >> 16, 0
        if number == _SYSCALL_STOP:
            self._inside[thread] = not self._inside[thread]
            if self._inside[thread]:
                self._note(thread)
        elif event == CLONE_EVENT:
            born = ctypes.c_ulong()
            self._ask(GETEVENTMSG, thread, 0, ctypes.addressof(born))
            self._inside[born.value] = False
        elif not event:
            passed_on = number
        self._ask(SYSCALL, thread, 0, passed_on)

    def _note(self, thread: int) -> None:
        registers = (ctypes.c_ulonglong * 27)()
        self._ask(GETREGS, thread, 0, ctypes.addressof(registers))
        name = NAMES.get(registers[_ORIG_RAX])
        if name is not None:
            link = Path(f"/proc/{self._pid}/fd/{registers[_RDI]}")
            self._calls.append(Asked(name, str(link.readlink()) if link.is_symlink() else ""))
