// drop.js - a log that is dropped on the page goes to the server, which lays it over the first
// SPDX-License-Identifier: MIT

import { $, setText } from "./dom.js";
import { isolated, showBytes } from "./format.js";
import { status } from "./heading.js";
import { mainSet, refresh, shown } from "./load.js";
import { isShared } from "./shared.js";
import { change, state } from "./state.js";

const RETRY_MS = 500;
const TRIES = 10; // while the server has another log under way

let request = null; // the one under way

// Asks the server to change what is compared with: {status, answer}. It takes the file from the disk piece by piece.
function ask(method, parameters, file, progress) {
	request?.abort();
	const mine = (request = new XMLHttpRequest());
	mine.open(method, `api/compare${parameters}`);
	mine.responseType = "json";
	mine.upload.addEventListener("progress", ({ loaded, total }) => progress?.(loaded / total));
	return new Promise((done) => {
		mine.addEventListener("loadend", () => {
			const { status: code, response: answer } = mine;
			done({ status: code, answer, isStale: mine !== request });
		});
		mine.send(file);
	});
}

// Why a file cannot be sent, or null.
function obstacle(file) {
	if (isShared) return "This file has a view, not its log: open both logs with pmon view.";
	const names = [mainSet().name, file.name].map((name) => `"${isolated(name)}"`);
	const instead = `start: pmon view ${names[0]} --compare ${names[1]}`;
	if (shown.takes_bytes === null) return `This server takes no log from the page; ${instead}`;
	const [size, most] = [file.size, shown.takes_bytes].map(showBytes);
	if (file.size <= shown.takes_bytes) return null;
	return `${names[1]} has ${size}, the page takes at most ${most}; ${instead}`;
}

async function send(file) {
	const name = isolated(file.name);
	const sending = (part) => `Sending ${name}: ${Math.floor(10 * part) * 10} %`;
	const tell = (part) => status(part < 1 ? sending(part) : `Opening ${name} …`);
	for (let i = 0; i < TRIES; i++) {
		const said = await ask("POST", `?${new URLSearchParams({ name: file.name })}`, file, tell);
		if (said.isStale || said.status !== 409) return said;
		await new Promise((done) => setTimeout(done, RETRY_MS));
	}
	return { status: 409, answer: { error: "The server has another log under way." } };
}

// What the server has then is shown. Its events may have come before its answer, and know more.
function take({ answer }, compare) {
	const [second] = answer.sets.slice(1);
	if (second?.opened !== shown.sets[1]?.opened) shown.sets = second ? [mainSet(), second] : [mainSet()];
	change({ compare });
	refresh();
}

// Lays a file over the first log. fail(text) is called when that cannot be done.
export async function compareWith(file, fail) {
	const why = obstacle(file);
	if (why) return fail(why);
	const said = await send(file);
	if (said.isStale) return;
	status("");
	if (said.status === 200) {
		take(said, { set: 1, shift: "start" });
		$("compare").close();
	} else {
		const reason = "it cannot be read, or the server does not answer.";
		fail(said.answer?.error ?? `${isolated(file.name)} could not be sent: ${reason}`);
	}
}

// Frees the second log.
export async function closeCompared() {
	const said = await ask("DELETE", "");
	if (said.status === 200) take(said, state.compare?.set === 1 ? null : state.compare);
	else setText($("compare-error"), said.answer?.error ?? "The server does not answer.");
}
