#!/usr/bin/env bash
# plurals.sh - what is counted is in the singular after 1, in all other cases in the plural
# SPDX-License-Identifier: MIT
#
# Verbs read logs with 0 to 3 samples of one or two counters, as raw values and as displayed ones, whole and damaged.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
need python3

python3 - <<'PYTHON'
import json
paths = (r"\\M\PhysicalDisk(0 C:)\Disk Read Bytes/sec", "PERF_COUNTER_BULK_COUNT"), (r"\\M\Memory\Pages/sec", "PERF_COUNTER_COUNTER")
for counters in 1, 2:
    for samples in range(4):
        used = paths[:counters]
        with open(f"c{counters}s{samples}.csv", "w") as csv:
            csv.write(",".join(['"(PDH-CSV 4.0) (UTC)(0)"', *(f'"{p}"' for p, _ in used)]) + "\r\n")
            for i in range(samples):
                csv.write(",".join([f'"11/20/2026 10:00:{10 + i}.000"', *['"7"'] * counters]) + "\r\n")
        with open(f"c{counters}s{samples}.jsonl", "w") as log:
            for i in range(samples):
                for p, kind in used:
                    print(json.dumps({"path": p, "type": kind, "time": f"2026-11-20T10:00:{10 + i}Z", "status": "valid_data",
                        "first": 100 * i, "second": 1000 + i, "multi": 1, "time_base": 1, "sample": i}), file=log)
PYTHON
# A cell that is no number, a line that is none, one column without a path, two columns of one path, one gap, one log
# that repeats a sample, and one that lacks its last byte.
sed 's/"7"/"x"/' c1s2.csv >cell.csv
{ cat c1s3.csv && echo '"what'; } >line.csv
sed 's/\\\\M\\Memory\\Pages/Pages/' c2s2.csv >path.csv
sed 's/\\\\M\\Memory\\Pages.sec/\\\\M\\PhysicalDisk(0 C:)\\Disk Read Bytes\/sec/' c2s2.csv >twice.csv
{ cat c1s3.csv && printf '"11/20/2026 10:30:00.000","7"\r\n'; } >gap.csv
{ cat c1s3.csv && printf '"11/20/2026 10:00:05.000","7"\r\n'; } >back.csv
head -c -2 c1s3.jsonl >cut.jsonl
run relog c1s3.jsonl -o whole.blg
head -c -1 whole.blg >cut.blg
run relog c1s1.csv -o one.db

cat >plurals.py <<'PYTHON'
# The places of texts where a number and its noun disagree, after the line "@ COMMAND" before each text. What is no
# noun: units, verbs and the like.
import re, sys
OTHERS = "s ms ns us is was has as this its less across always plus times process series address access bus status".split()
NOUNS = "sample counter value row file log byte line record place machine gap episode finding rule column cell instance object " \
    "alert operation interval processor entry event pair threshold stream change difference".split()
command = ""
for line in sys.stdin.read().split("\n"):
    if line.startswith("@ "):
        command = line
        continue
    wrong = [m[1] for m in re.findall(r"(?<![\w.,:/-])(1 (?:more |other )?([a-z]+s))\b", line) if m[1] not in OTHERS]
    wrong += [m for m in re.findall(r"(?<![\w.,:/%-])(?:0|[2-9]|[1-9][\d,]*\d) (?:more |other )?(\w+)\b(?!-)", line) if m in NOUNS]
    wrong += re.findall(r"\b1 [a-z]+ (?:are|were|have)\b", line)
    if wrong:
        print(command[2:], *wrong, line, sep=" | ")
PYTHON

# The check sees what it is for, and nothing else.
seen='1 samples are earlier
3 counter
1 value were
1 more files'
python3 plurals.py >lines <<<"$seen
1 s
1 sample is earlier
0.1 counters
2 samples, 1 of them
1 process is"
same 'what is seen' "$(sed 's/.* | //' lines)" "$seen"

check() { # ARGUMENT...: of pmon
	run "$@"
	printf '@ %s\n%s\n%s\n' "$*" "$out" "$err" | sed 's/<[^>]*>/ /g' >>all
}

# The messages of readers, of every log.
for log in c1*.csv c2s1.csv c*.jsonl [^c]*.csv cell.csv *.blg *.db; do
	check info "$log"
	check stats -v --sort total --percentile 50 "$log"
done
# Those of verbs.
for log in c1s[012].jsonl c1s[12].csv c2s2.csv; do
	for verb in '' values raw trend changes 'health --all' explain chart 'relog -f csv -o out.csv -y' \
		'relog -f blg -o out.blg -y' 'report -o out.html -f' 'verify c2s3.csv' 'diff c2s3.csv' 'info c1s1.csv'; do
		# shellcheck disable=SC2086 # words
		check $verb "$log"
	done
	check find '\PhysicalDisk(*)\* > 5' "$log"
	check find '\PhysicalDisk(*)\* > 1e9' "$log"
done

wrong=$(python3 plurals.py <all)
ran='all of them'
[ "$(grep -c '^@ ' all)" -gt 100 ] && [ -z "$wrong" ] && ok || bad "$wrong"
finish
