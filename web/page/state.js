// state.js - the page's state: one object, also encoded in the URL, so that a link restores it
// SPDX-License-Identifier: MIT
//
// The part of the address after # is a list of parameters in order. A counter is its path (c=), and
// `o=` after it holds its changed settings. `ids` are their numbers. They are only a hint that
// saves a search, because another log or server run may use others.

import { sharedHash } from "./shared.js";
import { ticksOfIso } from "./time.js";

export const MAX_COUNTERS = 256;

export const state = {
	view: "panels", // panels, line (the classic one), histogram, report
	from: null, // the window, as exact times; null: from the beginning, to the end
	to: null,
	span_s: null, // of a live set without a window: how far back; null: all that is kept
	counters: [], // {path, hint, series, scale, color, hidden}; series is null until it is found
	selected: null, // a path
	incident: null, // the id of the one that is open
	highlight: false,
	figure: "auto", // of histogram and report: average, last, minimum, maximum
	sort: null, // {column, down}
	compare: null, // {set, shift}: shift in ticks of 100 ns, as text, or "start"
	paused: false,
	every_ms: 0, // how often a live page looks; 0: at each sample
};

const listeners = [];
const seen = new Map(); // series by their paths, so that undoing needs no questions

// f(changes) is called with the names of what changed.
export function onChange(f) {
	listeners.push(f);
}

// User actions can be undone. Automatic changes are not separate steps.
export function change(changes, automatic = false) {
	Object.assign(state, changes);
	if (!state.counters.some((counter) => counter.path === state.selected))
		state.selected = state.counters[0]?.path ?? null;
	for (const { path, series } of state.counters) if (series) seen.set(path, series);
	const names = new Set(Object.keys(changes));
	writeAddress(names, automatic);
	for (const listener of listeners) listener(names);
}

// Changes the settings of one counter.
export function changeCounter(path, changes) {
	change({ counters: state.counters.map((one) => (one.path === path ? { ...one, ...changes } : one)) });
}

export const selectedCounter = () =>
	state.counters.find((counter) => counter.path === state.selected) ?? null;

export const knownCounters = () => state.counters.filter((counter) => counter.series !== null);

export function newCounter(series) {
	const { path, id } = series;
	return { path, hint: id, series, scale: null, color: freeColor(), hidden: false };
}

// The lowest unused colour number.
function freeColor() {
	const taken = new Set(state.counters.map((counter) => counter.color));
	let n = 0;
	while (taken.has(n)) n++;
	return n;
}

// Adds the missing ones; returns how many did not fit.
export function addCounters(list, automatic = false) {
	const there = new Set(state.counters.map((counter) => counter.path));
	const isNew = ({ path }) => !there.has(path) && there.add(path);
	const fresh = list.filter((series) => series.displayed && isNew(series));
	const room = Math.max(0, MAX_COUNTERS - state.counters.length);
	for (const series of fresh.slice(0, room))
		state.counters = [...state.counters, newCounter(series)];
	change({ counters: state.counters, selected: state.selected ?? fresh[0]?.path ?? null }, automatic);
	return Math.max(0, fresh.length - room);
}

// Removing the selected counter selects its successor.
export function removeCounter(path) {
	const at = state.counters.findIndex((counter) => counter.path === path);
	const counters = state.counters.filter((counter) => counter.path !== path);
	const next = counters[Math.min(at, counters.length - 1)]?.path ?? null;
	change({ counters, selected: state.selected === path ? next : state.selected });
}

// ---- The address --------------------------------------------------------------------------------

function writeCounter(parameters, counter, position) {
	const options = [];
	if (counter.hidden) options.push("hidden");
	if (counter.scale !== null) options.push(`x${counter.scale}`);
	if (counter.color !== position) options.push(`color${counter.color}`);
	parameters.append("c", counter.path);
	if (options.length) parameters.append("o", options.join(" "));
}

function addressOf() {
	const parameters = new URLSearchParams();
	const put = (name, value) => {
		if (value !== null && value !== "") parameters.append(name, String(value));
	};
	put("view", state.view);
	put("from", state.from);
	put("to", state.to);
	put("span", state.span_s);
	state.counters.forEach((counter, i) => writeCounter(parameters, counter, i));
	put(
		"ids",
		state.counters.map((counter) => counter.series?.id ?? counter.hint ?? "").join(","),
	);
	put("selected", state.selected);
	put("incident", state.incident);
	put("highlight", state.highlight ? 1 : null);
	put("figure", state.figure === "auto" ? null : state.figure);
	put("sort", state.sort ? (state.sort.down ? "-" : "") + state.sort.column : null);
	put("compare", state.compare ? `${state.compare.set}:${state.compare.shift}` : null);
	put("every", state.every_ms || null);
	put("paused", state.paused ? 1 : null);
	return "#" + parameters.toString();
}

