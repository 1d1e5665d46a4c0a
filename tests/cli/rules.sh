#!/usr/bin/env bash
# rules.sh - recording rules and the metrics endpoint: effects of the options, and reported errors
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1

make_log average server.blg

# A rate, and an average of operations, which is 0 where nothing happened.
run rules server.blg
status 0
out_has 'groups:'
out_has '  - name: "pmon PhysicalDisk"'
out_has '      - record: instance:pmon_physicaldisk_disk_reads:average5m'
out_has "expr: '(irate(pmon_physicaldisk_disk_reads_total[5m]) and pmon_physicaldisk_disk_reads_total) / ((irate(pmon_physicaldisk_disk_reads_base_seconds_total[5m]) and pmon_physicaldisk_disk_reads_base_seconds_total) > 0)'"
out_has 'or 0 * ((irate(pmon_physicaldisk_disk_per_read_seconds_intervals_total[5m]) and pmon_physicaldisk_disk_per_read_seconds_intervals_total) > 0)'
out_has 'sum without (instance, machine, object) ('
out_has 'sum without (counter_instance, duplicate, index, object, parent) ('
out_has '{counter_instance!~"'
run rules --labels classic server.blg
status 0
out_has 'sum without (machine, object) ('
out_has 'sum without (duplicate, index, instance, object, parent) ('
out_has '{instance!~"'

# Processes are many: only when they are asked for.
object() { printf '{"path":"\\\\\\\\A\\\\%s(x)\\\\Things","type":"PERF_COUNTER_RAWCOUNT","time":"2020-01-01T00:00:00Z","status":"valid_data","first":1,"second":0,"multi":0,"sample":0}\n' "$1"; }
{ object Process; object Thread; object Prozess; object Processor; } >objects.jsonl
run rules objects.jsonl
status 0
same 'objects' "$(grep name: <<<"$out")" '  - name: "pmon Processor"'
run rules -c '\*(*)\*' objects.jsonl
same 'objects that are asked for' "$(grep -c name: <<<"$out")" 4

run rules --window 90s server.blg
status 0
out_has ':average90s'
run rules --window 2h -c '\PhysicalDisk(*)\Disk Reads/sec' server.blg
status 0
out_has ':average2h'
same 'counters that were asked for' "$(grep -c '# ' <<<"$out")" 1

run rules --window nothing server.blg
status 2
run rules nowhere.blg
status 1

# ---- Rules of thresholds ------------------------------------------------------------------------------

run rules list
status 0
out_has 'SQL Server deadlocks'
out_has 'Microsoft: Scenario guide: Troubleshoot performance problems in Windows, 2024'
run rules list --pack linux
out_has 'Inodes'
out_lacks 'Disk reads'
run rules show 'disk READS'
status 0
out_has '[Disk reads]
pack = windows
without = '
out_lacks '[Disk writes]'
printf '%s\n' "$out" >shown.rules
run rules list --rules shown.rules
status 0
same 'what is shown is a file of rules' "$(wc -l <<<"$out")" 2
run rules show sqlserver
same 'a whole pack' "$out" "$(cat "$PMON_SOURCE_DIR/rules/sqlserver.rules")"
run rules show 'Disk raeds'
status 2
err_says 'Disk reads'
run rules show 'Coffee machine'
status 2
err_has 'pmon rules list'
run rules show
status 2
run rules import
status 2

