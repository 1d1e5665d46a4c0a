#!/usr/bin/env python3
"""A text log that goes through BLG and back keeps every cell: the real text logs, and random numbers of all sizes.

The cells of the text log are those that Python reads from it as CSV; of a code page or with commas, those that pmon writes
of it. A number is the same double, an empty cell stays empty, and rows keep their order, also those of the same time.
"""

import csv
import datetime
import io
import os
import random
import struct
import sys
import tempfile

import common

START = datetime.datetime(2026, 2, 25, 10)
LARGEST = 2.0 ** 63
N_ROWS = 300
N_COLUMNS = 20


def rows_of(text):
    return list(csv.reader(io.StringIO(text)))


def number_of(cell):
    return float(cell) if cell.strip() else None


def there_and_back(name, folder):
    blg = os.path.join(folder, "there.blg")
    common.run_pmon("relog", name, "-f", "blg", "-o", blg, "-y")
    return rows_of(common.run_pmon("values", "--format", "csv", blg))


def differences(want, got):
    """Of two tables with headers: what is missing, and cells that differ."""
    if len(want) != len(got):
        yield "%d rows became %d" % (len(want) - 1, len(got) - 1)
    place = {path: i for i, path in enumerate(got[0])}
    for path in want[0][1:]:
        if path not in place:
            yield "%s is missing" % path
    for before, after in zip(want[1:], got[1:]):
        if before[0] != after[0]:
            yield "the time %s became %s" % (before[0], after[0])
        for path, cell in zip(want[0][1:], before[1:]):
            if path in place and number_of(cell) != number_of(after[place[path]]):
                yield "%s, %s: %s became %s" % (before[0], path, cell, after[place[path]])


def random_double(made):
    """Any double up to 2^63, by its bits. Displayed values that no counter can have are left out of a text log."""
    value = LARGEST
    while not value < LARGEST:
        value = struct.unpack("<d", struct.pack("<Q", made.getrandbits(63)))[0]
    return value


def write_random(name, seed):
    made = random.Random(seed)
    paths = ["\\\\S\\Object(%d)\\Counter %d" % (i % 5, i) for i in range(N_COLUMNS)]
    time = START
    with open(name, "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, quoting=csv.QUOTE_ALL)
        table.writerow(["(PDH-CSV 4.0) (UTC)(0)"] + paths)
        for _ in range(N_ROWS):
            cells = [made.choice(["", " ", "0", repr(random_double(made)), "%.6f" % made.uniform(0, 1e6),
                                  str(made.getrandbits(53))]) for _ in paths]
            table.writerow([time.strftime("%m/%d/%Y %H:%M:%S.") + "%03d" % (time.microsecond // 1000)] + cells)
            time += datetime.timedelta(milliseconds=made.choice([0, 1, 999, 15000]))


def main():
    folder = common.data_folder("pdh-text")
    problems = []
    n_cells = 0
    with tempfile.TemporaryDirectory() as temporary:
        logs = [(name, None) for name in sorted(os.path.join(folder, name) for name in os.listdir(folder)
                                                if name.endswith(".csv"))]
        for seed in range(3):
            name = os.path.join(temporary, "random%d.csv" % seed)
            write_random(name, seed)
            with open(name, encoding="utf-8") as file:
                logs.append((name, rows_of(file.read())))
        for name, want in logs:
            want = want or rows_of(common.run_pmon("values", "--format", "csv", name))
            n_cells += sum(len(row) - 1 for row in want[1:])
            problems += ["%s: %s" % (os.path.basename(name), text)
                         for text in differences(want, there_and_back(name, temporary))]
    for text in problems[:common.SHOWN]:
        print(text)
    print("%d cells of %d logs, %d differ" % (n_cells, len(logs), len(problems)))
    sys.exit(1 if problems or n_cells < 150000 else 0)


if __name__ == "__main__":
    main()
