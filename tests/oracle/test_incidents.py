"""Planted incidents: what incidents/plant.c put into a log, pmon finds; in the quiet log of the same seed, nothing.

PMON_TEST_SEEDS (1-2) are the seeds, PMON_TEST_HOURS and PMON_TEST_STEP (4 and 15) the logs. Seeds are binary logs
and CSV in turn; the first one also has German names in a binary log and Russian ones in CSV. PMON_TEST_FULL=1: each seed
in both forms, the first one with both languages in both. Expected values are those that were planted, and what follows
from them by docs/reference/rules.md.
"""

import datetime
import json
import os
import subprocess
import sys
import tempfile

import common

START = datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc)
STALL = r"\PhysicalDisk(*)\Avg. Disk sec/Read > 25ms for %ds"
NOISE = 0.02                # of what was planted

problems = []


def check(what, is_right):
    if not is_right:
        problems.append(what)
        print("wrong: " + what)


def write_names(language, file_name):
    """Lines of object, counter and name, as incidents/plant.c reads them."""
    folder = common.data_folder("names")
    lines = []
    if language == "ruRU":
        with open(os.path.join(folder, "counter_names_other.tsv"), encoding="utf-8") as table:
            for _, english, other, name in (line.rstrip("\n").split("\t") for line in table):
                if other == language:
                    path = english.partition("\\")
                    lines.append("%s\t%s\t%s\n" % (path[0], path[2], name))
    else:
        with open(os.path.join(folder, "counter_names.tsv"), encoding="utf-8") as table:
            column = table.readline().rstrip("\n").split("\t").index(language)
            for row in (line.rstrip("\n").split("\t") for line in table):
                if row[column]:
                    counter = "" if row[0] == "object" else row[2]
                    lines.append("%s\t%s\t%s\n" % (row[1], counter, row[column]))
    with open(file_name, "w", encoding="utf-8") as out:
        out.writelines(lines)


class Log:
    """A log, its planted incidents, and its name in messages."""

    def __init__(self, folder, kind, seed, form, language=None):
        self.step = int(os.environ.get("PMON_TEST_STEP", "15"))
        self.hours = int(os.environ.get("PMON_TEST_HOURS", "4"))
        self.name = "%s, seed %d, %s, %s" % (kind, seed, form, language or "English")
        self.file = os.path.join(folder, "%s-%d-%s.blg" % (kind, seed, language))
        if not os.path.exists(self.file):
            self.write(kind, seed, language)
        with open(self.file + ".json", encoding="utf-8") as text:
            self.planted = json.load(text)
        if form == "csv":
            source, self.file = self.file, self.file[:-4] + ".csv"
            subprocess.run([common.binary(), "relog", source, "-f", "csv", "-o", self.file, "-y"],
                           stdout=subprocess.DEVNULL, check=True)

    def write(self, kind, seed, language):
        command = [os.path.join(os.environ["PMON_BUILD_DIR"], "plant"), kind, str(seed),
                   str(self.hours), str(self.step), self.file]
        if language:
            command.append(self.file + ".names")
            write_names(language, command[-1])
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
        with open(self.file + ".json", "wb") as out:
            out.write(done.stdout)

    def named(self, name):
        return [p for p in self.planted if p["name"] == name]

    def answer(self, *words):
        """The JSON that a verb prints of the log."""
        return common.parse_json(common.run_pmon(*words, "--format", "json", self.file))


def path_of(answer):
    """The path in English."""
    return answer.get("path_en") or answer["path"]


def seconds(text):
    return (datetime.datetime.fromisoformat(text.replace("Z", "+00:00")) - START).total_seconds()


def is_at(log, episode, planted):
    """The times of an episode, within one interval."""
    return (abs(seconds(episode["from"]) - planted["from_s"]) <= log.step and
            abs(seconds(episode["to"]) - planted["to_s"]) <= log.step)


def excess(planted, limit):
    return (planted["value"] / limit - 1) * (planted["to_s"] - planted["from_s"])


# ---- find -----------------------------------------------------------------------------------------


