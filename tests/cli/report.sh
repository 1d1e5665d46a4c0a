#!/usr/bin/env bash
# report.sh - the page on a log: that it is HTML and needs nothing else, and that its numbers are right
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
need python3
make_log average a.blg
make_log back back.blg
make_log evil e.blg
make_log days days.blg

# page.py FILE WHAT...: what is asked of a page, after it was found to be well-formed.
cat >page.py <<'PYTHON'
import base64, hashlib, html.parser, json, re, subprocess, sys

VOID = {"meta", "link", "br", "hr", "img", "input"}


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.stack, self.faults, self.ids, self.links, self.sources = [], [], [], [], []
        self.rows, self.row, self.facts, self.dt = [], None, [], ""
        self.text, self.svg_text, self.tags = "", [], []
        self.feed(text)
        self.close()
        if self.stack:
            self.faults.append("open at the end: %s" % self.stack)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        for name, value in attrs:
            if name.startswith("on") or name == "srcset" or name == "action":
                self.faults.append("%s on %s" % (name, tag))
            if tag == "a" and name == "href" and dict(attrs).get("rel") == "noreferrer":
                self.sources.append(value)
            elif name in ("src", "href", "xlink:href", "data") and tag != "data":
                self.links.append(value)
            if name == "id":
                self.ids.append(value)
            if name == "data-path":
                self.row = (value + "|" + dict(attrs).get("data-pid", ""), [])
                self.rows.append(self.row)
            if name == "value" and tag == "data" and self.row:
                self.row[1].append(float(value))
        if tag == "td" and ("class", "n") in attrs and "title" in dict(attrs) and self.row:
            self.row[1].append(None)
        if tag not in VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        if not self.stack or self.stack[-1] != tag:
            self.faults.append("</%s> in %s at %s" % (tag, self.stack[-3:], self.getpos()))
        elif tag == "tr":
            self.row = None
        if tag in self.stack:
            while self.stack.pop() != tag:
                pass

    def handle_data(self, data):
        self.text += data
        if "svg" in self.stack and self.stack[-1] == "text":
            self.svg_text.append(data)
        if self.stack and self.stack[-1] == "dt":
            self.dt = data
        if self.stack and self.stack[-1] == "dd":
            self.facts.append((self.dt, data))


source = open(sys.argv[1], encoding="utf-8").read()
page = Page(source)
if not source.startswith("<!DOCTYPE html>"):
    page.faults.append("no doctype")
if "iframe" in page.tags or "link" in page.tags or "img" in page.tags:
    page.faults.append("a frame, a link or an image")
# Two scripts: numbers alone, and what the policy names by its hash.
scripts = re.findall(r"<script[^>]*>(.*?)</script>", source, re.S)
hashed = base64.b64encode(hashlib.sha256(scripts[1].encode()).digest()).decode() if len(scripts) == 2 else ""
if len(scripts) != 2 or page.tags.count("script") != 2 or "script-src 'sha256-%s'" % hashed not in source:
    page.faults.append("scripts: %d" % len(scripts))
elif not json.loads(scripts[0])["columns"] or re.search("[^a-z0-9_\\s\"{}\\[\\]:,.+-]", scripts[0]):
    page.faults.append("not only numbers")
for link in page.links:
    if not link.startswith("#") or link[1:] not in page.ids:
        page.faults.append("link to " + link)
# What a browser may be led to: where the source of a limit can be read.
bare = source.replace(scripts[1], "")
for link in page.sources:
    if not link.startswith("https://"):
        page.faults.append("link to " + link)
    bare = bare.replace('href="%s"' % html.escape(link), "")
if re.search(r"url\((?!#)", scripts[1]):
    page.faults.append("an address in the script")
for target in re.findall(r"url\(([^)]*)\)", source.replace(scripts[1], "")):
    if not target.startswith("#") or target[1:] not in page.ids:
        page.faults.append("url(%s)" % target)
if re.search(r"@import|https?:|//[a-z]", bare.replace("http-equiv", "")):
    page.faults.append("an address of the network")
if len(page.ids) != len(set(page.ids)):
    page.faults.append("an id twice")
if "default-src 'none'" not in source:
    page.faults.append("no policy")
if page.faults:
    sys.exit("\n".join(page.faults[:5]))


def pmon(*args):
    return json.loads(subprocess.run([sys.argv[2], *args], capture_output=True, text=True).stdout)


def values(log, *how):
    """Every row of the page has the numbers of pmon stats: last, average, minimum, maximum."""
    stats = {"%s|%s" % (c["path"], c.get("pid") or ""): c
             for c in pmon("stats", *(how or ("--by", "process")), "--format", "json", *log)["counters"]}
    n = 0
    for path, cells in page.rows:
        c = stats[path]
        want = [c[k] for k in ("last", "average", "minimum", "maximum")]
        if len(cells) == 2:  # of a list of the largest
            want = [c["average"], c["maximum"]]
        if cells != want:
            return "%s: %s, not %s" % (path, cells, want)
        n += 1
    missing = {p for p, c in stats.items() if c["maximum"] is not None} - {r[0] for r in page.rows}
    return "good" if n > 0 and not missing else "%d rows, missing %s" % (n, sorted(missing)[:3])


