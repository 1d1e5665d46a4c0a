#!/usr/bin/env python3
"""The conformance vectors (share/vectors), computed again from the formulas that types.tsv states.

Needs no pmon.  Each number is computed twice: in doubles in the order of operations of the formula, which
must give the published number to the last bit, and in exact fractions, which must give the same but for
rounding.  The rules are those of docs/reference/counters.md, "How a value is computed".
"""

import math
import os
import re
import struct
import sys
from fractions import Fraction

from common import ROOT, Differences

FOLDER = os.path.join(ROOT, "share", "vectors")
LEAST_ROWS = {"types.tsv": 42, "statuses.tsv": 16, "values.tsv": 350, "series.tsv": 155}
DOUBLE_RAW = 0x00012000
RAW_STEPPED = 0x20000005        # usable, and of a clock that was set since the raw value before it
RAW_CHANGED = 0x20000001        # usable, and of another process than the raw value before it
RAW_STARTED = 0x20000002        # no sample: what the counter was when its process started
FARTHEST = 2 ** 31              # a way through 2^32 is shorter than the way down below this
FIRST = ("first_sample", "instance_changed")    # values that could not have a number
SUM_LIMIT = Fraction(2) ** 80   # PERF_DOUBLE_RAW has no values from here on
NEAR = Fraction(1, 2 ** 49)     # relative difference of doubles and fractions: four roundings


def read_rows(name):
    with open(os.path.join(FOLDER, name), encoding="ascii") as file:
        lines = file.read().split("\n")
    assert lines.pop() == "", name + " does not end with a line feed"
    head = lines[0].split("\t")
    rows = [dict(zip(head, line.split("\t"))) for line in lines[1:]]
    assert all(line.count("\t") == len(head) - 1 for line in lines), name + " has rows of other lengths"
    assert len(rows) >= LEAST_ROWS[name], name + " has too few rows"
    return rows


class Type:
    def __init__(self, row):
        self.name = row["name"]
        self.displayed = row["formula"] != "-"
        self.samples = row["samples"]
        self.formula = row["formula"]
        self.average = row["average"]
        self.is_dword = row["size"] == "DWORD"
        self.by_base = row["second"] == "base"
        self.base_wraps = row["base_bits"] == "32"
        self.is_delta = self.formula == "N1 - N0"
        self.divides = self.samples == "2" and not self.is_delta
        self.needs_ticks = bool(re.search(r"\bF\b", self.formula))
        self.is_multi = "MULTI_TIMER" in self.name
        self.is_inverse = self.name.endswith("_INV")
        self.is_percent = row["unit"] == "%"


class Raw:
    """first:second:multi@status, or xSTATUS"""

    def __init__(self, text):
        text, _, status = text.partition("@")
        if text.startswith("x"):
            text, status = "0", text[1:]
        numbers = [int(number) for number in text.split(":")] + [0, 0]
        self.first, self.second, self.multi = numbers[:3]
        self.status = int(status or "0", 16)

    def usable(self):
        return self.status in (0, 1, RAW_CHANGED, RAW_STARTED, RAW_STEPPED)

    def number(self):
        return struct.unpack("<d", struct.pack("<q", self.first))[0]


class Counter:
    """What a row says of the counter."""

    def __init__(self, row, types):
        self.type = types.get(int(row["word"], 16))
        self.word = int(row["word"], 16)
        self.time_base = int(row["time_base"])
        self.scale = int(row["scale"])
        self.policy = row["policy"]
        self.options = row["options"].split(",")
        size = int(row["size"])
        self.is_dword = self.type is not None and self.word != DOUBLE_RAW and (
            size == 4 if size else self.type.is_dword)
        self.may_wrap = self.is_dword and not self.type.is_delta

    def read(self, text):
        """A raw value, whose negative 32-bit numbers stand for themselves plus 2^32."""
        raw = Raw(text)
        if self.is_dword:
            raw.first = unsigned(raw.first)
        if self.type is not None and self.type.by_base and self.type.base_wraps:
            raw.second = unsigned(raw.second)
        return raw


def unsigned(number):
    return number + 2 ** 32 if -2 ** 31 <= number < 0 else number


def evaluate(formula, numbers):
    """A formula of types.tsv, in the kind of number that the operands have."""
    one = type(numbers["F"])
    formula = re.sub(r"\b(100|1|2)\b", "one(\\1)", formula)
    return eval(formula, {"__builtins__": {}}, {"one": one, **numbers})  # pylint: disable=eval-used


