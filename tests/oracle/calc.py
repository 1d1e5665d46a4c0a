"""Displayed values and averages of raw values: the oracle of pmon's arithmetic.

Written from the counter semantics notes alone ("SEM n" is section n there), never from pmon's C
code.  Differences are exact integers; the displayed value is then computed in doubles, in the order
of operations that the notes state (SEM 1.3, BLG 10).  Averages are exact fractions until the end.

A raw value is anything with the attributes type, status, first, second, multi, time_base, sample,
first_size, base_size (see blg.RawValue).
"""

import math
import struct
from fractions import Fraction

# --- the types, SEM 1.3 ------------------------------------------------------------------------

KINDS = {
    0x00000000: "number",           # COUNTER_RAWCOUNT_HEX
    0x00000100: "number",           # COUNTER_LARGE_RAWCOUNT_HEX
    0x00010000: "number",           # COUNTER_RAWCOUNT
    0x00010100: "number",           # COUNTER_LARGE_RAWCOUNT
    0x00012000: "double",           # DOUBLE_RAW
    0x00400400: "delta",            # COUNTER_DELTA
    0x00400500: "delta",            # COUNTER_LARGE_DELTA
    0x00410400: "rate",             # SAMPLE_COUNTER
    0x10410400: "rate",             # COUNTER_COUNTER
    0x10410500: "rate",             # COUNTER_BULK_COUNT
    0x00450400: "queue",            # COUNTER_QUEUELEN_TYPE
    0x00450500: "queue",            # COUNTER_LARGE_QUEUELEN_TYPE
    0x00550500: "queue",            # COUNTER_100NS_QUEUELEN_TYPE
    0x00650500: "queue",            # COUNTER_OBJ_TIME_QUEUELEN_TYPE
    0x20020400: "raw_fraction",     # RAW_FRACTION
    0x20020500: "raw_fraction",     # LARGE_RAW_FRACTION
    0x20C20400: "sample_fraction",  # SAMPLE_FRACTION
    0x20410500: "timer",            # COUNTER_TIMER
    0x20510500: "timer",            # 100NSEC_TIMER
    0x20610500: "timer",            # OBJ_TIME_TIMER
    0x20470500: "timer",            # PRECISION_SYSTEM_TIMER
    0x20570500: "timer",            # PRECISION_100NS_TIMER
    0x20670500: "timer",            # PRECISION_OBJECT_TIMER
    0x21410500: "timer_inverse",    # COUNTER_TIMER_INV
    0x21510500: "timer_inverse",    # 100NSEC_TIMER_INV
    0x22410500: "multi",            # COUNTER_MULTI_TIMER
    0x22510500: "multi",            # 100NSEC_MULTI_TIMER
    0x23410500: "multi_inverse",    # COUNTER_MULTI_TIMER_INV
    0x23510500: "multi_inverse",    # 100NSEC_MULTI_TIMER_INV
    0x30020400: "average_timer",    # AVERAGE_TIMER
    0x40020500: "average_bulk",     # AVERAGE_BULK
    0x30240500: "elapsed",          # ELAPSED_TIME
    0x00000B00: "not_displayed",    # COUNTER_TEXT
    0x40000200: "not_displayed",    # COUNTER_NODATA
    0x40030401: "not_displayed",    # SAMPLE_BASE
    0x40030402: "not_displayed",    # AVERAGE_BASE
    0x40030403: "not_displayed",    # RAW_BASE
    0x40030500: "not_displayed",    # LARGE_RAW_BASE, PRECISION_TIMESTAMP
    0x40030503: "not_displayed",    # LARGE_RAW_BASE, the other word
    0x42030500: "not_displayed",    # COUNTER_MULTI_BASE
    0x80000000: "not_displayed",    # COUNTER_HISTOGRAM_TYPE
}

ONE_SAMPLE = {"number", "double", "raw_fraction", "elapsed"}            # column "Samples"
DIVIDES_BY_BASE = {"sample_fraction", "average_timer", "average_bulk"}  # B, and not the clock D
NEEDS_TIME_BASE = {"rate", "average_timer", "elapsed"}                  # F in the formula
CAPPED = {"raw_fraction", "sample_fraction", "timer", "timer_inverse"}  # column "Cap 100"
DELTA_TYPES = {0x00400400, 0x00400500}