def facts(log):
    info = pmon("info", "--format", "json", log)["logs"][0]
    have = {name: re.sub(r"(?<=\d),(?=\d{3})", "", text) for name, text in page.facts}
    names = {"Machine": "machine", "Recorded by": "writer", "Converted by": "converter", "Format": "format", "Bytes": "size_bytes",
             "Samples": "samples", "Counters": "counters", "Raw values": "raw_values",
             "Gaps": "gap_count", "Damaged places": "losses"}
    wrong = [n for n, key in names.items() if have.get(n, "") != str(info[key] or (
        info[key] if info[key] == 0 else ""))]
    return "good" if not wrong else "%s: %s" % (wrong, have)


def findings():
    """Level, rule, counter, share, worst, samples of each row of the findings"""
    part = source.split('id="findings"')[1].split("<details>")[0]
    found = []
    for article in part.split("<article")[1:]:
        level = re.search(r'badge">(\w+)', article).group(1)
        name = re.search(r"</span> ([^<]*) <span", article).group(1)
        for row in re.findall(r"<tr><th scope=\"row\">(.*?)</tr>", article, re.S):
            share = float(re.search(r'value="([\d.]+)"', row).group(1))
            worst = re.sub(r"<[^>]*>", "", re.search(r'n w">(.*?)</td>', row).group(1))
            samples = re.search(r">(\d+ of \d+)<", row).group(1)
            instance = re.search(r'class="i">([^<]*)', row)
            found.append("%s|%s|%s|%.3f|%s|%s" % (
                level, name, instance.group(1) if instance else "", share,
                html.unescape(worst.replace("&#8239;", " ")), samples))
    return "\n".join(found)


def says(*facts):
    """Has a sentence each of these, as words?"""
    return any(all(re.search(r"(?<!\w)%s(?!\w)" % re.escape(fact), sentence) for fact in facts)
               for sentence in re.split(r"(?<=[.!?])\s|\n\n", page.text))


for what in sys.argv[3:]:
    print(eval(what))
PYTHON
page() { python3 page.py "$1" "$PMON_BIN" "${@:2}" 2>&1; }

# ---- Numbers ------------------------------------------------------------------------------------

printf '[Disk reads]\ncounter = \\PhysicalDisk(*)\\Avg. Disk sec/Read\nwarning = > 25ms\ncritical = > 50ms\n' >any.rules
run report a.blg --rules any.rules
status 0
err_says a.html '1 threshold'
out_is ''
same 'values and facts' "$(page a.html 'values(["a.blg"])' 'facts("a.blg")')" "$(printf 'good\ngood')"
# One read of 150 ms (make_log.c), which is one interval of ten: a tenth of the time, above 50 ms.
same 'what was crossed' "$(page a.html 'findings()')" \
	'Critical|Disk reads|0 C:|0.100|150 ms|1 of 10'
run report back.blg -o back.html
same 'with values that are none' "$(page back.html 'values(["back.blg"])' '"counter_went_back" in page.text')" \
	"$(printf 'good\nTrue')"
run report days.blg
same 'dates where there are several days' "$(page days.html '"2026-11-22 15:00:00" in page.text')" True

# 101 samples, one in 15 s: the processor at 90 % in 20 of the 100 intervals, which are 5 minutes, and at 10 % in
# the others; disk C: at 30 ms in 20 and at 60 ms in another 10; D: at 30 ms in 3, which are less than a minute.
# 3000 MB of memory are left, but for two samples with 50 and 40.
awk 'BEGIN {
	printf "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\SRV\\Processor(_Total)\\%% Processor Time\""
	printf ",\"\\\\SRV\\PhysicalDisk(0 C:)\\Avg. Disk sec/Read\""
	printf ",\"\\\\SRV\\PhysicalDisk(1 D:)\\Avg. Disk sec/Read\""
	printf ",\"\\\\SRV\\Memory\\Available MBytes\"\r\n"
	for (t = 0; t <= 100; t++)
		printf "\"11/20/2026 10:%02d:%02d.000\",\"%d\",\"%s\",\"%s\",\"%d\"\r\n", t / 4, t % 4 * 15, \
			(t > 40 && t <= 60 ? 90 : 10), \
			(t > 10 && t <= 30 ? "0.03" : t > 30 && t <= 40 ? "0.06" : "0.001"), \
			(t > 50 && t <= 53 ? "0.03" : "0.002"), (t == 70 ? 50 : t == 71 ? 40 : 3000)
}' >known.csv
# By harm: 150 s at 1.2 times the limit of 50 ms; 30 s at 0.5 and 0.4 times that of 100 MB.
known='Critical|Disk reads|0 C:|0.100|60 ms|10 of 101
Critical|Available memory, absolute||0.020|40 MB|2 of 101
Warning|Processor time|_Total|0.200|90 %|20 of 101'
run report known.csv
status 0
same 'what was crossed' "$(page known.html 'findings()')" "$known"
same 'values, that are means' "$(page known.html 'values(["known.csv"])' 'says("displayed values", "no raw values")' \
	'says("means", "displayed values")' \
	'"never a mean" in page.text' '"computed from raw values" in page.text' '"N is the counter" in page.text')" \
	"$(printf 'good\nTrue\nTrue\nFalse\nFalse\nFalse')"
# A log of raw values and one of displayed ones: what holds for each.
make_log average raw.blg
run report raw.blg known.csv -o mixed.html
status 0
same 'a mixed report' "$(page mixed.html 'says("computed", "raw values")' \
	'says("exceptions", "4")' '"N is the counter" in page.text')" "$(printf 'True\nTrue\nTrue')"
