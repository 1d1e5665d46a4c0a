// findings.js - the rules' findings: a lane over the chart, and their explanations
// SPDX-License-Identifier: MIT

import { ask, isStale, newest } from "./api.js";
import { $, el, rebuild } from "./dom.js";
import { showDrawer } from "./drawer.js";
import { isolated, plural, shortName, withUnit } from "./format.js";
import { mainSet, shownWindow } from "./load.js";
import { addCounters, state } from "./state.js";
import { msOfIso, showDuration, showMoment, withSpan } from "./time.js";
import { showWindow } from "./zoom.js";

const MOST_ROWS = 3; // of the lane
const MOST_SHOWN = 60;
const LEAST_PART = 0.012; // of the width, so that an episode can be clicked
const TEXT_PX = 14; // next to the letters of a name
const LEAST_TEXT_PX = 54; // below this, a truncated name is useless
const AROUND = 0.6; // of an episode, on either side of it when it is zoomed to
const LIVE_PAUSE_MS = 30000;

const askFindings = newest();
let found = { total: 0, episodes: [], rules: [], findings: 0, within: 0, beyond: 0, not_judged: 0, left_out: 0 };
let condition = null; // the search that replaces the rules
let asked_of = "";
let asked_ms = 0;
const listeners = [];

export function onFindings(f) {
	listeners.push(f);
}

// The episodes as the chart draws them.
export const shownEpisodes = () => found.episodes;

function take(answer) {
	found = { ...answer, episodes: answer.episodes.map(withSpan) };
	for (const listener of listeners) listener();
}

// Requested when a log is complete, and periodically for a live machine.
export async function updateFindings() {
	const set = mainSet();
	const key = JSON.stringify([set?.state, condition]);
	const isOld = set?.live && Date.now() - asked_ms > LIVE_PAUSE_MS;
	if (!set || set.state === "loading" || set.samples === 0 || (key === asked_of && !isOld)) return;
	asked_of = key;
	asked_ms = Date.now();
	try {
		take(await askFindings("findings", { set: 0, q: condition }));
	} catch (error) {
		if (!isStale(error)) asked_of = "";
	}
}

// Shows when a condition held instead of the rules' findings; null: back to the rules. Returns the number of times.
export async function search(text) {
	const answer = await ask("findings", { set: 0, q: text });
	condition = text;
	asked_of = JSON.stringify([mainSet().state, condition]);
	take(answer);
	return answer.total;
}

export function endSearch() {
	condition = null;
	updateFindings();
}

// ---- The lane -----------------------------------------------------------------------------------

