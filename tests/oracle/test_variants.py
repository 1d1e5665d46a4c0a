#!/usr/bin/env python3
"""test_variants - one log, written in hundreds of ways, is read as the same log.

What a clean log holds is known here: paths, times, numbers. Each variant writes it as another tool, language or spreadsheet
would, or damages it. Each number must come out at its time under its path, or a notice names what was lost.

    test_variants.py [N]     only N of the variants, spread over all kinds; without N, a tenth of them under sanitizers
"""

import datetime
import json
import os
import random
import re
import subprocess
import sys
import tempfile

from common import Differences, binary

SEED = 39
N_VARIANTS = 320
BIAS_MIN = -60
START = datetime.datetime(2026, 2, 25, 10, 0, 0)   # local
ROWS = 12

# Names of share/names and of public logs. Where no licensed source has the names of a language, only the instances, the
# machine or the zone are in it.
ENGLISH = ["Processor(_Total)\\% Processor Time", "Memory\\Available MBytes", "Memory\\Committed Bytes",
           "PhysicalDisk(0 C:)\\Avg. Disk sec/Read", "Process(%s)\\Working Set", "System\\Processor Queue Length"]
LANGUAGES = {
    "en": (["ascii", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"], "W. Europe Standard Time", "app", ENGLISH),
    "de": (["cp1252", "utf-8", "utf-8-sig", "utf-16"], "Mitteleuropäische Zeit", "Größe", [
        "Prozessor(_Total)\\Prozessorzeit (%)", "Arbeitsspeicher\\Verfügbare MB", "Arbeitsspeicher\\Zugesicherte Bytes",
        "Physikalischer Datenträger(0 C:)\\Mittlere Sek./Lesevorgänge", "Prozess(%s)\\Arbeitsseiten", "System\\Prozessor-Warteschlangenlänge"]),
    "fr": (["cp1252", "utf-8"], "Paris, Madrid (heure d’été)", "mémoire", [
        "Processeur(_Total)\\% temps processeur", "Mémoire\\Mégaoctets disponibles", "Mémoire\\Octets validés",
        "Disque physique(0 C:)\\Moyenne disque s/lecture", "Processus(%s)\\Plage de travail", "Système\\Longueur de la file du processeur"]),
    "pl": (["cp1250", "utf-8"], "Środkowoeuropejski czas stand.", "żółw", [
        "Procesor(_Total)\\Czas procesora (%%)", "Pamięć\\Dostępna pamięć (MB)", "Pamięć\\Zadeklarowane bajty",
        "Dysk fizyczny(0 C:)\\Średni czas odczytu dysku (s)", "Proces(%s)\\Zestaw roboczy", "System\\Długość kolejki procesora"]),
    "cs": (["cp1250", "utf-8"], "Střední Evropa (běžný čas)", "skříň", [
        "Procesor(_Total)\\% času procesoru", "Paměť\\Počet MB k dispozici", "Paměť\\Přidělené bajty",
        "Fyzický disk(0 C:)\\Střední doba čtení z disku (s)", "Proces(%s)\\Pracovní sada", "Systém\\Délka fronty procesoru"]),
    "tr": (["cp1254", "utf-8"], "Türkiye Standart Saati", "ığdır", [
        "İşlemci(_Total)\\% İşlemci Zamanı", "Bellek\\Kullanılabilir MBayt", "Bellek\\Kaydedilmiş Bayt",
        "FizikselDisk(0 C:)\\Ort. Disk sn/Okuma", "İşlem(%s)\\Çalışma Kümesi", "Sistem\\İşlemci Sıra Uzunluğu"]),
    "ru": (["cp1251", "utf-8", "utf-16"], "Московское время", "сервер", [
        "Процессор(_Total)\\% загруженности процессора", "Память\\Доступно МБ", "Память\\Байт выделенной виртуальной памяти",
        "Физический диск(0 C:)\\Среднее время чтения с диска (с)", "Процесс(%s)\\Рабочий набор", "Система\\Длина очереди процессора"]),
    "el": (["cp1253", "utf-8"], "Χειμερινή ώρα Αθήνας", "διακομιστής", ENGLISH),
    "ja": (["cp932", "utf-8"], "東京 (標準時)", "サーバー", ENGLISH),
    "ko": (["cp949", "utf-8"], "대한민국 표준시", "메모리서버", ENGLISH),
    "zh": (["cp936", "utf-8"], "中国标准时间", "应用服务", ENGLISH),
    "tw": (["cp950", "utf-8"], "台北標準時間", "應用程式", ENGLISH),
}


def values_of(rng):
    """Cells by row and counter; None is a blank one."""
    rows = []
    for i in range(ROWS):
        rows.append([20 + i * 1.25, 4096 - i, 238133000000 + i * 4096 * 7, round(rng.uniform(0.001, 0.02), 6) if i else None,
                     1200000 + i * 4096, (i * 7) % 5])
    return rows


# ---- Times: name, options, seconds between rows, how -------------------------------------------------

def plain(form):
    return lambda t: t.strftime(form)


def us(t):
    return "%d/%d/%d %d:%02d:%02d %s" % (t.month, t.day, t.year, t.hour % 12 or 12, t.minute, t.second, "AM" if t.hour < 12 else "PM")


def spanish(t):
    return "%02d/%02d/%d %d:%02d:%02d %s" % (t.day, t.month, t.year, t.hour % 12 or 12, t.minute, t.second, "a. m." if t.hour < 12 else "p. m.")


def halves(form, am, pm):
    """12 hours, and a word for the half of the day."""
    return lambda t: "%d/%d/%d " % (t.year, t.month, t.day) + form % {
        "half": am if t.hour < 12 else pm, "clock": "%d:%02d:%02d" % (t.hour % 12 or 12, t.minute, t.second)}


def serial(t):
    return "%.10f" % ((t - datetime.datetime(1899, 12, 30)).total_seconds() / 86400)


TIMES = [
    ("windows", [], 15, plain("%m/%d/%Y %H:%M:%S.000")),
    ("us", [], 15, us),
    ("day first", [], 15, plain("%d/%m/%Y %H:%M:%S")),
    ("dots", [], 15, plain("%d.%m.%Y %H:%M:%S")),
    ("dots, short year", [], 15, plain("%d.%m.%y %H:%M:%S")),
    ("points in the time", [], 15, plain("%d.%m.%Y %H.%M.%S")),
    ("dashes", [], 15, plain("%d-%m-%Y %H:%M:%S")),
    ("year first", [], 15, plain("%Y-%m-%d %H:%M:%S")),
    ("year first, slashes", [], 15, plain("%Y/%m/%d %H:%M:%S")),
    ("ISO", [], 15, plain("%Y-%m-%dT%H:%M:%S")),
    ("ISO UTC", [], 15, lambda t: (t + datetime.timedelta(minutes=BIAS_MIN)).strftime("%Y-%m-%dT%H:%M:%S.000Z")),
    ("ISO offset", [], 15, plain("%Y-%m-%dT%H:%M:%S+01:00")),
    ("named month", [], 15, plain("%d-%b-%Y %H:%M:%S")),
    ("named month, short year", [], 15, plain("%d-%b-%y %H:%M:%S")),
    ("spanish", [], 15, spanish),
    ("no seconds", [], 60, plain("%d/%m/%Y %H:%M")),
    ("no seconds, us", [], 60, lambda t: "%d/%d/%d %d:%02d" % (t.month, t.day, t.year, t.hour, t.minute)),
    ("serial", [], 15, serial),
    ("time of day", ["--start", "2026-02-25"], 15, plain("%H:%M:%S")),
    ("mm:ss.0", ["--start", "2026-02-25 10:00"], 15, lambda t: t.strftime("%M:%S.0")),
    ("double blank", [], 15, plain("%m/%d/%Y  %H:%M:%S")),
    ("Chinese", [], 15, halves("%(half)s %(clock)s", "\u4e0a\u5348", "\u4e0b\u5348")),
    ("Korean", [], 15, halves("%(half)s %(clock)s", "\uc624\uc804", "\uc624\ud6c4")),
    ("Japanese", [], 15, halves("%(half)s %(clock)s", "\u5348\u524d", "\u5348\u5f8c")),
    ("Greek", [], 15, halves("%(clock)s %(half)s", "\u03c0\u03bc", "\u03bc\u03bc")),
    ("midnight", ["--start", "2026-02-25"], 4500, plain("%H:%M:%S")),
    ("comma", [], 15, plain("%d.%m.%Y %H:%M:%S,000")),
]


# ---- Numbers ------------------------------------------------------------------------------------------

def digits(value):
    return repr(value)


def grouped(separator, mark):
    def text(value):
        whole, _, part = repr(value).partition(".")
        groups = []
        while len(whole) > 3:
            groups.insert(0, whole[-3:])
            whole = whole[:-3]
        whole = separator.join([whole] + groups)
        return whole + (mark + part if part else "")
    return text


NUMBERS = [
    ("plain", digits),
    ("%.17g", lambda v: "%.17g" % v),
    ("comma", lambda v: repr(v).replace(".", ",")),
    ("1,234.5", grouped(",", ".")),
    ("1.234,5", grouped(".", ",")),
    ("1 234,5", grouped(" ", ",")),
    ("1\u00a0234,5", grouped("\u00a0", ",")),
    ("1\u202f234,5", grouped("\u202f", ",")),
    ("1'234.5", grouped("'", ".")),
]


# ---- Paths --------------------------------------------------------------------------------------------

def lower(text):
    """Of ASCII letters, as other ones may leave their code page."""
    return "".join(c.lower() if c.isascii() else c for c in text)


PATHS = [
    ("whole", lambda p: "\\\\SRV1\\" + p, "\\\\SRV1\\"),
    ("no machine", lambda p: "\\" + p, "\\"),
    ("bare", lambda p: p, "\\"),
    ("one backslash", lambda p: "\\SRV1\\" + p, "\\\\SRV1\\"),
    ("doubled", lambda p: ("\\\\SRV1\\" + p).replace("\\", "\\\\"), "\\\\SRV1\\"),
    ("lower case", lambda p: lower("\\\\SRV1\\" + p), "\\\\SRV1\\"),
    ("blank before", lambda p: " \\\\SRV1\\" + p, "\\\\SRV1\\"),
]


# ---- Damage: rows of cells, then lines, then bytes ----------------------------------------------------

class Log:
    """What a damage may change. lost holds (row, column) of values that may be missing, if a notice says so."""

    def __init__(self):
        self.lines = []     # of text, the header first
        self.separator = ","
        self.lost = set()
        self.rng = None
        self.form = lambda cells: ""    # cells to a line
        self.cells = []     # as written
        self.end = "\r\n"
        self.cut = 0        # bytes off the end
        self.is_silent = False

    def lose_row(self, row):
        self.lost |= {(row, column) for column in range(len(ENGLISH))}


def none(log):
    del log


def cut_last(log):
    log.cut = len(log.end) + log.rng.randrange(1, 12)
    log.lose_row(ROWS - 1)


def words_inside(log):
    log.lines.insert(5, "Exiting, please wait...")
    log.lines.append("The command completed successfully.")


def blank_lines(log):
    for at in (9, 4, 1):
        log.lines.insert(at, "")


def header_again(log):
    log.lines.insert(6, log.lines[0])


def text_cell(log, text):
    log.cells[4][2] = text
    log.lines[5] = log.form(log.cells[4])
    log.lost.add((4, 1))


def broken_number(log):
    text_cell(log, "40x2")


def excel_error(log):
    text_cell(log, "#DIV/0!")


def hashes(log):
    log.cells[4][0] = "########"
    log.lines[5] = log.form(log.cells[4])
    log.lose_row(4)


def short_row(log):
    log.lines[5] = log.form(log.cells[4][:4])
    log.lost |= {(4, column) for column in range(3, len(ENGLISH))}


def long_row(log):
    log.lines[5] = log.form(log.cells[4] + ["7"])


def glued_rows(log):
    log.lines[5:7] = [log.lines[5] + log.lines[6]]
    log.lose_row(4)
    log.lose_row(5)


def hint(log):
    log.lines.insert(0, "sep=" + log.separator)


def blank_first(log):
    log.lines.insert(0, "")


def separator_at_end(log):
    log.lines = [line + log.separator for line in log.lines]


def caption_column(log):
    log.lines = [log.lines[0] + log.separator + log.form(["Weekly check"])] + [line + log.separator + log.form([""]) for line in log.lines[1:]]


def notes_column(log):
    log.lines = [log.lines[0] + log.separator + log.form(["Notes"]) + log.separator + log.form(["\\\\SRV1\\Memory\\Pages/sec"])] + [
        line + log.separator + log.form(["busy"]) + log.separator + log.form(["1"]) for line in log.lines[1:]]


def zeros(log):
    log.lines[5] = "\0" * len(log.lines[5])
    log.lose_row(4)


def empty_row(log):
    log.lines[5] = log.form([""] * (1 + len(ENGLISH)))
    log.lose_row(4)
    log.is_silent = True    # nothing says that there was something


DAMAGES = [none, cut_last, words_inside, blank_lines, header_again, broken_number, excel_error, hashes, short_row, long_row,
           glued_rows, hint, blank_first, separator_at_end, caption_column, notes_column, zeros, empty_row]


# ---- A variant ----------------------------------------------------------------------------------------

SEPARATORS = [",", ";", "\t", "|"]
QUOTES = ["all", "none", "needed"]


def quote(cell, how, separator):
    if how == "all" or (how == "needed" and (separator in cell or '"' in cell)):
        return '"' + cell.replace('"', '""') + '"'
    return cell


class Variant:
    """One choice of each axis; what cannot be written so is replaced by what can."""

    def __init__(self, number):
        rng = self.rng = random.Random(SEED * 100000 + number)
        self.number = number
        self.language = list(LANGUAGES)[number % len(LANGUAGES)]
        pages, self.zone, self.instance, names = LANGUAGES[self.language]
        self.page = pages[number // len(LANGUAGES) % len(pages)]
        self.time = TIMES[number % len(TIMES)]
        self.separator = rng.choice(SEPARATORS[:2] * 2 + SEPARATORS)
        self.numbers = NUMBERS[rng.choice([0, 0, 1, rng.randrange(len(NUMBERS))])]
        self.quotes = rng.choice(QUOTES)
        self.path = PATHS[number // 3 % len(PATHS)] if rng.random() < 0.6 else PATHS[0]
        self.damage = DAMAGES[number // 2 % len(DAMAGES)] if rng.random() < 0.7 else none
        self.end = rng.choice(["\r\n", "\r\n", "\n", "\r"])
        self.names = [name % self.instance if "%s" in name else name.replace("%%", "%") for name in names]
        self.fit()

    def fit(self):
        """No separator may be in a cell that has no quotes, and no character outside of the code page."""
        texts = [self.numbers[1](238133000000.5), self.time[3](START), self.zone] + self.names
        if self.quotes == "none" and any(self.separator in text for text in texts):
            self.quotes = "needed"
        if not self.can_encode(texts[1]):
            self.time = TIMES[0]
        if not self.can_encode(texts[0]):
            self.numbers = NUMBERS[0]
        if self.damage is zeros and self.page.startswith("utf-16"):
            self.damage = none
        if self.damage is header_again and self.path[0] == "lower case":
            self.damage = none

    def can_encode(self, text):
        return text.encode(self.page, "replace").decode(self.page) == text

    def __str__(self):
        return "%d: %s %s, %s, %r, numbers %s, quotes %s, path %s, %s" % (
            self.number, self.language, self.page, self.time[0], self.separator, self.numbers[0], self.quotes, self.path[0],
            self.damage.__name__)

    def times(self):
        return [START + datetime.timedelta(seconds=self.time[2] * i) for i in range(ROWS)]

    def make(self):
        log = Log()
        log.rng = self.rng
        log.separator, log.end = self.separator, self.end
        log.form = lambda cells: self.separator.join(quote(cell, self.quotes, self.separator) for cell in cells)
        self.values = values_of(self.rng)
        marker = "(PDH-%s 4.0) (%s)(%d)" % ("TSV" if self.separator == "\t" else "CSV", self.zone, BIAS_MIN)
        log.cells = [[self.time[3](time)] + [" " if value is None else self.numbers[1](value) for value in row]
                     for time, row in zip(self.times(), self.values)]
        log.lines = [log.form([marker] + [self.path[1](name) for name in self.names])] + [log.form(cells) for cells in log.cells]
        self.damage(log)
        data = (log.end.join(log.lines) + log.end).encode(self.page)
        if log.cut:
            data = data[:-log.cut * (2 if self.page.startswith("utf-16") else 1)]
        return log, data

    def wanted(self):
        """{(path, time): (value, row, column)}, paths without case."""
        found = {}
        for i, (time, row) in enumerate(zip(self.times(), self.values)):
            utc = (time + datetime.timedelta(minutes=BIAS_MIN)).strftime("%Y-%m-%dT%H:%M:%SZ")
            for j, (name, value) in enumerate(zip(self.names, row)):
                if value is not None:
                    found[lower(self.path[2] + name), utc] = (value, i, j)
        return found


def is_same(a, b):
    return a is not None and abs(a - b) <= 1e-12 * abs(b)


def names_loss(text):
    """Does a notice name something that was not read, by its line, column or number?"""
    return re.search(r"lost at byte \d+.*: |: note: .*line \d+", text) is not None


def judge(variant, log, done):
    """What is wrong."""
    if done.returncode not in (0, 3):
        return ["exit status %d" % done.returncode]
    got = {}
    for line in done.stdout.decode("utf-8").splitlines():
        line = json.loads(line)
        got[lower(line["path"]), line["time"]] = line["value"]
    told = names_loss(done.stderr.decode("utf-8"))
    faults = []
    for key, (value, row, column) in variant.wanted().items():
        mine = got.pop(key, None)
        if is_same(mine, value):
            continue
        if (row, column) in log.lost and (told or log.is_silent):
            continue
        faults.append("%s at %s is %r and not %r" % (*key, mine, value))
    faults += ["%s at %s is %r and nothing in the log" % (*key, value) for key, value in got.items()
               if value is not None and not key[0].endswith("pages/sec")]
    return faults


def check(variant, folder, differences):
    log, data = variant.make()
    name = folder + "/%d.csv" % variant.number
    with open(name, "wb") as file:
        file.write(data)
    done = subprocess.run([binary(), "values", "--format", "json", *variant.time[1], name], capture_output=True, check=False)
    faults = judge(variant, log, done)
    if faults:
        differences.add("%s\n    %s\n    %s" % (variant, "\n    ".join(faults[:3]),
                                                 done.stderr.decode("utf-8", "replace").replace("\n", "\n    ")))


def main():
    usual = N_VARIANTS // 10 if os.environ.get("PMON_TEST_TENTH") else N_VARIANTS
    n = int(sys.argv[1]) if len(sys.argv) > 1 else usual
    differences = Differences()
    with tempfile.TemporaryDirectory() as folder:
        for i in range(n):
            check(Variant(i * N_VARIANTS // n), folder, differences)
    print("%d variants, %d of them not read as the clean log" % (n, differences.count))
    sys.exit(1 if differences.count else 0)


if __name__ == "__main__":
    main()
