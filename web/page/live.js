// live.js - what the server sends on its own: how far a log is loaded, and each new sample
// SPDX-License-Identifier: MIT

import { address } from "./api.js";
import { mainSet, refreshLater } from "./load.js";
import { state } from "./state.js";
import { ticksOfIso } from "./time.js";

const RETRY_MS = 3000;

let stream = null;
let retry = 0;

// A window that ended before the new sample stays as it is.
function concerns(time) {
	return state.to === null || ticksOfIso(time) <= ticksOfIso(state.to);
}

function onSample(event) {
	const { time } = JSON.parse(event.data);
	const set = mainSet();
	if (!set) return;
	const isShown = concerns(time);
	set.last_time = time;
	if (isShown && !state.paused) refreshLater();
}

// onLog(log) is called for each state of loading, lost() when the server is gone, found() when
// it is there again.
export function startLive({ onLog, lost, found }) {
	clearTimeout(retry);
	stream?.close();
	stream = new EventSource(
		address("events", { set: 0, interval_ms: state.every_ms || null }),
	);
	stream.addEventListener("open", found);
	stream.addEventListener("log", (event) => onLog(JSON.parse(event.data)));
	stream.addEventListener("sample", onSample);
	stream.addEventListener("error", () => {
		lost();
		if (stream.readyState === EventSource.CLOSED)
			retry = setTimeout(() => startLive({ onLog, lost, found }), RETRY_MS);
	});
}
