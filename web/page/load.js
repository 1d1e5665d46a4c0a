// load.js - fetch the data for the current state, and keep the newest response
// SPDX-License-Identifier: MIT

import { ask, isStale, newest } from "./api.js";
import { debounce } from "./dom.js";
import { defaultScale, scaleToFit } from "./format.js";
import { isShared } from "./shared.js";
import { change, knownCounters, state } from "./state.js";
import { isoOfTicks, msOfIso, setClock, ticksOfIso } from "./time.js";

const SECOND_TICKS = 10000000n;
const RESOLVERS = 6; // concurrent requests: browsers limit connections per server

// The data on the page now. `other` is the compared set:
// {data, ids: Map(id -> id there), shift_ms}.
// `frozen` is the window of a live set that is held.
export const shown = {
	sets: [],
	takes_bytes: null, // the size limit for a dropped log; null: not accepted
	data: null,
	marks: null,
	other: null,
	columns: 1000,
	frozen: null,
};

const listeners = [];
export function onShown(f) {
	listeners.push(f);
}

let report = { busy: () => {}, error: () => {}, good: () => {} };
export function reportTo(functions) {
	report = functions;
}

export const mainSet = () => shown.sets[0] ?? null;

export function takeLog(log) {
	shown.sets = log.sets;
	shown.takes_bytes = isShared ? null : log.takes_bytes;
	setClock(mainSet().utc_offset_min, mainSet().interval_s);
}

// ---- Windows ------------------------------------------------------------------------------------

// The window to request: the chosen one, or the last seconds of a live set.
export function wantedWindow() {
	const set = mainSet();
	const chosen = state.from !== null || state.to !== null;
	if (state.paused && !chosen && shown.frozen) return shown.frozen;
	if (chosen || !set?.live || state.span_s === null || set.last_time === null)
		return { from: state.from, to: state.to };
	const back = BigInt(Math.round(state.span_s)) * SECOND_TICKS;
	return { from: isoOfTicks(ticksOfIso(set.last_time) - back), to: null };
}

// Freezes the shown window, or continues it.
export function freeze(on) {
	shown.frozen = on && shown.data ? { from: shown.data.from, to: shown.data.to } : null;
	change({ paused: on });
}

// Is it a live set whose newest samples are followed?
const isFollowing = () =>
	mainSet()?.live && state.span_s !== null && state.from === null && state.to === null && !state.paused;

// The current window, in milliseconds; null if there is none yet. That of a live set is as long as its span from the
// first sample on.
export function shownWindow() {
	const set = mainSet();
	const wanted = wantedWindow();
	const from = shown.data?.from ?? wanted.from ?? set?.first_time ?? null;
	const to = shown.data?.to ?? wanted.to ?? set?.last_time ?? null;
	if (from === null || to === null) return null;
	const window = { from: msOfIso(from), to: msOfIso(to) };
	return isFollowing() ? { ...window, from: Math.min(window.from, window.to - 1000 * state.span_s) } : window;
}

// The shift of the other set against this one, in ticks; null while unknown.
export function shiftTicks() {
	const { set, shift } = state.compare;
	if (shift !== "start") return BigInt(shift);
	const here = mainSet()?.first_time ?? null;
	const there = shown.sets[set]?.first_time ?? null;
	return here === null || there === null ? null : ticksOfIso(there) - ticksOfIso(here);
}

// The window of the compared set. Without a zoom it is the whole second log.
export function otherWindow() {
	const { from, to } = wantedWindow();
	const set = mainSet();
	if (from === null && to === null && state.compare.set !== 0)
		return { from: null, to: null };
	const shift = shiftTicks();
	const move = (iso) => isoOfTicks(ticksOfIso(iso) + shift);
	return { from: move(from ?? set.first_time), to: move(to ?? set.last_time) };
}

// ---- Counters of a link -------------------------------------------------------------------------

// Counters whose number in the URL is still valid.
async function tryHints(counters, found) {
	const known = mainSet().counters;
	const hinted = counters.filter(({ hint }) => hint !== null && hint < known);
	const ids = [...new Set(hinted.map((counter) => counter.hint))];
	if (ids.length === 0) return;
	const answer = await ask("series", { set: 0, ids });
	const byId = new Map(answer.series.map((series) => [series.id, series]));
	for (const { path, hint } of hinted) {
		if (byId.get(hint).path === path) found.set(path, byId.get(hint));
	}
}

async function resolve(counter) {
	const answer = await ask("select", { set: 0, pattern: counter.path, limit: 2000 });
	return answer.series.find((series) => series.path === counter.path) ?? null;
}

