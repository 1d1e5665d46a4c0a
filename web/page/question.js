// question.js - what a text in the question box means: a condition, who used something, or words
// SPDX-License-Identifier: MIT

const OPERATOR = /^(.*?)\s*(<=?|>=?)\s*(-?[\d.]+)\s*(.*)$/;
const DURATION = /^(.*?)\s*(for\s+\S+(?:\s+\S+)?)?$/i;
const WHO =
	/^(?:who|what|which process)\s+(?:is\s+|was\s+)?(?:used|uses|using)\s+(?:the\s+|all\s+|most\s+)*(\w+)(.*)$/i;
const CLOCK = "\\d?\\d:\\d\\d(?::\\d\\d)?";
const UNTIL = `(?:\\s*(?:to|until|-|–)\\s*(${CLOCK}))?`;
const AT = new RegExp(`^\\s*(?:at|around|from)?\\s*((?:[\\d-]+ )?${CLOCK})${UNTIL}\\s*\\??$`, "i");

// The counter that shows who used something.
const PROCESSES = "\\Process(*)\\";
const USED = {
	cpu: "% Processor Time",
	processor: "% Processor Time",
	memory: "Private Bytes",
	ram: "Private Bytes",
	disk: "IO Data Bytes/sec",
	io: "IO Data Bytes/sec",
	handles: "Handle Count",
	threads: "Thread Count",
};

// The quantities of counters that a unit can be of; a number alone can be of any.
const QUANTITIES = [
	[/^$/, null],
	[/^%$/, ["percent"]],
	[/^(ns|us|µs|ms|s|sec|min|h)$/i, ["seconds"]],
	[/^[kmgt]?i?b(yte|ytes)?$/i, ["bytes"]],
	[/^[kmgt]?i?b\/s(ec)?$/i, ["byte_rate"]],
	[/^\/s(ec)?$/i, ["rate"]],
];

function conditionOf(text) {
	const match = OPERATOR.exec(text);
	if (!match) return null;
	const [, what, operator, number, tail] = match;
	const [, unit, held] = DURATION.exec(tail);
	const limit = [operator, number, unit, held].filter((part) => part).join(" ");
	if (what.startsWith("\\")) return { kind: "condition", text };
	const known = QUANTITIES.find(([pattern]) => pattern.test(unit));
	return { kind: "compare", words: what, limit, unit, quantities: known ? known[1] : [] };
}

function whoOf(text) {
	const match = WHO.exec(text);
	const counter = match && USED[match[1].toLowerCase()];
	if (!counter) return null;
	const [, at = null, until = null] = AT.exec(match[2]) ?? [];
	if (at === null && match[2].replace("?", "").trim() !== "") return null;
	return { kind: "who", pattern: PROCESSES + counter, counter, at: at?.trim() ?? null, until };
}

// {kind: "condition", text}, {kind: "compare", words, limit, unit, quantities}, {kind: "who", pattern, counter, at,
// until}, or {kind: "words", text}.
export function readQuestion(text) {
	return whoOf(text) ?? conditionOf(text) ?? { kind: "words", text };
}

// The pattern of all instances of a series' counter.
export function patternOf({ object, counter, instance }) {
	return `\\${object}${instance === null ? "" : "(*)"}\\${counter}`;
}

// Which counter was meant: one of the first selection, else the one with the shortest name. null: none fits.
export function bestOf(list, first, quantities) {
	const fits = ({ quantity, displayed }) => displayed && (quantities === null || quantities.includes(quantity));
	const chosen = new Set(first.map(patternOf));
	const patterns = [...new Set(list.filter(fits).map(patternOf))];
	patterns.sort((a, b) => chosen.has(b) - chosen.has(a) || a.length - b.length);
	return patterns[0] ?? null;
}

// The place in a text of an error that the server found at a byte, or null.
export function placeOf(text, message) {
	const match = /^byte (\d+): (.*)$/s.exec(message);
	if (!match) return null;
	const bytes = new TextEncoder().encode(text).slice(0, Math.max(0, Number(match[1]) - 1));
	return { at: [...new TextDecoder().decode(bytes)].length, words: match[2] };
}
