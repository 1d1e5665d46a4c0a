// live.js - server-sent events: load progress and new samples
// SPDX-License-Identifier: MIT

import { ask } from "./api.js";
import { joinEvents } from "./door.js";
import { mainSet, refreshLater } from "./load.js";
import { state } from "./state.js";
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

// Calls onLog(log) for each state of loading, lost(error) if the server is unreachable or refuses,
// found() when it is back.
export function startLive({ onLog, lost, found }) {
	const joined = () => {
		found();
		ask("log").then(onLog, () => {});
	};
	const takers = { log: onLog, sample: onSample, open: found, joined, lost };
	const member = joinEvents(({ type, data }) => takers[type]?.(data));
	const update = () => (document.hidden ? member.rest() : member.watch());
	document.addEventListener("visibilitychange", update);
	addEventListener("pagehide", () => member.rest());
	addEventListener("pageshow", ({ persisted }) => persisted && update());
	update();
}
