// first.js - the selection for a log that nobody has opened before
// SPDX-License-Identifier: MIT

import { ask } from "./api.js";
import { mainSet } from "./load.js";
import { addCounters, state } from "./state.js";

const FIRST_MOST = 8;
const PROCESSES = "\\Process(*)\\% Processor Time";
const TOP = 5;

let automatic = null; // the paths of the first selection, while nobody has changed it

const pathsNow = () => state.counters.map((counter) => counter.path).join("\n");

// What to show of a log, or of one machine in it: [series].
export async function choiceOf(machine = null) {
	const pattern = machine === null ? PROCESSES : `\\\\${machine}${PROCESSES}`;
	const [{ series }, busiest] = await Promise.all([
		ask("first", { set: 0, machine, max: FIRST_MOST }),
		ask("top", { set: 0, pattern, max: TOP }),
	]);
	return [...series, ...busiest.rows.map((row) => row.series)];
}

// Chosen again when the whole log is there, unless the reader has chosen by then.
async function choose(isAgain) {
	automatic ??= "";
	const series = await choiceOf();
	if (isAgain && pathsNow() !== automatic) return;
	if (isAgain && series.map((one) => one.path).join("\n") === automatic) return;
	state.counters = [];
	addCounters(series, true);
	automatic = pathsNow();
}

// Called with each state of the log; `before` is the state before this one.
export async function selectFirst(before) {
	const set = mainSet();
	if (state.counters.length === 0 && automatic === null && set.samples > 0)
		await choose(false);
	else if (before === "loading" && set.state !== "loading" && automatic !== null)
		await choose(true);
}
