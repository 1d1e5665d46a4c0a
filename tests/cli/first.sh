#!/usr/bin/env bash
# first.sh - pmon FILE: the first screen
# SPDX-License-Identifier: MIT
#
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# Four hours, a sample every 15 s. In the second hour the processors are at 91 % and disk C: reads in 67 ms; else at
# 11 % and 4 ms. sqlservr uses 2 processors, w3wp 0.5, all the time, so neither is the cause; _Total and Idle use more.
make_csv() { # MACHINE START_HOUR
	awk -v machine="$1" -v hour="$2" 'function column(path) { printf ",\"\\\\%s\\%s\"", machine, path }
	BEGIN {
		printf "\"(PDH-CSV 4.0) (UTC)(0)\""
		column("Processor(_Total)\\% Processor Time")
		column("Processor(0)\\% Processor Time")
		column("Processor(1)\\% Processor Time")
		column("Memory\\Available MBytes")
		column("PhysicalDisk(0 C:)\\Avg. Disk sec/Read")
		column("PhysicalDisk(1 D:)\\Avg. Disk sec/Read")
		column("Process(_Total)\\% Processor Time")
		column("Process(Idle)\\% Processor Time")
		column("Process(sqlservr)\\% Processor Time")
		column("Process(w3wp)\\% Processor Time")
		column("Process(sqlservr)\\ID Process")
		column("Process(w3wp)\\ID Process")
		column("System\\Processes")
		printf "\r\n"
		for (t = 0; t < 961; t++) {
			bad = t > 240 && t <= 480
			printf "\"11/20/2026 %02d:%02d:%02d.000\",\"%d\",\"%d\",\"%d\",\"%d\",\"%s\",\"0.002\"", \
				hour + int(t / 240), t / 4 % 60, t % 4 * 15, bad ? 91 : 11, bad ? 92 : 12, bad ? 90 : 10, \
				bad ? 3000 : 6000, bad ? "0.067" : "0.004"
			printf ",\"800\",\"550\",\"200\",\"50\",\"1200\",\"7712\",\"0\"\r\n"
		}
	}'
}
make_csv SRV 8 >day.csv

# Every line fits into so many columns, and all of them into 30 lines.
fits() { # COLUMNS
	[ "$(LC_ALL=C.UTF-8 wc -L <<<"$out")" -le "$1" ] && ok || bad "a line has more than $1 columns: $out"
	[ "$(wc -l <<<"$out")" -le 30 ] && ok || bad "$(wc -l <<<"$out") lines"
}

# ---- What it shows ----------------------------------------------------------------------------------

# A quarter of the samples are bad, and 95 of 100 are at most that; 6,000 MB are 5.859 GB of 1,024 MB.
# Means are counted on the fingers: (721 * 11 + 240 * 91) / 961 = 30.98; 2 processors for 4 h are 28,800 s.
# sqlservr has 2 of the 2.5 processors that the processes use.
run day.csv
status 0
err_is ''
fits 100
same 'the screen' "$(sed -E 's/  [.:=+*#-]+$//; s/ +$//' <<<"$out")" "SRV  2 processors  2026-11-20 08:00:00 - 12:00:00 (UTC)  961 samples, one every 15 s, no gaps
13 counters in 5 objects; 1 of them stayed at 0

CRITICAL  09:00:00-10:00:00  Reads of disk 0 C: take 67 ms (usually 4 ms, limit 50 ms)
          Processor is busy 91 % (usually 11 %, limit 90 %); no process in this log rose with it
$("$PMON_BIN" health day.csv | sed -nE 's/^.*; ([0-9]+) rules? within the limits; ([0-9]+) not judged.*/\1 rule within its limits; \2 not judged/p') (pmon health --all day.csv says why)

                       average       p95          max  at
Processor             30.98 %~      91 %         91 %  09:00:15
Memory available      5.128 GB  5.859 GB  min 2.93 GB  09:00:15
Disk read 0 C:       19.73 ms~     67 ms        67 ms  09:00:15
Busiest processor 0   31.98 %~      92 %         92 %  09:00:15
Top processes  sqlservr (1200) 2 CPUs (28,800 s)  w3wp (7712) 0.5 (7,200 s)

all counters: pmon stats day.csv     page: pmon view day.csv     send: pmon report day.csv"
# The second of four hours is high.
grep -qE '^Processor .*  \.{3,4}#{4,6}\.{6,8}$' <<<"$out" && ok || bad "the sparkline: $out"
grep -qE '^Memory .*  #{3,4}[-=]{4,6}#{6,8}$' <<<"$out" && ok || bad "the sparkline of what is left: $out"
run day.csv --tz +02:00
out_has '2026-11-20 10:00:00 - 14:00:00 (UTC+02:00)'
out_has 'CRITICAL  11:00:00-12:00:00  Reads of disk'
screen=$out
same 'a pipe' "$("$PMON_BIN" - --tz +02:00 <day.csv | head -n 6)" "$(sed 's/day.csv says/- says/' <<<"$screen" | head -n 6)"

