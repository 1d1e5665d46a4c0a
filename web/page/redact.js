// redact.js - names of machines, databases and users in what is shared become "machine1", "database2", "user3"
// SPDX-License-Identifier: MIT
//
// The same name becomes the same word everywhere, in each form of the view. Counters, processes and numbers stay.

const DATABASES = /:(databases|catalog metadata|database replica|transactions?)\b|^databases$/i;
const NAMED_INSTANCE = /^(?:mssql|sqlagent|msolap|msas\d*)\$([^:]+):/i;
const USERS = /\b(user|session)\b/i;
const NO_NAMES = /^(_total|idle|services|console|mssqlsystemresource|master|model|msdb|tempdb)$/i;
const ACCOUNT = /^[^\\]+\\[^\\]+$/;

// The names of a series by their type: [type, name].
function namesOf({ machine, object, instance }) {
	const names = [["machine", machine]];
	const named = NAMED_INSTANCE.exec(object ?? "");
	if (named) names.push(["instance", named[1]]);
	if (DATABASES.test(object ?? "")) names.push(["database", instance]);
	if (USERS.test(object ?? "") || ACCOUNT.test(instance ?? "")) names.push(["user", instance]);
	return names;
}

const letters = "\\p{L}\\p{N}_";
const escaped = (name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

// A function that replaces them in a text. list: all series that the text may name.
export function redaction(set, list) {
	const words = new Map();
	const counts = new Map();
	const note = ([type, name]) => {
		const key = (name ?? "").toLowerCase();
		if (key === "" || NO_NAMES.test(key) || words.has(key)) return;
		counts.set(type, (counts.get(type) ?? 0) + 1);
		words.set(key, `${type}${counts.get(type)}`);
	};
	for (const machine of [set.machine, ...set.machines]) note(["machine", machine]);
	list.flatMap(namesOf).forEach(note);
	if (words.size === 0) return (text) => text;
	const names = [...words.keys()].sort((a, b) => b.length - a.length).map(escaped);
	const pattern = new RegExp(`(?<![${letters}])(?:${names.join("|")})(?![${letters}])`, "giu");
	return (text) => text.replace(pattern, (name) => words.get(name.toLowerCase()));
}

// The same in all texts of an answer of the API.
export function redacted(value, redact) {
	if (typeof value === "string") return redact(value);
	if (Array.isArray(value)) return value.map((one) => redacted(one, redact));
	if (value === null || typeof value !== "object") return value;
	return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, redacted(one, redact)]));
}

// The same in what follows # of an address.
export function redactedHash(hash, redact) {
	const parameters = new URLSearchParams();
	for (const [name, value] of new URLSearchParams(hash.replace(/^#/, ""))) parameters.append(name, redact(value));
	return `#${parameters}`;
}
