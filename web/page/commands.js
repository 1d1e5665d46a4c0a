// commands.js - the page's commands, for keys and buttons
// SPDX-License-Identifier: MIT

import { openAdd } from "./add.js";
import { moveIncident } from "./incidents.js";
import { topOfSelected, whatChanged } from "./ask.js";
import { cursorTime, hideCursor, isChart, setCursorTime } from "./chart.js";
import { openCompare } from "./compare.js";
import { sayCursor } from "./cursor.js";
import { $ } from "./dom.js";
import { status } from "./heading.js";
import { plural } from "./format.js";
import { openExport } from "./export.js";
import { moveSelection, remove } from "./legend.js";
import { nearest, visibleLines } from "./lines.js";
import { barOf, freeze, mainSet, scaled } from "./load.js";
import { openMarks } from "./marks.js";
import { change, changeCounter, selectedCounter, state } from "./state.js";
import { toggleTheme } from "./theme.js";
import { isoOfMs } from "./time.js";
import { showWhy } from "./why.js";
import { pan, zoom, zoomOut } from "./zoom.js";

const withSelected = (act) => () => {
	const counter = selectedCounter();
	if (counter) act(counter);
};

function clear() {
	const n = state.counters.length;
	change({ counters: [] });
	status(`${plural(n, "counter", "counters")} removed.`, false, true);
}

const toggle = (counter) => changeCounter(counter.path, { hidden: !counter.hidden });
const scale = (counter) => changeCounter(counter.path, scaled(counter));
const highlight = () => change({ highlight: !state.highlight });

function scaleAll() {
	change({ counters: state.counters.map((one) => (barOf(one) ? scaled(one) : one)) });
}

// Moves to the next or previous sample of the selected line.
function moveCursor(step) {
	const lines = visibleLines().filter((line) => !line.other);
	const line = lines.find((one) => one.counter.path === state.selected) ?? lines[0];
	if (!line || line.times.length === 0 || !isChart()) return;
	const now = cursorTime();
	const at =
		now === null ? Math.floor(line.times.length / 2) : nearest(line.times, now) + step;
	const ms = line.times[Math.min(line.times.length - 1, Math.max(0, at))];
	setCursorTime(ms);
	sayCursor(line, ms);
}

function why() {
	const ms = cursorTime();
	if (ms === null || !isChart()) showWhy(state.selected, "average");
	else showWhy(state.selected, "value", { at: isoOfMs(ms) });
}

function pause() {
	if (mainSet()?.live) freeze(!state.paused);
}

// [name, keys, what it does, how]
export const COMMANDS = [
	["panels", ["1"], "Panels by unit", () => change({ view: "panels" })],
	["line", ["4"], "Classic view: one axis from 0 to 100", () => change({ view: "line" })],
	["histogram", ["2"], "Bars by unit", () => change({ view: "histogram" })],
	["report", ["3"], "Report", () => change({ view: "report" })],
	["add", ["a"], "Add counters", () => openAdd()],
	["search", ["/"], "Search for counters", () => openAdd("")],
	["remove", ["Delete"], "Remove the selected counter", withSelected(remove)],
	["clear", ["Shift+Delete"], "Remove all counters", clear],
	["undo", ["Ctrl+z"], "Undo", () => history.back()],
	["select", ["ArrowDown"], "Select the next counter", () => moveSelection(1)],
	["select-up", ["ArrowUp"], "Select the previous counter", () => moveSelection(-1)],
	["incident", ["n"], "Next incident", () => moveIncident(1)],
	["incident-back", ["p"], "Previous incident", () => moveIncident(-1)],
	["top", ["5"], "Add the top 5 instances, or processes", withSelected(topOfSelected)],
	["changes", ["d"], "What changed in this window?", () => whatChanged()],
	["ask", ["q"], "Search, or ask when a condition held", () => $("ask").focus()],
	["highlight", ["h", "Ctrl+h"], "Highlight the selected counter", highlight],
	["toggle", ["x"], "Show or hide the selected counter", withSelected(toggle)],
	["scale", ["s"], "Scale the selected counter to the axis", withSelected(scale)],
	["scale-all", ["S"], "Scale all counters to the axis", scaleAll],
	["cursor-right", ["ArrowRight"], "Move the cursor to the next sample", () => moveCursor(1)],
	["cursor-left", ["ArrowLeft"], "Move the cursor to the previous sample", () => moveCursor(-1)],
	["cursor-off", ["Escape"], "Remove the cursor", hideCursor],
	["zoom-in", ["+", "="], "Zoom in", () => zoom(2, cursorTime())],
	["zoom-out", ["-"], "Zoom out", () => zoom(0.5, cursorTime())],
	["whole", ["0"], "Show the whole log", zoomOut],
	["back", ["PageUp"], "Earlier", () => pan(-0.5)],
	["forward", ["PageDown"], "Later", () => pan(0.5)],
	["begin", ["Home"], "Go to the beginning", () => pan(-Infinity)],
	["end", ["End"], "Go to the end", () => pan(Infinity)],
	["why", ["w"], "How was this number computed?", why],
	["compare", ["c"], "Compare with another log or time", openCompare],
	["marks", ["m"], "Gaps, resets and damage", openMarks],
	["pause", [" "], "Pause or resume a live view", pause],
	["export", ["e"], "Export the view", openExport],
	["theme", ["t"], "Light or dark theme", toggleTheme],
	["help", ["?"], "Keys", () => $("help").showModal()],
].map(([name, keys, text, run]) => ({ name, keys, text, run }));