def find_stalls(log):
    """Each stall is one episode, the worst first, with its times, its average and its operations."""
    hold = min(30, log.step)
    found = log.answer("find", STALL % hold)["episodes"]
    stalls = sorted(log.named("disk stall"), key=lambda p: -excess(p, 0.025))
    check("%s: find has %d episodes of %d" % (log.name, len(found), len(stalls)),
          len(found) == len(stalls))
    for episode, planted in zip(found, stalls):
        where = "%s: find, %s" % (log.name, episode["from"])
        check(where + ": the path", path_of(episode) == planted["path"])
        check(where + ": the times", is_at(log, episode, planted))
        check(where + ": the average",
              abs(episode["average"] / planted["value"] - 1) < NOISE)
        if log.file.endswith(".blg"):  # text has no operations
            check(where + ": 200 operations a second",
                  episode["operations"] == 200 * episode["seconds"])


def find_nothing(log):
    for condition in (STALL % 1, r"\Processor(*)\% Processor Time > 80",
                      r"\SQLServer:Buffer Manager\Page life expectancy < 300",
                      r"\Memory\Available MBytes < 500MB"):
        check("%s: find %s" % (log.name, condition), not log.answer("find", condition)["episodes"])


def find_page_life(log):
    found = log.answer("find", r"\SQLServer:Buffer Manager\Page life expectancy < 300")["episodes"]
    check(log.name + ": page life expectancy",
          len(found) == 1 and is_at(log, found[0], log.named("page life")[0]))


def no_work_of_the_restarted(log):
    """The numbers of a new process minus those of the old one are no work of anybody."""
    found = log.answer("find", r"\Process(worker)\% Processor Time > 50")["episodes"]
    check(log.name + ": the process that was restarted is not busy", not found)


# ---- health ---------------------------------------------------------------------------------------


def below_since(planted, limit):
    """From when on a decline is below a limit: the earliest and the latest time, by its noise."""
    length = planted["to_s"] - planted["from_s"]
    speed = (planted["value"] - planted["usual"]) / length
    return [planted["from_s"] + (limit * (1 + sign * NOISE) - planted["usual"]) / speed
            for sign in (1, -1)]


def health_names_all(log):
    """Every incident that a rule is for is named, with its times; nothing else is."""
    findings = log.answer("health")["findings"]
    paths = {p["path"] for p in log.planted}
    for finding in findings:
        check("%s: health, %s of %s" % (log.name, finding["rule"], finding["path"]),
              path_of(finding) in paths)
    by_path = {}
    for finding in findings:
        by_path.setdefault(path_of(finding), []).append(finding)
    stalls = log.named("disk stall")
    worst = max(stalls, key=lambda p: excess(p, 0.05))
    disk = by_path.get(worst["path"], [])
    check(log.name + ": health and the disk",
          len(disk) == 1 and disk[0]["severity"] == "critical" and
          len(disk[0]["episodes"]) == len(stalls) and is_at(log, disk[0], worst))
    busy = log.named("busy processors")[0]
    check(log.name + ": health and the processors",
          any(is_at(log, f, busy) and f["severity"] == "critical"
              for f in by_path.get(busy["path"], [])))
    memory = log.named("memory decline")[0]
    early, late = below_since(memory, 500)
    check(log.name + ": health and the memory",
          any(f["severity"] == "critical" and
              early - log.step <= seconds(f["from"]) <= late + log.step
              for f in by_path.get(memory["path"], [])))


def health_is_quiet(log):
    summary = log.answer("health")["summary"]
    check("%s: health says %s" % (log.name, summary),
          summary["critical"] == 0 and summary["warning"] == 0 and summary["within"] > 0)


# ---- trend ----------------------------------------------------------------------------------------


def trend_names_all(log):
    """What only grows or only shrinks is named with its slope, and nothing else."""
    found = {path_of(one): one for one in log.answer("trend")["series"]}
    declines = [p for p in log.planted if p["ramp"]]
    check("%s: trend names %s" % (log.name, sorted(found)),
          set(found) == {p["path"] for p in declines})
    for planted in declines:
        per_hour = (planted["value"] - planted["usual"]) / log.hours
        check("%s: the slope of %s" % (log.name, planted["path"]),
              planted["path"] in found and
              abs(found[planted["path"]]["slope_per_hour"] / per_hour - 1) < NOISE)


