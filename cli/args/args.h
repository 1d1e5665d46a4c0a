// args.h - the command line: one table of options for all verbs
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_ARGS_ARGS_H
#define PMON_CLI_ARGS_ARGS_H

#include <pmon/pmon.h>

#include "cli/args/names.h"
#include "cli/output/out.h"

// The options. A verb takes those whose bits it names (struct verb.options).
enum opt {
	OPT_COUNTER,
	OPT_COUNTER_FILE,
	OPT_FROM,
	OPT_TO,
	OPT_TZ,
	OPT_FORMAT,
	OPT_POLICY,
	OPT_CAP,
	OPT_SCALE,
	OPT_TIMES_1000,
	OPT_AT,
	OPT_TYPE,
	OPT_TIME_BASE,
	OPT_SIZE,
	OPT_Q,
	OPT_QX,
	OPT_LONG,
	OPT_EXPLAIN,
	OPT_ENCODING,
	OPT_KNOWN_TYPES,
	OPT_DST_REPAIR,
	OPT_NAMES,
	OPT_MAX_UNPACKED,
	OPT_NO_CACHE,
	OPT_INTERVAL,
	OPT_COUNT_SAMPLES,
	OPT_DURATION,
	OPT_ROOT,
	OPT_REPLAY,
	OPT_PID_NAMES,
	OPT_KIND,
	OPT_PICTURE,
	OPT_PICTURE_SIZE,
	OPT_THEME,
	OPT_THRESHOLD,
	OPT_TITLE,
	OPT_ASCII,
	OPT_YES,
	OPT_SYNC_FILE,
	OPT_HISTORY,
	OPT_COMPARE,
	OPT_PORT,
	OPT_LISTEN,
	OPT_NO_BROWSER,
	OPT_INSECURE,
	OPT_REPORT,
	OPT_RULES,
	OPT_WINDOW,
	OPT_METRICS,
	OPT_SPEED,
	OPT_BY,
	OPT_WHERE,
	OPT_IDENTITY,
	OPT_COLOR,
	OPT_RAW_NAMES,
	OPT_NO_SANDBOX,
	OPT_HELP,
	// A verb takes all options from here on, or none, and likewise those from OPT_SEND on.
	OPT_RECORD,
	OPT_OUTPUT_FILE,
	OPT_LOG_FORMAT,
	OPT_MAX_SIZE,
	OPT_ROTATE,
	OPT_FILE_NAMES,
	OPT_CIRCULAR,
	OPT_KEEP,
	OPT_KEEP_AGE,
	OPT_KEEP_SIZE,
	OPT_APPEND,
	OPT_SYNC,
	OPT_QUIET,
	OPT_SEND,
	OPT_SEND_TO,
	OPT_UNTIL,
	OPT_DRY_RUN,
	OPT_USER,
	OPT_PASSWORD_FILE,
	OPT_TOKEN_FILE,
	OPT_CA_FILE,
	OPT_CLUSTER,
	OPT_STATE_DIR,
	OPT_RETRY,
	OPT_BATCH,
	OPT_COUNT
};
#define OPT_BIT(o)                                                                                 \
	(UINT64_C(1) << ((o) >= OPT_SEND ? OPT_RECORD + 1 : (o) > OPT_RECORD ? OPT_RECORD : (o)))
_Static_assert(OPT_RECORD + 1 < 64, "options have a bit of their own, but for those two sets");

#define OPTS_SELECT (OPT_BIT(OPT_COUNTER) | OPT_BIT(OPT_COUNTER_FILE))
#define OPTS_READ                                                                                  \
	(OPT_BIT(OPT_ENCODING) | OPT_BIT(OPT_KNOWN_TYPES) | OPT_BIT(OPT_DST_REPAIR) |              \
	 OPT_BIT(OPT_NAMES) | OPT_BIT(OPT_MAX_UNPACKED))
// Of verbs that do nothing but read and, some of them, write a file.
#define OPTS_SAFE   (OPTS_READ | OPT_BIT(OPT_NO_SANDBOX))
#define OPTS_WINDOW (OPT_BIT(OPT_FROM) | OPT_BIT(OPT_TO) | OPT_BIT(OPT_TZ))
#define OPTS_CALC                                                                                  \
	(OPT_BIT(OPT_POLICY) | OPT_BIT(OPT_CAP) | OPT_BIT(OPT_SCALE) | OPT_BIT(OPT_TIMES_1000))
