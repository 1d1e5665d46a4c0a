#!/usr/bin/env bash
# secrets.sh - passwords and tokens go unencrypted to this machine only, unless --insecure is given
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
make_log average a.blg
export PMON_USER=ann PMON_PASSWORD=secret
unset PMON_TOKEN

# The name of no host is known, and nothing listens on port 9, so nothing is sent anywhere.
for engine in clickhouse prometheus victoriametrics otlp; do
	for host in x.invalid:9 192.0.2.7:9 '[2001:db8::1]:9' localhost.invalid:9 128.0.0.1:9 x127.0.0.1:9; do
		run push --to "$engine+http://$host/db" --retry 1ms a.blg
		[ "$err" = 'pmon: push: this build has no libcurl' ] && skip 'no libcurl'
		status 2
		err_says password "$host"
		PMON_TOKEN=secret run push --to "$engine+http://$host/db" --retry 1ms a.blg
		status 2
		err_says token "$host"
	done
	for host in 127.0.0.1:9 127.9.9.9:9 localhost:9; do
		run push --to "$engine+http://$host/db" --retry 1ms a.blg
		status 1
		out_lacks unencrypted
	done
	run push --insecure --to "$engine+http://x.invalid:9/db" --retry 1ms a.blg
	status 1
	run push --to "$engine+https://x.invalid:9/db" --retry 1ms a.blg
	status 1
	unset PMON_PASSWORD
	printf 'X-Scope-OrgID: sales\r\n\nDD-API-KEY: secret\n' >headers
	for given in 'DD-API-KEY: secret' @headers; do
		run push --header "$given" --to "$engine+http://x.invalid:9/db" --retry 1ms a.blg
		status 2
		err_says header x.invalid
		case $err in *secret*) bad "$err" ;; *) ok ;; esac
	done
	run push --to "$engine+http://x.invalid:9/db" --retry 1ms a.blg
	status 1
	export PMON_PASSWORD=secret
done

run push --header @missing --to prometheus+http://x.invalid:9 a.blg
status 1
err_says missing
run push --header 'X-Scope-OrgID: sales' --to postgresql://127.0.0.1:9/db a.blg
case $err in *'without PostgreSQL'*) ok ;; *) err_says --header ;; esac

for address in 0.0.0.0 192.0.2.7 :: 2001:db8::1; do
	run view --no-browser --listen $address a.blg
	[ "$err" != 'pmon: view: this pmon was built without libmicrohttpd, the web server' ] || skip 'no server'
	status 2
	err_has --insecure
	run serve --metrics --listen $address a.blg
	status 2
	err_has --insecure
done
run view --no-browser --listen 192.0.2.7 --insecure a.blg # not an address of this machine
status 1
err_says listen
finish