// Finds the ids of counters that a URL names by path.
export async function resolveCounters() {
	const wanted = state.counters.filter((counter) => counter.series === null);
	const found = new Map();
	await tryHints(wanted, found);
	const open = wanted.filter((counter) => !found.has(counter.path));
	const work = async () => {
		for (let counter = open.pop(); counter; counter = open.pop())
			found.set(counter.path, await resolve(counter));
	};
	await Promise.all(Array.from({ length: RESOLVERS }, work));
	if (![...found.values()].some((series) => series !== null)) return;
	const counters = state.counters.map((counter) => ({
		...counter,
		series: counter.series ?? found.get(counter.path) ?? null,
	}));
	change({ counters }, true);
}

// ---- Data ---------------------------------------------------------------------------------------

const askData = newest();
const askMarks = newest();
const askMatching = newest();
const askOther = newest();

async function matching(ids) {
	if (state.compare.set === 0) return new Map(ids.map((id) => [id, id]));
	const answer = await askMatching("matching", { set: 0, ids, to_set: state.compare.set });
	return new Map(answer.ids.map((id, i) => [id, answer.matching[i]]));
}

async function loadOther(ids) {
	if (!state.compare || !shown.sets[state.compare.set]) return null;
	const shift = shiftTicks();
	if (shift === null) return null;
	const map = await matching(ids);
	const wanted = [...new Set([...map.values()].filter((id) => id !== null))];
	const data =
		wanted.length === 0
			? null
			: await askOther("data", {
					set: state.compare.set,
					ids: wanted,
					...otherWindow(),
					columns: shown.columns,
				});
	return { data, ids: map, shift_ms: Number(shift) / 10000 };
}

async function load() {
	const ids = knownCounters().map((counter) => counter.series.id);
	const window = wantedWindow();
	if (ids.length === 0) return { data: null, marks: null, other: null };
	const [data, marks, other] = await Promise.all([
		askData("data", { set: 0, ids, ...window, columns: shown.columns }),
		askMarks("marks", { set: 0, ids, ...window }),
		loadOther(ids),
	]);
	return { data, marks, other };
}

let busy = false;
let again = false;

async function refreshNow() {
	setBusy(true);
	try {
		Object.assign(shown, await load());
		report.good();
	} catch (error) {
		if (isStale(error)) return; // a newer request is in progress
		report.error(error);
	}
	setBusy(false);
	for (const listener of listeners) listener();
	if (again) refresh();
	again = false;
}

function setBusy(on) {
	busy = on;
	report.busy(on);
}

export const refresh = debounce(refreshNow, 15);

// For events that may arrive faster than responses: wait for the current request, then send one more.
export function refreshLater() {
	if (busy) again = true;
	else refresh();
}

// ---- Looking things up --------------------------------------------------------------------------

const entry = (data, id) => data?.series.find((series) => series.id === id) ?? null;

export const barOf = (counter) =>
	(counter.series ? entry(shown.data, counter.series.id)?.bar : null) ?? null;

export function otherBarOf(counter) {
	const id = counter.series ? shown.other?.ids.get(counter.series.id) : undefined;
	return entry(shown.other?.data, id)?.bar ?? null;
}

// The largest absolute value shown of a counter.
function largest(counter) {
	const bars = [barOf(counter), otherBarOf(counter)];
	return Math.max(...bars.flatMap((bar) => [Math.abs(bar?.maximum ?? 0), Math.abs(bar?.minimum ?? 0)]));
}

// The scale of the classic view: the chosen one, or one that keeps the line on the axis.
export const scaleOf = (counter) =>
	counter.scale ?? defaultScale(largest(counter), counter.series?.scale ?? 1);

// The chosen scale moves the line off the axis, so it is drawn at the edge.
export const isOutside = (counter) => largest(counter) * scaleOf(counter) > 100;

// The counter with the scale that fits its shown values.
export const scaled = (counter) => ({ ...counter, scale: scaleToFit(largest(counter)) });

function points(data, id) {
	const series = entry(data, id);
	if (!series) return null;
	const times = data.times[series.times];
	return series.exact
		? { times, low: series.value, high: series.value, mean: series.value }
		: { times, low: series.min, high: series.max, mean: series.mean };
}

// The points of a counter, {times, low, high, mean}, or null. If every sample is present, the last
// three are the same list.
export const pointsOf = (counter) =>
	counter.series ? points(shown.data, counter.series.id) : null;

export const otherPointsOf = (counter) =>
	counter.series ? points(shown.other?.data, shown.other?.ids.get(counter.series.id)) : null;
