"""Performance logs for Python: the answers of the command pmon, as Python objects.

    import libpmon as pmon

    with pmon.open("server.blg") as log:
        for row in log.stats("disk sec/read", every="1h"):
            print(row["time"], row["path"], row["average"])

Each answer is what a verb of pmon prints, so its numbers are the command's to the last digit; nothing
is computed here. The command is the argument `command` of open(), else LIBPMON_COMMAND of the
environment, else `pmon` in the search path.
"""
# SPDX-License-Identifier: MIT

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import warnings
from contextlib import contextmanager
from datetime import datetime, timezone
from typing import IO, TYPE_CHECKING, Any, ContextManager, Dict, Generator, Iterator, List, Optional, Sequence, TypedDict, Union

from . import _arrow, _capsule

if TYPE_CHECKING:
    import numpy
    import pandas

__all__ = ["open", "Log", "Values", "Columns", "Tidy", "TidyBatch", "Notice", "PmonError", "DamageWarning",
           "Series", "Stats", "Value", "Incident", "Explanation"]

Counters = Union[None, str, Sequence[str]]  # patterns such as \Processor(*)\*, or words such as "disk read"
Time = Union[None, str, datetime]           # as the command takes them; a datetime with a zone, or of the log's clock
PathLike = Union[str, "os.PathLike[str]"]

DAMAGED = 3


# ---- What the answers are made of ------------------------------------------------------------------
# Times are texts in UTC, such as 2026-11-20T14:00:00.1234567Z: datetime has no 100 ns.

class Series(TypedDict):
    path: str
    type: str
    unit: str
    time_base: int
    default_scale: int


class Stats(TypedDict, total=False):
    """With percentiles=[50, 95] there are also p50 and p95."""

    time: str                   # with every=: when the step begins
    path: str
    type: str
    unit: str
    last: Optional[float]
    average: Optional[float]
    minimum: Optional[float]
    maximum: Optional[float]
    minimum_time: Optional[str]
    maximum_time: Optional[str]
    samples: int
    invalid: int
    first_time: Optional[str]
    last_time: Optional[str]
    average_kind: str           # "true": by the type of the counter; docs/reading-averages.md has the others
    total: Optional[float]
    total_unit: Optional[str]


class Value(TypedDict):
    path: str
    time: str
    value: Optional[float]      # None: status says why
    status: str
    unit: str


class Incident(TypedDict, total=False):
    id: str
    severity: str               # critical, warning, note
    headline: str
    machine: str
    resource: str
    unit: str
    seconds: float
    beyond_seconds: float
    limit: Optional[float]
    usual: Optional[float]
    who: List[Dict[str, Any]]
    effects: List[str]
    evidence: List[Dict[str, Any]]


class Explanation(TypedDict, total=False):
    path: str
    time: str
    value: Dict[str, Any]       # value, formula, with_operands, operands, steps, source, note
    average: Dict[str, Any]


class Notice:
    """A message of pmon about a log: a place that it could not read, or what it left out."""

    def __init__(self, text: str, files: Sequence[str] = ()) -> None:
        self.text = text
        self.file: Optional[str] = next((file for file in files if text.startswith(file + ": ")), None)
        rest = text[len(self.file) + 2:] if self.file is not None else ""
        place = re.match(r"(?:lost at )?byte (\d+)", rest)
        self.offset: Optional[int] = int(place[1]) if place else None  # in bytes; text logs and databases have lines and rows
        self.is_loss = rest.startswith("lost")

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return "Notice(%r)" % self.text


class PmonError(Exception):
    """pmon failed. status: 1 failed, 2 wrong arguments, 3 damaged input of which nothing could be read.

    file and offset (in bytes) tell the place, if the message names one; notices is all that pmon said.
    """

    def __init__(self, notices: Sequence[Notice], status: int) -> None:
        super().__init__("\n".join(map(str, notices)) or "pmon ended with status %d" % status)
        self.notices = list(notices)
        self.status = status
        placed = [notice for notice in notices if notice.file is not None]
        self.file = placed[-1].file if placed else None
        self.offset = placed[-1].offset if placed else None


class DamageWarning(UserWarning):
    """A part of the log could not be read; the answer is that of the rest. Log.notices has the places."""


# ---- Values ----------------------------------------------------------------------------------------