REFUSED = None


def kind_of(value):
    return KINDS.get(value.type, "unknown_type")


# Of another process than the value before, though the path is the same (docs/identity.md).
CHANGED = 0x20000001
# Of a clock that was set since the value before.
STEPPED = 0x20000005


def usable(value):
    """SEM 2.5: anything but 0 and 1 is not to be used."""
    return value.status in (0, 1, CHANGED, STEPPED)


def tell_processes(series):
    """Marks the values of series, {path: values}, where `ID Process` of their instance changed."""
    for path, numbers in list(series.items()):
        place, _, counter = path.rpartition("\\")
        if counter != "ID Process" or place.endswith("(_Total)"):
            continue
        changed = {newer.sample for older, newer in zip(numbers, numbers[1:])
                   if newer.first != older.first}
        for other in series:
            if changed and other.rpartition("\\")[0] == place:
                series[other] = [value._replace(status=CHANGED)
                                 if value.sample in changed and value.status in (0, 1) else value
                                 for value in series[other]]


# --- differences, SEM 3.2 rules 5 and 6 ----------------------------------------------------------

def is_32_bit(size, size_by_type, older, newer):
    """CounterSize where known, else the size field; and both values have to fit in 32 bits."""
    if size is None:
        size = size_by_type
    return size == 4 and 0 <= older < 2 ** 32 and 0 <= newer < 2 ** 32


def difference(size, size_by_type, older, newer):
    """(newer - older, wrapped); a difference that stays below zero went back."""
    if newer < older and is_32_bit(size, size_by_type, older, newer):
        through = newer - older + 2 ** 32
        if through < 2 ** 31:           # the shorter way; else a reset (docs/reference/counters.md, rule 5)
            return through, True
    return newer - older, False


def differences(newer, older):
    """(dN, dD or dB, status); the status is ok, wrapped or what went back."""
    kind = kind_of(newer)
    size_by_type = 4 if newer.type & 0x300 == 0 else 8          # SEM 1.1, size field
    if newer.type in DELTA_TYPES:                               # negative is not allowed, no wrap
        dn, wrapped = newer.first - older.first, False
    else:
        dn, wrapped = difference(newer.first_size, size_by_type, older.first, newer.first)
    if dn < 0:
        return dn, 0, "counter_went_back"
    if kind == "delta":                                         # has no second value
        return dn, 1, "ok"
    if kind in DIVIDES_BY_BASE:
        # the base that winperf.h gives for these types is a DWORD (SEM 1.2)
        dd, base_wrapped = difference(newer.base_size, 4, older.second, newer.second)
        if dd < 0:
            return dn, dd, "base_went_back"
        wrapped = wrapped or base_wrapped
    else:
        dd = newer.second - older.second
        if dd < 0:
            return dn, dd, "clock_went_back"
    return dn, dd, "wrapped" if wrapped else "ok"


# --- the displayed value -----------------------------------------------------------------------

def finish(kind, number, status, cap):
    """Rule 8 (inverse below zero), rule 10 (cap, never NaN or infinity)."""
    if not math.isfinite(number):
        return REFUSED, "not_finite"
    if kind in ("timer_inverse", "multi_inverse") and number < 0:
        return REFUSED, "below_zero"
    if cap and kind in CAPPED and number > 100.0:
        number = 100.0
    return number, status


def displayed_one(kind, value):
    """Types of one sample, SEM 1.3."""
    if kind == "number":
        return float(value.first), "ok"
    if kind == "double":
        return struct.unpack("<d", struct.pack("<q", value.first))[0], "ok"
    if kind == "raw_fraction":
        if value.second == 0:                                   # rule 7
            return 0.0, "base_zero"
        return 100 * (float(value.first) / float(value.second)), "ok"
    assert kind == "elapsed"
    if value.first == 0:                                        # rule 9
        return 0.0, "ok"
    elapsed = value.second - value.first
    if elapsed < 0:
        return REFUSED, "below_zero"
    return float(elapsed) / float(value.time_base), "ok"