def both(formula, operands):
    """The value of a formula in doubles and in fractions, of exact operands."""
    return (evaluate(formula, {name: float(x) for name, x in operands.items()}),
            evaluate(formula, {name: Fraction(x) for name, x in operands.items()}))


def difference(newer, older, may_wrap):
    """newer - older and whether it was counted across the wrap at 2^32; None when it went back."""
    if newer >= older:
        return newer - older, False
    through = newer - older + 2 ** 32
    if may_wrap and older < 2 ** 32 and newer >= 0 and through < FARTHEST:
        return through, True
    return None, False


def differences(counter, older, newer, strict):
    """(dN, dD, wrapped, status)"""
    kind = counter.type
    dn, wrapped = difference(newer.first, older.first, counter.may_wrap and not strict)
    if dn is None:
        return 0, 0, False, "counter_went_back"
    if not kind.divides:
        return dn, 0, wrapped, "ok"
    dd, base_wrapped = difference(newer.second, older.second, kind.base_wraps and not strict)
    if dd is None:
        return 0, 0, False, "base_went_back" if kind.by_base else "clock_went_back"
    return dn, dd, wrapped or base_wrapped, "ok"


def pair_formula(text):
    """Differences are taken before, in integers."""
    for letter in "NDB":
        for newest in "1x":
            text = text.replace(f"({letter}{newest} - {letter}0)", f"d{letter}")
            text = text.replace(f"{letter}{newest} - {letter}0", f"d{letter}")
    return text.replace("Bx", "B1")


class Result:
    def __init__(self, number, status, exact=None, decided="default", loses_digits=False):
        self.number, self.status, self.decided = number, status, decided
        self.exact = exact if exact is not None or number is None else Fraction(number)
        # Inverse types subtract from 1 or the number of units, which costs digits of small results.
        self.size = 0 if number is None else max(abs(self.exact), 100 * loses_digits)


def none(status, decided="default"):
    return Result(None, status, decided=decided)


def clamped():
    return Result(0.0, "clamped", decided="clamp")


def below_zero(counter):
    return clamped() if counter.policy == "clamp" else none("below_zero")


def with_options(counter, number, exact):
    """Cap, then scale, then times 1000."""
    if "cap_100" in counter.options and counter.type.is_percent and not counter.type.is_multi:
        number, exact = min(number, 100.0), min(exact, Fraction(100))
    if "default_scale" in counter.options and -7 <= counter.scale <= 7:
        power = 10 ** abs(counter.scale)
        number = number / power if counter.scale < 0 else number * power
        exact = exact / power if counter.scale < 0 else exact * power
    if "times_1000" in counter.options:
        number, exact = number * 1000, exact * 1000
    return number, exact


def finish(counter, formula, operands, wrapped):
    """Rules 7, 8 and 10."""
    kind = counter.type
    divisor = operands.get("dB", operands.get("dD"))
    if kind.divides and divisor == 0:
        return Result(0.0, "base_zero") if kind.by_base else none("no_data")
    if kind.is_multi and operands["B1"] == 0:
        return none("no_data")
    number, exact = both(formula, operands)
    if kind.is_inverse and exact < 0:
        return below_zero(counter)
    number, exact = with_options(counter, number, exact)
    return Result(number, "wrapped" if wrapped else "ok", exact, loses_digits=kind.is_inverse)


def operands_of(counter, dn, dd, multi):
    return {"dN": dn, "dD": dd, "dB": dd, "F": counter.time_base, "B1": multi}


def one_sample(counter, raw):
    if counter.word == DOUBLE_RAW:
        number = raw.number()
        if not math.isfinite(number) or abs(Fraction(number)) >= SUM_LIMIT:
            return none("not_finite")
        number, exact = with_options(counter, number, Fraction(number))
        return Result(number, "ok", exact)
    operands = {"N1": raw.first, "B1": raw.second, "F": counter.time_base}
    if counter.type.name == "PERF_ELAPSED_TIME":
        if raw.first == 0:
            return Result(0.0, "ok")
        if raw.second < raw.first:
            return below_zero(counter)
        return finish(counter, counter.type.formula.replace("(D1 - N1)", "dN"),
                      operands_of(counter, raw.second - raw.first, 1, 1), False)
    if counter.type.by_base:
        if raw.second == 0:
            return Result(0.0, "base_zero")
        if raw.second < 0:
            return none("base_went_back")
    return finish(counter, counter.type.formula, operands, False)