gzip -c known.csv >packed.csv.gz
run report packed.csv.gz
same 'named without both ends' "$(page packed.html 'findings()')" "$known"
"$PMON_BIN" report - -o - <known.csv >piped.html 2>err
same 'standard input and output' "$(page piped.html 'findings()' '"standard input" in page.text')" \
	"$known"$'\nTrue'
run report known.csv --from 10:10:15 --to 10:15:00 -o part.html -c '\Processor(*)\*'
same 'a part of it: all of its time' \
	"$(page part.html 'findings()' 'values(["known.csv", "--from", "10:10:15", "--to", "10:15:00", "-c", r"\Processor(*)\*"])' 'facts("known.csv")')" \
	$'Warning|Processor time|_Total|1.000|90 %|20 of 20\ngood\ngood'

# An hour of trouble in a day: 240 of 5,760 intervals of 15 s.
awk 'BEGIN {
	printf "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\SRV\\Processor(_Total)\\%% Processor Time\""
	printf ",\"\\\\SRV\\PhysicalDisk(0 C:)\\Avg. Disk sec/Read\"\r\n"
	for (t = 0; t <= 5760 - 1; t++) {
		bad = t > 2000 && t <= 2240
		printf "\"11/20/2026 %02d:%02d:%02d.000\",\"%d\",\"%s\"\r\n", t / 240, t / 4 % 60, t % 4 * 15, \
			(bad ? 88 : 12), (bad ? "0.067" : "0.004")
	}
}' >day.csv
run report day.csv
status 0
same 'an hour in a day' "$(page day.html 'findings()')" 'Critical|Disk reads|0 C:|0.042|67 ms|240 of 5760
Warning|Processor time|_Total|0.042|88 %|240 of 5760'
same 'how long' "$(page day.html 'len(re.findall(r">1 h</td>", source))')" 5
# From 08:20:00 for 3,600 s of 86,385 s: 34.728 % after the beginning, 4.167 % wide. The disk is beyond both of its
# limits, and all of it is one incident.
same 'a bar for each episode' "$(page day.html 're.findall(r"left:min.([0-9.]+)%[^;]*;width:([0-9.]+)%", source)')" \
	"[('34.728', '4.167'), ('34.728', '4.167'), ('34.728', '4.167'), ('34.728', '4.167')]"
same 'the summary' "$(page day.html 're.sub("<[^>]*>", "", re.search(r"class=.summary.>(.*)</p>", source).group(1)).partition(" from 08:20:00 for 1 h.")[0]')" \
	'1 critical incident: Reads of disk 0 C: take 67 ms (usually 4 ms, limit 50 ms)'
# The incidents are those of pmon health. Each has a card with its times and its chart, and leads to the limit that was
# crossed in it.
rows='[(b, re.sub("<[^>]*>", "", h)) for b, h in re.findall(r"<th scope=.row.>(?:<a href=.#incident-\d+.>)?<span class=.badge.>(\w+)</span> (.*?)(?:</a>|<br>|</th>)", source.split("id=\"incidents\"")[1].split("</table>")[0])]'
cards='[(b, re.sub("<[^>]*>", "", h)) for b, h in re.findall(r"<article class=.incident \w+. id=.incident-\d+.><h3><span class=.badge.>(\w+)</span> (.*?)</h3>", source)]'
told='[(i["severity"].capitalize(), i["headline"]) for i in pmon("health", "--format", "json", LOG)["incidents"]]'
same 'the incidents of pmon health' "$(page day.html "$rows == ${told/LOG/\"day.csv\"} != []" "$cards == $rows")" $'True\nTrue'
same 'when it was' "$(page day.html 're.sub("<[^>]*>", "", re.search(r"<p class=.when.>(.*)</p>", source).group(1)).replace("&#8211;", "-")')" \
	'08:20:00 - 09:20:00, 1 h'
# The chart is of an hour before and after it, too. Its panels begin at 76 and are 864 wide; the middle third is grey.
same 'its chart' "$(page day.html '[c.count("M364 ") + c.count("M364,") > 0 and "h288" in c for c in re.findall("<article class=.incident.*?</article>", source, re.S)]')" \
	'[True]'
same 'a link to the limit' "$(page day.html 'source.split("id=\"incidents\"")[1].split("</section>")[0].count("#finding-0")')" 1
sed 's/SRV/SRW/g; s/"88"/"12"/g; s/"0.067"/"0.004"/g' day.csv >other.csv
run report other.csv
same 'nothing was wrong' "$(page other.html 'says("Nothing was unusual")')$(page other.html "$rows" "$cards")" $'True[]\n[]'
rm other.html
same 'percentiles' "$(page day.html '">95&#8239;%</th>" in source')" True
# Each finding has a card with its chart, its worst episode, the average over that, and the source of its limit.
card='[re.sub("<[^>]*>", "", x) for x in re.findall(r"<td>(.*?)</td><td class=.n.>(.*?)</td><td class=.n average.>(.*?)</td>", c)[0]]'
same 'cards' "$(page day.html "[$card for c in source.split('<article class=\"finding')[1:3]]" \
	'[c.count("<svg") == 1 and "noreferrer" in c for c in re.findall("<article class=.finding.*?</article>", source, re.S)[:2]]')" \
	"[['08:20:00', '1 h', '67 ms~'], ['08:20:00', '1 h', '88 %~']]
