// theme.js - light and dark, and the colours of lines in either
// SPDX-License-Identifier: MIT
//
// Colours are in style.css. A counter's colour is a number, which picks one of eight colours and,
// from eight on, a dash, or it is "#rrggbb".

const KEY = "pmon-theme";
const COLORS = 8;
const DASHES = [[], [8, 3], [3, 3], [8, 3, 2, 3]];

const listeners = [];
const root = document.documentElement;
const system = matchMedia("(prefers-color-scheme: dark)");
let values = null; // of the style sheet, read once a theme

export function onTheme(f) {
	listeners.push(f);
}

function variable(name) {
	values ??= getComputedStyle(root);
	return values.getPropertyValue(name).trim();
}

export function colorOf(color) {
	return typeof color === "string" ? color : variable(`--line-${color % COLORS}`);
}

export function dashOf(color) {
	return typeof color === "string" ? [] : DASHES[Math.floor(color / COLORS) % DASHES.length];
}

export const inkColor = () => variable("--ink");
export const quietColor = () => variable("--quiet");
export const gridColor = () => variable("--grid");
export const paperColor = () => variable("--paper");
export const gapColor = () => variable("--gap");
export const edgeColor = () => variable("--edge");
export const severityColor = (severity) => variable({ critical: "--bad", warning: "--warn" }[severity] ?? "--quiet");
export const damageColor = () => variable("--bad");

function stored() {
	try {
		return localStorage.getItem(KEY);
	} catch {
		return null; // storage may be switched off
	}
}

function store(theme) {
	try {
		localStorage.setItem(KEY, theme);
	} catch {
		// Without storage, the choice lasts until the page is closed.
	}
}

export const isDark = () => root.dataset.theme === "dark";

function apply(theme) {
	root.dataset.theme = theme;
	values = null;
	for (const listener of listeners) listener();
}

export function toggleTheme() {
	const theme = isDark() ? "light" : "dark";
	store(theme);
	apply(theme);
}

// Follows the system until the user chooses.
export function startTheme() {
	const now = () => stored() ?? (system.matches ? "dark" : "light");
	apply(now());
	system.addEventListener("change", () => apply(now()));
}