def displayed(counter, older, newer):
    kind = counter.type
    if kind is None:
        return none("unknown_type")
    if not kind.displayed:
        return none("not_displayed")
    if not newer.usable():
        return none("bad_raw_status")
    if kind.samples == "2" and newer.status == RAW_CHANGED:
        return none("instance_changed")
    if newer.status == RAW_STEPPED and (kind.samples == "2" or kind.formula == "(D1 - N1) / F"):
        return none("clock_stepped")
    if kind.samples == "2" and older is None:
        return none("first_sample")
    if kind.samples == "2" and not older.usable():
        return none("bad_raw_status")
    if kind.needs_ticks and counter.time_base <= 0:
        return none("bad_time_base")
    if kind.samples == "1":
        return one_sample(counter, newer)
    dn, dd, wrapped, status = differences(counter, older, newer, counter.policy == "strict")
    if status == "counter_went_back" and counter.policy == "clamp":
        return clamped()
    if status != "ok":
        decided = counter.policy == "strict" and differences(counter, older, newer, False)[3] == "ok"
        return none(status, "strict" if decided else "default")
    return finish(counter, pair_formula(kind.formula), operands_of(counter, dn, dd, newer.multi),
                  wrapped)


# --- series --------------------------------------------------------------------------------------

class Series:
    """Plays the events of a row; windows make no difference to what is expected."""

    def __init__(self, counter):
        self.counter = counter
        self.older = None
        self.results = []
        self.sums = [0, 0, 0]           # dN, dD, pairs that are in the average
        self.wrapped = False
        self.newest = None
        self.numbers = []               # of types of one sample, as fractions, before options

    def play(self, event):
        if event == "gap":
            self.older = None
        elif event.startswith("("):
            raw = self.counter.read(event[1:-1])
            self.older = raw if raw.usable() else self.older
        elif event != "|":
            self.add(self.counter.read(event))

    def add(self, raw):
        result = displayed(self.counter, self.older, raw)
        self.results.append(result)
        kind = self.counter.type
        if kind is None or not kind.displayed or not raw.usable():
            return
        if kind.samples == "1":
            if result.number is not None:
                self.numbers.append(self.plain(raw))
                self.newest = raw
            return
        if self.older is not None and raw.status not in (RAW_CHANGED, RAW_STEPPED) and not (
                kind.needs_ticks and self.counter.time_base <= 0):
            self.add_pair(self.older, raw)
        self.newest = self.older = raw

    def plain(self, raw):
        """The number of one sample without options, as the sums take it."""
        bare = Counter({"word": hex(self.counter.word), "time_base": str(self.counter.time_base),
                        "scale": "0", "policy": self.counter.policy, "options": "-",
                        "size": "0"}, {self.counter.word: self.counter.type})
        if self.counter.type.formula == "N1" and self.counter.word != DOUBLE_RAW:
            return Fraction(raw.first)
        return Fraction(displayed(bare, None, raw).number)

    def add_pair(self, older, newer):
        dn, dd, wrapped, status = differences(self.counter, older, newer,
                                              self.counter.policy == "strict")
        if status == "ok":
            self.sums = [self.sums[0] + dn, self.sums[1] + dd, self.sums[2] + 1]
            self.wrapped = self.wrapped or wrapped

    def reason(self):
        """The status that most raw values have; a first sample only where there is no other."""
        counts = {}
        for result in self.results:
            counts[result.status] = counts.get(result.status, 0) + 1
        if counts.get("clamped"):
            return clamped()
        first = counts.pop("first_sample", 0)
        if counts:
            return none(max(counts, key=counts.get))
        return none("first_sample" if first else "no_data")

    def average(self):
        counter, kind = self.counter, self.counter.type
        if kind is None or not kind.displayed:
            return self.reason()
        if kind.samples == "1" and not self.numbers or kind.samples == "2" and not self.sums[2]:
            return self.reason()
        if kind.name == "PERF_ELAPSED_TIME":
            return displayed(counter, None, self.newest)
        if kind.samples == "1":
            return self.mean(sum(self.numbers), len(self.numbers))
        if kind.is_delta:
            return self.mean(Fraction(self.sums[0]), self.sums[2])
        return finish(counter, pair_formula(kind.average),
                      operands_of(counter, self.sums[0], self.sums[1], self.newest.multi),
                      self.wrapped)

    def mean(self, total, count):
        number, exact = with_options(self.counter, float(total) / count, total / count)
        return Result(number, "wrapped" if self.wrapped else "ok", exact)


# --- comparison ----------------------------------------------------------------------------------

