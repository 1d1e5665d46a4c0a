// live.js - server-sent events: load progress and new samples
// SPDX-License-Identifier: MIT

import { ask } from "./api.js";
import { mainSet, refreshLater } from "./load.js";
import { bearer, secretName } from "./secret.js";
import { state } from "./state.js";
import { Stream } from "./stream.js";
import { ticksOfIso } from "./time.js";

const EARLY = 0.95; // a slightly early sample is not skipped

let looked_ms = -Infinity; // the time of the last sample handled

// A window that ended before the new sample does not change.
function concerns(time) {
	return state.to === null || ticksOfIso(time) <= ticksOfIso(state.to);
}

function onSample({ time, ms }) {
	const set = mainSet();
	if (!set) return;
	set.last_time = time;
	if (!concerns(time) || state.paused || ms - looked_ms < EARLY * state.every_ms) return;
	looked_ms = ms;
	refreshLater();
}

// {watch(authorization), rest()}, in the shared worker; in browsers without one, such as on some
// phones, in this tab.
function join(deliver) {
	let member = null;
	const alone = () => (member = new Stream().join(deliver));
	if (typeof SharedWorker === "undefined") return alone();
	const worker = new SharedWorker("worker.js", { type: "module", name: secretName() });
	worker.port.onmessage = ({ data }) => deliver(data);
	worker.addEventListener("error", () => {
		alone();
		if (!document.hidden) member.watch(bearer());
	});
	const send = (message) => worker.port.postMessage(message);
	return {
		watch: (authorization) => (member ? member.watch(authorization) : send(authorization)),
		rest: () => (member ? member.rest() : send(null)),
	};
}

// Calls onLog(log) for each state of loading, lost(error) if the server is unreachable or refuses,
// found() when it is back.
export function startLive({ onLog, lost, found }) {
	const joined = () => {
		found();
		ask("log").then(onLog, () => {});
	};
	const takers = { log: onLog, sample: onSample, open: found, joined, lost };
	const member = join(({ type, data }) => takers[type]?.(data));
	const update = () => (document.hidden ? member.rest() : member.watch(bearer()));
	document.addEventListener("visibilitychange", update);
	addEventListener("pagehide", () => member.rest());
	addEventListener("pageshow", ({ persisted }) => persisted && update());
	update();
}
