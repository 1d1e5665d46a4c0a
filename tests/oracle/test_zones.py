#!/usr/bin/env python3
"""Times in IANA zones against Python's zoneinfo, on both sides of each change of their clocks.

A log in UTC has samples around each change from 1993 to 2037; pmon values --tz ZONE prints their local times. Python
reads the zone files itself. Every tenth zone is tried, all with PMON_TEST_FULL=1. The other way, from a local time to
UTC, is tried with --from and --to: of an hour that occurs twice the first counts, as in Python (fold=0).
"""

import datetime
import os
import subprocess
import sys
import tempfile
import zoneinfo

UTC = datetime.timezone.utc
BEGIN = datetime.datetime(1993, 7, 1, tzinfo=UTC)
END = datetime.datetime(2037, 12, 31, tzinfo=UTC)
ALWAYS = ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "America/Sao_Paulo", "Europe/Dublin",
          "Pacific/Apia", "Africa/Casablanca", "Asia/Kathmandu", "Pacific/Chatham", "America/St_Johns", "UTC"]
PMON = os.environ["PMON_BIN"]


def offset(zone, time):
    return time.astimezone(zone).utcoffset()


def changes(zone):
    """The last second before each change, and the first one after it."""
    found = []
    at, step = BEGIN, datetime.timedelta(days=3)
    while at < END:
        if offset(zone, at) != offset(zone, at + step):
            low, high = at, at + step
            while high - low > datetime.timedelta(seconds=1):
                middle = low + (high - low) // 2
                middle = middle.replace(microsecond=0)
                if offset(zone, middle) == offset(zone, low):
                    low = middle
                else:
                    high = middle
            found += [low, high]
        at += step
    return found


def write_log(path, times):
    with open(path, "w", newline="") as file:
        file.write('"(PDH-CSV 4.0) (UTC)(0)","\\\\S\\A\\x"\r\n')
        for time in times:
            file.write('"%s","1"\r\n' % time.strftime("%m/%d/%Y %H:%M:%S.000"))


def pmon_values(path, *options):
    done = subprocess.run([PMON, "values", *options, path], capture_output=True, text=True, check=False)
    return [line[:19] for line in done.stdout.splitlines()[1:]], done


def check_shown(path, name, zone):
    times = sorted(set([BEGIN, datetime.datetime(2026, 1, 15, 12, tzinfo=UTC),
                        datetime.datetime(2026, 7, 15, 12, tzinfo=UTC)] + changes(zone)))
    write_log(path, times)
    got, done = pmon_values(path, "--tz", name)
    want = [time.astimezone(zone).strftime("%Y-%m-%d %H:%M:%S") for time in times]
    if got != want:
        wrong = [pair for pair in zip(got, want) if pair[0] != pair[1]]
        print("%s: %d of %d times, first %s; %s" % (name, len(wrong), len(want), wrong[:1], done.stderr[:200]))
        return 1
    return 0


def check_entered(path, name, zone):
    """Each quarter of an hour of the days on which the clock of 2026 changes, given as local time."""
    failures = 0
    days = [time.astimezone(zone).date() for time in changes(zone)[::2] if time.year == 2026]
    for day in days:
        start = datetime.datetime(day.year, day.month, day.day)
        for quarter in range(0, 96, 3):
            local = start + datetime.timedelta(minutes=15 * quarter)
            utc = local.replace(tzinfo=zone).astimezone(UTC)
            write_log(path, [utc + datetime.timedelta(minutes=15 * i) for i in range(-8, 9)])
            text = local.strftime("%Y-%m-%dT%H:%M")
            got, done = pmon_values(path, "--tz", name, "--at", text, "--format", "json")
            want = '"time":"%s"' % utc.strftime("%Y-%m-%dT%H:%M:%SZ")
            if want not in done.stdout:
                print("%s: %s is not %s: %s%s" % (name, text, want, done.stdout[:200], done.stderr[:200]))
                failures += 1
    return failures


def main():
    names = sorted(zoneinfo.available_timezones() - {"localtime", "posixrules", "Factory"})
    if "Europe/Berlin" not in names:
        print("skipped: this machine has no time zones")
        return 77
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "log.csv")
        write_log(path, [BEGIN])
        if pmon_values(path, "--tz", "Europe/Berlin")[1].returncode != 0:
            print("skipped: pmon was built on a machine without time zones")
            return 77
        chosen = names if os.environ.get("PMON_TEST_FULL") else sorted(set(names[::10] + ALWAYS) & set(names))
        for name in chosen:
            failures += check_shown(path, name, zoneinfo.ZoneInfo(name))
        for name in ("Europe/Berlin", "America/New_York"):
            failures += check_entered(path, name, zoneinfo.ZoneInfo(name))
        for wrong in ("Europe/Berln", "Europe", "", "W. Europe"):
            done = pmon_values(path, "--tz", wrong)[1]
            if done.returncode != 2 or "Europe/Berlin" not in done.stderr:
                print("--tz '%s': status %d, %s" % (wrong, done.returncode, done.stderr))
                failures += 1
    print("%d zones, %d failures" % (len(chosen), failures))
    return failures != 0


sys.exit(main())