const ONE_STEP_MS = 700; // turning the wheel is one step, however often it ticks

let written = null;
let last = { ms: 0, names: "" };

// The address keeps only what follows #.
function writeAddress(names, automatic) {
	const next = addressOf();
	const now = { ms: performance.now(), names: [...names].sort().join() };
	const goesOn = now.ms - last.ms < ONE_STEP_MS && now.names === last.names && now.names === "from,to";
	if (next !== written && !automatic) last = now;
	if (written === null || automatic || goesOn) history.replaceState(null, "", location.pathname + next);
	else if (next !== written) history.pushState(null, "", location.pathname + next);
	written = next;
}

// True if the URL came from the user, not from the page.
export const addressIsNew = () => location.hash !== written;

function readOptions(counter, text) {
	for (const option of text.split(" ")) {
		const scale = /^x(\d(?:\.\d+)?e[-+]?\d{1,3}|[\d.]{1,30})$/.exec(option);
		const color = /^color(\d{1,3}|#[0-9a-f]{6})$/.exec(option);
		if (option === "hidden") counter.hidden = true;
		else if (scale && Number(scale[1]) > 0) counter.scale = Number(scale[1]);
		else if (color)
			counter.color = color[1].startsWith("#") ? color[1] : Number(color[1]);
	}
}

function readSort(text) {
	const match = /^(-?)([a-z0-9]+)$/.exec(text ?? "");
	return match ? { column: match[2], down: match[1] === "-" } : null;
}

function readCompare(text) {
	const match = /^([01]):(start|-?\d{1,19})$/.exec(text ?? "");
	return match ? { set: Number(match[1]), shift: match[2] } : null;
}

function oneOf(value, allowed) {
	return allowed.includes(value) ? value : allowed[0];
}

function readCounters(parameters) {
	const counters = [];
	const hints = (parameters.get("ids") ?? "").split(",");
	const fresh = (path) => {
		const color = counters.length;
		const hint = /^\d{1,9}$/.test(hints[color]) ? Number(hints[color]) : null;
		return { path, hint, series: seen.get(path) ?? null, scale: null, color, hidden: false };
	};
	for (const [name, value] of parameters) {
		const there = counters.some((counter) => counter.path === value);
		if (name === "c" && counters.length < MAX_COUNTERS && !there)
			counters.push(fresh(value));
		else if (name === "o" && counters.length) readOptions(counters.at(-1), value);
	}
	return counters;
}

// The window in a URL; `warn` receives errors.
function readWindow(parameters, warn) {
	const read = (name) => {
		const text = parameters.get(name);
		if (text === null || ticksOfIso(text) !== null) return text;
		warn(`The link has "${text.slice(0, 40)}" as its "${name}", which is not a time; it is ignored.`);
		return null;
	};
	const [from, to] = [read("from"), read("to")];
	if (from === null || to === null || ticksOfIso(from) <= ticksOfIso(to)) return { from, to };
	warn("The window of the link ends before it begins; it is ignored.");
	return { from: null, to: null };
}

// Parses a URL; unknown parts are ignored.
export function readAddress(warn = () => {}) {
	const parameters = new URLSearchParams((location.hash || sharedHash).slice(1));
	const positive = (name) => {
		const number = Number(parameters.get(name));
		return number > 0 && Number.isFinite(number) ? number : null;
	};
	return {
		view: oneOf(parameters.get("view"), ["panels", "line", "histogram", "report"]),
		...readWindow(parameters, warn),
		span_s: positive("span"),
		counters: readCounters(parameters),
		selected: parameters.get("selected"),
		incident: /^[0-9a-f]{1,16}$/.test(parameters.get("incident")) ? parameters.get("incident") : null,
		highlight: parameters.get("highlight") === "1",
		figure: oneOf(parameters.get("figure"), ["auto", "average", "last", "minimum", "maximum"]),
		sort: readSort(parameters.get("sort")),
		compare: readCompare(parameters.get("compare")),
		every_ms: positive("every") ?? 0,
		paused: parameters.get("paused") === "1",
	};
}