[True, True]"
# Lock waits are displayed in milliseconds, and so is a limit without a unit: 20 minutes with 25 s, else 20 ms.
awk 'BEGIN {
	printf "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\SRV\\SQLServer:Locks(_Total)\\Average Wait Time (ms)\"\r\n"
	for (t = 0; t < 240; t++)
		printf "\"11/20/2026 10:%02d:%02d.000\",\"%d\"\r\n", t / 4, t % 4 * 15, (t > 80 && t <= 160 ? 25000 : 20)
}' >locks.csv
printf '[Lock waits]\ncounter = \\SQLServer:Locks(*)\\Average Wait Time (ms)\nwarning = > 500\nfor = 1m\n' >locks.rules
run report locks.csv --rules locks.rules
status 0
same 'a limit without a unit' "$(page locks.html 'sorted({t for t in page.svg_text if re.search(r"\b500\b", t)})' \
	'max(float(t[:-2]) for t in page.svg_text if re.fullmatch("[0-9.]+ s", t)) < 40')" "['500 ms', 'warning 500 ms']"$'\nTrue'
# 10 minutes in which one process had 90 of 95 %.
awk 'BEGIN {
	printf "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\SRV\\Processor(_Total)\\%% Processor Time\""
	printf ",\"\\\\SRV\\Process(big)\\%% Processor Time\",\"\\\\SRV\\Process(small)\\%% Processor Time\"\r\n"
	for (t = 0; t <= 100; t++)
		printf "\"11/20/2026 10:%02d:%02d.000\",\"%d\",\"%d\",\"5\"\r\n", t / 4, t % 4 * 15, \
			(t > 20 && t <= 60 ? 95 : 10), (t > 20 && t <= 60 ? 90 : 5)
}' >who.csv
run report who.csv
same 'who was busy' "$(page who.html 're.findall("Busy from[^:]*:.*: [^\n]*", page.text)')" \
	"['Busy from 10:05:00 to 10:15:00, by % Processor Time: big 95 %, small 5 %']"
run report day.csv other.csv -o both.html
same 'machines beside each other' "$(page both.html 're.findall(r"<tr><th[^>]*>(SR.)</th>(.*)</tr>", source)' | sed 's/<[^>]*>/ /g; s/  */ /g')" \
	"[('SRV', ' 1 0 15.17 % - 6.625 ms - - '), ('SRW', ' 0 0 12 % - 4 ms - - ')]"
# ---- A log to compare with ------------------------------------------------------------------------

# hour_of FILE DISK MEMORY OTHER: an hour of such values, each a little more in every other sample.
hour_of() {
	awk -v d="$2" -v m="$3" -v o="$4" 'BEGIN {
		printf "\"(PDH-CSV 4.0) (UTC)(0)\""
		printf ",\"\\\\SRV\\PhysicalDisk(0 C:)\\Avg. Disk sec/Read\",\"\\\\SRV\\Memory\\Available MBytes\""
		printf ",\"\\\\SRV\\Shop\\Orders\"\r\n"
		for (t = 0; t < 240; t++) {
			more = 1 + t % 2 / 100
			printf "\"11/20/2026 10:%02d:%02d.000\",\"%.9f\",\"%.9f\",\"%.9f\"\r\n", t / 4, t % 4 * 15, \
				d * more, m * more, o * more
		}
	}' >"$1"
}
hour_of mon.csv 0.03 8000 100
hour_of tue.csv 0.004 900 500
differences='[[k, n, v] for k, part in re.findall(r"<h3>(Worse|Better|Other differences)</h3>(.*?)</table>", source, re.S)
	for n, v in [(re.sub("<[^>]*>", "", h), [float(x) for x in re.findall(r"<data value=.([0-9.e+-]+)", row)])
	for h, row in re.findall(r"<tr><th scope=.row.>(.*?)</th>(.*?)</tr>", part)]]'