const partsOf = (path) => /^(?:\\\\[^\\]+)?\\([^(\\]+)(?:\((.*)\))?\\(.+)$/.exec(path) ?? [null, "", "", path];

function titleOf(one) {
	const [, , instance] = partsOf(one.path);
	const name = found.rules[one.rule]?.name ?? "";
	const what = condition === null ? isolated(name) : isolated(partsOf(one.path)[3]);
	return instance ? `${what} (${isolated(instance)})` : what;
}

// A value beyond the critical limit is beyond the warning limit too.
const covers = (other, one) =>
	other.severity === "critical" &&
	one.severity !== "critical" &&
	other.rule === one.rule &&
	other.path === one.path &&
	other.from_ms <= one.from_ms &&
	other.to_ms >= one.to_ms;

const pen = document.createElement("canvas").getContext("2d");

// The width of a name in pixels.
function widthOf(name) {
	pen.font = `12px ${getComputedStyle(document.body).fontFamily}`;
	return pen.measureText(name).width + TEXT_PX;
}

// Rows in which neither episodes nor, if there is room, their names overlap. Episodes that do not
// fit are omitted, the least severe first.
function rowsOf(episodes, part, width) {
	const rows = [];
	const placed = [];
	for (const one of episodes) {
		const from = part(one.from_ms);
		const to = Math.max(part(one.to_ms), from + LEAST_PART);
		const end = Math.min(1, Math.max(to, part(one.to_ms) + widthOf(titleOf(one)) / width));
		const isFree = (a, b, last) => (taken) => taken.every((other) => b <= other.from || a >= other[last]);
		let row = rows.findIndex(isFree(from, end, "end"));
		if (row < 0 && rows.length < MOST_ROWS) row = rows.push([]) - 1;
		if (row < 0) row = rows.findIndex(isFree(from, to, "to"));
		if (row < 0) continue;
		rows[row].push({ from, to, end });
		placed.push({ one, row, from, to });
	}
	return { placed, count: rows.length };
}

// The text of a mark: its name inside; or next to it, if the next mark of the row leaves room; otherwise a letter.
function mark({ one, row, from, to }, placed, width) {
	const name = titleOf(one);
	const needed = widthOf(name);
	const after = placed.filter((other) => other.row === row && other.from >= to);
	const next = Math.min(1, ...after.map((other) => other.from));
	const [own, free] = [(to - from) * width, (next - to) * width];
	const isBeside = own < needed && free > own && free >= Math.min(needed, LEAST_TEXT_PX);
	const isLetter = own < Math.min(needed, LEAST_TEXT_PX) && !isBeside;
	const times = `${showMoment(msOfIso(one.from))} to ${showMoment(msOfIso(one.to))}`;
	const letter = own < TEXT_PX ? "" : [...name.replace(/^\u2068/, "")][0];
	const bar = el("i");
	bar.style.width = `${own}px`;
	const button = el(
		"button",
		{
			type: "button",
			class: `episode ${one.severity}${isBeside ? " beside" : isLetter ? " letter" : ""}`,
			"data-key": `${one.path} ${one.from}`,
			title: `${name}: ${times}`,
			"aria-label": isLetter ? name : null,
			on: { click: () => open(one) },
		},
		...(isBeside ? [bar, name] : [isLetter ? letter : name]),
	);
	button.style.left = `${100 * from}%`;
	button.style.width = `${isBeside ? own + Math.min(needed, free - 2) : own}px`;
	button.style.top = `${row * 23}px`;
	return button;
}

function summary() {
	const beyond = found.beyond ? `, ${found.beyond} beyond the limit throughout, but too short for the rule` : "";
	const episodes = plural(found.total, "episode", "episodes");
	const unknown = found.not_judged ? `, not judged on ${plural(found.not_judged, "machine", "machines")}` : "";
	if (condition !== null)
		return [
			el("span", {}, `${isolated(condition)}: ${episodes}${beyond}${unknown} `),
			el("button", { type: "button", class: "link", on: { click: endSearch } }, "Back to the rules"),
		];
	const kept = `${plural(found.within, "rule", "rules")} within limits${beyond}`;
	const judged = `${kept}, ${found.not_judged} not judged`;
	const rest = found.left_out ? `; ${plural(found.left_out, "counter was", "counters were")} not read` : "";
	return [`${plural(found.findings, "finding", "findings")}; ${judged}${rest}`];
}

// Drawn next to the chart's own box, {x, width} in pixels.
export function drawLane(box) {
	const window = shownWindow();
	if (!window || !box || (found.rules.length === 0 && condition === null)) return;
	const part = (ms) => Math.min(1, Math.max(0, (ms - window.from) / (window.to - window.from || 1)));
	const inside = found.episodes.filter(
		(one) =>
			one.to_ms >= window.from &&
			one.from_ms <= window.to &&
			!found.episodes.some((other) => covers(other, one)),
	);
	const { placed, count } = rowsOf(inside.slice(0, MOST_SHOWN), part, box.width);
	$("lane-said").replaceChildren(...summary());
	const marks = $("episodes");
	marks.style.marginLeft = `${box.x}px`;
	marks.style.width = `${box.width}px`;
	marks.style.height = `${23 * count}px`;
	rebuild(marks, placed.sort((a, b) => a.from - b.from).map((one) => mark(one, placed, box.width)));
}

// ---- One episode --------------------------------------------------------------------------------

async function open(one) {
	const around = Math.max(1000, AROUND * (one.to_ms - one.from_ms));
	showWindow(one.from_ms - around, one.to_ms + around);
	explain(one, null);
	showDrawer("finding");
	try {
		const ids = [...new Set([one.id, ...one.who_ids])];
		const { series } = await ask("series", { set: 0, ids });
		const isNew = series.filter(({ path }) => !state.counters.some((counter) => counter.path === path));
		if (isNew.length > 0) addCounters(isNew, true); // one step with the zoom
		explain(one, series.find(({ id }) => id === one.id));
	} catch (error) {
		explain(one, null, error.message);
	}
}

function list(entries) {
	const node = el("dl", { class: "facts" });
	for (const [name, value] of entries) if (value) node.append(el("dt", {}, name), el("dd", {}, value));
	return node;
}

function sourceOf({ text, link }) {
	return el("p", {}, link ? el("a", { href: link, target: "_blank", rel: "noreferrer" }, text || link) : text);
}

function explain(one, series, error = null) {
	const rule = found.rules[one.rule] ?? { text: "", advice: "", sources: [] };
	const who = one.who.map(({ path, share }) => `${isolated(partsOf(path)[2])} ${(100 * share).toFixed(0)} %`);
	const times = `${showMoment(msOfIso(one.from))} to ${showMoment(msOfIso(one.to))}`;
	const { operations } = one;
	$("finding-title").textContent = `${one.severity === "critical" ? "Critical" : "Warning"}: ${titleOf(one)}`;
	$("finding-body").replaceChildren(
		...(error ? [el("p", { class: "bad" }, error)] : []),
		el("p", { class: "code" }, isolated(one.path)),
		el("p", {}, rule.text),
		el("p", {}, rule.advice),
		list([
			["When", `${times}, ${showDuration(one.seconds)}`],
			["Average", withUnit(one.average, series)],
			["Worst", withUnit(one.worst, series)],
			["Limit", `${one.below ? "below" : "above"} ${one.limit_text}`],
			["Samples", String(one.samples)],
			["Operations", operations === null ? null : plural(operations, "operation", "operations")],
			["Busiest instances", who.join(", ")],
			["Counter", series ? shortName(series) : null],
		]),
		...(rule.sources.length ? [el("h3", {}, "Source"), ...rule.sources.map(sourceOf)] : []),
	);
}
