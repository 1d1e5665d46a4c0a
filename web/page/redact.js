// redact.js - names of machines, databases and users in what is shared become "machine1", "database2", "user3"
// SPDX-License-Identifier: MIT
//
// The same name becomes the same word everywhere, in each form of the view. Counters, processes and numbers stay.

const COMMON = ["_total", "idle", "services", "console", "mssqlsystemresource", "mssqlserver", "model", "msdb"];
const NO_NAMES = new Set([...COMMON, "tempdb", "master", "localhost", "max", "average", "default", "device"]);
const [ALL, BEFORE, AFTER] = [/^(.*)$/s, /^([^:]*):/, /^[^:]*:(.*)$/s]; // of an instance

// What instances name. The first row that matches counts. shell/output/redact.c has the same table.
const NAMED = [
	["*Databases", ALL, "database"],
	["*:Catalog Metadata", ALL, "database"],
	["*:Database Replica", ALL, "database"],
	["*:Database Mirroring", ALL, "database"],
	["*:Query Store", ALL, "database"],
	["*:Columnstore", ALL, "database"],
	["*:Broker Activation", ALL, "database"],
	["*:Availability Replica", AFTER, "machine"],
	["SQL Server * XTP *", ALL, "instance"],
	["Hyper-V*Virtual Processor", BEFORE, "machine"],
	["Hyper-V Hypervisor Partition", BEFORE, "machine"],
	["Hyper-V Dynamic Memory VM", ALL, "machine"],
	["Hyper-V VM *", ALL, "machine"],
	["*:User Settable", ALL, null],
	["*per Process", ALL, null],
	["Event Tracing*", ALL, null],
	["*User*", ALL, "user"],
	["*Session*", ALL, "user"],
].map(([object, part, type]) => [new RegExp(`^${object.replaceAll("*", ".*")}$`, "is"), part, type]);

const NAMED_INSTANCE = /^[^:$]*\$([^:]*):/; // "PROD" of "MSSQL$PROD:Locks"
const ACCOUNT = /^([^\\:]+\\[^\\]+)$/; // "CORP\alice", but not the "C:\data" of a disk
const SERVER = /^\\+([^\\]*)/; // "FILES01" of "\\FILES01\home"
const HOME = /(?:\/home\/|\/Users\/|:\\Users\\)([^/\\)]+)/i;

const PATH =
	/^(?:\\\\(?<machine>[^\\]*))?\\(?<object>[^\\(]*)(?:\((?<instance>.*)\))?\\[^\\]*$/s;

// The names of a series by their type: [type, name]. One in another language has a path in
// English, too. Its parts are those of its path if there is nothing else.
function namesOf(series) {
	const { machine, object: own, instance, path } = { ...PATH.exec(series.path ?? "")?.groups, ...series };
	const object = PATH.exec(series.path_en ?? "")?.groups.object ?? own;
	const part = (pattern, text) => pattern.exec(text ?? "")?.[1];
	const row = NAMED.find(([pattern]) => pattern.test(object ?? ""));
	return [
		["machine", machine],
		["instance", part(NAMED_INSTANCE, object)],
		[row?.[2], row?.[2] && part(row[1], instance)],
		["user", part(ACCOUNT, instance)],
		["machine", part(SERVER, instance)],
		["user", part(HOME, path)],
	];
}

// The number of a session is no name, but the address of a machine is.
const isName = (type, name) => /[^\d #\-._:?]/.test(name) || (type === "machine" && /[.:].*[.:]/.test(name));

const LETTER = "[\\p{L}\\p{N}]";
const isLetter = new RegExp(LETTER, "u");

// A name where it is a word: its neighbours are no letters or digits.
function patternOf(name) {
	const escaped = name.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
	const [first] = name;
	const before = isLetter.test(first) ? `(?<!${LETTER})` : "";
	const after = isLetter.test([...name].at(-1)) ? `(?!${LETTER})` : "";
	return `${before}${escaped}${after}`;
}

// A function that replaces them in a text. list: all series that the text may name.
export function redaction(set, list) {
	const words = new Map();
	const counts = new Map();
	const note = ([type, name]) => {
		const key = (name ?? "").toLowerCase();
		if (!isName(type, key) || NO_NAMES.has(key) || words.has(key)) return;
		counts.set(type, (counts.get(type) ?? 0) + 1);
		words.set(key, `${type}${counts.get(type)}`);
	};
	for (const machine of [set.machine, ...set.machines]) note(["machine", machine]);
	list.flatMap(namesOf).forEach(note);
	if (words.size === 0) return (text) => text;
	const names = [...words.keys()].sort((a, b) => b.length - a.length).map(patternOf);
	const pattern = new RegExp(names.join("|"), "giu");
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