cat >pal.xml <<'END'
<?xml version="1.0"?>
<PAL NAME="Ours [1]" VERSION="2.1" CONTENTOWNERS="A &amp; B">
<ANALYSIS NAME="Disks" ENABLED="False">
<DATASOURCE TYPE="CounterLog" EXPRESSIONPATH="\LogicalDisk(*)\% Idle Time" COLLECTIONVARNAME="Idle"><EXCLUDE INSTANCE="_Total"/></DATASOURCE>
<DATASOURCE TYPE="Generated" EXPRESSIONPATH="\PAL Generated(*)\X" COLLECTIONVARNAME="Made"/>
<DATASOURCE TYPE="CounterLog" EXPRESSIONPATH="\Memory(x\Y" COLLECTIONVARNAME="NoPath"/>
<THRESHOLD NAME="Busy ]" CONDITION="Critical"><CODE><![CDATA[
# StaticThreshold -Operator 'gt' -Threshold 1
StaticThreshold -CollectionOfCounterInstances $Idle -Operator 'lt' -Threshold 10
]]></CODE></THRESHOLD>
<THRESHOLD NAME="Busy ]" CONDITION="Warning"><CODE>StaticThreshold -CollectionOfCounterInstances $Idle -Operator 'ge' -Threshold 0.5KB</CODE></THRESHOLD>
<THRESHOLD NAME="Grows" CONDITION="Critical"><CODE>StaticThreshold -CollectionOfCounterInstances $Idle -Operator 'gt' -Threshold 1MB -IsTrendOnly $True</CODE></THRESHOLD>
<THRESHOLD NAME="c1" CONDITION="Warning"><CODE>If ($x) { StaticThreshold -CollectionOfCounterInstances $Idle -Operator 'gt' -Threshold 5 }</CODE></THRESHOLD>
<THRESHOLD NAME="c2" CONDITION="Warning"><CODE>StaticThreshold -CollectionOfCounterInstances $Idle -Operator 'gt' -Threshold $Limit</CODE></THRESHOLD>
<THRESHOLD NAME="c3" CONDITION="Warning"><CODE>StaticThreshold -CollectionOfCounterInstances $Idle -Operator 'eq' -Threshold 5</CODE></THRESHOLD>
<THRESHOLD NAME="c4" CONDITION="Warning"><CODE>StaticThreshold -CollectionOfCounterInstances $Made -Operator 'gt' -Threshold 5</CODE></THRESHOLD>
<THRESHOLD NAME="c5" CONDITION="Warning"><CODE>StaticThreshold -CollectionOfCounterInstances $NoPath -Operator 'gt' -Threshold 5</CODE></THRESHOLD>
<THRESHOLD NAME="c6" CONDITION="Blue"><CODE>StaticThreshold -CollectionOfCounterInstances $Idle -Operator 'gt' -Threshold 5</CODE></THRESHOLD>
<THRESHOLD NAME="c7" CONDITION="Warning"><CODE>StaticThreshold -CollectionOfCounterInstances $Idle -Operator 'gt' -Threshold 5 -Odd 1</CODE></THRESHOLD>
<THRESHOLD NAME="c8" CONDITION="Warning"><CODE/></THRESHOLD>
</ANALYSIS></PAL>
END
if grep -q 'built without expat' < <("$PMON_BIN" rules import pal.xml 2>&1); then
	echo 'without expat: no import'
else
	run rules import pal.xml
	status 0
	out_has '# This analysis is disabled in the file.
[Disks: Busy )]
counter = \LogicalDisk(*)\% Idle Time
except = _Total
critical = < 10
text = Busy ]
source = PAL threshold file "Ours [1]" 2.1, A & B'
	out_has '[Disks: Busy ) (2)]'
	out_has 'warning = >= 512'
	out_has '# Critical in the file; trends are always warnings.
[Disks: Grows]'
	out_has 'trend = > 1048576/h for 1h'
	out_has '# 11 thresholds: 3 converted, 8 not
#   3: the code does more than call StaticThreshold
#   1: the limit is computed
#   1: rules do not support this operator
#   2: the values do not come from a counter
#   1: it has neither a warning nor a critical threshold'
	out_has '# Not converted: Disks: c1'
	out_has '#   If ($x) { StaticThreshold'
	printf '%s\n' "$out" >pal.rules
	run rules list --rules pal.rules
	status 0

	# Forms of PAL's code: shares of memory, limits per processor, and answers. A text that differs is no rule.
	cat >forms.xml <<'END'
