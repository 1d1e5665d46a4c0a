// incidents.js - what was wrong: a chip for each incident, and the card of the one that is open
// SPDX-License-Identifier: MIT

import { ask, isStale, newest } from "./api.js";
import { whatChanged } from "./ask.js";
import { openCompare } from "./compare.js";
import { copyPicture, savePage } from "./export.js";
import { $, el, rebuild, setAttribute, setText } from "./dom.js";
import { busiest, choiceOf, hasChosen, isUntouched } from "./first.js";
import { isolated, plural, withUnit } from "./format.js";
import { percentOf } from "./heading.js";
import { mainSet, pointsOf, shown } from "./load.js";
import { addCounters, change, knownCounters, state } from "./state.js";
import { showWhy } from "./why.js";
import { msOfIso, showDate, showDay, showDuration, showLength, showTime, windowOf, withSpan } from "./time.js";
import { updateUsual, usualRange } from "./usual.js";
import { aroundOf, zoomOut } from "./zoom.js";

const MOST_CHIPS = 40;
const MOST_EFFECTS = 3; // in words
const MOST_EVIDENCE = 8; // counters on the chart
const MOST_NAMED = 64; // of them, their series are asked for
const MOST_ASKED = 200; // at a time
const MOST_LIKE = 2; // of one counter
const MOST_BUSY = 4; // processes
const MOST_COUNTERS = 12;
const AROUND = 0.8; // of an incident, before and after it
const LIVE_PAUSE_MS = 30000;
// What the busiest processes are found by.
const COUNTERS = { memory: "Private Bytes", disk: "IO Data Bytes/sec", volume: "IO Data Bytes/sec" };
const PROCESSOR_TIME = "% Processor Time";
const PROCESSOR = /\\Processor(?: Information)?\(_Total\)\\% Processor Time$/i;
const BUSY = 90; // percent
const SHAPES = { critical: "■", warning: "▲", note: "●" };
const WORDS = { critical: "Critical", warning: "Warning", note: "Note" };

const askIncidents = newest();
let found = null; // the answer; null: not yet
let series = new Map(); // of what is named, by number
let asked_of = "";
let asked_ms = 0;
let others = null; // {count, average}: processes that are not shown
let context = new Set(); // what is shown next to the evidence, by path
let hasOpened = false; // the first one, by itself
let isOpening = false;

// The incident that is open, with from_ms and to_ms; null: none.
export const openIncident = () => found?.incidents.find(({ id }) => id === state.incident) ?? null;

// All incidents, the gravest first.
export const knownIncidents = () => found?.incidents ?? [];

// The processes of an incident that are not shown: {count, average}, or null.
export const otherProcesses = () => (openIncident() ? others : null);

// Was a counter added to an incident to show what it did not touch?
export const isContext = (path) => context.has(path);

// ---- Words --------------------------------------------------------------------------------------

const machineOf = (one) => (mainSet().machines.length > 1 && one.machine ? `${isolated(one.machine)}: ` : "");

function momentOf(ms) {
	const set = mainSet();
	const isOneDay = showDate(msOfIso(set.first_time)) === showDate(msOfIso(set.last_time));
	return isOneDay ? showTime(ms) : `${showDay(ms)} ${showTime(ms)}`;
}

const rangeOf = (one) => {
	const [from_ms, to_ms] = [msOfIso(one.from), msOfIso(one.to)];
	const isOneDay = showDate(from_ms) === showDate(to_ms);
	return `${momentOf(from_ms)} – ${isOneDay ? showTime(to_ms) : momentOf(to_ms)}`;
};