class Columns:
    """Values as columns of equal length: path, time, value, status and unit."""

    def __init__(self) -> None:
        self.path: List[str] = []
        self.time: List[str] = []
        self.value: List[Optional[float]] = []
        self.status: List[str] = []
        self.unit: List[str] = []

    def __len__(self) -> int:
        return len(self.path)

    def _append(self, row: Value, texts: Dict[str, str]) -> None:
        # Few texts occur often: each is kept once.
        self.path.append(texts.setdefault(row["path"], row["path"]))
        self.time.append(texts.setdefault(row["time"], row["time"]))
        self.value.append(row["value"])
        self.status.append(texts.setdefault(row["status"], row["status"]))
        self.unit.append(texts.setdefault(row["unit"], row["unit"]))

    def numpy(self) -> Dict[str, "numpy.ndarray[Any, Any]"]:
        """The columns as arrays: time is datetime64[ns] in UTC, value float64 with NaN where there is none."""
        import numpy as np

        if self.time and not ("1678" <= min(self.time) and max(self.time) < "2262"):
            raise ValueError("datetime64[ns] has the years 1678 to 2261; the log has times outside")
        # All counters of a sample have its time, so there are few different ones.
        numbers: Dict[str, int] = {}
        places = [numbers.setdefault(time, len(numbers)) for time in self.time]
        moments = np.array([time[:-1] for time in numbers], dtype="datetime64[ns]")
        return {
            "path": np.array(self.path, dtype=object),
            "time": moments[np.array(places, dtype=np.intp)],
            "value": np.array(self.value, dtype=np.float64),
            "status": np.array(self.status, dtype=object),
            "unit": np.array(self.unit, dtype=object),
        }

    def pandas(self) -> "pandas.DataFrame":
        """The columns as a frame, one row a value: times are in UTC, texts are categories."""
        import pandas as pd

        frame = pd.DataFrame(self.numpy())
        frame["time"] = frame["time"].dt.tz_localize("UTC")
        return frame.astype({name: "category" for name in ("path", "status", "unit")})


class Values:
    """Values of a log, read when they are asked for: iterate over rows, or take columns.

    Iterating and batches() keep one row or batch in memory, whatever the size of the log.
    """

    def __init__(self, log: "Log", words: Sequence[str]) -> None:
        self._log = log
        self._words = list(words)

    def __iter__(self) -> Iterator[Value]:
        with self._log._run(["values", *self._words, "--format", "json"]) as output:
            for line in output:
                yield json.loads(line)

    def batches(self, rows: int = 100_000) -> Iterator[Columns]:
        """Columns of at most so many rows each."""
        if rows < 1:
            raise ValueError("a batch has at least one row")
        texts: Dict[str, str] = {}
        batch = Columns()
        for row in self:
            batch._append(row, texts)
            if len(batch) == rows:
                yield batch
                batch, texts = Columns(), {}
        if len(batch) > 0:
            yield batch

    def columns(self) -> Columns:
        """All values, as lists."""
        columns, texts = Columns(), {}  # type: Columns, Dict[str, str]
        for row in self:
            columns._append(row, texts)
        return columns

    def numpy(self) -> Dict[str, "numpy.ndarray[Any, Any]"]:
        """columns().numpy()"""
        return self.columns().numpy()

    def pandas(self) -> "pandas.DataFrame":
        """columns().pandas()"""
        return self.columns().pandas()


class TidyBatch:
    """Tidy rows (docs/reference/tidy.md) as columns, by the names of docs/reference/formats/parquet.md."""

    def __init__(self, parts: Sequence[Dict[str, _arrow.Column]]) -> None:
        self._parts = parts

    def __len__(self) -> int:
        return sum(len(next(iter(part.values())).values) for part in self._parts)

    def _column(self, name: str) -> _arrow.Column:
        """One column of all parts, in which NaN, NaT and -1 stand for a missing number, time and process ID."""
        import numpy as np

        columns = [part[name] for part in self._parts]
        nothing = {_arrow.INT: -1, _arrow.DOUBLE: np.nan, _arrow.TIMESTAMP: np.datetime64("NaT")}
        values = [column.values if column.valid is None else
                  np.where(column.valid, column.values, np.asarray(nothing[column.kind], column.values.dtype))
                  for column in columns]
        return columns[-1]._replace(values=values[0] if len(values) == 1 else np.concatenate(values), valid=None)

    def numpy(self) -> Dict[str, "numpy.ndarray[Any, Any]"]:
        """Arrays by the name of the column. Missing: NaN, NaT, None of texts, and -1 of process IDs."""
        import numpy as np

        arrays = {}
        for name in self._parts[0] if self._parts else []:
            column = self._column(name)
            if column.texts is None:
                arrays[name] = column.values
            else:  # the last place, which is -1, is that of None
                arrays[name] = np.array([*column.texts, None], dtype=object)[column.values]
        return arrays

    def pandas(self) -> "pandas.DataFrame":
        """One frame: times are in UTC, texts are categories, process IDs Int64."""
        import pandas as pd

        series: Dict[str, Any] = {}
        for name in self._parts[0] if self._parts else []:
            column = self._column(name)
            if column.texts is not None:
                series[name] = pd.Categorical.from_codes(column.values, categories=column.texts)
            elif column.kind == _arrow.TIMESTAMP:
                series[name] = pd.Series(column.values).dt.tz_localize("UTC")
            elif name == "pid":
                series[name] = pd.arrays.IntegerArray(column.values.astype("int64"), column.values < 0)
            else:
                series[name] = column.values
        return pd.DataFrame(series)