<PAL NAME="Forms">
<ANALYSIS NAME="A">
<DATASOURCE EXPRESSIONPATH="\Memory\Available MBytes" COLLECTIONVARNAME="M"/>
<DATASOURCE EXPRESSIONPATH="\System\Processor Queue Length" COLLECTIONVARNAME="Q"/>
<THRESHOLD NAME="ten" CONDITION="Warning"><CODE>
# a comment
$Ten = $([Int] $PhysicalMemory * 1024) * 0.10
StaticThreshold -CollectionOfCounterInstances $M -Operator 'lt' -Threshold $Ten</CODE></THRESHOLD>
<THRESHOLD NAME="five" CONDITION="Critical"><CODE>$Five = $([Int] $PhysicalMemory * 1024) * 0.05
StaticThreshold -CollectionOfCounterInstances $M -Operator 'lt' -Threshold $Five</CODE></THRESHOLD>
<THRESHOLD NAME="other" CONDITION="Warning"><CODE>$Ten = $([Int] $PhysicalMemory * 1000) * 0.10
StaticThreshold -CollectionOfCounterInstances $M -Operator 'lt' -Threshold $Ten</CODE></THRESHOLD>
<THRESHOLD NAME="another" CONDITION="Warning"><CODE>$Ten = $([Int] $PhysicalMemory * 1024) * 0.10
StaticThreshold -CollectionOfCounterInstances $M -Operator 'lt' -Threshold $Five</CODE></THRESHOLD>
<THRESHOLD NAME="queue" CONDITION="Warning"><CODE>[Int] $N = $P.Count - 1
$T = $N * 2
StaticThreshold -CollectionOfCounterInstances $Q -Operator 'gt' -Threshold $T</CODE></THRESHOLD>
<DATASOURCE EXPRESSIONPATH="\Processor(*)\% Processor Time" COLLECTIONVARNAME="P"/>
</ANALYSIS>
<ANALYSIS NAME="B">
<DATASOURCE EXPRESSIONPATH="\Memory\Pages/sec" COLLECTIONVARNAME="P"/>
<THRESHOLD NAME="asked" CONDITION="Warning"><CODE>$L = $([Int]$Pages) * 0.70
StaticThreshold -CollectionOfCounterInstances $P -Operator 'gt' -Threshold $L</CODE></THRESHOLD>
</ANALYSIS>
<ANALYSIS NAME="C">
<DATASOURCE EXPRESSIONPATH="\System\Context Switches/sec" COLLECTIONVARNAME="S"/>
<THRESHOLD NAME="much" CONDITION="Critical"><CODE>StaticThreshold -CollectionOfCounterInstances $S -Operator 'gt' -Threshold 20</CODE></THRESHOLD>
<THRESHOLD NAME="more" CONDITION="Critical"><CODE>StaticThreshold -CollectionOfCounterInstances $S -Operator 'gt' -Threshold 30</CODE></THRESHOLD>
<THRESHOLD NAME="late" CONDITION="Warning"><CODE>StaticThreshold -CollectionOfCounterInstances $S -Operator 'gt' -Threshold 10</CODE></THRESHOLD>
</ANALYSIS>
<QUESTION QUESTIONVARNAME="Pages" DEFAULTVALUE="1000">How many?</QUESTION>
<QUESTION QUESTIONVARNAME="PhysicalMemory" DEFAULTVALUE="16">How much?</QUESTION>
<QUESTION QUESTIONVARNAME="Evil" DEFAULTVALUE="1&#10;[Evil]">?</QUESTION>
</PAL>
END
	run rules import forms.xml
	status 0
	out_has '[A: ten]
counter = \Memory\Available MBytes
of = \Memory\Total Bytes
of = \NUMA Node Memory(_Total)\Total MBytes
warning = < 10%
critical = < 5%
text = ten
text = Critical: five'
	out_has '[A: queue]
counter = \System\Processor Queue Length
warning = > 2
per = processor'
	out_has '# By the answer "1000" to PAL'"'"'s question Pages (--answer).
[B: asked]
counter = \Memory\Pages/sec
warning = > 700'
	# The first of two critical limits is that of the warning after them, and the other one is not lost.
	out_has '[C: late]
counter = \System\Context Switches/sec
warning = > 10
critical = > 20'
	out_has '[C: more]
counter = \System\Context Switches/sec
critical = > 30'
	out_has '# Not converted: A: other'
	out_has '# Not converted: A: another'
	out_has '# 9 thresholds: 7 converted, 2 not'
	printf '%s\n' "$out" >forms.rules
	run rules list --rules forms.rules
	status 0
	run rules import forms.xml --answer PhysicalMemory=8 --answer 'Pages=20
[Evil]'
	status 0
	out_has '