def text_of(result):
    if result.number is None:
        return result.status
    return repr(result.number) if result.status == "ok" else f"{result.status}={result.number!r}"


def parsed(item):
    """(number or None, status) of "0.15", "wrapped=320" or "no_data"."""
    name, _, number = item.partition("=")
    if number:
        return float(number), name
    try:
        return float(name), "ok"
    except ValueError:
        return None, name


def compare(label, item, result, wrong):
    number, status = parsed(item)
    if status != result.status or number != result.number:
        wrong.add(f"{label}: {item} in the file, {text_of(result)} by the formulas")
    elif number is not None and abs(Fraction(number) - result.exact) > NEAR * result.size:
        wrong.add(f"{label}: {item} in the file, {float(result.exact)!r} in fractions")


def check_values(types, wrong):
    rows = read_rows("values.tsv")
    for row in rows:
        counter = Counter(row, types)
        older = None if row["older"] == "-" else counter.read(row["older"])
        result = displayed(counter, older, counter.read(row["newer"]))
        item = row["status"]
        if row["value"] != "-":
            item = row["value"] if item == "ok" else item + "=" + row["value"]
        compare(row["id"], item, result, wrong)
        if row["decided"] != result.decided:
            wrong.add(f"{row['id']}: decided by {row['decided']} in the file, {result.decided}")
    return rows


def extreme(results, better):
    best = None
    for at, result in enumerate(results, 1):
        if result.number is not None and (best is None or better(result.number, best[0].number)):
            best = (result, at)
    return best


def check_extreme(row, column, best, wrong):
    if best is None:
        if row[column] != "-" or row[column + "_at"] != "-":
            wrong.add(f"{row['id']}: there is no {column}")
        return
    compare(row["id"] + ", " + column, row[column], best[0], wrong)
    if row[column + "_at"] != str(best[1]):
        wrong.add(f"{row['id']}: {column} at {row[column + '_at']}, not {best[1]}")


def check_series(types, wrong):
    rows = read_rows("series.tsv")
    for row in rows:
        series = Series(Counter(row, types))
        for event in row["events"].split(" ") if row["events"] != "-" else []:
            series.play(event)
        items = row["values"].split(" ") if row["values"] != "-" else []
        if len(items) != len(series.results) or row["samples"] != str(len(items)):
            wrong.add(f"{row['id']}: different number of values")
        for at, (item, result) in enumerate(zip(items, series.results), 1):
            compare(f"{row['id']}, value {at}", item, result, wrong)
        compare(row["id"] + ", average", row["average"], series.average(), wrong)
        check_extreme(row, "minimum", extreme(series.results, lambda a, b: a < b), wrong)
        check_extreme(row, "maximum", extreme(series.results, lambda a, b: a > b), wrong)
        invalid = sum(r.number is None and r.status not in FIRST for r in series.results)
        if row["invalid"] != str(invalid):
            wrong.add(f"{row['id']}: {row['invalid']} invalid in the file, {invalid}")
    return rows


def check_rows(name, rows, statuses, wrong):
    """What every row has: an id of its own, a source, statuses of statuses.tsv."""
    ids = [row["id"] for row in rows]
    for row in rows:
        if ids.count(row["id"]) > 1:
            wrong.add(f"{name}: {row['id']} is there twice")
        if len(row["source"]) < 10:
            wrong.add(f"{name}: {row['id']} has no source")
        if row.get("status", "ok") not in statuses:
            wrong.add(f"{name}: {row['id']} has an unknown status")


def check_changes(types, values, wrong):
    """Every displayed type has a row of another process."""
    met = {int(row["word"], 16) for row in values if row["newer"].endswith(f"@{RAW_CHANGED:x}")}
    for word, kind in types.items():
        if kind.displayed and word not in met:
            wrong.add(f"no row of {kind.name} is of another process")


def main():
    wrong = Differences()
    types = {}
    for row in read_rows("types.tsv"):
        types.setdefault(int(row["word"], 16), Type(row))
    statuses = {row["status"] for row in read_rows("statuses.tsv")}
    values = check_values(types, wrong)
    series = check_series(types, wrong)
    check_rows("values.tsv", values, statuses, wrong)
    check_rows("series.tsv", series, statuses, wrong)
    check_changes(types, values, wrong)
    met = {row["status"] for row in values}
    for status in sorted(statuses - met):
        wrong.add(f"no row of values.tsv has the status {status}")
    print(f"{len(values)} values and {len(series)} series, {wrong.count} differences")
    return wrong.count != 0


if __name__ == "__main__":
    sys.exit(main())
