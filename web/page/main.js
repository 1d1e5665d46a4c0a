// main.js - starts the page, and decides what is redrawn when something changes
// SPDX-License-Identifier: MIT

import { openAdd, startAdd } from "./add.js";
import { startAsk } from "./ask.js";
import { ask } from "./api.js";
import { drawChart, startChart } from "./chart.js";
import { COMMANDS } from "./commands.js";
import { drawCompare, startCompare } from "./compare.js";
import { $, setAttribute, setText } from "./dom.js";
import { enter } from "./door.js";
import { startDrawers } from "./drawer.js";
import { startExport } from "./export.js";
import { onFindings, updateFindings } from "./findings.js";
import { chooseLive, selectFirst } from "./first.js";
import { banner, drawHeading, drawTools, drawWindow, status } from "./heading.js";
import { drawHistogram } from "./histogram.js";
import { drawIncidents, updateIncidents } from "./incidents.js";
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
	shown,
	takeLog,
} from "./load.js";
import { drawMachines, updateMachines } from "./machines.js";
import { drawMarksSummary } from "./marks.js";
import { drawOverview, startOverview, updateOverview } from "./overview.js";
import { drawReport } from "./report.js";
import { addressIsNew, change, knownCounters, onChange, readAddress, state } from "./state.js";
import { isShared } from "./shared.js";
import { onTheme, startTheme } from "./theme.js";

const LIVE_SPAN_S = 300;
const STARTING_MS = 8000;

// ---- Drawing ------------------------------------------------------------------------------------

const VIEWS = { panels: drawChart, line: drawChart, histogram: drawHistogram, report: drawReport };

function draw() {
	drawTools();
	VIEWS[state.view]();
	drawLegend();
	drawCompare();
	drawMarksSummary();
	drawMachines();
	drawIncidents();
	drawWindow();
	updateOverview();
}

// The parameters of a refresh: other changes need no new request.
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

const ENDED = "pmon view was restarted: open the new address that it printed. This page keeps what it has.";
const SILENT = "The server does not respond. The page keeps what it has and will reconnect …";

// A restarted server has another secret. error: the reason if it refuses.
async function lost(error = null) {
	banner(error ?? SILENT);
	await ask("log").catch(({ status: code }) => code === 403 && banner(ENDED));
}

function found() {
	if ($("banner").hidden) return;
	banner("");
	status("Reconnected to the server.");
	refresh();
}

function listen() {
	if (isShared) return void ask("log").then(onLog); // nothing else comes
	startLive({ onLog, lost, found });
}

let hasFailed = false; // the newest question

function fail(error) {
	hasFailed = true;
	status(error.message, true);
}

const OBSTACLES = {
	used: "This address was already used: each address opens one browser, and only the newest is valid.",
	missing: "The address has no key, and no other tab of this browser has the log open.",
};

// Without the secret there is nothing to show.
function lock(obstacle) {
	banner("");
	setText($("locked-why"), OBSTACLES[obstacle]);
	$("locked").hidden = false;
	document.body.classList.add("locked");
}

async function start() {
	reportTo({
		busy: (on) => setAttribute($("stage"), "aria-busy", String(on)),
		error: (error) => (error.status === 0 ? lost() : fail(error)),
		good: () => {
			if (hasFailed) status("");
			hasFailed = false;
			banner("");
		},
	});
	try {
		const obstacle = isShared ? null : await enter();
		if (obstacle) return lock(obstacle);
		takeLog(await ask("log"));
	} catch (error) {
		const words = error instanceof TypeError ? "The server does not respond." : error.message;
		banner(`${words} Retrying …`);
		setTimeout(start, 2000);
		return;
	}
	banner("");
	const wanted = readAddress((words) => status(words, true));
	if (mainSet().live && !location.hash.includes("span="))
		wanted.span_s = location.hash ? null : LIVE_SPAN_S;
	// Compare with the second log, unless a link says what to show.
	if (!location.hash && shown.sets.length > 1) wanted.compare = { set: 1, shift: "start" };
	change(wanted, true);
	listen();
}

function startControls() {
	for (const button of document.querySelectorAll("dialog:not(.drawer) [data-close]"))
		button.addEventListener("click", () => button.closest("dialog").close());
	for (const dialog of document.querySelectorAll("dialog:not(.drawer)")) {
		dialog.addEventListener("click", (event) => {
			if (event.target === dialog) dialog.close(); // a click outside it
		});
	}
	$("figure").addEventListener("change", (event) => change({ figure: event.target.value }));
	$("span").addEventListener("change", (event) =>
		change({ span_s: Number(event.target.value) || null, from: null, to: null }),
	);
	$("every").addEventListener("change", (event) =>
		change({ every_ms: Number(event.target.value) }),
	);
	$("undo").addEventListener("click", () => history.back());
	$("status-close").addEventListener("click", () => status(""));
	$("empty-add").addEventListener("click", () => openAdd());
}

$("locked-again").addEventListener("click", () => location.reload());
// What stands below the chart moves as it grows: it is hidden until the chart has its first form.
setTimeout(() => document.body.classList.remove("starting"), STARTING_MS);
startTheme();
startLegend();
startControls();
startDrawers();
startKeys(COMMANDS);
startAdd();
startCompare();
startAsk();
onFindings(draw);
onShown(updateFindings);
onShown(updateIncidents);
onShown(updateMachines);
startExport();
startChart();
startOverview();
onChange(onStateChange);
onShown(draw);
onShown(() => chooseLive().catch((error) => status(error.message, true)));
onTheme(() => {
	draw();
	drawOverview();
});
addEventListener("hashchange", () => {
	if (!addressIsNew()) return;
	status("");
	change(readAddress((words) => status(words, true)), true);
	resolveCounters().catch((error) => status(error.message, true));
});
start();
