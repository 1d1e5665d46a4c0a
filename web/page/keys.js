// keys.js - the table of commands for keys, buttons and the help
// SPDX-License-Identifier: MIT

import { $, el, setAttribute } from "./dom.js";

const INTERACTIVE = "input, select, textarea, [role=tree]";

// A command: {name, keys, text, run}. Keys are named as in KeyboardEvent.key; "Ctrl+h" with Ctrl.
let commands = [];

const shownKeys = {
	" ": "Space",
	ArrowLeft: "←",
	ArrowRight: "→",
	ArrowUp: "↑",
	ArrowDown: "↓",
	PageUp: "Page Up",
	PageDown: "Page Down",
	"Ctrl+h": "Ctrl+H",
	"Ctrl+z": "Ctrl+Z",
};

function keyOf(event) {
	const shift = event.shiftKey && event.key.length > 1 ? "Shift+" : "";
	return (event.ctrlKey ? "Ctrl+" : "") + shift + event.key;
}

// Elements keep the keys that they handle themselves.
function isTaken(event) {
	const { target } = event;
	if (document.querySelector("dialog:modal")) return true;
	if (target.closest(INTERACTIVE)) return target.type !== "checkbox" || event.key === " ";
	return event.key === " " && target.closest("button, a") !== null;
}

function onKey(event) {
	if (event.altKey || event.metaKey || isTaken(event)) return;
	const command = commands.find((one) => one.keys.includes(keyOf(event)));
	if (!command) return;
	event.preventDefault();
	command.run();
}

// The help also has buttons for commands that are not in the toolbar.
function fillHelp() {
	const act = (run) => () => {
		$("help").close();
		run();
	};
	const row = ({ name, keys, text, run }) => {
		const caps = keys.flatMap((key) => [el("kbd", {}, shownKeys[key] ?? key), " "]);
		const attributes = { type: "button", class: "link", "data-help": name, on: { click: act(run) } };
		return el("tr", {}, el("th", { scope: "row" }, ...caps), el("td", {}, el("button", attributes, text)));
	};
	$("help-rows").replaceChildren(...commands.map(row));
}

// A phone has room for few tools: a click shows the others.
function openMore(on) {
	setAttribute($("more"), "aria-expanded", String(on));
	$("toolbar").classList.toggle("open", on);
}

// Buttons name their command in data-command, and get its text and keys as their title.
export function startKeys(table) {
	commands = table;
	for (const button of document.querySelectorAll("[data-command]")) {
		const command = commands.find((one) => one.name === button.dataset.command);
		const keys = command.keys.map((key) => shownKeys[key] ?? key).join(" or ");
		button.title = `${command.text} (${keys})`;
		button.addEventListener("click", () => command.run());
	}
	document.addEventListener("keydown", onKey);
	$("more").addEventListener("click", () => openMore($("more").getAttribute("aria-expanded") !== "true"));
	for (const button of document.querySelectorAll("#toolbar [data-command], #preset"))
		button.addEventListener(button.id ? "change" : "click", () => openMore(false));
	fillHelp();
}
