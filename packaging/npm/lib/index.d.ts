// index.d.ts - types of libpmon

export type Status = 0 | 1 | 2 | 3;

/** Run the command pmon; its exit status: 0 done, 1 failed, 2 usage, 3 damaged input. */
export function run(words: string[], descriptors?: { stdin?: number; stdout?: number; stderr?: number }): Promise<Status>;

export class PmonError extends Error {
	status: number;
}

export interface Selection {
	/** Paths with wildcards such as \Processor(*)\*, or words such as "disk read". */
	counters?: string | string[];
	/** Times as the command line takes them, or dates. */
	from?: string | Date;
	to?: string | Date;
	at?: string | Date;
	tz?: string;
}

export interface Series {
	path: string;
	type: string;
	unit: string;
	time_base: number;
	default_scale: number;
}

export interface Stats {
	path: string;
	type: string;
	unit: string;
	last: number | null;
	average: number | null;
	minimum: number | null;
	maximum: number | null;
	minimum_time: string | null;
	maximum_time: string | null;
	samples: number;
	invalid: number;
	/** "true": by the counter's type; "derived" and "mean": from a log of displayed values. */
	average_kind: string;
}

export interface Value {
	path: string;
	time: string;
	value: number | null;
	status: string;
	unit: string;
}

export interface Incident {
	id: string;
	severity: "critical" | "warning" | "note";
	headline: string;
	machine: string;
	from: string;
	to: string;
	seconds: number;
	[field: string]: unknown;
}

export interface Log {
	/** What pmon said of the log in the last call, such as places that it could not read. */
	notices: string[];
	info(): Promise<Record<string, unknown>[]>;
	series(selection?: Selection): Promise<Series[]>;
	stats(selection?: Selection): Promise<Stats[]>;
	values(selection?: Selection): AsyncGenerator<Value>;
	incidents(selection?: Selection): Promise<Incident[]>;
	/** How a value and the average of a counter were computed. */
	explain(selection: Selection): Promise<Record<string, unknown>>;
	/** Removes temporary files. */
	close(): Promise<void>;
}

export function open(source: string | URL | Blob | ArrayBuffer | Uint8Array, options?: { name?: string }): Promise<Log>;