warning = < 819.2
critical = < 409.6'
	out_has '#   1: the limit is computed'
	run rules import forms.xml --answer Pages=2000
	out_has 'warning = > 1400'
	run rules import forms.xml --answer Sheets=2
	status 2
	err_says Sheets=2 forms.xml
	run rules import forms.xml --answer Pages
	status 2
	err_says NAME=ANSWER

	# What it inherits from is read too, each file once, beside it whatever folder PAL names; what is not there is named.
	mkdir family
	member() { # FILE PARENT...: one threshold, named after the file
		printf '<PAL NAME="%s">' "$1"
		printf '<INHERITANCE FILEPATH="%s"/>' "${@:2}"
		printf '<EXCLUDE INSTANCE="stray"/><ANALYSIS NAME="%s"><DATASOURCE EXPRESSIONPATH="\\Memory\\Pages/sec" COLLECTIONVARNAME="P"/>' "$1"
		printf "<THRESHOLD NAME=\"t\" CONDITION=\"Warning\"><CODE>StaticThreshold -CollectionOfCounterInstances \$P -Operator 'gt' -Threshold 5</CODE></THRESHOLD></ANALYSIS></PAL>"
	}
	member child 'C:\PAL\parent.xml' other.xml gone.xml '' >family/child.xml
	member parent ../grand.xml >family/parent.xml
	member other parent.xml child.xml >family/other.xml
	member grand >family/grand.xml
	run rules import family/child.xml
	status 0
	same 'each file once' "$(grep -oE '^\[[a-z]+' <<<"$out" | paste -sd' ')" '[child [parent [other [grand'
	out_has '# 4 thresholds: 4 converted, 0 not'
	err_says family/child.xml family/gone.xml
	ln -s /etc/passwd family/gone.xml # nothing that only looks as if it were beside it
	run rules import family/child.xml
	status 0
	out_has '# 4 thresholds: 4 converted, 0 not'

	# Texts that are too long, and too many instances: not a rule about other instances than those of the file.
	long_pal() { # INSTANCE COUNT
		printf '<PAL NAME="long"><ANALYSIS NAME="A"><DATASOURCE EXPRESSIONPATH="\\Process(*)\\Handle Count" COLLECTIONVARNAME="H">'
		for ((i = 0; i < $2; i++)); do printf '<EXCLUDE INSTANCE="%s%d"/>' "$1" "$i"; done
		printf "</DATASOURCE><THRESHOLD NAME=\"t\" CONDITION=\"Warning\"><CODE>StaticThreshold -CollectionOfCounterInstances \$H -Operator 'gt' -Threshold 5</CODE></THRESHOLD></ANALYSIS></PAL>"
	}
	long_pal x 10 >ten.xml
	run rules import ten.xml
	same 'exceptions' "$(grep -c '^except = x' <<<"$out")" 10
	long_pal x 65 >many.xml
	long_pal "$(printf 'x%.0s' {1..520})" 1 >wide.xml
	for name in many wide; do
		run rules import $name.xml
		status 0
		out_has '# 1 threshold: 0 converted, 1 not'
		out_has 'is longer than 511 bytes, or more than 64'
	done

	# Hostile files: entities, files from outside, other XML, and XML that ends in the middle.
	printf '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "%%s"><!ENTITY c "&b;&b;&b;">]><PAL NAME="&c;"/>' >bomb.xml
	printf '<!DOCTYPE PAL [<!ENTITY x SYSTEM "file:///etc/passwd">]><PAL NAME="&x;"/>' >outside.xml
	printf '<!DOCTYPE PAL SYSTEM "http://example.org/pal.dtd"><PAL/>' >dtd.xml
	for name in bomb outside dtd; do
		run rules import "$name.xml"
		status 1
		err_says "$name.xml:1" DOCTYPE
		same "$name prints nothing" "$out" ''
	done
	echo '<HTML/>' >other.xml
	run rules import other.xml
	status 1
	err_says other.xml PAL
	head -c 700 pal.xml >half.xml
	run rules import half.xml
	status 1
	err_has 'half.xml:'
	head -c -10 pal.xml >most.xml
	run rules import most.xml
	status 1
	err_has 'most.xml:'
	same 'a file that ends in the middle prints nothing' "$out" ''
	{ printf '<PAL NAME="deep">'; printf '<a>%.0s' {1..200000}; } >deep.xml
	run rules import deep.xml
	status 1
	printf '<PAL NAME="x"><ANALYSIS NAME="a\033[31m\nb"/>' >control.xml
	run rules import control.xml
	status 1
	{ printf '<PAL><ANALYSIS><THRESHOLD><CODE>'; head -c 70000 /dev/zero | tr '\0' x; echo '</CODE></THRESHOLD></ANALYSIS></PAL>'; } >long.xml
	run rules import long.xml
	status 1
	err_says 64 KiB
	run rules import nowhere.xml
	status 1
fi

# ---- Recording rules and the endpoint ------------------------------------------------------------------

run serve
status 2
err_has '--metrics'
run serve --metrics --speed 2
status 2
err_says log
run serve --metrics --top 1001
status 2
run serve --metrics --top 5 server.blg
status 2
err_has --top
run serve --metrics --speed 0 server.blg
status 2
run serve --metrics --listen 127.0.0.1:1 --port 2
status 2
run serve --metrics --listen 127.0.0.1:99999
status 2
run serve --metrics --listen nowhere
status 2

finish
