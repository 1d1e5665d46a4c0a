// add.js - the dialog to search, explain, add and remove counters
// SPDX-License-Identifier: MIT

import { ask, isStale, newest } from "./api.js";
import { $, debounce, el, setText } from "./dom.js";
import { plural, showScale } from "./format.js";
import { addCounters, MAX_COUNTERS, removeCounter, state } from "./state.js";
import { Tree } from "./tree.js";

const PAGE = 2000;
const TYPING_MS = 180;

const askCount = newest();
const askHelp = newest();
let tree = null;

const query = () => $("add-search").value.trim();
const chosen = (series) => state.counters.some((counter) => counter.path === series.path);

function say(text) {
	setText($("add-said"), text);
}

const sayError = (error) => isStale(error) || say(error.message);

function count() {
	const room = MAX_COUNTERS - state.counters.length;
	setText(
		$("add-count"),
		`${plural(state.counters.length, "counter", "counters")} on the page` +
			(room < 50 ? `, room for ${room} more` : ""),
	);
}

// ---- Adding -------------------------------------------------------------------------------------

function add(list) {
	const before = state.counters.length;
	const left = addCounters(list);
	const added = state.counters.length - before;
	say(
		`${plural(added, "counter", "counters")} added` +
			(left ? `; ${left} were not added: the limit is ${MAX_COUNTERS}` : ""),
	);
	tree.mark();
	count();
}

// All series below a tree node that match the search.
async function seriesBelow({ level, parts }) {
	const q = query() || null;
	if (level === "counter")
		return (await ask("tree", { set: 0, ...parts, q, limit: PAGE })).nodes;
	const answer = await ask("tree", { set: 0, ...parts, q, limit: PAGE });
	const list = [];
	for (const node of answer.nodes) {
		if (list.length > MAX_COUNTERS) break;
		list.push(
			...(await seriesBelow({
				level: answer.level,
				parts: { ...parts, [answer.level]: node.name },
			})),
		);
	}
	return list;
}

async function choose(node) {
	if (node.series && chosen(node.series)) {
		removeCounter(node.series.path);
		say(`${node.series.path} removed`);
		tree.mark();
		count();
		return;
	}
	try {
		add(node.series ? [node.series] : await seriesBelow(node));
	} catch (error) {
		sayError(error);
	}
}

async function addMatches() {
	try {
		const q = query();
		add((await ask("select", { set: 0, q: q || "*", limit: MAX_COUNTERS })).series);
	} catch (error) {
		sayError(error);
	}
}

// ---- Searching ----------------------------------------------------------------------------------

async function search() {
	tree.load();
	const q = query();
	const button = $("add-matches");
	button.hidden = q === "";
	if (q === "") return;
	try {
		const { total } = await askCount("select", { set: 0, q, limit: 1 });
		setText(button, `Add ${total === 1 ? "the match" : `all ${total} matches`}`);
		button.disabled = total === 0;
		say(plural(total, "counter matches", "counters match"));
	} catch (error) {
		button.disabled = true;
		sayError(error);
	}
}

// ---- Explaining ---------------------------------------------------------------------------------

function facts(entries) {
	const list = el("dl", { class: "facts" });
	for (const [name, text] of entries) {
		if (text !== null && text !== undefined && text !== "")
			list.append(el("dt", {}, name), el("dd", {}, text));
	}
	return list;
}

function help(title, text, entries) {
	$("add-help").replaceChildren(
		el("h3", {}, title),
		...(text ? [el("p", {}, text)] : []),
		facts(entries),
	);
}

function helpOf(series) {
	help(series.path, series.help, [
		["Unit", series.unit],
		["Type", series.type],
		["About this counter type", series.type_meaning],
		["Value", series.formula],
		["Average", series.average_formula],
		["Default scale", showScale(series.scale)],
		["Read from", series.from],
		["On Windows", series.windows],
	]);
}

async function explain(node) {
	if (!node.series) {
		help(node.name, node.help, [
			["Unit", node.unit],
			["Type", node.type],
			["Counters", String(node.count)],
		]);
		return;
	}
	try {
		const answer = await askHelp("series", { set: 0, ids: [node.series.id] });
		helpOf(answer.series[0]);
	} catch (error) {
		sayError(error);
	}
}

// ---- The dialog ---------------------------------------------------------------------------------

export function openAdd(text = null) {
	if (text !== null) $("add-search").value = text;
	say("");
	count();
	search();
	if (!$("add").open) $("add").showModal();
	$("add-search").focus();
	$("add-search").select();
}

export function startAdd() {
	tree = new Tree($("add-tree"), {
		query,
		choose,
		focus: debounce(explain, TYPING_MS),
		has: chosen,
		error: sayError,
	});
	$("add-search").addEventListener("input", debounce(search, TYPING_MS));
	$("add-search").addEventListener("keydown", (event) => {
		if (event.key === "ArrowDown") {
			event.preventDefault();
			tree.move(tree.items()[0]);
		} else if (event.key === "Enter") {
			event.preventDefault();
			if (!$("add-matches").hidden) addMatches();
		} else if (event.key === "Escape") {
			event.preventDefault(); // otherwise the first Escape only clears the field
			$("add").close();
		}
	});
	$("add-matches").addEventListener("click", addMatches);
}