// Without what is usual and the limit: the card has them.
const shortOf = ({ headline }) => isolated(headline.replace(/ \((usually|limit) .*$/, ""));

const nameOf = ({ instance, pid }) => isolated(instance.replace(/ \(\d+\)$/, "")) + (pid === null ? "" : ` (${pid})`);

function whoText(who) {
	const unit = series.get(who.id);
	const usual = who.usual === null ? "not there" : withUnit(who.usual, unit);
	return `${nameOf(who)}: ${usual} → ${withUnit(who.average, unit)}`;
}

// ---- The chips ----------------------------------------------------------------------------------

function chip(one) {
	const who = one.who.length > 0 ? nameOf(one.who[0]) : "";
	const what = `${momentOf(msOfIso(one.from)).slice(0, -3)} ${machineOf(one)}${shortOf(one)}`;
	const attributes = {
		type: "button",
		class: `chip ${one.severity}`,
		"data-key": one.id,
		"aria-pressed": String(one.id === state.incident),
		title: `${what}${who && `, ${who}`}`,
		on: { click: () => open(one) },
	};
	return el("button", attributes, wordOf(one), el("b", {}, what), who && el("small", {}, `  ${who}`));
}

// The shape alone, where there is no room for the word.
export function shapeOf({ severity }) {
	const word = WORDS[severity];
	return el("span", { class: severity, title: word }, SHAPES[severity], el("span", { class: "unseen" }, word));
}

const wordOf = ({ severity }) => el("span", { class: "word" }, `${SHAPES[severity]} ${WORDS[severity]} `);

// Names the log whose lines are dotted.
function comparedChip() {
	const name = state.compare.set === 0 ? "another time of this log" : shown.sets[state.compare.set]?.name;
	const attributes = { type: "button", class: "chip", "data-key": "compared", on: { click: openCompare } };
	return el("button", attributes, "┈ Dotted: ", el("b", {}, isolated(name ?? "a log that is not open")));
}

// "Processor above 90 % for 0:04:07 of 0:05:00", in the window.
function busyText() {
	const counter = knownCounters().find(({ path }) => PROCESSOR.test(path));
	const points = counter && pointsOf(counter);
	if (!points || points.times.length < 2) return "";
	const { times, mean } = points;
	const lengths = mean.map((value, i) => (i > 0 && value > BUSY ? times[i] - times[i - 1] : 0));
	const busy = lengths.reduce((a, b) => a + b, 0) / 1000;
	const all = (times.at(-1) - times[0]) / 1000;
	return `Processor above ${BUSY} % for ${showDuration(Math.round(busy))} of ${showDuration(Math.round(all))}.`;
}

function summary() {
	const set = mainSet();
	const rest = "What was wrong is known when all of it is read.";
	if (set?.state === "loading") return `Reading the log${percentOf(set)} … ${rest}`;
	if (found === null && set?.samples === 0) return "";
	const counters = plural(set?.counters ?? 0, "counter", "counters");
	if (found === null) return `Looking for what was wrong in ${counters} and what is usual for them …`;
	if (found.incidents.length > 0) return set.live ? busyText() : "";
	if (set.live && busyText()) return busyText();
	if (!set.live) return "";
	return `Nothing was wrong as far as ${plural(found.within.length, "rule", "rules")} and the usual levels tell.`;
}

// ---- The card -----------------------------------------------------------------------------------

function fact(name, text, kind = null, more = null) {
	return text ? [el("div", { class: kind }, el("dt", {}, name), el("dd", { title: more }, text))] : [];
}

function alsoText({ effects }) {
	const rest = effects.length - MOST_EFFECTS;
	const list = effects.slice(0, MOST_EFFECTS).map((text) => shortOf({ headline: text })).join("; ");
	return rest > 0 ? `${list}; and ${rest} more` : list;
}

// The counter that shows it best, with what it was; null: it is not in the log.
function firstEvidence(one) {
	const [evidence] = one.evidence;
	const counter = evidence && series.get(evidence.id);
	return counter ? { ...evidence, series: counter } : null;
}

function tools(one) {
	const evidence = firstEvidence(one);
	const tool = (key, text, act, kind = null) =>
		el("button", { type: "button", class: kind, "data-key": `tool ${key}`, on: { click: act } }, text);
	const list = found.incidents.slice(0, MOST_CHIPS);
	const figure = evidence?.average === evidence?.worst ? "value" : "average"; // one sample
	const why = () => showWhy(evidence.path, figure, { at: one.to, window: windowOf(one) });
	return el(
		"p",
		{ class: "tools" },
		evidence && tool("why", `Why ${withUnit(evidence.average, evidence.series)}?`, why),
		tool("changes", "What else changed?", () => whatChanged(windowOf(one))),
		tool("picture", "Copy as picture", copyPicture),
		tool("page", "Save this page", savePage),
		tool("whole", "Whole log", close, "right"),
		list.length > 1 && tool("back", "◀ Previous", () => moveIncident(-1)),
		list.length > 1 && tool("next", "Next ▶", () => moveIncident(1)),
	);
}

function card(one) {
	const evidence = firstEvidence(one);
	const withUnitOf = (value) => (evidence && value !== null ? withUnit(value, evidence.series) : "");
	const length = showLength(one.seconds);
	const head = el(
		"h2",
		{},
		wordOf(one),
		`${machineOf(one)}${shortOf(one)} `,
		el("small", {}, `${rangeOf(one)}, ${length}`),
	);
	const facts = el(
		"dl",
		{},
		...fact("Cause", one.who.map(whoText).join("; "), "cause"),
		...fact("Usually", withUnitOf(one.usual) || (evidence ? usualRange(evidence.series) : "")),
		...fact("Limit", one.limit_unit === one.unit ? withUnitOf(one.limit) : ""),
		...fact("Also", alsoText(one), "also", one.effects.join("\n")),
	);
	return [head, facts, tools(one)];
}

// All that was judged, where nothing was wrong.
function goodCard() {
	const set = mainSet();
	const facts = [
		["Rules", `${plural(found.within.length, "rule is", "rules are")} within limits`],
		["Usual levels", `${plural(set.counters, "counter", "counters")} of the log, none unusual for long`],
	];
	const list = el("dl", {}, ...facts.flatMap(([name, text]) => fact(name, text)));
	return [el("h2", {}, "Nothing was wrong"), list];
}

export function drawIncidents() {
	const list = found?.incidents.slice(0, MOST_CHIPS) ?? [];
	const one = openIncident();
	setText($("incidents-said"), summary());
	const isRestless = mainSet()?.live; // it changes with each sample
	setAttribute($("incidents-said"), "aria-live", isRestless ? "off" : "polite");
	const compared = state.compare ? [comparedChip()] : [];
	rebuild($("chips"), [...list.map(chip), ...compared]);
	$("chips").hidden = list.length + compared.length === 0;
	const isGood = found !== null && list.length === 0 && !mainSet().live;
	$("incident").hidden = one === null && !isGood;
	$("incident").className = one?.severity ?? "good";
	if (one) rebuild($("incident"), card(one));
	else if (isGood) rebuild($("incident"), goodCard());
}

// ---- Opening one --------------------------------------------------------------------------------

// The counters that tell it: those of which it consists, few of each kind.
function evidenceOf(one) {
	const kinds = new Map();
	return one.evidence
		.map(({ id }) => series.get(id))
		.filter((known) => {
			const kind = known && `${known.object}\\${known.counter}`;
			kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
			return known && kinds.get(kind) <= MOST_LIKE;
		})
		.slice(0, MOST_EVIDENCE);
}

async function countersOf(one) {
	const who = one.who.map(({ id }) => series.get(id)).filter(Boolean);
	const counter = COUNTERS[one.resource] ?? PROCESSOR_TIME;
	const pattern = `${one.machine ? `\\\\${one.machine}` : ""}\\Process(*)\\${counter}`;
	const [usual, busy] = await Promise.all([
		choiceOf(mainSet().machines.length > 1 ? one.machine : null),
		busiest(pattern, windowOf(one), MOST_BUSY),
	]);
	others = counter === PROCESSOR_TIME ? busy.others : null;
	const evidence = [...evidenceOf(one), ...who, ...busy.series];
	const all = [...evidence, ...usual];
	const paths = new Set();
	const telling = new Set([...one.evidence, ...evidence].map(({ path }) => path));
	context = new Set(usual.map(({ path }) => path).filter((path) => !telling.has(path)));
	return all.filter(({ path }) => !paths.has(path) && paths.add(path)).slice(0, MOST_COUNTERS);
}

async function open(one, automatic = false) {
	const counters = await countersOf(one);
	await updateUsual(one, found.incidents, counters.map(({ id }) => id));
	if (automatic && !isUntouched()) return;
	state.counters = [];
	Object.assign(state, { incident: one.id, selected: null }, aroundOf(one.from_ms, one.to_ms, AROUND));
	addCounters(counters, automatic);
}

function close() {
	change({ incident: null });
	zoomOut();
}

// Opens the next (1) or previous (-1) one.
export function moveIncident(step) {
	const list = found?.incidents.slice(0, MOST_CHIPS) ?? [];
	if (list.length === 0) return;
	const at = list.findIndex(({ id }) => id === state.incident);
	const next = list[at < 0 ? 0 : (at + step + list.length) % list.length];
	open(next).then(() => $("chips").querySelector("[aria-pressed=true]")?.scrollIntoView({ block: "nearest" }));
}

// ---- Asking -------------------------------------------------------------------------------------

// The series that chips and cards name.
async function namesOf(incidents) {
	const named = incidents.flatMap(({ who, evidence }) => [...who, ...evidence.slice(0, MOST_NAMED)]);
	const ids = [...new Set(named.map(({ id }) => id))];
	const parts = [];
	for (let i = 0; i < ids.length; i += MOST_ASKED)
		parts.push(ask("series", { set: 0, ids: ids.slice(i, i + MOST_ASKED) }));
	return new Map((await Promise.all(parts)).flatMap((part) => part.series).map((one) => [one.id, one]));
}

async function take(answer) {
	const incidents = answer.incidents.map(withSpan);
	series = await namesOf(incidents.slice(0, MOST_CHIPS));
	found = { ...answer, incidents };
	drawIncidents();
}

// Opens the gravest one, once there is something that it replaces, and unless a link or the user chose what to show.
async function openFirst() {
	const gravest = found?.incidents[0];
	if (found === null || isOpening || (state.counters.length === 0 && !hasChosen())) return;
	if (hasOpened || !gravest || !isUntouched()) return standStill();
	hasOpened = true;
	const isWanted = gravest.severity !== "note" && !mainSet().live && shown.sets.length < 2;
	if (!isWanted || state.incident !== null) return standStill();
	isOpening = true;
	await open(gravest, true).finally(() => {
		isOpening = false;
	});
}

// From now on the page has its form: what stands below the chart is shown.
const standStill = () => document.body.classList.remove("starting");

// Requested when a log is complete, and periodically for a live machine.
export async function updateIncidents() {
	const set = mainSet();
	const isOld = set?.live && Date.now() - asked_ms > LIVE_PAUSE_MS;
	if (set?.samples === 0 && set.state !== "loading") drawIncidents();
	if (!set || set.state === "loading" || set.samples === 0) return;
	if (set.state === asked_of && !isOld) return openFirst();
	asked_of = set.state;
	asked_ms = Date.now();
	try {
		await take(await askIncidents("incidents", { set: 0 }));
		await openFirst();
	} catch (error) {
		if (!isStale(error)) asked_of = "";
	}
}
