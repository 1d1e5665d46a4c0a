// units.js - readable numbers, by the rules of draw/label.c: four digits in a suitable multiple
// SPDX-License-Identifier: MIT
//
// Exact digits go into titles and labels. A unit is {quantity, factor, hex}, as in the API's series: the
// value times the factor is in percent, seconds, bytes ...

const K = 1024;
const AMOUNT = ["B", "KB", "MB", "GB", "TB", "PB", "EB"];
const BITS = ["bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"];
const powers = (base, names) => names.map((name, i) => [base ** i, name]);
const MULTIPLES = {
	count: powers(1000, ["", "k", "M", "G", "T", "P"]),
	rate: powers(1000, ["/s", "k/s", "M/s", "G/s", "T/s", "P/s", "E/s"]),
	percent: [[1, "%"]],
	seconds: [[1e-9, "ns"], [1e-6, "µs"], [1e-3, "ms"], [1, "s"], [60, "min"], [3600, "h"], [86400, "d"]],
	bytes: powers(K, AMOUNT),
	byte_rate: powers(K, AMOUNT.map((name) => `${name}/s`)),
	time_rate: [[1e-9, "ns/s"], [1e-6, "µs/s"], [1e-3, "ms/s"], [1, "s/s"]],
	bit_rate: powers(1000, BITS),
	frequency: powers(1000, ["Hz", "kHz", "MHz", "GHz"]),
};
const LARGEST_PLAIN = 1e15; // larger numbers get an exponent
const LARGEST_COUNT = 1e7; // larger counts are in millions ...

export const grouped = (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ",");

// "0.0154", "12.3", "86,400", "1.5e+15".
export function showNumber(value) {
	if (value === null || value === undefined) return "–";
	const number = Number(value);
	const size = Math.abs(number);
	if (size >= 999.95 && size < LARGEST_PLAIN)
		return (number < 0 ? "-" : "") + grouped(String(Math.round(size)));
	if (number === 0) return "0";
	const [mantissa, power] = number.toExponential(3).split("e");
	const n = Number(power);
	if (n < -5 || n >= 4) return `${mantissa.replace(/\.?0+$/, "")}e${power}`;
	const text = number.toPrecision(4);
	return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

// {size, name} of the largest multiple that is not above the magnitude, which is in percent, seconds ...
export function multipleFor(quantity, magnitude) {
	const list = MULTIPLES[quantity] ?? MULTIPLES.count;
	if (magnitude === 0 && quantity === "seconds") return { size: 1, name: "s" };
	const [size, name] = list.findLast(([least]) => magnitude >= least) ?? list[0];
	return { size, name };
}

// The same for numbers in text, where a count up to ten million has all digits.
function multipleOfText(quantity, magnitude) {
	return multipleFor(quantity, quantity === "count" && magnitude < LARGEST_COUNT ? 1 : magnitude);
}

export const spaced = (name) => (name === "" || name.startsWith("/") ? name : ` ${name}`);

function hexadecimal(value) {
	return `0x${BigInt.asUintN(64, BigInt(Number(value))).toString(16).toUpperCase()}`;
}

// "61.2 ms", "79 MB", "1.234 k/s"; of HEX types in hexadecimal, where the value is whole: an average may not be.
export function showAmount(value, unit) {
	if (value === null || value === undefined || !unit) return showNumber(value);
	if (unit.hex) return Number.isInteger(Number(value)) ? hexadecimal(value) : showNumber(value);
	const amount = Number(value) * unit.factor;
	const { size, name } = multipleOfText(unit.quantity, Math.abs(amount));
	return showNumber(amount / size) + spaced(name);
}
