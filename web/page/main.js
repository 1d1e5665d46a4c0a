// main.js - starts the page, and says what is drawn anew when something changes
// SPDX-License-Identifier: MIT

import { openAdd, startAdd } from "./add.js";
import { ask } from "./api.js";
import { drawChart, startChart } from "./chart.js";
import { COMMANDS } from "./commands.js";
import { drawCompare, startCompare } from "./compare.js";
import { $, setAttribute } from "./dom.js";
import { startExport } from "./export.js";
import { fitFirst, selectFirst } from "./first.js";
import { drawHeading, drawTools, drawWindow, status } from "./heading.js";
import { drawHistogram } from "./histogram.js";
import { startKeys } from "./keys.js";
import { drawLegend, startLegend } from "./legend.js";
import { startLive } from "./live.js";
import {
	mainSet,
	onShown,
	refresh,
	refreshLater,
	reportTo,
	resolveCounters,
	takeLog,
} from "./load.js";
import { drawMarksSummary } from "./marks.js";
import { drawOverview, startOverview, updateOverview } from "./overview.js";
import { drawReport } from "./report.js";
import { addressIsNew, change, knownCounters, onChange, readAddress, state } from "./state.js";
import { onTheme, startTheme } from "./theme.js";
import { drawValueBar, startValueBar } from "./valuebar.js";

const LIVE_SPAN_S = 300;

// ---- Drawing ------------------------------------------------------------------------------------

const VIEWS = { line: drawChart, histogram: drawHistogram, report: drawReport };

function draw() {
	drawTools();
	VIEWS[state.view]();
	drawValueBar();
	drawLegend();
	drawCompare();
	drawMarksSummary();
	drawWindow();
	updateOverview();
}

// What a refresh would ask for: changes of anything else need no new answer.
function question() {
	return JSON.stringify([
		knownCounters().map((counter) => counter.series.id),
		state.from,
		state.to,
		state.span_s,
		state.compare,
		state.paused,
	]);
}

let asked = "";

function onStateChange(names) {
	if (question() !== asked) {
		asked = question();
		refresh();
	}
	if (names.has("every_ms")) listen();
	draw();
}

// ---- Starting -----------------------------------------------------------------------------------

async function onLog(log) {
	const before = mainSet()?.state;
	takeLog(log);
	drawHeading();
	try {
		await selectFirst(before);
		if (state.counters.some((counter) => counter.series === null))
			await resolveCounters();
	} catch (error) {
		status(error.message, true);
	}
	refreshLater();
}

function listen() {
	startLive({
		onLog,
		lost: (words) => status(words, true),
		found: () => {
			if ($("status").classList.contains("bad")) {
				status("The server is there again.");
				refresh();
			}
		},
	});
}

async function start() {
	reportTo({
		busy: (on) => setAttribute($("stage"), "aria-busy", String(on)),
		error: (error) => status(error.message, true),
		good: () => $("status").classList.contains("bad") && status(""),
	});
	try {
		takeLog(await ask("log"));
	} catch (error) {
		status(`${error.message} Trying again …`, true);
		setTimeout(start, 2000);
		return;
	}
	const wanted = readAddress();
	if (mainSet().live && !location.hash.includes("span="))
		wanted.span_s = location.hash ? null : LIVE_SPAN_S;
	change(wanted);
	listen();
}

function startControls() {
	for (const button of document.querySelectorAll("dialog [data-close]"))
		button.addEventListener("click", () => button.closest("dialog").close());
	for (const dialog of document.querySelectorAll("dialog")) {
		dialog.addEventListener("click", (event) => {
			if (event.target === dialog) dialog.close(); // a click beside it
		});
	}
	$("figure").addEventListener("change", (event) => change({ figure: event.target.value }));
	$("span").addEventListener("change", (event) =>
		change({ span_s: Number(event.target.value) || null, from: null, to: null }),
	);
	$("every").addEventListener("change", (event) =>
		change({ every_ms: Number(event.target.value) }),
	);
	$("empty-add").addEventListener("click", () => openAdd());
}

startTheme();
startLegend();
startValueBar();
startControls();
startKeys(COMMANDS);
startAdd();
startCompare();
startExport(status);
startChart();
startOverview();
onChange(onStateChange);
onShown(draw);
onShown(fitFirst);
onTheme(() => {
	draw();
	drawOverview();
});
addEventListener("hashchange", () => {
	if (!addressIsNew()) return;
	change(readAddress());
	resolveCounters().catch((error) => status(error.message, true));
});
start();