def displayed_two(kind, newer, older):
    """Types of two samples, SEM 1.3; SEM 3.4a for the MULTI types."""
    dn, dd, status = differences(newer, older)
    if status not in ("ok", "wrapped"):
        return REFUSED, status
    if dd == 0:                                                 # rule 7
        return (0.0, "base_zero") if kind in DIVIDES_BY_BASE else (REFUSED, "no_data")
    n, d = float(dn), float(dd)
    if kind == "delta":
        return n, status
    if kind == "rate":
        return n / (d / float(newer.time_base)), status
    if kind in ("queue", "average_bulk"):
        return n / d, status
    if kind in ("timer", "sample_fraction"):
        return 100 * (n / d), status
    if kind == "timer_inverse":
        return 100 * (1 - n / d), status
    if kind == "average_timer":
        return n / float(newer.time_base) / d, status
    if newer.multi == 0:                                        # rule 7
        return REFUSED, "no_data"
    if kind == "multi":
        return 100 * (n / d) / float(newer.multi), status
    assert kind == "multi_inverse"
    return 100 * (float(newer.multi) - n / d), status


def displayed(newer, older=None, cap=False):
    """(value or None, status) of one raw value and the one before it, SEM 3.2 in its order."""
    kind = kind_of(newer)
    if kind in ("unknown_type", "not_displayed"):
        return REFUSED, kind
    if not usable(newer) or (older is not None and not usable(older)):
        return REFUSED, "bad_raw_status"
    if kind not in ONE_SAMPLE and older is None:
        return REFUSED, "first_sample"
    if kind in NEEDS_TIME_BASE and (newer.time_base is None or newer.time_base <= 0):
        return REFUSED, "bad_time_base"
    if kind in ONE_SAMPLE:
        number, status = displayed_one(kind, newer)
    else:
        number, status = displayed_two(kind, newer, older)
    return (number, status) if number is None else finish(kind, number, status, cap)


# --- series ------------------------------------------------------------------------------------

def pairs(values):
    """(newer, older or None) for each raw value of a series, in time order.

    Entries with a bad raw status are skipped, the next pair spans them; where the series is absent
    from a sample in between, the next value starts anew.
    """
    older = None
    last_sample = None
    for newer in values:
        if last_sample is not None and newer.sample > last_sample + 1:
            older = None
        last_sample = newer.sample
        yield newer, None if newer.status in (CHANGED, STEPPED) else older
        if usable(newer):
            older = newer


def series(values, cap=False):
    """(value or None, status) for each raw value."""
    return [displayed(newer, older, cap) for newer, older in pairs(values)]


# --- the average, SEM 1.3 and 2.6 ----------------------------------------------------------------

def to_float(fraction):
    try:
        return float(fraction)
    except OverflowError:
        return math.inf


def average_one(kind, values):
    """Types of one sample: the mean of the values; elapsed: the newest value (SEM 3.4 row 20)."""
    good = [value for value in values if usable(value)]
    if kind == "elapsed":
        numbers = [displayed(value)[0] for value in good]
        numbers = [number for number in numbers if number is not None]
        return numbers[-1] if numbers else None
    terms = []
    for value in good:
        if kind == "number":
            terms.append(Fraction(value.first))
        elif kind == "double":
            number = displayed_one(kind, value)[0]
            if math.isfinite(number):
                terms.append(Fraction(number))
        elif value.second == 0:                     # a base of 0 is a valid 0 (SEM 3.2 rule 7)
            terms.append(Fraction(0))
        else:
            terms.append(Fraction(100 * value.first, value.second))
    return sum(terms) / len(terms) if terms else None


