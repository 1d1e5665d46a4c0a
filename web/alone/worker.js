// worker.js - runs the module for the page, and reads the files of the reader
// SPDX-License-Identifier: MIT
//
// The page sends {id, ...}: {module} and then {open: [File]} once, {ask, parameters}, {compare: File or null},
// {forget: id}. Each is answered by {id, status, type, bytes}. Meanwhile logs are read step by step, and {progress}
// says that there is more of them.

import { LogModule } from "./module.js";

const STEP_MS = 30; // of reading, between two questions
const TELL_MS = 250;
const AHEAD = 1 << 20; // bytes that are read at once

// A file, of which a piece is kept.
class FileSource {
	#file;
	#reader = new FileReaderSync();
	#piece = new Uint8Array(0);
	#begin = 0;

	constructor(file) {
		this.#file = file;
		this.size = file.size;
	}

	#load(at) {
		this.#begin = at;
		this.#piece = new Uint8Array(this.#reader.readAsArrayBuffer(this.#file.slice(at, at + AHEAD)));
		if (this.#piece.length === 0) throw new Error("the file became shorter");
	}

	read(at, into) {
		let done = 0;
		while (done < into.length && at + done < this.size) {
			const from = at + done - this.#begin;
			if (from < 0 || from >= this.#piece.length) {
				this.#load(at + done);
				continue;
			}
			const part = this.#piece.subarray(from, from + into.length - done);
			into.set(part, done);
			done += part.length;
		}
		return done;
	}
}

const logOf = (file) => ({ name: file.name, source: new FileSource(file) });

function json(status, value) {
	return { status, type: "application/json", bytes: new TextEncoder().encode(JSON.stringify(value)) };
}

let logs = null; // the LogModule
let broken = null; // why it can do nothing any more
let isReading = false;
let told_ms = 0;
const forgotten = new Set();

function readStep() {
	isReading = attempt(() => logs.read(STEP_MS), false);
	if (!isReading || performance.now() - told_ms > TELL_MS) {
		told_ms = performance.now();
		postMessage({ progress: true });
	}
	if (isReading) setTimeout(readStep);
}

function startReading() {
	if (isReading) return;
	isReading = true;
	setTimeout(readStep);
}

// What f() returns. A module that trapped is not called again.
function attempt(f, otherwise) {
	if (broken) return otherwise;
	try {
		return f();
	} catch (error) {
		const reason = error instanceof RangeError || /memory/.test(error.message) ? "not enough memory" : error.message;
		broken = `The log cannot be processed: ${logs.messages() || reason}`;
		return otherwise;
	}
}

function openLogs(files) {
	try {
		logs.open(files.map(logOf));
	} catch (error) {
		return json(422, { error: logs.messages() || error.message, parameter: null });
	}
	startReading();
	return json(200, null);
}

function compare(file) {
	const answer = logs.compare(file && logOf(file));
	startReading();
	return answer;
}

function answerTo({ open, ask, parameters, compare: file }) {
	if (open) return openLogs(open);
	const answer = attempt(() => (ask ? logs.ask(ask, parameters) : compare(file)), null);
	return answer ?? json(500, { error: broken, parameter: null });
}

addEventListener("message", async ({ data }) => {
	if (data.forget) {
		forgotten.add(data.forget);
	} else if (data.module) {
		try {
			logs = await LogModule.start(await WebAssembly.compile(data.module));
			postMessage({ started: true });
		} catch (error) {
			postMessage({ failed: `This browser cannot run pmon: ${error.message}` });
		}
	} else {
		// The page may withdraw the question meanwhile.
		setTimeout(() => {
			if (forgotten.delete(data.id)) return;
			const answer = answerTo(data);
			postMessage({ id: data.id, ...answer }, [answer.bytes.buffer]);
		});
	}
});
