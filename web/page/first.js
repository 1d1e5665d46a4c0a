// first.js - the initial selection for a log
// SPDX-License-Identifier: MIT

import { ask } from "./api.js";
import { mainSet, wantedWindow } from "./load.js";
import { addCounters, state } from "./state.js";

const FIRST_MOST = 8;
const PROCESSES = "\\Process(*)\\% Processor Time";
const TOP = 5;
const MOST_RANKED = 100;
const RANK_PAUSE_MS = 5000;

let automatic = null; // the paths of the first selection, until it is changed
let isChosen = false;

const pathsNow = () => state.counters.map((counter) => counter.path).join("\n");

// Was a first selection made, by the page, a link or the user?
export const hasChosen = () => isChosen;

// Does the page show what it chose itself, of all of the log?
export const isUntouched = () =>
	isChosen && automatic !== null && pathsNow() === automatic && state.from === null && state.to === null;

// The busiest processes in a window, and what all others used: {series, others: {count, average}}.
export async function busiest(pattern, window, max) {
	const { total, rows } = await ask("top", { set: 0, pattern, ...window, max: MOST_RANKED });
	const average = rows.slice(max).reduce((sum, row) => sum + row.average, 0);
	const others = { count: Math.max(0, total - max), average };
	return { series: rows.slice(0, max).map((row) => row.series), others };
}

// What to show of a log, or of one machine in it: [series].
export async function choiceOf(machine = null) {
	const pattern = machine === null ? PROCESSES : `\\\\${machine}${PROCESSES}`;
	const [{ series }, processes] = await Promise.all([
		ask("first", { set: 0, machine, max: FIRST_MOST }),
		busiest(pattern, {}, TOP),
	]);
	return [...series, ...processes.series];
}

// Selected again when the log is complete, unless the user changed the selection. A live set may have no values yet.
async function choose(isAgain) {
	automatic ??= "";
	let series = [];
	try {
		series = await choiceOf();
	} finally {
		if (series.length === 0 && mainSet().live) automatic = null; // asked again with more samples
	}
	if (automatic === null) return;
	if (isAgain && pathsNow() !== automatic) return;
	if (isAgain && series.map((one) => one.path).join("\n") === automatic) return;
	state.counters = [];
	addCounters(series, true);
	automatic = pathsNow();
	isChosen = true;
}

const isRanked = ({ series }) =>
	/^process(?: v2)?$/i.test(series?.object ?? "") && /^% processor time$/i.test(series.counter);

let ranked_ms = 0;

// Live, the first selection waits for values, and then the busiest processes are ranked all the time, while the page
// shows what it chose itself.
export async function chooseLive() {
	const set = mainSet();
	if (set?.live && set.samples > 0 && !isChosen && automatic === null) return choose(false);
	const isDue = set?.live && !state.paused && Date.now() - ranked_ms > RANK_PAUSE_MS;
	if (!isDue || !automatic || !isUntouched()) return;
	ranked_ms = Date.now();
	const { series } = await busiest(PROCESSES, wantedWindow(), TOP);
	const paths = new Set(series.map(({ path }) => path));
	const kept = state.counters.filter((counter) => !isRanked(counter) || paths.has(counter.path));
	const shown = new Set(kept.map(({ path }) => path));
	const isSame = kept.length === state.counters.length && [...paths].every((path) => shown.has(path));
	if (isSame || !isUntouched()) return;
	state.counters = kept;
	addCounters(series, true);
	automatic = pathsNow();
}

// Called with each state of the log; `before` is the previous one.
export async function selectFirst(before) {
	const set = mainSet();
	isChosen ||= state.counters.length > 0; // by a link
	if (state.counters.length === 0 && automatic === null && set.samples > 0)
		await choose(false);
	else if (before === "loading" && set.state !== "loading" && automatic !== null)
		await choose(true);
}