def average_two(kind, values):
    """Types of two samples: sums over the pairs of which neither part went back (SEM 2.6)."""
    sum_n, sum_d, count = 0, 0, 0
    newest = None
    for newer, older in pairs(values):
        if older is None or not usable(newer):
            continue
        dn, dd, status = differences(newer, older)
        if status in ("ok", "wrapped"):
            sum_n += dn
            sum_d += dd                             # of delta types: 1 a pair
            count += 1
            newest = newer
    if count == 0:
        return None
    if kind in NEEDS_TIME_BASE and (newest.time_base is None or newest.time_base <= 0):
        return None
    if sum_d == 0:
        return Fraction(0) if kind in DIVIDES_BY_BASE else None
    ratio = Fraction(sum_n, sum_d)
    if kind in ("delta", "queue", "average_bulk"):
        return ratio
    if kind == "rate":
        return ratio * newest.time_base
    if kind == "average_timer":
        return ratio / newest.time_base
    if kind in ("timer", "sample_fraction"):
        return 100 * ratio
    if kind == "timer_inverse":
        return 100 * (1 - ratio)
    if newest.multi == 0:
        return None
    if kind == "multi":
        return 100 * ratio / newest.multi
    assert kind == "multi_inverse"
    return 100 * (newest.multi - ratio)


def average(values, cap=False):
    """The average over a series of raw values as a float, None where there is none."""
    if not values:
        return None
    kind = kind_of(values[0])
    if kind in ("unknown_type", "not_displayed"):
        return None
    result = (average_one if kind in ONE_SAMPLE else average_two)(kind, values)
    if result is None:
        return None
    return finish(kind, to_float(result), "ok", cap)[0]


# --- totals and percentiles: docs/reference/counters.md, "Totals" and "Percentiles" -----------------

TICKS_100NS = 10000000


def ticks_of(value):
    if value.type & 0x00300000 == 0x00100000:                   # SEM 1.1: the timer field, 100NS
        return TICKS_100NS
    return value.time_base or None


def weighted(values):
    """(raw value, value, weight in 100 ns or operations) for each displayed value.

    A level stands for the time since the raw value before it, usable or not, unless the series was
    absent in between.
    """
    kind = kind_of(values[0])
    there = {value.sample for value in values}
    before = None                                               # of types of one sample
    for newer, older in pairs(values):
        number, _ = displayed(newer, older)
        previous, before = before, newer
        if number is None:
            continue
        if kind in ONE_SAMPLE:
            follows = previous is not None and all(
                sample in there for sample in range(previous.sample, newer.sample))
            yield newer, number, max(newer.time - previous.time, 0) if follows else 0
        elif kind in ("average_timer", "average_bulk"):
            yield newer, number, differences(newer, older)[1]
        else:
            yield newer, number, max(newer.time - older.time, 0)


def percentile(values, percent):
    """The smallest value with that share of the weight at or below it."""
    shown = sorted((number, weight) for _, number, weight in weighted(values))
    whole = sum(weight for _, weight in shown)
    seen = 0
    for number, weight in shown:
        seen += weight
        if whole and weight and seen * 100 >= whole * Fraction(str(percent)):
            return number
    numbers = {number for number, _ in shown}                   # without weight only one that is alone
    return numbers.pop() if len(numbers) == 1 else None


def total_of_level(values):
    shown = list(weighted(values))
    if not any(weight for _, _, weight in shown):
        return None
    return sum(Fraction(number) * weight for _, number, weight in shown) / TICKS_100NS


def total(values):
    """What the counter adds up to over time, None where that means nothing."""
    kind = kind_of(values[0])
    if kind in ("unknown_type", "not_displayed", "elapsed"):
        return None
    if kind in ONE_SAMPLE:
        result = total_of_level(values)
        return None if result is None else to_float(result)
    good = []
    for newer, older in pairs(values):
        if older is not None and usable(newer):
            dn, dd, status = differences(newer, older)
            if status in ("ok", "wrapped"):
                good.append((dn, dd, newer))
    if not good:
        return None
    sum_n, sum_d = sum(dn for dn, _, _ in good), sum(dd for _, dd, _ in good)
    newest = good[-1][2]
    if kind in NEEDS_TIME_BASE and not newest.time_base:
        return None
    if kind in ("rate", "delta", "sample_fraction", "average_bulk"):
        return float(sum_n)
    if kind == "average_timer":
        return to_float(Fraction(sum_n, newest.time_base))
    if kind == "timer_inverse":
        sum_n = sum_d - sum_n
    if kind == "multi_inverse":
        sum_n = newest.multi * sum_d - sum_n
    ticks = ticks_of(newest)
    return None if ticks is None or sum_n < 0 else to_float(Fraction(sum_n, ticks))