class Tidy:
    """Tidy rows of a log, read when they are asked for."""

    def __init__(self, log: "Log", words: Sequence[str], columns: Optional[Sequence[str]]) -> None:
        self._log = log
        self._words = list(words)
        self._columns = None if columns is None else list(columns)

    def arrow(self) -> ContextManager[IO[bytes]]:
        """The stream of Arrow's IPC format, all columns, for programs that read it; to be read to its end."""
        return self._log._run(["relog", *self._words, "-f", "arrows", "-o", "-"])

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Arrow's PyCapsule interface: packages that have Arrow take this object as a table. NumPy is not needed."""
        return _capsule.capsule(self._records(), self._columns)

    def _records(self) -> Generator[_arrow.Records, None, None]:
        with self.arrow() as output:
            yield from _arrow.records(output, self._columns)
            output.read()

    def _parts(self) -> Iterator[Dict[str, _arrow.Column]]:
        records = self._records()
        next(records, None)  # the schema
        for batch in records:
            yield _arrow.columns(batch, self._columns)

    def batches(self) -> Iterator[TidyBatch]:
        """About a quarter of a million rows each."""
        for part in self._parts():
            yield TidyBatch([part])

    def numpy(self) -> Dict[str, "numpy.ndarray[Any, Any]"]:
        """All rows, as TidyBatch.numpy()."""
        return TidyBatch(list(self._parts())).numpy()

    def pandas(self) -> "pandas.DataFrame":
        """All rows, as TidyBatch.pandas()."""
        return TidyBatch(list(self._parts())).pandas()


# ---- Logs ------------------------------------------------------------------------------------------

def _time_text(time: Union[str, datetime]) -> str:
    if isinstance(time, str):
        return time
    if time.tzinfo is None:
        return time.isoformat()
    return time.astimezone(timezone.utc).replace(tzinfo=None).isoformat() + "Z"


def _words(counters: Counters, times: Dict[str, Time], others: Dict[str, Optional[str]],
           options: Sequence[str]) -> List[str]:
    words: List[str] = []
    for counter in [counters] if isinstance(counters, str) else counters or []:
        words += ["-c", counter]
    for option, time in times.items():
        if time is not None:
            words += [option, _time_text(time)]
    for option, text in others.items():
        if text is not None:
            words += [option, text]
    return words + list(options)


