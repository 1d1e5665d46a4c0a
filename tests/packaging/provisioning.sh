#!/usr/bin/env bash
# provisioning.sh - Grafana's provisioning files and the compose file fit each other and the dashboards
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
need python3
unalias python3 # yaml is not of the standard library
python3 -c 'import yaml' 2>/dev/null || skip "python3-yaml is not here: tools/setup check brings it"

cp -r "$PMON_SOURCE_DIR/packaging/grafana" grafana # checks look for rules beside the files
ran="the files"
python3 - <<'PYTHON' >report 2>&1 && ok || bad "$(cat report)"
import glob, json, os, sys, yaml
os.chdir("grafana")
read = lambda name: yaml.safe_load(open(name))
compose, sources = read("compose.yaml"), read("provisioning/datasources.yaml")["datasources"]
wanted = {one["query"] for name in glob.glob("*.json") for one in json.load(open(name))["templating"]["list"] if one["type"] == "datasource"}
types = {one["type"] for one in sources} | {"postgres" if one["type"] == "grafana-postgresql-datasource" else "" for one in sources}
assert wanted and wanted <= types, f"the dashboards read {wanted}, the data sources are {types}"
services = compose["services"]
hosts = {(one["jsonData"]["host"] if "host" in one.get("jsonData", {}) else one["url"].removeprefix("http://").split(":")[0]) for one in sources}
assert hosts == set(services) - {"grafana"}, f"data sources at {hosts}, services {set(services)}"
assert all(services[host]["profiles"] == [host] for host in hosts)
mounts = [one.split(":") for service in services.values() for one in service["volumes"]]
for source, target, *_ in mounts:
    if source.startswith("."):
        assert os.path.exists(source), f"{source} is mounted and not there"
    else:
        assert source in compose["volumes"], source
folder = read("provisioning/dashboards.yaml")["providers"][0]["options"]["path"]
assert [".", folder, "ro"] in mounts, f"dashboards are looked for in {folder}"
for service in services.values():
    assert all(port.startswith("127.0.0.1:") for port in service["ports"]), service["ports"]
PYTHON
if promtool --version >/dev/null 2>&1; then
	ran="promtool check config"
	promtool check config grafana/provisioning/prometheus.yaml >report 2>&1 && ok || bad "$(cat report)"
fi
if docker-compose --version >/dev/null 2>&1; then
	for profile in clickhouse postgres prometheus; do
		ran="docker-compose --profile $profile config"
		(cd grafana && PMON_PASSWORD=secret docker-compose --profile $profile config) >report 2>&1 && ok || bad "$(cat report)"
	done
	ran="docker-compose config without a password"
	(cd grafana && unset PMON_PASSWORD && docker-compose config) >report 2>&1 && bad "it accepts none" || ok
fi
finish
