// drop.js - open a log dropped on the page, to compare it with the first
// SPDX-License-Identifier: MIT

import { $, setText } from "./dom.js";
import { replaceSecond } from "./door.js";
import { isolated, showBytes } from "./format.js";
import { status } from "./heading.js";
import { mainSet, refresh, shown } from "./load.js";
import { isShared } from "./shared.js";
import { change, state } from "./state.js";

const RETRY_MS = 500;
const TRIES = 10; // while the server receives another log

// The reason why a file cannot be sent, or null.
function obstacle(file) {
	if (isShared) return "This file contains a view, not the log: open both logs with pmon view.";
	const names = [mainSet().name, file.name].map((name) => `"${isolated(name)}"`);
	const instead = `start: pmon view ${names[0]} --compare ${names[1]}`;
	if (shown.takes_bytes === null) return `This server accepts no uploaded logs; ${instead}`;
	const [size, most] = [file.size, shown.takes_bytes].map(showBytes);
	if (file.size <= shown.takes_bytes) return null;
	return `${names[1]} has ${size}, but the page can upload at most ${most}; ${instead}`;
}

async function send(file) {
	const name = isolated(file.name);
	const sending = (part) => `Sending ${name}: ${Math.floor(10 * part) * 10} %`;
	const tell = (part) => status(part < 1 ? sending(part) : `Opening ${name} …`);
	for (let i = 0; i < TRIES; i++) {
		const said = await replaceSecond(file, tell);
		if (said.isStale || said.status !== 409) return said;
		await new Promise((done) => setTimeout(done, RETRY_MS));
	}
	return { status: 409, answer: { error: "The server is already receiving another log." } };
}

// Shows the server's state. Events may arrive before the response and be newer.
function take({ answer }, compare) {
	const [second] = answer.sets.slice(1);
	if (second?.opened !== shown.sets[1]?.opened) shown.sets = second ? [mainSet(), second] : [mainSet()];
	change({ compare });
	refresh();
}

// Compares a file with the first log. Calls fail(text) on an error.
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
		const reason = "it cannot be read, or the server does not respond.";
		fail(said.answer?.error ?? `${isolated(file.name)} could not be sent: ${reason}`);
	}
}

// Frees the second log.
export async function closeCompared() {
	const said = await replaceSecond(null);
	if (said.status === 200) take(said, state.compare?.set === 1 ? null : state.compare);
	else setText($("compare-error"), said.answer?.error ?? "The server does not respond.");
}