def _caller_level() -> int:
    """The stacklevel at which a warning names the line that called this package."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename in (__file__, _CONTEXTS):
        level, frame = level + 1, frame.f_back
    return level


_CONTEXTS = contextmanager.__code__.co_filename


class Log:
    """One log, or several that are read as one. Made by open().

    All methods take `counters`, a time range (`from_`, `to`), and `options`: further words of pmon's
    command line, such as ["--names", "en"].
    """

    def __init__(self, files: Sequence[PathLike], command: str) -> None:
        names = [os.fspath(file) for file in files]
        if not names:
            raise ValueError("no log: open() needs the name of a file")
        # pmon reads standard input for "-", options, and a list of files for "@list".
        self.files = [os.path.join(os.curdir, name) if name[:1] in ("-", "@") else name for name in names]
        self.notices: List[Notice] = []  # of the last call, or the last iteration that ended
        self._command = command
        #: what `pmon info` says of each log: format, machine, times, gaps, damage
        self.info: List[Dict[str, Any]] = self._json("info", [])["logs"]

    def __enter__(self) -> "Log":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Nothing is open between calls; for programs that close what they opened."""

    @contextmanager
    def _run(self, words: Sequence[str]) -> Iterator[IO[bytes]]:
        """The standard output of the command with these words. Its end is checked when the caller has read it to the end."""
        with tempfile.TemporaryFile() as said:
            try:
                process = subprocess.Popen(
                    [self._command, *words, *self.files],
                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=said)
            except FileNotFoundError:
                raise FileNotFoundError("the command %s is not here: install pmon, or set LIBPMON_COMMAND to its name"
                                        % self._command) from None
            assert process.stdout is not None
            try:
                yield process.stdout
            except BaseException:  # also of a caller that reads no further
                process.terminate()
                raise
            finally:
                process.stdout.close()
                status = process.wait()
                said.seek(0)
                lines = said.read().decode("utf-8", "replace").splitlines()
                self.notices = [Notice(re.sub(r"^pmon: ", "", line), self.files) for line in lines]
            if status not in (0, DAMAGED):
                raise PmonError(self.notices, status)
            if status == DAMAGED:
                first = next((notice for notice in self.notices if notice.is_loss), None)
                warnings.warn("%s (%d notices)" % (first or "the log is damaged", len(self.notices)),
                              DamageWarning, stacklevel=_caller_level())

    def _lines(self, verb: str, words: Sequence[str]) -> List[bytes]:
        with self._run([verb, *words, "--format", "json"]) as output:
            text = output.read()
        if text == b"":
            raise PmonError(self.notices, DAMAGED)
        return text.splitlines()

    def _json(self, verb: str, words: Sequence[str]) -> Dict[str, Any]:
        result: Dict[str, Any] = json.loads(b"\n".join(self._lines(verb, words)))
        return result

    def series(self, counters: Counters = None, *, from_: Time = None, to: Time = None,
               options: Sequence[str] = ()) -> List[Series]:
        """The counters of the log, as `pmon list`."""
        rows: List[Series] = self._json("list", _words(counters, {"--from": from_, "--to": to}, {}, options))["counters"]
        return rows

    def stats(self, counters: Counters = None, *, from_: Time = None, to: Time = None, every: Optional[str] = None,
              by: Optional[str] = None, percentiles: Sequence[float] = (), options: Sequence[str] = ()) -> List[Stats]:
        """Last, average by type, minimum and maximum of each counter, as `pmon stats`.

        every: a row for each step of time, such as "1h". by: "machine", "instance", "object" or "process".
        """
        others = {"--every": every, "--by": by, "--percentile": ",".join("%.15g" % p for p in percentiles) or None}
        rows: List[Stats] = self._json("stats", _words(counters, {"--from": from_, "--to": to}, others, options))["counters"]
        return rows

    def values(self, counters: Counters = None, *, from_: Time = None, to: Time = None, at: Time = None,
               every: Optional[str] = None, options: Sequence[str] = ()) -> Values:
        """Displayed values over time, as `pmon values`. Nothing is read before you iterate or ask for columns."""
        times = {"--from": from_, "--to": to, "--at": at}
        return Values(self, _words(counters, times, {"--every": every}, options))

    def tidy(self, counters: Counters = None, *, from_: Time = None, to: Time = None,
             columns: Optional[Sequence[str]] = None, options: Sequence[str] = ()) -> Tidy:
        """Tidy rows, as `pmon relog -f arrows`: values with the operands of true averages.

        The fast way to many values. Batches, arrays and frames need NumPy; arrow() and Arrow's C interface do
        not. columns: only these, such as ["time", "path", "value"]. Nothing is read before you ask.
        """
        return Tidy(self, _words(counters, {"--from": from_, "--to": to}, {}, options), columns)

    def incidents(self, counters: Counters = None, *, from_: Time = None, to: Time = None,
                  options: Sequence[str] = ()) -> List[Incident]:
        """What was wrong, when, and who did it, as `pmon health`."""
        rows: List[Incident] = self._json("health", _words(counters, {"--from": from_, "--to": to}, {}, options))["incidents"]
        return rows

    def explain(self, counters: Counters, *, from_: Time = None, to: Time = None, at: Time = None,
                options: Sequence[str] = ()) -> List[Explanation]:
        """How a value and the average of each counter were computed, as `pmon explain`: at most 20 counters."""
        words = _words(counters, {"--from": from_, "--to": to, "--at": at}, {}, options)
        return [json.loads(line) for line in self._lines("explain", words)]


def open(*files: PathLike, command: Optional[str] = None) -> Log:
    """Open a log, or several that are read as one: any format that pmon reads, packed ones too."""
    return Log(files, command or os.environ.get("LIBPMON_COMMAND") or "pmon")
