#!/usr/bin/env bash
# report_anonymize.sh - with --anonymize no name of a machine, instance, database or user is left, and no number changes
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
need python3

# An hour of two machines at 15 s. For ten minutes lock waits take 25 s and the processor is at 97 %. One name is part of
# another, one has markup of HTML, one of markdown, and one has letters of two bytes.
cat >make.py <<'PYTHON'
import sys

names = ["WEB_01", "web-02.corp.example", "KUNDEN", "Sales", "Sales*Archive", "A<b>&c", "Größe",
         r"CORP\alice", "VMSHOP"]
first = [r"Processor(_Total)\% Processor Time", r"System\Processor Queue Length", r"Process(sqlservr)\% Processor Time",
         r"Process(backup)\% Processor Time", r"MSSQL$KUNDEN:Locks(_Total)\Average Wait Time (ms)"]
first += [r"MSSQL$KUNDEN:Databases(%s)\Transactions/sec" % name for name in ("Sales", "Sales*Archive", "A<b>&c", "Größe", "tempdb")]
first += [r"User Input Delay per Process(CORP\alice)\Max Input Delay", r"LogicalDisk(/home/bob/data)\% Free Space",
          r"Hyper-V Hypervisor Virtual Processor(VMSHOP:Hv VP 0)\% Guest Run Time"]
second = [r"Processor(_Total)\% Processor Time", r"Process(backup)\% Processor Time"]
paths = [r"\\WEB_01" + "\\" + path for path in first] + [r"\\web-02.corp.example" + "\\" + path for path in second]
out = open(sys.argv[1], "w", encoding="utf-8", newline="")
out.write(",".join('"%s"' % text for text in ["(PDH-CSV 4.0) (UTC)(0)"] + paths) + "\r\n")
for t in range(240):
    bad = 80 < t <= 120
    noise = t * 7919 % 101 / 100
    values = [97 if bad else 20 + noise, 40 if bad else 0, 30 + noise, 300 if bad else 2 + noise, 25000 if bad else 20 + noise]
    values += [100 + noise] * 5 + [5 + noise, 40, 20 + noise] + [20 + noise, 2 + noise]
    out.write(",".join('"%s"' % text for text in ["11/20/2026 10:%02d:%02d.000" % (t // 4, t % 4 * 15)] + values) + "\r\n")
PYTHON
python3 make.py WEB_01-night.csv
original='WEB_01|web.01|night|web-02|corp|KUNDEN|Sales|Archive|&lt;b|<b>&|Größe|gr.{1,4}e\b|alice|bob|VMSHOP'

run report WEB_01-night.csv -o named.html
status 0
run report --anonymize WEB_01-night.csv
status 0
[ -e report.html ] && ok || bad 'not report.html'
[ ! -e WEB_01-night.html ] && ok || bad 'the name of the log'
same 'names that are left' "$(grep -oiE ".{0,20}($original).{0,20}" report.html)" ''
same 'names without it' "$(grep -ciE "$original" named.html | sed 's/[1-9][0-9]*/some/')" some
"$PMON_BIN" report --anonymize --format markdown WEB_01-night.csv >report.md 2>err
same 'names that are left in markdown' "$(grep -oiE ".{0,20}($original).{0,20}" report.md)" ''
"$PMON_BIN" report --anonymize -o - - <WEB_01-night.csv >piped.html 2>err
same 'names that are left from standard input' "$(grep -oiE ".{0,20}($original).{0,20}" piped.html)" ''
python3 make.py KUNDEN-before.csv
run report --anonymize WEB_01-night.csv --baseline KUNDEN-before.csv -o compared.html
status 0
same 'names that are left of two logs' "$(grep -oiE ".{0,20}($original).{0,20}" compared.html)" ''

# The same name has the same word, each word one name, and paths keep their other parts and their numbers.
cat >compare.py <<'PYTHON'
import html, re, sys

rows = []
for name in sys.argv[1:]:
    text = open(name, encoding="utf-8").read()
    rows.append([(html.unescape(path), re.findall(r'<data value="([^"]*)"', row))
                 for path, row in re.findall(r'<tr data-path="([^"]*)"(.*?)</tr>', text, re.S)])
    articles = re.findall(r"<article class=.incident.*?</article>", text, re.S)
    print(len(articles) > 0 and all(article.count("<svg") == 1 for article in articles))
words = {r"\\WEB_01": r"\\machine1", "VMSHOP:": "machine2:", r"\\web-02.corp.example": r"\\machine3", "$KUNDEN": "$instance1", "(Sales)": "(database1)",
         "(Sales*Archive)": "(database2)", "(A<b>&c)": "(database3)", "(Größe)": "(database4)", r"(CORP\alice)": "(user1)",
         "/home/bob/": "/home/user2/"}
for path, numbers in rows[0]:
    expected = path
    for name, word in words.items():
        expected = expected.replace(name, word)
    if (expected, numbers) not in rows[1]:
        print(expected, numbers)
print(len(rows[0]) == len(rows[1]) > 15)
PYTHON
same 'words and numbers' "$(python3 compare.py named.html report.html)" $'True\nTrue\nTrue'

finish
