// test_package.mjs - the API of the npm package gives what the command prints as JSON
// SPDX-License-Identifier: MIT
//
//	node test_package.mjs PMON LOG README		beside node_modules with libpmon; PMON is a native build

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import test from "node:test";
import { pathToFileURL } from "node:url";

import { open, PmonError, run } from "libpmon";

const [pmon, path, readme] = process.argv.slice(2);
const native = (...words) => execFileSync(pmon, words, { env: { ...process.env, TZ: "UTC" }, maxBuffer: 2 ** 30 }).toString();
const temporary = () => readdirSync(tmpdir()).filter((name) => name.startsWith("libpmon-"));

async function all(values) {
	const list = [];
	for await (const value of values)
		list.push(value);
	return list;
}

const sources = {
	"a path": path,
	"a URL": pathToFileURL(path),
	"bytes": readFileSync(path),
	"an ArrayBuffer": new Uint8Array(readFileSync(path)).buffer,
	"a Blob": new Blob([readFileSync(path)]),
};

for (const [what, source] of Object.entries(sources)) {
	test(`of ${what}: series, stats, values, incidents`, async () => {
		const log = await open(source);
		const lines = native("values", path, "--format", "json").trimEnd().split("\n");

		assert.deepEqual(await log.series(), JSON.parse(native("list", path, "--format", "json")).counters);
		assert.deepEqual(await log.stats(), JSON.parse(native("stats", path, "--format", "json")).counters);
		assert.deepEqual(await all(log.values()), lines.map((line) => JSON.parse(line)));
		assert.deepEqual(await log.incidents(), JSON.parse(native("health", path, "--format", "json")).incidents);
		await log.close();
		assert.deepEqual(temporary(), []);
	});
}

test("a selection is that of the options", async () => {
	const log = await open(path);
	const [{ path: counter }] = await log.series();
	const [{ first_time: from }] = await log.stats();
	const words = ["-c", counter, "--from", from, "--format", "json"];
	const got = await log.stats({ counters: counter, from: new Date(from) });

	assert.deepEqual(got, JSON.parse(native("stats", ...words, path)).counters);
	assert.deepEqual(await log.explain({ counters: [counter] }), JSON.parse(native("explain", "-c", counter, "--format", "json", path)));
	await log.close();
});

test("values that are not read to their end leave no file", async () => {
	const log = await open(path);

	for await (const value of log.values()) {
		assert.ok(value.path);
		break;
	}
	await log.close();
	assert.deepEqual(temporary(), []);
});

test("failures are errors with the message and the status of the command", async () => {
	await assert.rejects(open("/nothere"), (error) => error instanceof PmonError && error.status === 1 && /nothere/.test(error.message));
	await assert.rejects(open(new Uint8Array(64), { name: "../zeros.blg" }), PmonError);
	const log = await open(path);
	await assert.rejects(log.stats({ counters: "no such counter" }), PmonError);
	await log.close();
	assert.deepEqual(temporary(), []);
});

test("run() leaves the descriptors of its caller open", async () => {
	assert.equal(await run(["--version"]), 0);
	writeFileSync(1, "");
});

test("the example of the README runs", async () => {
	const text = readFileSync(readme, "utf8").match(/```js\n([\s\S]*?)```/)[1].replace("server.blg", path);

	writeFileSync("example.mjs", text);
	assert.match(execFileSync("node", ["example.mjs"]).toString(), /\S/);
});