// Of verbs that take this machine where no file is named.
#define OPTS_LIVE                                                                                  \
	(OPT_BIT(OPT_INTERVAL) | OPT_BIT(OPT_COUNT_SAMPLES) | OPT_BIT(OPT_DURATION) | OPTS_HOST)
#define OPTS_HOST (OPT_BIT(OPT_ROOT) | OPT_BIT(OPT_REPLAY) | OPT_BIT(OPT_PID_NAMES))
// Of verbs that write a file once.
#define OPTS_FILE (OPT_BIT(OPT_YES) | OPT_BIT(OPT_SYNC_FILE))
#define OPTS_PICTURE                                                                               \
	(OPT_BIT(OPT_KIND) | OPT_BIT(OPT_PICTURE) | OPT_BIT(OPT_PICTURE_SIZE) |                    \
	 OPT_BIT(OPT_THEME) | OPT_BIT(OPT_THRESHOLD) | OPT_BIT(OPT_TITLE) | OPT_BIT(OPT_ASCII) |   \
	 OPTS_FILE)
#define OPTS_RECORD (OPT_BIT(OPT_RECORD) | OPT_BIT(OPT_YES))
// The tables of these verbs have names of logs in them.
#define OPTS_TABLE  (OPTS_OUTPUT | OPT_BIT(OPT_RAW_NAMES))
#define OPTS_OUTPUT (OPT_BIT(OPT_FORMAT) | OPT_BIT(OPT_COLOR))

struct option_def {
	enum opt opt;
	const char *names[2]; // the second may be NULL
	const char *arg;      // name of its argument in the help; NULL when it takes none
	const char *help;     // one sentence
};

const struct option_def *option_at(size_t i); // NULL behind the last

// A command line that was understood.
struct args {
	const struct verb *verb;
	struct words operands;
	struct words patterns;
	struct words pattern_files;
	bool own_patterns; // not the user's: what matches nothing is not told
	struct pmon_calc_options calc;
	enum out_format format;
	const char *from;
	const char *to;
	const char *tz;
	const char *at;
	const char *type;
	const char *time_base;
	const char *size;
	bool q;
	bool qx;
	bool long_list;
	bool explain;
	const char *encoding;
	const char *known_types;
	uint64_t max_unpacked; // 0: the default
	size_t series_bytes; // memory for each series (cli/process/memory.h); 0: as the verb needs
	const char *names;
	bool dst_repair;
	bool no_cache;
	bool raw_names;
	bool no_sandbox;
	const char *interval;
	const char *count;
	const char *duration;
	const char *root;
	const char *replay;
	bool pid_names;
	const char *kind;
	const char *output;
	const char *rules;
	const char *picture_size;
	const char *theme;
	const char *title;
	struct words thresholds;
	bool ascii;
	bool yes;
	bool sync;
	struct {
		const char *format;
		const char *max_size;
		const char *rotate;
		const char *names;
		const char *keep;
		const char *keep_age;
		const char *keep_size;
		bool append;
		const char *sync;
		bool circular;
		bool quiet;
	} record;
	struct {
		const char *to;
		const char *user;
		const char *password_file;
		const char *token_file;
		const char *ca_file;
		const char *cluster;
		const char *state_dir;
		const char *retry;
		const char *batch;
		bool dry_run;
	} push;
	const char *history;
	struct words compare;
	const char *by;
	enum {
		IDENTITY_DEFAULT, // as the verb has it
		IDENTITY_PROCESS,
		IDENTITY_WINDOWS
	} identity;
	bool no_starts;        // the output cannot hold what processes counted from
	bool identifies_later; // the verb calls logs_identify() itself
	uint32_t forget_after; // samples after which a process that ended is forgotten; 0: none is
	struct words wheres;
	struct names_texts texts; // of the operands
	const char *port;
	const char *listen;
	bool no_browser;
	bool insecure;
	const char *window;
	bool metrics;
	const char *speed;
	bool help;
	enum {
		COLOR_AUTO,
		COLOR_ALWAYS,
		COLOR_NEVER
	} color;
};

// Understand the words behind the verb. Returns EXIT_DONE, or EXIT_USAGE after saying what is wrong.
int args_parse(struct args *args, const struct verb *verb, int n, char *const *words);

// A size of a command line, "500KB", "100MB" or "1.5G", in bytes. NULL leaves it as it is. Returns EXIT_DONE, or
// EXIT_USAGE after saying that it is none.
int args_size(const char *option, const char *text, uint64_t *out);
void args_free(struct args *args);

#endif
