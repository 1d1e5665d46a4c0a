#!/usr/bin/env bash
# machine_ids.sh - logs of two machines of one name, and --machine
# SPDX-License-Identifier: MIT
# shellcheck source=tests/cli/lib.sh
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1

need python3

# make_machine FOLDER NAME MACHINE-ID SWITCHES: a recorded machine with two samples, a second apart
make_machine() {
	local n

	for n in 0 1; do
		mkdir -p "$1/$n/proc/sys/kernel" "$1/$n/etc"
		echo "$2" >"$1/$n/proc/sys/kernel/hostname"
		echo "$3" >"$1/$n/etc/machine-id"
		echo "ctxt $((1000 + n * $4))" >"$1/$n/proc/stat"
		echo "$((133485408000000000 + n * 10000000)) $((10000000000 + n * 10000000))" >"$1/$n/clock"
	done
	"$PMON_BIN" record --replay "$1" -c '\System\*' -o "$1.jsonl" >/dev/null 2>&1
}

# The ids are those of systemd-id128, see tests/unit/test_machine_id.c.
make_machine a db01 0123456789abcdef0123456789abcdef 500
make_machine b DB01 fedcba98765432100123456789abcdef 700
make_machine c web 00000000000000000000000000000001 300
id_a=c54036b723af49078c8ccadd03b47807
id_b=0b50dfd1eec44ec68708840245ef60f4

# ---- Two machines ---------------------------------------------------------------------------

run info a.jsonl
out_has "machine id $id_a"
run info --format json a.jsonl
out_has "\"machine_ids\":[{\"machine\":\"db01\",\"id\":\"$id_a\"}]"

# Each verb refuses to read them as one; it does not depend on the order, nor on threads.
for verb in stats health values raw trend; do
	run "$verb" a.jsonl b.jsonl
	status 1
	err_says a.jsonl b.jsonl db01 "$id_a" "$id_b"
	err_has "--machine $id_b=NAME"
	same "$verb: output" "$out" ''
done
run relog a.jsonl b.jsonl -f JSONL -o both.jsonl -y
status 1
err_says db01
[ ! -e both.jsonl ] && ok || bad 'both.jsonl was written'
run stats c.jsonl a.jsonl a.jsonl
status 0

# A name for one of them, by its id; then both have their own numbers.
switches() { python3 -c 'import json, sys
for c in json.load(sys.stdin)["counters"]:
    if "Switches" in c["path"]: print(c["path"], c["average"])'; }
run stats --format json --machine "$id_b=south" a.jsonl b.jsonl
status 0
same "two machines" "$(switches <<<"$out")" '\\db01\System\Context Switches/sec 500
\\south\System\Context Switches/sec 700'
run stats --format json --machine "$id_b=south" -c '\\south\System\*' a.jsonl b.jsonl
same "patterns have the new name" "$(switches <<<"$out")" '\\south\System\Context Switches/sec 700'
run stats --machine "$id_b=south" -c '\\north\System\*' a.jsonl b.jsonl
status 1
err_says counter

# One machine that was reinstalled; and one that is renamed to a name that is taken.
run stats --machine db01=db01 a.jsonl b.jsonl
status 3 # these two have different values for one moment
err_lacks 'two machines'
run stats --machine web=db01 a.jsonl c.jsonl
status 1
err_says db01

# ---- Names ----------------------------------------------------------------------------------

run stats --format json --machine north a.jsonl
same "one log" "$(switches <<<"$out")" '\\north\System\Context Switches/sec 500'
run values --format json --replay b --machine south -c '\System\Context*'
status 0
out_has 'south'
out_lacks 'DB01'
"$PMON_BIN" record --replay b --machine south -c '\System\*' -o south.db >/dev/null 2>&1
run info south.db
out_has 'machine    south'
out_has "machine id $id_b"

# A recording is continued by the machine that began it, and continues next to the file of another; CSV has no ids.
for ending in jsonl blg db csv; do
	"$PMON_BIN" record --replay a -c '\System\*' -o go.$ending >/dev/null 2>&1
	cp go.$ending before
	run record --replay b -c '\System\*' -o go.$ending --append
	status 0
	[ $ending = csv ] && continue
	err_says "go.$ending" db01 "$id_a" "$id_b"
	err_says "go.$ending" "go_000001.$ending"
	cmp -s before go.$ending && ok || bad "go.$ending has changed"
	run info go_000001.$ending
	out_has "machine id $id_b"
	out_lacks "$id_a"
	[ $ending = blg ] && continue
	run record --replay a -c '\System\*' -o go.$ending --append
	err_lacks 'another machine'
done

# What the only machine cannot be, and names that paths cannot have.
run stats --machine x a.jsonl c.jsonl
status 1
err_says machines
run stats --machine x --machine y a.jsonl
status 2
for name in '' 'a\b' 'a/b' '*' 'x=' '=x' 'a=b=c' 'a(1)' $'a\tb'; do
	run stats --machine "$name" a.jsonl
	status 2
	err_says --machine NAME OLD=NEW
done
run stats --machine other=x a.jsonl
status 1
err_says --machine other=x
run stats --machine db01=x --replay a
status 2
err_says --machine x
finish