# Without the numbers of processes it says so.
sed 's/ID Process/Handle Count/g' day.csv >nameless.csv
run nameless.csv
err_says_only ID Process
out_has 'Top processes  sqlservr 2 CPUs (28,800 s)  w3wp 0.5 (7,200 s)'
# Another process of the same name is another row: from the middle of the log on w3wp is 7713, for 480 intervals
# of 15 s; 7712 was there for 479. Half a processor is 3,600 s, and 3,592.5 s.
awk -F '","' -v OFS='","' 'NR > 481 { sub(/7712/, "7713") } { print }' day.csv >restart.csv
run restart.csv
out_has 'w3wp (7713) 0.25 (3,600 s)'
out_has 'w3wp (7712) 0.249 (3,593 s)'
# A counter of both is one counter of the log, as in stats.
out_says 13 5 1 0
# A counter that is not shown is read as long as it is 0, also when that ends late.
sed -E '900s/"0"\r?$/"7"\r/' day.csv >late.csv
run late.csv
out_has '13 counters in 5 objects'
out_lacks 'stayed at 0'

# Names of another language, as the translations in share/names have them.
printf '%s\r\n' '"(PDH-CSV 4.0) (UTC)(0)","\\SRV\Thread(a)\Prozessorzeit (%)"' '"11/20/2026 15:00:00.000","10"' \
	'"11/20/2026 15:00:15.000","20"' >german.csv
run german.csv
out_has 'Prozessorzeit (%) a    15 %~'
run german.csv --names en
status 0
out_has '% Processor Time a    15 %~'

# A table of names makes known what pmon does not know: the counter is judged, and has its place in the overview.
sed 's/Thread(a).Prozessorzeit (%)/Cpu-ting(_Total)\\% travl/' german.csv >other.csv
printf 'Processor\tCPU-Ting\nProcessor\\%% Processor Time\t%% Travl\n' >names.tsv
run other.csv
out_says judged
run other.csv --names-table names.tsv
status 0
out_says '1 rule'
out_has 'Processor    15 %~'

# Volumes are slower than the disks, which come first: also after 64 samples, from which on what cannot be chosen is not
# followed, and if disks have values only then. 100 samples of 3 ms and 100 of 8 ms are 5.5 ms on average.
disks() { # FIRST HALF OF DISK 1
	awk -v first="$1" 'function column(path) { printf ",\"\\\\S\\%s\\Avg. Disk sec/Read\"", path }
	BEGIN {
		printf "\"(PDH-CSV 4.0) (UTC)(0)\""
		column("PhysicalDisk(0 C:)")
		column("PhysicalDisk(1 D:)")
		column("LogicalDisk(C:)")
		column("LogicalDisk(D:)")
		printf "\r\n"
		for (t = 0; t < 200; t++)
			printf "\"11/20/2026 08:%02d:%02d.000\",\"%s\",\"%s\",\"0.5\",\"0.6\"\r\n", \
				t / 60, t % 60, t < 100 && first == "" ? "" : "0.002", t < 100 ? first : "0.008"
	}'
}
disks 0.003 >disks.csv
run disks.csv
out_has 'Disk read 1 D:  5.5 ms~  8 ms  8 ms  08:01:40'
disks '' >disks.csv
run disks.csv
out_has 'Disk read 1 D:    8 ms~  8 ms  8 ms  08:01:40'

# ---- A quiet log, one without anything to judge, and one without anything ---------------------------

{ head -n 1 day.csv && sed -n '500,900p' day.csv; } >quiet.csv
run quiet.csv
status 0
out_says 'No limit' judged
out_lacks CRITICAL
fits 100
printf '"(PDH-CSV 4.0) (UTC)(0)","\\\\SRV\\Ours(a)\\Things"\r\n"11/20/2026 08:00:00.000","1"\r\n"11/20/2026 08:00:01.000","1500000"\r\n' >ours.csv
run ours.csv
status 0
out_says judged
out_has 'Things a  750,001?  1,500,000  1,500,000'
out_lacks 'within'
cp ours.csv 'two words.csv'
run 'two words.csv'
out_has "pmon stats 'two words.csv'"

# ---- Terminals --------------------------------------------------------------------------------------

