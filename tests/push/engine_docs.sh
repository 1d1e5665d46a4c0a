#!/usr/bin/env bash
# engine_docs.sh - docs/engines/*.md, block by block, on machines with servers as Debian sets them up
# SPDX-License-Identifier: MIT
#
# tests/push/engine_docs.py has the rules. ENGINE_DOCS="clickhouse postgresql": only these pages.
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1

PATH=$PATH:/usr/sbin
need python3
need ip
need nsenter
# Machines are namespaces. Without root they are those of the user; a container may allow neither.
alone=(unshare --net --mount --uts --pid --fork --kill-child --mount-proc --propagation private)
[ "$(id -u)" = 0 ] || alone+=(--map-current-user --keep-caps)
"${alone[@]}" ip link add br0 type bridge 2>unshare.err || skip "no namespaces here: $(cat unshare.err)"

# page FILE NAME: the report's last line counts the problems
page() { "${alone[@]}" python3 "$PMON_SOURCE_DIR/tests/push/engine_docs.py" "$PMON_SOURCE_DIR" "$PMON_BIN" "$tmp/$2" "$1"; }

# Most of the time a page waits for servers: all of them at once.
declare -A pages
for engine in ${ENGINE_DOCS:-$(cd "$PMON_SOURCE_DIR/docs/engines" && ls -- *.md)}; do
	engine=${engine%.md}
	page "$PMON_SOURCE_DIR/docs/engines/$engine.md" "$engine" >"$engine.report" 2>&1 &
	pages[$engine]=$!
done
for engine in "${!pages[@]}"; do
	ran="docs/engines/$engine.md"
	wait "${pages[$engine]}"
	case $? in
	0) ok ;;
	77) echo "skipped: $(cat "$engine.report")" ;;
	*) bad "$(cat "$engine.report")" ;;
	esac
	tail -n 1 "$engine.report"
done

# Each of these five blocks is wrong: another output, a failure, no name of a file, a mark, no client.
cat >wrong.md <<'PAGE'
```console
$ echo one
two
```

```sh
false
true
```

```xml
<yandex/>
```

<!-- not run: it would fail -->
```sh
true
```

```sql
SELECT 1
```
PAGE
ran='engine_docs.py of a wrong page'
report=$(page "$tmp/wrong.md" wrong 2>&1) && bad "it finds nothing wrong: $report" || ok
same 'the count' "$(tail -n 1 <<<"$report")" 'wrong.md: 2 commands and blocks ran, 5 problems'

finish
