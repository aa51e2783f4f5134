"""Runs a library's own benchmark and tlspair in turns."""

import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Callable

import calm
from trees import Missing, run as command


@dataclass(frozen=True)
class Row:
    """What of tlspair a number is compared with: one primitive, or several whose times are added."""

    primitives: tuple
    bytes: int | None = None
    # What one side does and the other does not, where it is too much to be passed over: then the two are shown, not judged.
    differs: str = ""

    def name(self):
        return " + ".join(self.primitives)


def row(names, bytes=None, differs=""):
    """A row of one primitive, or of several with a plus between them."""
    return Row(tuple(names.split("+")), bytes, differs)


@dataclass(frozen=True)
class Run:
    """One start of a benchmark, and the numbers that are wanted of it by its own names for them."""

    library: str
    engine: str
    words: list
    rows: dict
    # Takes a line of what is printed; yields names with nanoseconds an operation.
    read: Callable
    cwd: Path | None = None


@dataclass(frozen=True)
class Benchmark:
    """A library's own benchmark, built."""

    version: str
    runs: list


@dataclass
class Compared:
    """A row with what was measured, a number a round."""

    library: str
    row: Row
    own: list = field(default_factory=list)
    tlspair: list = field(default_factory=list)

    def ratios(self):
        return [tlspair / own for tlspair, own in zip(self.tlspair, self.own)]


class Tlspair:
    """The executable under test."""

    def __init__(self, executable, milliseconds):
        if not executable.exists():
            raise Missing(f"{executable} is not there: cargo build --release --features all")
        self.executable = executable
        self.milliseconds = milliseconds
        self.about = self.speed("openssl", ["sha256"], 64, 1)

    def speed(self, engine, primitives, bytes, milliseconds):
        words = [self.executable, "speed", *primitives, "--engine", engine, "--time", milliseconds, "--quiet", "--json"]
        if bytes is not None:
            words += ["--bytes", bytes]
        return json.loads(command(words))

    def must_have(self, engine, version):
        """Fails unless the engine is of the version that the benchmark is of."""
        told = {one["id"]: one["version"] for one in self.speed(engine, ["sha256"], 64, 1)["engines"]}
        if told.get(engine) != version:
            raise Missing(f"{engine}: tlspair has {told.get(engine)}, the benchmark {version}; build both anew")

    def machine(self):
        machine = self.about["machine"]
        system = f"{machine['os']} {machine['kernel']}"
        parts = [machine["cpu"], f"{machine['cores']} cores", system, " ".join(machine["features"])]
        return f"Machine: {', '.join(parts)}; opt-level {machine['opt_level']}; {machine['date'][:10]}"

    def measure(self, run):
        """Nanoseconds of every row of a run, by the row's name."""
        numbers = {}
        for bytes in {row.bytes for row in run.rows.values()}:
            names = [name for row in run.rows.values() if row.bytes == bytes for name in row.primitives]
            told = self.speed(run.engine, dict.fromkeys(names), bytes, self.milliseconds)
            for one in told["primitives"]:
                if one["primitive"] in names and one["status"] != "ok":
                    raise Missing(f"{run.engine} has no {one['primitive']}: {one['reason']}")
                numbers[one["primitive"], bytes] = one["per_operation_ns"]
        answer = {}
        for name, row in run.rows.items():
            # The benchmarks report averages, and an average can only be compared with an average.
            answer[name] = sum(numbers[primitive, row.bytes]["mean"] for primitive in row.primitives)
        return answer


def only(runs, beginnings):
    """What of the runs is about primitives that begin so."""

    def chosen(run):
        return {name: row for name, row in run.rows.items() if row.name().startswith(beginnings)}

    return [replace(run, rows=chosen(run)) for run in runs if chosen(run)]


def measure_own(run):
    """Nanoseconds of every row of a run by the library's own word; the benchmark is ended once all are there."""
    words = [str(word) for word in run.words]
    numbers = {}
    with tempfile.TemporaryFile("w+") as complaints:
        benchmark = subprocess.Popen(words, cwd=run.cwd, text=True, stdout=subprocess.PIPE, stderr=complaints)
        try:
            for line in benchmark.stdout:
                numbers |= {name: number for name, number in run.read(line) if name in run.rows}
                if len(numbers) == len(run.rows):
                    break
        finally:
            benchmark.kill()
            benchmark.wait()
            benchmark.stdout.close()
        complaints.seek(0)
        missing = [name for name in run.rows if name not in numbers]
        if missing:
            said = complaints.read().strip().splitlines()[-1:]
            raise Missing(f"{' '.join(words)}: nothing about {missing[0]}; it says {said}")
    return numbers


def measure(runs, tlspair, how_many, tries):
    """All rows, over several rounds. Which of the two comes first alternates."""
    compared = {(at, name): Compared(run.library, row) for at, run in enumerate(runs) for name, row in run.rows.items()}
    for turn in range(how_many):
        for at, run in enumerate(runs):
            names = ", ".join(row.name() for row in run.rows.values())
            print(f"round {turn + 1} of {how_many}: {run.library}, {names}", file=sys.stderr)
            ours, own = calm.calmest(lambda: pair(run, tlspair, own_first=(turn + at) % 2 == 1), tries)
            for name in run.rows:
                compared[at, name].own.append(own[name])
                compared[at, name].tlspair.append(ours[name])
    return list(compared.values())


def pair(run, tlspair, own_first):
    """Numbers of tlspair and of the benchmark, one right after the other."""
    if own_first:
        own = measure_own(run)
        return tlspair.measure(run), own
    ours = tlspair.measure(run)
    return ours, measure_own(run)
