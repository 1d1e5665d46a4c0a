// main.js - starts the page, and says what is drawn anew when something changes
// SPDX-License-Identifier: MIT

import { openAdd, startAdd } from "./add.js";
import { startAsk } from "./ask.js";
import { ask } from "./api.js";
import { drawChart, startChart } from "./chart.js";
import { COMMANDS } from "./commands.js";
import { drawCompare, startCompare } from "./compare.js";
import { $, setAttribute } from "./dom.js";
import { startExport } from "./export.js";
import { onFindings, updateFindings } from "./findings.js";
import { selectFirst } from "./first.js";
import { banner, drawHeading, drawTools, drawWindow, status } from "./heading.js";
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
import { drawMachines, updateMachines } from "./machines.js";
import { drawMarksSummary } from "./marks.js";
import { drawOverview, startOverview, updateOverview } from "./overview.js";
import { drawReport } from "./report.js";
import { addressIsNew, change, knownCounters, onChange, readAddress, state } from "./state.js";
import { isShared } from "./shared.js";
import { onTheme, startTheme } from "./theme.js";

const LIVE_SPAN_S = 300;

// ---- Drawing ------------------------------------------------------------------------------------

const VIEWS = { panels: drawChart, line: drawChart, histogram: drawHistogram, report: drawReport };

function draw() {
	drawTools();
	VIEWS[state.view]();
	drawLegend();
	drawCompare();
	drawMarksSummary();
	drawMachines();
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

// A server that was started again has another token: its page must be opened anew.
async function lost() {
	banner("The server does not answer. The page shows what it has, and reconnects by itself …");
	const answer = await fetch("api/log", { cache: "no-store" }).catch(() => null);
	if (answer?.status === 403)
		banner("The server was started again: open the address that pmon view printed. This page has ended.");
}

function found() {
	if ($("banner").hidden) return;
	banner("");
	status("The server is there again.");
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
		takeLog(await ask("log"));
	} catch (error) {
		banner(`${error.message} Trying again …`);
		setTimeout(start, 2000);
		return;
	}
	banner("");
	const wanted = readAddress((words) => status(words, true));
	if (mainSet().live && !location.hash.includes("span="))
		wanted.span_s = location.hash ? null : LIVE_SPAN_S;
	change(wanted, true);
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
	$("undo").addEventListener("click", () => history.back());
	$("empty-add").addEventListener("click", () => openAdd());
}

startTheme();
startLegend();
startControls();
startKeys(COMMANDS);
startAdd();
startCompare();
startAsk();
onFindings(draw);
onShown(updateFindings);
onShown(updateMachines);
startExport(status);
startChart();
startOverview();
onChange(onStateChange);
onShown(draw);
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
