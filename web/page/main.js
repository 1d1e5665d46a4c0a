// main.js - what is open
// SPDX-License-Identifier: MIT

const answer = await fetch("/api/log");
const log = await answer.json();
const place = document.getElementById("log");

for (const set of log.sets) {
	const line = document.createElement("p");
	line.textContent = `${set.name}: ${set.state}, ${set.samples} samples of ${set.counters} counters`;
	place.append(line);
}