def trend_is_quiet(log):
    check(log.name + ": trend", not log.answer("trend")["series"])


# ---- changes and diff -----------------------------------------------------------------------------


def window_of(log):
    """On each side of a moment: the usual five minutes, or as long as twelve samples."""
    return max(300, 12 * log.step)


def share_in(planted, begin, end):
    """Which share of the time from begin to end the incident lasts."""
    overlap = min(planted["to_s"], end) - max(planted["from_s"], begin)
    return max(0.0, overlap / (end - begin))


def changed(log, sides):
    """The paths that have to differ between two times, and those that may."""
    must, may = set(), set()
    for p in log.planted:
        before, after = (share_in(p, begin, end) for begin, end in sides)
        is_slow = p["name"] in ("handle leak", "memory decline", "restart")
        if p["path"].find("(_Total)") >= 0:
            continue
        if not is_slow and min(before, after) < 0.1 and max(before, after) > 0.9:
            must.add(p["path"])
        elif is_slow or max(before, after) > 0.1:
            may.add(p["path"])
    return must - may, may


def changes_at(log, at):
    return {path_of(s) for s in log.answer(
        "changes", "--at", "+%ds" % at, "--window", "%ds" % window_of(log))["series"]}


def changes_names_what_began(log):
    window = window_of(log)
    for p in log.planted:
        if p["from_s"] < window or p["to_s"] - p["from_s"] < window:
            continue
        at = p["from_s"]
        found = changes_at(log, at)
        must, may = changed(log, ((at - window, at), (at, at + window)))
        check("%s: changes at %d lacks %s" % (log.name, at, sorted(must - found)), must <= found)
        check("%s: changes at %d has %s" % (log.name, at, sorted(found - must - may)),
              found <= must | may)


def changes_is_quiet(log):
    window = window_of(log)
    for at in range(window, log.hours * 3600 - window, max(1800, log.hours * 225)):
        check("%s: changes at %d" % (log.name, at), not changes_at(log, at))


def diff_names_what_lasts(quiet, log):
    """Against the quiet log the medians differ of what lasts for more than half of the time, and the 95th percentiles may
    of whatever was planted."""
    length = log.hours * 3600
    must = {p["path"] for p in log.planted
            if p["name"] in ("handle leak", "memory decline") or share_in(p, 0, length) > 0.6}
    may = {p["path"] for p in log.planted}
    found = {path_of(s) for s in common.parse_json(
        common.run_pmon("diff", "--format", "json", quiet.file, log.file))["series"]}
    check("%s: diff lacks %s" % (log.name, sorted(must - found)), must <= found)
    check("%s: diff has %s" % (log.name, sorted(found - may)), found <= may | must)


# ---- All of them ----------------------------------------------------------------------------------


def seeds():
    first, _, last = os.environ.get("PMON_TEST_SEEDS", "1-2").partition("-")
    return range(int(first), int(last or first) + 1)


def judge_log(folder, seed, form, language=None):
    log = Log(folder, "incidents", seed, form, language)
    for judge in (find_stalls, find_page_life, no_work_of_the_restarted, health_names_all,
                  trend_names_all, changes_names_what_began):
        judge(log)
    quiet = Log(folder, "quiet", seed, form, language)
    for judge in (find_nothing, health_is_quiet, trend_is_quiet, changes_is_quiet):
        judge(quiet)
    diff_names_what_lasts(quiet, log)


def logs_of(n):
    """(form, language) of the logs of the nth seed"""
    if os.environ.get("PMON_TEST_FULL"):
        languages = (None, "deDE", "ruRU") if n == 0 else (None,)
        return [(form, language) for form in ("blg", "csv") for language in languages]
    return [("blg", None), ("blg", "deDE"), ("csv", "ruRU")] if n == 0 else [(("blg", "csv")[n % 2], None)]


def main():
    for n, seed in enumerate(seeds()):
        with tempfile.TemporaryDirectory(prefix="pmon-incidents-") as folder:
            for form, language in logs_of(n):
                judge_log(folder, seed, form, language)
    print("%d problems" % len(problems))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