engine='[[s["before"]["average"], s["after"]["average"], s["before"]["p95"], s["after"]["p95"]] for s in pmon("diff", "mon.csv", "tue.csv", "--format", "json")["series"]]'
run report tue.csv --baseline mon.csv
status 0
same 'worse, better and other' "$(page tue.html "[d[:2] for d in ${differences//$'\n\t'/ }]")" \
	"[['Worse', 'Memory Available MBytes'], ['Better', 'PhysicalDisk Avg. Disk sec/Read 0 C:'], ['Other differences', 'Shop Orders']]"
same 'as pmon diff has them' "$(page tue.html "sorted(d[2] for d in ${differences//$'\n\t'/ }) == sorted($engine) != []")" True
same 'factors' "$(page tue.html 're.findall("([0-9.]+)&#215;", source)')" "['0.113', '0.133', '5']"
same 'said in the summary' "$(page tue.html 're.findall("Compared with mon.csv, [^<]*[.]", source)')" \
	"['Compared with mon.csv, 0 findings are new or worse, 1 is gone or better; 1 counter is worse, 1 is better, and 1 other differs.']"
# trouble_of FILE MINUTES: four hours at a minute; the disk takes 60 ms, and memory is at 300 MB, in the last MINUTES.
trouble_of() {
	awk -v minutes="$2" 'BEGIN {
		printf "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\SRV\\PhysicalDisk(0 C:)\\Avg. Disk sec/Read\",\"\\\\SRV\\Memory\\Available MBytes\"\r\n"
		for (t = 0; t <= 240; t++) {
			more = 1 + t % 2 / 100
			bad = t > 240 - minutes
			printf "\"11/20/2026 %02d:%02d:00.000\",\"%.9f\",\"%.9f\"\r\n", 10 + int(t / 60), t % 60, \
				(bad ? 0.06 : 0.004) * more, (bad ? 300 : 8000) * more
		}
	}' >"$1"
}
trouble_of calm.csv 0
trouble_of half.csv 30
trouble_of hour.csv 60
findings='[re.sub("(<[^>]*>)+", "|", row).strip("|\n") for row in re.findall("<h3>Findings</h3>(.*?)</table>", source, re.S)[0].split("<tr>")[2:]]'
run report hour.csv --baseline calm.csv -o hour.html
status 0
same 'the incidents of the baseline' "$(page hour.html 'says("Incidents of the baseline", "none")')" True
same 'an hour of trouble in four is new' "$(page hour.html "$findings")" \
	"['Available memory, absolute |critical|none|1 h, 25&#8239;% of the time|new', 'Disk reads (0 C:) |critical|none|1 h, 25&#8239;% of the time|new']"
# The median of 240 values does not change with 60 of them; their 95th percentile is 60 ms, within 0.5 %.
same 'and worse' "$(page hour.html "[(n, round(v[3], 2)) for k, n, v in ${differences//$'\n\t'/ } if k == 'Worse']")" \
	"[('PhysicalDisk Avg. Disk sec/Read 0 C:', 0.06)]"
# So does pmon diff: 60 of 241 samples are outside the usual band of the other log, and none the other way round.
same 'as pmon diff has it' "$(page hour.html '[(s["path"].rpartition(chr(92))[2], round(s["after"]["p99"], 2), round(s["after"]["outside"], 2), s["before"]["outside"]) for s in pmon("diff", "calm.csv", "hour.csv", "--format", "json")["series"]]')" \
	"[('Avg. Disk sec/Read', 0.06, 0.25, 0)]"
run report hour.csv --baseline half.csv -o worse.html
same 'an hour is worse than half an hour' "$(page worse.html "[f.rpartition('|')[2] for f in $findings]")" "['worse', 'worse']"
run report half.csv --baseline hour.csv -o better.html
same 'those of the baseline are listed' "$(page better.html "all(h in page.text for s, h in ${told/LOG/\"hour.csv\"})")" True
same 'and half an hour better' "$(page better.html "[f.rpartition('|')[2] for f in $findings]")" "['better', 'better']"
run report hour.csv --baseline hour.csv -o equal.html
same 'and an hour as it was' "$(page equal.html "[f.rpartition('|')[2] for f in $findings]")" "['as it was', 'as it was']"
run report calm.csv --baseline hour.csv -o gone.html
same 'and none is gone' "$(page gone.html "[f.rpartition('|')[2] for f in $findings]")" "['gone', 'gone']"
same 'the command for all differences' "$(page tue.html 're.findall("<code>(.*?)</code>", source)')" "['pmon diff mon.csv tue.csv']"
run report tue.csv --baseline tue.csv -o same.html
same 'nothing is another' "$(page same.html 'says("none", "median", "average")')" True
run report tue.csv --baseline tue.csv -c '\Shop\Orders' -o same1.html
same 'one counter' "$(page same1.html 'says("1 counter", "median", "average")')" True
head -n 3 mon.csv >few.csv
run report tue.csv --baseline few.csv -o few.html
same 'too few samples' "$(page few.html 'says("2", "240", "baseline")')" True
make_log long whole.blg 50
head -c 200000 whole.blg >cut.blg
run report tue.csv --baseline cut.blg -o cutbase.html
status 3
if [ "$(uname)" = Linux ]; then
	run report --baseline mon.csv -i 20ms -n 5 -o nowbase.html
	status 0
	same 'this machine and a log' "$(page nowbase.html '"Compared with mon.csv" in page.text')" True
fi
run report tue.csv --baseline missing.csv -o none.html
status 1
[ ! -e none.html ] && ok || bad 'a page without its baseline'

# ---- Glossary -----------------------------------------------------------------------------------

# The words and counters of the page, with the texts that pmon explain has.
glossary='dict((re.sub("<[^>]*>", "", a), b) for a, b in re.findall("<div[^>]*><dt>(.*?)</dt><dd>(.*?)</dd>", source.split("id=\"glossary\"")[1]))'
same 'what is in the page' "$(page tue.html "sorted($glossary)" "$glossary['PhysicalDisk Avg. Disk sec/Read']")" \
	"['50 %, 95 %, 99 %', 'Factor', 'Memory Available MBytes', 'PhysicalDisk Avg. Disk sec/Read']
Average read latency, including time in the queue."
same 'words of findings' "$(page day.html "'Episode' in $glossary and 'Factor' not in $glossary")" True

# ---- Hours --------------------------------------------------------------------------------------

# 30 hours at two minutes: 10 %, from 26 h on 90 %; the rows are those of relog --step 1h.
awk 'BEGIN {
	printf "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\SRV\\Processor(_Total)\\%% Processor Time\"\r\n"
	for (t = 0; t <= 900; t++)
		printf "\"11/%02d/2026 %02d:%02d:00.000\",\"%d\"\r\n", 20 + int(t / 720), t / 30 % 24, t % 30 * 2, \
			(t > 780 ? 90 : 10)
}' >long.csv
hours='[(d, re.findall("<td[^>]*>([0-9.]*)</td>", cells)) for d, cells in re.findall(r"<th scope=.row.>(\w+ 2026-\d\d-\d\d)</th>(.*)</tr>", source)]'
run report long.csv
status 0
same 'hours of days' "$(page long.html "[(d, c[:7], c[-1]) for d, c in $hours]" '"id=\"hours\"" in source')" \
	"[('Fri 2026-11-20', ['10', '10', '10', '10', '10', '10', '10'], '10'), ('Sat 2026-11-21', ['10', '10', '90', '90', '90', '90', ''], '')]
True"
"$PMON_BIN" relog long.csv --step 1h -f csv -o - 2>/dev/null | tail -n +3 | cut -d'"' -f4 >steps
same 'as relog averages them' "$(page long.html "[float(x) for _, c in $hours for x in c if x] == [round(float(x)) for x in open('steps')]")" True
# A latency that the log holds as displayed values: 1 waits at 10 and at 190 reads a second in turn, 10 ms; the mean of
# the cells would be 52.6.
awk 'BEGIN {
	printf "\"(PDH-CSV 4.0) (UTC)(0)\""
	split("Avg. Disk sec/Read,Avg. Disk Read Queue Length,Disk Reads/sec", names, ",")
	for (i = 1; i <= 3; i++)
		printf ",\"\\\\SRV\\PhysicalDisk(0 C:)\\%s\"", names[i]
	printf "\r\n"
	for (t = 0; t <= 900; t++)
		printf "\"11/%02d/2026 %02d:%02d:00.000\",\"%.9f\",\"1\",\"%d\"\r\n", 20 + int(t / 720), \
			t / 30 % 24, t % 30 * 2, 1 / (t % 2 ? 10 : 190), (t % 2 ? 10 : 190)
}' >latency.csv
run report latency.csv
status 0
disk='re.split("scope=.rowgroup.", source.split("id=\"hours\"")[1].split("</table>")[0])'
same 'hours of a latency' \
	"$(page latency.html "[set(re.findall('<td[^>]*>([0-9.]+)</td>', part)) for part in $disk if 'sec/Read*' in part]" \
		'"divided by its mean rate" in source')" \
	"[{'10'}]
True"
# Without the queue length the hours are those of the cells: 0.01 s in each.
awk 'BEGIN {
	print "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\SRV\\PhysicalDisk(_Total)\\Avg. Disk sec/Read\",\"\\\\SRV\\PhysicalDisk(_Total)\\Disk Reads/sec\""
	for (t = 0; t < 110; t++)
		printf "\"11/%02d/2026 %02d:%02d:00.000\",\"0.01\",\"100\"\n", 20 + int(t / 96), t / 4 % 24, t % 4 * 15
}' >rate.csv
run report rate.csv
status 0
same 'hours of a latency without its queue length' \
	"$(page rate.html "[set(re.findall('<td[^>]*>([0-9.]+)</td>', part)) for part in $disk if 'sec/Read' in part]")" "[{'10'}]"
# Two counters of a unit, of which one is 100 times as large: the larger number is never the lighter one.
awk 'BEGIN {
	printf "\"(PDH-CSV 4.0) (UTC)(0)\""
	for (i = 0; i < 2; i++)
		printf ",\"\\\\SRV\\PhysicalDisk(%s)\\Avg. Disk sec/%s\"", i ? "1 D:" : "0 C:", i ? "Write" : "Read"
	printf "\r\n"
	for (t = 0; t <= 900; t++)
		printf "\"11/%02d/2026 %02d:%02d:00.000\",\"%.4f\",\"%.4f\"\r\n", 20 + int(t / 720), t / 30 % 24, \
			t % 30 * 2, 0.001 * (1 + int(t / 30) % 5), 0.1 * (1 + int(t / 30) % 5)
}' >shades.csv
run report shades.csv
status 0
cells='sorted((float(value), int(shade)) for shade, value in re.findall(r"<td class=.h(\d).>([\d.]+)</td>", source))'
same 'shades by one scale' \
	"$(page shades.html "[shade for _, shade in $cells] == sorted(shade for _, shade in $cells)" \
		"len({value for value, _ in $cells})" "{shade for value, shade in $cells if value <= 5}")" \
	'True
10
{0}'
same 'not for a day' "$(page day.html '"id=\"hours\"" in source')" False

{ head -n 1 day.csv && sed -n '3000,4000p' day.csv; } >calm.csv
run report calm.csv
same 'a quiet log' "$(page calm.html 'says("Both", "limits")')" True
same 'links to the sources' "$(page day.html 'len(page.sources)')" 3

# What is said of a single sample, and of rules and packs that were not judged.
head -n 2 calm.csv >one.csv
run report one.csv -o once.html
same 'one sample' "$(page once.html 'says("too few samples", "gaps")' 'says("no gaps")')" "$(printf 'True\nFalse')"
packs=$("$PMON_BIN" health --all --format json calm.csv 2>/dev/null | python3 -c '
import json, sys
rules = [n["rule"] is not None for n in json.load(sys.stdin)["not_judged"]]
print("%d rules could not be judged; no counters for %d packs of rules." % (sum(rules), len(rules) - sum(rules)))')
same 'not judged' "$(page calm.html "'${packs:?}' in page.text")" True

# ---- User-defined rules ----------------------------------------------------------------------------

printf '[Slow <b>]\ncounter = \\PhysicalDisk(*)\\Avg. Disk sec/Read\nwarning = > 20ms\nfor = 9s\nsource = A & B\n' >ours.rules
run report known.csv --rules ours.rules -o ours.html --title 'T <1>'
same 'what was crossed' "$(page ours.html 'findings()')" \
	'Warning|Slow &lt;b&gt;|0 C:|0.300|60 ms|30 of 101
Warning|Slow &lt;b&gt;|1 D:|0.030|30 ms|3 of 101'
same 'names' "$(page ours.html '"Slow <b>" in page.text' '"A & B" in page.text' '"T <1>" in page.text')" \
	"$(printf 'True\nTrue\nTrue')"
printf '[A]\ncolour = red\n' >bad.rules
run report known.csv --rules bad.rules -o no.html
status 2
err_says bad.rules:2:1: key
run report known.csv --rules missing.rules -o no.html
status 1
[ ! -e no.html ] && ok || bad 'a page was written'
run report known.csv --rules "$PMON_SOURCE_DIR/rules/windows.rules" -o shipped.html
same 'the file that is shipped' "$(page shipped.html 'findings()')" "$known"

# ---- Names, pictures ----------------------------------------------------------------------------

run report e.blg -o evil.html
status 0
same 'values of evil names' "$(page evil.html '"<b>bold</b>" in page.text' \
	'any(c < " " and c != "\n" for c in source)' '"\ufffd" in page.text' '"b" in page.tags')" \
	"$(printf 'True\nFalse\nTrue\nFalse')"
# Three findings and three objects, and the incidents.
same 'pictures with texts' "$(page known.html 'page.tags.count("svg") - len(pmon("health", "--format", "json", "known.csv")["incidents"])' \
	'"% Processor Time" in page.svg_text' '"25 ms" in page.svg_text and "50 ms" in page.svg_text' \
	'"rgb(" in source' '"<symbol" in source')" "$(printf '6\nTrue\nTrue\nFalse\nFalse')"

# ---- Bounds -------------------------------------------------------------------------------------

awk 'BEGIN {
	printf "\"(PDH-CSV 4.0) (UTC)(0)\""
	for (i = 0; i < 6000; i++)
		printf ",\"\\\\SRV\\Object %d(instance %d)\\Counter\"", i % 150, i
	for (t = 0; t < 3; t++) {
		printf "\r\n\"11/20/2026 10:00:%02d.000\"", t
		for (i = 0; i < 6000; i++)
			printf ",\"%d\"", t + i
	}
	printf "\r\n"
}' >wide.csv
run report wide.csv
status 0
# 100 objects of 40 counters each, of which the first 75 have room in 3000 rows; 24 charts of one series.
same 'how much there is' "$(page wide.html 'len(page.rows) - 24 * (page.tags.count("figure") > 0)' \
	'source.count("and 40 more, which")' 'page.tags.count("figure")' \
	'says("first 100", "left out")')" "$(printf '3000\n25\n24\nTrue')"
[ "$(wc -c <wide.html)" -lt 3000000 ] && ok || bad "a page of $(wc -c <wide.html) bytes"

# ---- Markdown -----------------------------------------------------------------------------------

# Of known.csv above: (20 x 90 + 81 x 10) / 101 = 25.84 %, first at 90 % in sample 41, 615 s after 10:00;
# (20 x 30 + 10 x 60 + 71 x 1) / 101 = 12.58 ms, first at 60 ms in sample 31; D: has (3 x 30 + 98 x 2) / 101, which is
# less; (99 x 3000 + 50 + 40) / 101 = 2941.5 MB, the least in sample 71.
run report known.csv --format markdown -o known.md
status 0
err_says known.md
same 'key numbers' "$(sed -n '/^## Key numbers/,/^## /p' known.md | grep '^| [a-z]')" \
	'| processor | \\Processor(\_Total)\\% Processor Time | 25.84 %\~ | 10 % | 90 % | 10:10:15 |
| memory | \\Memory\\Available MBytes | 2.873 GB | 40 MB | 2.93 GB | 10:17:45 |
| disk | \\PhysicalDisk(0 C:)\\Avg. Disk sec/Read | 12.58 ms\~ | 1 ms | 60 ms | 10:07:45 |'
same 'the incidents of pmon health' "$(sed -n '/^## Incidents/,/^## /p' known.md | grep '^|')" \
	"$("$PMON_BIN" health --format markdown known.csv 2>/dev/null | grep '^|')"
same 'a source of the limits' "$(grep -c '^  <https://[^ ]*>$' known.md)" \
	"$("$PMON_BIN" health known.csv 2>/dev/null | grep -c '^  https://')"
run report days.blg --format markdown --title 'a_b'
status 0
out_has '# a\_b'
out_has '| 2026-11-2'
run report known.csv --format markdown -o page.html
status 2
err_says page.html .md
run report known.csv -o ticket.md
status 2
err_says '--format markdown'
run report known.csv --format markdown --baseline a.blg
status 2
err_says --baseline 'pmon diff'

# ---- This machine -------------------------------------------------------------------------------

if [ "$(uname)" = Linux ]; then
	run report -i 20ms -o live.html # sixty samples where nothing is said
	status 0
	same 'only messages about what it found' "$(grep -vc -e 'live.html:.* crossed' -e ' a gap$' <<<"$err")" 0
	same 'this machine' "$(page live.html 'dict(page.facts)["Samples"]' '"Memory" in page.text')" \
		"$(printf '60\nTrue')"
fi

# ---- Refused ------------------------------------------------------------------------------------

run report known.csv
status 1
err_says known.html exists -y
run report known.csv -y
status 0
run report missing.blg
status 1
same 'said once' "$(grep -c missing.blg <<<"$err")" 1
run report missing.blg known.csv -o one.html
status 1
same 'what is left out' "$(page one.html 'says("1 of 2 logs")')" True
same 'of several logs those that can be read' "$(page one.html 'findings()')" "$known"
run report known.csv -c '\No\Such' -o no.html
status 1
err_says '\No\Such'
run report known.csv --from 23:00 -o no.html
status 1
err_says '2026-11-20 23:00:00.000'
run report known.csv -o no/such/folder.html
status 1
if [ -w /dev/full ]; then
	code=0
	"$PMON_BIN" report known.csv -o - >/dev/full 2>err || code=$?
	same 'a full disk' "$code $(grep -c 'No space left' err)" '1 1'
fi

# x is process 10, then 11, then 12. By process 7, 3 and 5 reads in a second.
process_log 'IO Data Bytes/sec' >process.jsonl <<-'SAMPLES'
	0 10 100
	1 10 107
	2 11 4000
	3 11 4003
	4 12 9000
	5 12 9005
SAMPLES
top='re.findall(r"<th scope=\"row\">(x[^<]*)</th><td class=\"bar\">.*?value=\"([0-9.]+)\"", source)'
run report process.jsonl
status 0
same 'processes' "$(page process.html 'values(["process.jsonl"])' "$top")" \
	"$(printf '%s\n' good "[('x (10)', '7'), ('x (12)', '5'), ('x (11)', '3')]")"
run report --identity windows process.jsonl -o place.html
same 'places' "$(page place.html 'values(["process.jsonl"], "--identity", "windows")' '"x (10)" in page.text')" \
	"$(printf 'good\nFalse')"
"$PMON_BIN" report -c '\Process(*)\IO*' - -o stdin.html <process.jsonl 2>err
same 'counters of standard input' "$(page stdin.html 'values(["process.jsonl", "-c", "\\Process(*)\\IO*"])' \
	'dict(page.facts)["Counters"]')" "$(printf 'good\n1')"
run report cut.blg -o cut.html
status 3
same 'damage in the summary' "$(page cut.html '"Some data could not be read" in page.text')$(page day.html '"Some data could not be read" in page.text')" TrueFalse
same 'damage' "$(page cut.html 'says("3 places", "damaged")' 'facts("cut.blg")' \
	'says("cut off")')" "$(printf 'True\ngood\nTrue')"
"$PMON_BIN" report - -o cutpipe.html <cut.blg 2>/dev/null
same 'damage of standard input' "$(page cutpipe.html '"the file ends inside" in page.text')" True
same 'nothing is left over' "$(find . -name '*.tmp*' -o -name 'no.html')" ''

# ---- Text logs ----------------------------------------------------------------------------------

# A queue of 0.5 at 20 reads a second is 25 ms for each; the cells say 10 ms. Nothing says which process is which.
printf '"%s"\r\n' '(PDH-CSV 4.0) (UTC)(0)","\\S\PhysicalDisk(0 C:)\Avg. Disk sec/Read","\\S\PhysicalDisk(0 C:)\Avg. Disk Read Queue Length","\\S\PhysicalDisk(0 C:)\Disk Reads/sec","\\S\Process(a)\Thread Count' \
	'01/01/2024 00:00:00.000","0.01","0.5","20","5' '01/01/2024 00:00:01.000","0.01","0.5","20","5' \
	'01/01/2024 00:00:02.000","0.01","0.5","20","6' >text.csv
run report text.csv
status 0
same 'the latency that follows from other counters' \
	"$(page text.html 're.findall(">Avg. Disk sec/Read .*?Average|>Avg. Disk sec/Read <.*?</th><td.*?</td><td class=.n.><data value=.([0-9.]+).>25</data>[*]", source) != []' \
		'says("latencies", "operation rate")')" \
	"$(printf 'True\nTrue')"
same 'processes by their names alone' "$(page text.html 'page.text.count("have no ID Process")')" 1

# Logs with several intervals have none in the head of the page; each has its own among the facts.
head -n 2 text.csv >other.csv
printf '"%s"\r\n' '01/01/2024 00:00:05.000","0.01","0.5","20","5' '01/01/2024 00:00:10.000","0.01","0.5","20","5' >>other.csv
run report text.csv other.csv -o steps.html
same 'no interval of logs with several' "$(page steps.html '"Interval" in source.split("</header>")[0]' 're.findall("Interval</dt><dd>([^<]*)", source)')" \
	"$(printf "False\n['1 s', '5 s']")"
run report text.csv -o one.html -y
same 'the interval of one' "$(page one.html '"Interval</dt><dd>1 s" in source.split("</header>")[0]')" True

finish
