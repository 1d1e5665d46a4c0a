// share.js - save the view as one HTML file with page and data, which opens without pmon
// SPDX-License-Identifier: MIT

import { ask } from "./api.js";
import { $ } from "./dom.js";
import { shownEpisodes } from "./findings.js";
import { knownIncidents } from "./incidents.js";
import { mainSet, shown } from "./load.js";
import { withoutNow } from "./usual.js";
import { redacted, redactedHash, redaction } from "./redact.js";
import { knownCounters } from "./state.js";
import { pageWith } from "./whole.js";

const COLUMNS = 2000;

// The incidents, with the counters that the file has.
function knownOf(answer, known) {
	const isKnown = ({ id }) => known.has(id);
	const cut = (one) => ({ ...one, evidence: one.evidence.filter(isKnown), who: one.who.filter(isKnown) });
	return { ...answer, incidents: answer.incidents.map(cut) };
}

// Their counters, and those of episodes: their texts name more counters than the file has.
const countersOf = (list) => list.flatMap((one) => [one, ...(one.evidence ?? []), ...one.who]);

// All requests of the page for this view.
async function collect() {
	const ids = knownCounters().map((counter) => counter.series.id);
	const { from, to } = shown.data;
	const [data, marks, findings, incidents, usual] = await Promise.all([
		ask("data", { set: 0, ids, from, to, columns: COLUMNS }),
		ask("marks", { set: 0, ids, from, to }),
		ask("findings", { set: 0 }),
		ask("incidents", { set: 0 }),
		ask("usual", { set: 0, ids, without: withoutNow() }),
	]);
	const log = mainSet();
	const set = { ...log, live: false, state: "complete", fraction: 1, first_time: from, last_time: to };
	const known = new Set(ids);
	const named = countersOf([...findings.episodes, ...incidents.incidents]);
	findings.episodes = findings.episodes
		.filter(({ id }) => known.has(id))
		.map((one) => ({
			...one,
			who: one.who.filter((_, i) => known.has(one.who_ids[i])),
			who_ids: one.who_ids.filter((id) => known.has(id)),
		}));
	return {
		hash: location.hash,
		log: { version: 1, program: "pmon", sets: [set] },
		series: knownCounters().map((counter) => counter.series),
		data,
		marks,
		usual,
		findings,
		incidents: knownOf(incidents, known),
		named,
	};
}

// Whether the switch in Share is on.
export const isRedacting = () => $("redact").checked;

// What is replaced now: nothing, unless the switch is on.
export function redactionNow(others = countersOf([shownEpisodes(), knownIncidents()].flat())) {
	const list = [...knownCounters().map(({ series }) => series), ...others];
	return isRedacting() ? redaction(mainSet(), list) : (text) => text;
}

// All of it with the names replaced that the switch in Share replaces; the name of the file too.
function forOthers({ named, ...data }) {
	const redact = redactionNow(named);
	const { hash, ...rest } = redacted({ ...data, hash: "" }, redact);
	return { ...rest, hash: redactedHash(data.hash, redact) || hash };
}

export async function sharedFile() {
	return new Blob([await pageWith(forOthers(await collect()))], { type: "text/html" });
}
