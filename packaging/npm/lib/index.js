// index.js - performance logs for programs: what pmon prints as JSON, as objects
// SPDX-License-Identifier: MIT

import { createReadStream } from "node:fs";
import { mkdtemp, open as openFile, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { run } from "./command.js";

export { run };

// status is the exit status of pmon: 1 failed, 2 usage, 3 damaged input of which nothing could be read.
export class PmonError extends Error {
	constructor(message, status) {
		super(message);
		this.name = "PmonError";
		this.status = status;
	}
}

function optionsOf({ counters, from, to, at, tz } = {}) {
	const words = [counters ?? []].flat().flatMap((counter) => ["-c", counter]);
	for (const [option, value] of Object.entries({ "--from": from, "--to": to, "--at": at, "--tz": tz }))
		if (value !== undefined)
			words.push(option, value instanceof Date ? value.toISOString() : String(value));
	return words;
}

// The path of a log: bytes are written to the folder under their name.
async function pathOf(source, folder, name) {
	if (typeof source === "string")
		return source;
	if (source instanceof URL)
		return fileURLToPath(source);
	const path = join(folder, basename(name ?? source.name ?? "log"));
	await writeFile(path, source instanceof Blob ? new Uint8Array(await source.arrayBuffer()) : new Uint8Array(source));
	return path;
}

class Log {
	#folder;
	#path;
	#runs = 0;

	constructor(folder, path) {
		this.#folder = folder;
		this.#path = path;
		this.notices = []; // what pmon said of the log in the last call, as what it could not read
	}

	// Run a verb, and return the file of what it printed.
	async #print(verb, words) {
		const output = join(this.#folder, `output-${++this.#runs}`);
		const [stdout, stderr] = await Promise.all([openFile(output, "w"), openFile(output + ".err", "w")]);
		let status;
		try {
			status = await run([verb, ...words, "--", this.#path], { stdout: stdout.fd, stderr: stderr.fd });
		} finally {
			await Promise.all([stdout.close(), stderr.close()]);
		}
		const said = (await readFile(output + ".err", "utf8")).trim();
		await rm(output + ".err");
		this.notices = said === "" ? [] : said.split("\n");
		if (status === 1 || status === 2) {
			await rm(output);
			throw new PmonError(said, status);
		}
		return output;
	}

	async #json(verb, words) {
		const output = await this.#print(verb, [...words, "--format", "json"]);
		const text = await readFile(output, "utf8");
		await rm(output);
		if (text === "")
			throw new PmonError(this.notices.join("\n"), 3);
		return JSON.parse(text);
	}

	async info() {
		return (await this.#json("info", [])).logs;
	}

	async series(options) {
		return (await this.#json("list", optionsOf(options))).counters;
	}

	async stats(options) {
		return (await this.#json("stats", optionsOf(options))).counters;
	}

	async incidents(options) {
		return (await this.#json("health", optionsOf(options))).incidents;
	}

	// How a value and the average of a counter were computed.
	async explain(options) {
		return this.#json("explain", optionsOf(options));
	}

	async *values(options) {
		const output = await this.#print("values", [...optionsOf(options), "--format", "json"]);
		try {
			for await (const line of createInterface({ input: createReadStream(output), crlfDelay: Infinity }))
				yield JSON.parse(line);
		} finally {
			await rm(output);
		}
	}

	async close() {
		await rm(this.#folder, { recursive: true, force: true });
	}
}

// source: a path, a file: URL, a Blob or File, or bytes, whose name is `name`.
export async function open(source, { name } = {}) {
	const folder = await mkdtemp(join(tmpdir(), "libpmon-"));
	try {
		const log = new Log(folder, await pathOf(source, folder, name));
		await log.info();
		return log;
	} catch (error) {
		await rm(folder, { recursive: true, force: true });
		throw error;
	}
}