for columns in 80 100 140; do
	COLUMNS_WANTED=$columns TERM=xterm in_terminal seen "$PMON_BIN" day.csv
	grep -q $'^\033\[31mCRITICAL  \033\[0m' seen && ok || bad "no colour: $(cat seen)"
	out=$(sed $'s/\033\\[[0-9]*m//g' seen)
	fits $((columns < 100 ? columns : 100))
	NO_COLOR=1 COLUMNS_WANTED=$columns in_terminal seen "$PMON_BIN" day.csv
	grep -q $'\033' seen && bad 'colour' || ok
done
LC_ALL=C.UTF-8 run day.csv
out_has '█'
fits 100

# ---- Several machines -------------------------------------------------------------------------------

for i in 1 2 3 4 5 6 7 8 9 10; do
	make_csv "WEB$i" 8 | { [ "$i" = 7 ] && cat || sed 's/"91"/"11"/; s/"0.067"/"0.004"/'; } >"web$i.csv"
done
run web*.csv
status 0
fits 100
out_has '10 machines: WEB1, '
out_has 'CRITICAL  09:00:00-10:00:00  WEB7: Reads of disk 0 C: take 67 ms'
same 'the worst machine first' "$(grep -A 1 '^Machine' <<<"$out" | tail -n 1 | tr -s ' ')" 'WEB7 1 0 30.98 % 2.93 GB 19.73 ms - -'
out_has 'and 1 more machine'

# ---- Long names -------------------------------------------------------------------------------------

# Names of 1,200 characters are cut, and the cut shows.
long=$(printf '%01200d' 0 | tr 0 x)
sed -e "1s/PhysicalDisk(0 C:)/PhysicalDisk($long)/" -e "1s/(sqlservr)/($long)/g" day.csv >long.csv
run long.csv
status 0
fits 100
grep -q '^ *xx*\.\.\.xx*' <<<"$out" && ok || bad "an incident does not show that its name is cut: $out"
grep -q '^Top processes  xx*\.\.\.' <<<"$out" && ok || bad "a process does not show that its name is cut: $out"

# ---- Logs of processes alone ------------------------------------------------------------------------

# process_table NAME_FORM OBJECT >FILE: 40 processes with the least busy first, Idle and the sum
process_table() {
	python3 - "$@" <<'PYTHON'
import sys
form, object_ = sys.argv[1:]
names = ["Idle", "_Total"] + ["app%02d" % i for i in range(40)]
ids = {name: 0 if name == "Idle" else 100 + i for i, name in enumerate(names)}
heads = [name if name == "_Total" else form % (name, ids[name]) if "%d" in form else name for name in names]
print(",".join(['"(PDH-CSV 4.0) (UTC)(0)"'] + ['"\\\\SRV\\%s(%s)\\%% Processor Time"' % (object_, head) for head in heads]))
for minute in range(20):
    values = [250, 400] + [max(0, i - 35) * 10 for i in range(40)]
    print(",".join(['"02/25/2026 10:%02d:00.000"' % minute] + ['"%d"' % value for value in values]))
PYTHON
}
for form in '%s Process' '%s_%d Process' '%s:%d Process V2'; do
	process_table "${form%% *}" "${form#* }" >processes.csv
	name=${form%% *} name=${name/\%s/app39} name=${name/\%d/141}
	run processes.csv
	grep -q "^% Processor Time $name  *40 %~ *40 % *40 %" <<<"$out" && ok || bad "the busiest process is not shown: $out"
	grep -q "^Top processes  $name 0.4 CPUs" <<<"$out" && ok || bad "the top process is another one: $out"
	shown=$(grep -E '^% Processor Time|^Top' <<<"$out")
	grep -qE 'Idle|_Total| 0 %~|Processor Time   ' <<<"$shown" && bad "Idle, the sum or zeros are shown: $out" || ok
	grep -q 'cannot be distinguished' <<<"$err" && told=yes || told=no
	same "the note on names without an ID, ${form%% *}" "$told" "$([ "${form%% *}" = %s ] && echo yes || echo no)"
done

# ---- Real logs --------------------------------------------------------------------------------------

for log in "${PMON_TEST_DATA:-/nowhere}"/{blg,pdh-text}/*.{blg,csv}; do
	[ -r "$log" ] || continue
	ln -s "$log" .
	"$PMON_BIN" stats "${log##*/}" >/dev/null 2>&1 || [ $? = 3 ] || continue # not a log
	run "${log##*/}"
	[ "$status" = 0 ] || status 3
	fits 100
	COLUMNS_WANTED=80 in_terminal seen "$PMON_BIN" "${log##*/}" --color never
	out=$(grep -v '^pmon: ' seen)
	fits 80
done

finish
