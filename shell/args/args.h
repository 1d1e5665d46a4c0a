// args.h - the command line: one table of options for all verbs
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_ARGS_ARGS_H
#define PMON_SHELL_ARGS_ARGS_H

#include <pmon/pmon.h>

#include "shell/args/names.h"
#include "shell/args/option.h"
#include "shell/output/out.h"

// How logs are read.
struct reading {
	const char *encoding;
	const char *known_types;
	enum {
		NAMES_LOG,
		NAMES_ENGLISH
	} names;
	const char *names_table;
	uint64_t max_unpacked; // 0: the default
	bool dst_repair;
	int64_t start;           // local time, as pmon_time; 0: not given
	struct option_zone zone; // of logs without one
	bool no_sandbox;
};

// How this machine is sampled.
struct sampling {
	const char *interval;
	uint64_t count; // 0: not given
	const char *duration;
	const char *root;
	const char *replay;
	bool pid_names;
};

// A parsed command line. Verbs do not change it: what they read is a request
// (shell/input/request.h).
struct args {
	const struct verb *verb;
	// struct VERB_options: the values of options that are specific to this verb
	void *own;
	bool *given;           // by the index of its options (option_at()); NULL: none was parsed
	const char *condition; // if the verb has VERB_CONDITION
	struct words operands;
	struct names_texts texts; // that the operands point to
	struct words inputs;      // input files named by options
	bool help;

	// ---- Which counters
	struct words patterns;
	struct words pattern_files;
	struct words machines; // --machine: other names for machines
	struct words machine_labels;
	const char *from;
	const char *to;
	const char *at;
	const char *tz;
	const char *every; // length of a step of time
	uint64_t limit;    // rows of a table; 0: all

	struct reading reading;
	struct sampling sampling;
	bool verbose;

	// ---- How values are computed
	struct pmon_calc_options calc;
	const char *by;
	enum {
		IDENTITY_PROCESS,
		IDENTITY_WINDOWS
	} identity; // if the verb has --identity
	bool per_cpu;
	struct {
		struct words packs;
		const char *file;
	} rules;
	const char *show;
	struct {
		const char *type;
		const char *time_base;
		const char *size;
	} counter; // given on the command line (raws.h)

	// ---- Network
	bool insecure;
	struct {
		const char *user;
		const char *password_file;
		const char *token_file;
		struct words headers;
		const char *ca_file;
		const char *retry;
	} engine;
	struct {
		const char *port;
		const char *listen;
		const char *host_name;
		const char *token_file;
		const char *tls_cert;
		const char *tls_key;
		const char *tls_client_ca;
	} server;

	// ---- Output
	enum out_format format;
	enum {
		FAIL_ON_NOTHING,
		FAIL_ON_WARNING,
		FAIL_ON_CRITICAL
	} fail_on;
	enum {
		DIGITS_SHORT,
		DIGITS_FULL
	} digits;
	const char *output;
	bool yes; // overwrite existing files
	bool sync;
	bool raw_names;
	const char *title;
	enum {
		COLOR_AUTO,
		COLOR_ALWAYS,
		COLOR_NEVER
	} color;
	bool no_pager;
	enum {
		LABELS_TARGET,
		LABELS_CLASSIC
	} labels;
};

// Parse the words after the verb. verbs are all verbs, terminated by NULL: the message for an
// option of another verb says so. Returns EXIT_DONE, or EXIT_USAGE after a message.
int args_parse(struct args *args, const struct verb *verb, const struct verb *const *verbs, int n,
	       char *const *words);
void args_free(struct args *args);

// Has the verb an option of this name, or of this other spelling?
bool args_know(const struct verb *verb, const char *name);

// For verbs that parse their words themselves: begin without options, then set the option with this
// index (option_at()); the value of a flag is NULL. Both return an exit status.
int args_begin(struct args *args, const struct verb *verb);
int args_set(struct args *args, size_t place, const char *value);

// Parse a port; NULL is 0. Returns EXIT_USAGE after a message if it is invalid.
int args_port(const char *text, uint16_t *port);

// The options that are specific to this verb: OWN_OPTIONS(stats, args)->sort.
#define OWN_OPTIONS(verb, args) ((const struct verb##_options *)(args)->own)

// How many of n rows are printed: --limit.
size_t args_rows(const struct args *args, size_t n);

// Was the verb's option with this index (option_at()) given?
bool args_has(const struct args *args, size_t place);

// Parse a size, "500KB", "100MB" or "1.5G", in bytes. NULL leaves *out unchanged. Returns
// EXIT_DONE, or EXIT_USAGE after a message.
int args_size(const char *option, const char *text, uint64_t *out);

#endif
