// test_mcp.mjs - pmon mcp with the client of the official SDK: an investigation from the log to the culprit
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { data, finish, pmon, pmonJson, skip, source, step, temporary } from "./lib.mjs";

let Client, StdioClientTransport;
try {
	({ Client } = await import("@modelcontextprotocol/sdk/client/index.js"));
	({ StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js"));
} catch {
	skip("@modelcontextprotocol/sdk is not here; tools/setup brings it");
}

const REAL = join(data, "blg/pal-SampleLog.blg");
const folder = temporary("logs");
const file = join(folder, "web01.blg");

mkdirSync(folder);
const lines = execFileSync("python3", [join(source, "share/examples/slow-server")], { maxBuffer: 1 << 28 });
writeFileSync(join(folder, "web01.jsonl"), lines);
execFileSync(pmon, ["relog", join(folder, "web01.jsonl"), "-o", file, "-y"], { stdio: "ignore" });

async function connect(...operands) {
	const client = new Client({ name: "test", version: "1.0.0" });
	await client.connect(new StdioClientTransport({ command: pmon, args: ["mcp", ...operands] }));
	return client;
}

const client = await connect(folder);

// The client checks each answer against the schema of its tool, once it has the list.
async function ask(name, args = {}) {
	const result = await client.callTool({ name, arguments: args });
	assert.ok(!result.isError, result.content?.[0]?.text);
	return result.structuredContent;
}

const logs = ["web01.blg"];

await step("the client has the tools, and instructions", async () => {
	const { tools } = await client.listTools();
	assert.deepEqual(
		tools.map((tool) => tool.name).sort(),
		"changes chart compare counters explain find incidents open stats summary values".split(" "),
	);
	assert.match(client.getInstructions(), /never instructions/);
	assert.equal(client.getServerVersion().name, "pmon");
	await client.ping();
});

await step("it finds the log, and what was wrong with the server", async () => {
	const there = await ask("open");
	assert.deepEqual(there.rows.map((row) => row.log), ["web01.blg", "web01.jsonl"]);
	const [log] = (await ask("open", { logs })).rows;
	assert.equal(log.machine, "WEB01");
	assert.equal(log.samples, 481);

	// share/examples/slow-server: from 14:05 to 14:25 a backup reads the disk that the database is on.
	const summary = await ask("summary", { logs });
	assert.equal(summary.about.summary.critical, 1);
	const { rows } = await ask("incidents", { logs });
	assert.equal(rows.length, 1);
	assert.match(rows[0].from, /^2026-11-20T14:0[45]/);
	assert.match(rows[0].to, /^2026-11-20T14:2[45]/);
	assert.equal(rows[0].who[0].instance, "backup");
});

await step("it follows the evidence to formulas with numbers", async () => {
	const [incident] = (await ask("incidents", { logs })).rows;
	const why = await ask("explain", { logs, incident: incident.id });
	assert.equal(why.about.incident.id, incident.id);
	assert.ok(why.rows.length > 0);

	const counters = ["\\PhysicalDisk(1 D:)\\Avg. Disk sec/Read"];
	const found = await ask("find", { logs, condition: `${counters[0]} > 20ms for 1m`, show: "\\Process(*)\\IO Read Bytes/sec top 1" });
	assert.equal(found.rows.length, 1);
	const [told] = (await ask("explain", { logs, counters, from: incident.from, to: incident.to })).rows;
	assert.ok(told.average.formula && told.average.with_operands && told.average.source);
	const [stats] = (await ask("stats", { logs, counters, from: incident.from, to: incident.to })).rows;
	assert.equal(stats.average, told.average.value);

	const before = "13:00..14:00";
	const compared = await ask("compare", { logs, before, after: "14:05..14:24" });
	assert.ok(compared.rows.some((row) => row.path.includes("PhysicalDisk(1 D:)")));
	const changed = await ask("changes", { logs, at: incident.from });
	assert.ok(changed.rows.length > 0);
});

await step("averages of steps are those of pmon stats", async () => {
	const counters = ["\\PhysicalDisk(*)\\Avg. Disk sec/Read"];
	const { rows, types } = await ask("values", { logs, counters, step: "1h" });
	const { counters: wanted } = await pmonJson(
		..."stats --every 1h --tz utc --format json -c".split(" "), counters[0], file,
	);
	assert.deepEqual(rows, wanted);
	assert.equal(types[0].type, "PERF_AVERAGE_TIMER");
});

await step("pages are the whole", async () => {
	const seen = [];
	for (let offset = 0; offset !== null; ) {
		const { page, rows } = await ask("counters", { logs, offset, limit: 9 });
		seen.push(...rows.map((row) => row.path));
		offset = page.next_offset;
	}
	const { counters } = await pmonJson("list", "--format", "json", file);
	assert.deepEqual(seen, counters.map((row) => row.path));
});

await step("it gets a picture", async () => {
	const [incident] = (await ask("incidents", { logs })).rows;
	const result = await client.callTool({ name: "chart", arguments: { logs, incident: incident.id } });
	if (result.isError) return assert.match(result.content[0].text, /cairo/);
	const picture = Buffer.from(result.content[0].data, "base64");
	assert.equal(picture.subarray(1, 4).toString(), "PNG");
});

await step("it reads documents", async () => {
	const { resources } = await client.listResources();
	assert.ok(resources.some((resource) => resource.uri === "pmon://glossary"));
	const { contents } = await client.readResource({ uri: "pmon://glossary" });
	assert.equal(contents[0].text, readFileSync(join(source, "docs/glossary.md"), "utf8"));
	await assert.rejects(client.readResource({ uri: "pmon://nothing" }));
});

await step("a failure is told to the model, a wrong tool to the client", async () => {
	const outside = await client.callTool({ name: "stats", arguments: { logs: ["/etc/passwd"] } });
	assert.ok(outside.isError);
	await assert.rejects(client.callTool({ name: "remove", arguments: {} }));
});

await step("a cancelled call is given up", async () => {
	const control = new AbortController();
	const asked = client.callTool({ name: "incidents", arguments: { logs } }, undefined, { signal: control.signal });
	control.abort();
	await assert.rejects(asked);
	await client.ping();
});

if (existsSync(REAL))
	await step("a real log, named at the start", async () => {
		const real = await connect(REAL);
		await real.listTools();
		const result = await real.callTool({ name: "incidents", arguments: {} });
		const { incidents } = await pmonJson("health", "--format", "json", REAL);
		assert.deepEqual(result.structuredContent.rows, incidents);
		await real.close();
	});

await client.close();
finish();
