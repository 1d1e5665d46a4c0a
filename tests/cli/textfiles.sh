#!/usr/bin/env bash
# textfiles.sh - text files that users name: every encoding that Windows and PowerShell write
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
need iconv

make_log average a.blg
paths() { "$PMON_BIN" list --format csv "$@" a.blg 2>/dev/null | tail -n +2; }

# encoded FORM FILE: standard input as Windows' programs write it
encoded() {
	case $1 in
	utf8) cat >"$2" ;;
	crlf) sed 's/$/\r/' >"$2" ;;
	utf8-mark) { printf '\xef\xbb\xbf' && sed 's/$/\r/'; } >"$2" ;;
	utf16le) { printf '\xff\xfe' && sed 's/$/\r/' | iconv -f UTF-8 -t UTF-16LE; } >"$2" ;;
	utf16be) { printf '\xfe\xff' && sed 's/$/\r/' | iconv -f UTF-8 -t UTF-16BE; } >"$2" ;;
	utf16-lf) { printf '\xff\xfe' && iconv -f UTF-8 -t UTF-16LE; } >"$2" ;;
	open) printf '%s' "$(cat)" >"$2" ;; # the last line has no end
	esac
}
forms='utf8 crlf utf8-mark utf16le utf16be utf16-lf open'

one='\PhysicalDisk(*)\Avg. Disk sec/Read'
want=$(paths -c "$one" -c '\PhysicalDisk(*)\Disk Reads/sec')
[ "$(wc -l <<<"$want")" = 2 ] && ok || bad "the log has not the counters: $want"
printf '[policy]\nlevel = 1\n' >bad.rules

for form in $forms; do
	# Patterns
	printf '; a comment\n"%s"\n\n  \\PhysicalDisk(*)\\Disk Reads/sec\n' "$one" | encoded "$form" patterns
	same "-cf, $form" "$(paths -cf patterns)" "$want"
	same "-cf -, $form" "$(paths -cf - <patterns)" "$want"
	run relog a.blg -cf patterns -f csv -o relog.csv -y
	status 0
	same "relog -cf, $form" "$(head -n 1 relog.csv | tr ',' '\n' | wc -l)" $(($(wc -l <<<"$want") + 1))

	# Settings
	printf '[cf]\npatterns\n[f]\nCSV\n[o]\nset.csv\n[y]\n' | encoded "$form" settings
	run relog a.blg -config settings
	status 0
	same "-config, $form" "$(head -n 1 set.csv)" "$(head -n 1 relog.csv)"
	rm -f set.csv

	# Names of files
	cp a.blg 'Zähler.blg'
	printf 'Zähler.blg\n\na.blg\n' | encoded "$form" names
	run stats --format json @names
	status 0
	same "@list, $form" "$out" "$("$PMON_BIN" stats --format json Zähler.blg a.blg)"

	# Rules: the line of a fault is the same in every encoding.
	encoded "$form" rules <bad.rules
	run report --rules rules a.blg -o page.html
	status 2
	err_has 'rules:2:'

	# Types of counters
	printf '"(PDH-CSV 4.0) (UTC)(0)","%s"\n' '\\BOX\Things\Made' >made.csv
	for i in 0 1 2; do
		printf '"01/01/2024 00:00:0%d.000","%d"\n' $i $((i * 7)) >>made.csv
	done
	printf 'object,counter,type\nThings,Made,PERF_COUNTER_COUNTER\n' | encoded "$form" types
	run list --format json --known-types types made.csv
	status 0
	out_has 'PERF_COUNTER_COUNTER'

	# Secrets: what is empty but for a mark and ends of lines is refused as empty.
	printf '\nsecond\n' | encoded "$form" secret
	run push --dry-run --to clickhouse+http://127.0.0.1:1/ --user u --password-file secret a.blg
	status 1
	err_says secret empty
done

# ---- Long lines -----------------------------------------------------------------------------------

# A pattern of 5,000 characters is one pattern and not two, of which the second, after 4,095 bytes, could match.
printf '\\PhysicalDisk(%04078d)\\A\\PhysicalDisk(*)\\Disk Reads/sec\n%s\n' 0 "$one" >long
[ "$(head -c 4095 long | tail -c 2)" = '\A' ] && ok || bad "the lengths are wrong: $(head -c 4095 long | tail -c 5)"
same 'a long pattern and another' "$(paths -cf long | grep -c 'PhysicalDisk(0 C:)')" 1
for size in 4094 4095 4096 4097 65535 65536 1000000; do
	# blanks before a pattern do not count, however many there are
	{ printf "%${size}s" '' && echo "$one"; } >blanks
	same "$size blanks" "$(paths -cf blanks)" "$(paths -c "$one")"
	printf ";%${size}s\n%s\n" '\Nothing\*' "$one" >comment
	same "a comment of $size bytes" "$(paths -cf comment)" "$(paths -c "$one")"
	{ printf '[cf]\n' && printf "%${size}s" '' && printf 'comment\n[o]\nlong.csv\n[f]\nCSV\n[y]\n'; } >settings
	run relog a.blg -config settings
	status 0
	{ printf "#%${size}s\n" '' && cat bad.rules; } >rules
	run report --rules rules a.blg -o page.html
	status 2
	[ "$size" -gt 900000 ] || err_has 'rules:3:'
done

# ---- Invalid files --------------------------------------------------------------------------------

echo "$one" | iconv -f UTF-8 -t UTF-16LE >unmarked
run stats -cf unmarked a.blg
status 1
err_says UTF-16
run stats -cf nosuch a.blg
status 1
err_has 'nosuch: No such file or directory'
run stats -cf . a.blg
status 1
printf '\xff\xfe' >empty
run stats -cf empty a.blg
status 2
err_says empty
printf '\xff\xfe\x5c' >odd
run stats -cf odd a.blg
status 2

finish
