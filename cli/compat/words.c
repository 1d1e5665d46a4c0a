// words.c - command lines after the fashion of Windows' tools
// SPDX-License-Identifier: MIT

#include "cli/compat/words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/num.h"
#include "base/text.h"
#include "cli/args/textfile.h"
#include "cli/output/say.h"
#include "os/dir.h"
#include "cli/process/signals.h"
#include "text/stream.h"

#define TIME_WORDS 3

// ---- The command line -----------------------------------------------------------------------

// The option that a word is: -f, -F, /f, --step; or NULL.
static const struct words_option *
option_of(const struct words_reader *reader, const char *word)
{
	const struct words_rules *rules = reader->rules;

	if ((word[0] != '-' && word[0] != '/') || word[1] == '\0')
		return NULL;
	for (size_t i = 0; i < rules->n; i++)
		if ((!rules->options[i].settings_only || reader->in_settings) &&
		    strcasecmp(word + 1, rules->options[i].name) == 0)
			return &rules->options[i];
	return NULL;
}

static const char *
keep_text(struct words_reader *reader, char *text)
{
	if (text != NULL && words_add(&reader->texts, text))
		return text;
	free(text);
	say(0, "not enough memory");
	return NULL;
}

// "11/21/2026", "1:46:40", "PM" as one text.
static const char *
joined(struct words_reader *reader, int n, char *const *words)
{
	size_t size = 1;
	char *text;

	for (int i = 0; i < n; i++)
		size += strlen(words[i]) + 1;
	text = calloc(1, size);
	for (int i = 0; text != NULL && i < n; i++) {
		if (i > 0)
			strcat(text, " ");
		strcat(text, words[i]);
	}
	return keep_text(reader, text);
}

static bool
goes_on_time(const char *word)
{
	return strchr(word, ':') != NULL || strcasecmp(word, "AM") == 0 ||
	       strcasecmp(word, "PM") == 0;
}

// How many of the words after an option belong to it.
static int
count_words(const struct words_reader *reader, enum words_count takes, int n, char *const *words)
{
	int most = takes == WORDS_NONE ? 0 : takes == WORDS_MANY ? n : 1;
	int count = 0;

	if (takes == WORDS_TIME)
		most = TIME_WORDS;
	while (count < n && count < most && option_of(reader, words[count]) == NULL) {
		// Files may follow a time.
		if (takes == WORDS_TIME && count > 0 && !goes_on_time(words[count]))
			break;
		count++;
	}
	// A value that looks like an option, as -o /o
	if (count == 0 && n > 0 && (takes == WORDS_ONE || takes == WORDS_FILE))
		count = 1;
	return count;
}

static int read_settings(struct words_reader *reader, const char *name);

static int
set_words(struct words_reader *reader, const struct words_option *option, int n, char *const *words)
{
	const char *time;
	int status = EXIT_DONE;

	if (option->count == WORDS_FILE)
		return read_settings(reader, words[0]);
	if (option->count == WORDS_TIME) {
		time = joined(reader, n, words);
		return time != NULL ? reader->rules->set(reader->ctx, option->opt, time)
				    : EXIT_FAILED;
	}
	for (int i = 0; i < n && status == EXIT_DONE; i++)
		status = reader->rules->set(reader->ctx, option->opt, words[i]);
	return status;
}

static int
take_option(struct words_reader *reader, const struct words_option *option, int n,
	    char *const *words, int *i)
{
	const char *tool = reader->rules->tool;
	int first = *i + 1;
	int have = count_words(reader, option->count, n - first, words + first);

	*i += have;
	if (have > 0)
		return set_words(reader, option, have, words + first);
	if (option->settings_only) // -i alone stands for the files of the command line
		return EXIT_DONE;
	if (option->count != WORDS_NONE && option->count != WORDS_MAYBE)
		return say(EXIT_USAGE, "%s: %s needs a value; see pmon %s -?", tool,
			   words[first - 1], tool);
	reader->rules->set_flag(reader->ctx, option->opt);
	return EXIT_DONE;
}

int
words_read(struct words_reader *reader, int n, char *const *words)
{
	const struct words_rules *rules = reader->rules;
	int status = EXIT_DONE;

	for (int i = 0; i < n && status == EXIT_DONE; i++) {
		const struct words_option *option = option_of(reader, words[i]);

		if (option != NULL)
			status = take_option(reader, option, n, words, &i);
		else if (words[i][0] == '-' && words[i][1] != '\0')
			status = say(EXIT_USAGE, "%s: there is no option %s; see pmon %s -?",
				     rules->tool, words[i], rules->tool);
		else
			status = rules->set(reader->ctx, WORDS_OPERAND, words[i]);
	}
	return status;
}

void
words_free(struct words_reader *reader)
{
	for (size_t i = 0; i < reader->texts.n; i++)
		free((void *)reader->texts.list[i]);
	free(reader->texts.list);
	reader->texts = (struct words){.list = NULL};
}

// ---- Settings files -------------------------------------------------------------------------

static const struct words_option *
section_of(const struct words_rules *rules, const char *name, size_t len)
{
	for (size_t i = 0; i < rules->n; i++)
		if (strlen(rules->options[i].name) == len &&
		    strncasecmp(name, rules->options[i].name, len) == 0)
			return &rules->options[i];
	return NULL;
}

static int
set_section(struct words_reader *reader, const struct words_option *option, const char *name,
	    const char *line)
{
	if (option == NULL)
		return say(EXIT_USAGE, "%s: there is no setting %s", name, line);
	if (option->count == WORDS_FILE)
		return say(EXIT_USAGE, "%s: a settings file cannot name another settings file",
			   name);
	if (option->count == WORDS_NONE || option->count == WORDS_MAYBE)
		reader->rules->set_flag(reader->ctx, option->opt);
	return EXIT_DONE;
}

// Divide a line at its blanks, but for those between quotes, in place. False when memory is short.
static bool
split_line(char *line, struct words *out)
{
	while (*line != '\0') {
		const char *ends = " \t";

		line += strspn(line, ends);
		if (*line == '\0')
			break;
		if (*line == '"') {
			ends = "\"";
			line++;
		}
		if (!words_add(out, line))
			return false;
		line += strcspn(line, ends);
		if (*line != '\0')
			*line++ = '\0';
	}
	return true;
}

// The values on a line: one, which may have blanks in it, or several that are quoted.
static int
set_values(struct words_reader *reader, const struct words_option *option, const char *name,
	   const char *line)
{
	struct words values = {.list = NULL};
	char *text;
	int status = EXIT_DONE;

	if (option == NULL || option->count == WORDS_NONE)
		return say(EXIT_USAGE, "%s: \"%s\" follows no setting", name, line);
	text = (char *)keep_text(reader, strdup(line));
	if (text == NULL)
		return EXIT_FAILED;
	if (line[0] == '"' ? !split_line(text, &values) : !words_add(&values, text))
		status = say(EXIT_FAILED, "not enough memory");
	for (size_t i = 0; i < values.n && status == EXIT_DONE; i++)
		status = reader->rules->set(reader->ctx, option->opt, values.list[i]);
	free(values.list);
	return status;
}

// A line as it would stand on a command line.
static int
take_options(struct words_reader *reader, const char *name, const char *line)
{
	struct words words = {.list = NULL};
	char *text = (char *)keep_text(reader, strdup(line));
	int status = EXIT_DONE;

	if (text == NULL)
		return EXIT_FAILED;
	if (!split_line(text, &words))
		status = say(EXIT_FAILED, "not enough memory");
	for (size_t i = 0; i < words.n && status == EXIT_DONE; i++) {
		const struct words_option *option = option_of(reader, words.list[i]);

		if (option != NULL && option->count == WORDS_FILE)
			status = set_section(reader, option, name, words.list[i]);
	}
	if (status == EXIT_DONE)
		status = words_read(reader, (int)words.n, (char *const *)words.list);
	free(words.list);
	return status;
}

static bool
is_option(const struct words_reader *reader, const char *line)
{
	char word[32];
	size_t len = strcspn(line, " \t");

	if (len >= sizeof(word))
		return false;
	memcpy(word, line, len);
	word[len] = '\0';
	return option_of(reader, word) != NULL;
}

// A line of a settings file. *option is the setting that the lines before it began.
static int
take_line(struct words_reader *reader, const struct words_option **option, const char *name,
	  const char *line)
{
	const char *end = line[0] == '[' ? strchr(line, ']') : NULL;
	int status;

	if (line[0] == '\0' || line[0] == ';')
		return EXIT_DONE;
	if (is_option(reader, line)) {
		*option = NULL;
		return take_options(reader, name, line);
	}
	if (end == NULL)
		return set_values(reader, *option, name, line);
	*option = section_of(reader->rules, line + 1, (size_t)(end - line - 1));
	status = set_section(reader, *option, name, line);
	end += 1 + strspn(end + 1, " \t");
	return status == EXIT_DONE && *end != '\0' ? set_values(reader, *option, name, end)
						   : status;
}

static struct pmon_span
without_blanks(struct pmon_span line)
{
	while (line.len > 0 && strchr(" \t\r", line.ptr[0]) != NULL)
		line = (struct pmon_span){line.ptr + 1, line.len - 1};
	while (line.len > 0 && strchr(" \t\r", line.ptr[line.len - 1]) != NULL)
		line.len--;
	return line;
}

static int
read_settings(struct words_reader *reader, const char *name)
{
	const struct words_option *option = NULL;
	struct textfile file;
	struct pmon_span line;
	int status = textfile_read(name, TEXTFILE_BYTES, &file);

	reader->in_settings = true;
	while (status == EXIT_DONE && textfile_line(&file, &line)) {
		line = without_blanks(line);
		file.text[line.ptr + line.len - file.text] = '\0';
		status = take_line(reader, &option, name, line.ptr);
	}
	reader->in_settings = false;
	textfile_free(&file);
	return status;
}

// ---- What options take ----------------------------------------------------------------------

int
words_number(const struct words_rules *rules, const char *option, const char *value, uint64_t low,
	     uint64_t high, uint64_t *out)
{
	if (pmon_num_parse_u64((struct pmon_span){value, strlen(value)}, out) && *out >= low &&
	    *out <= high)
		return EXIT_DONE;
	return say(EXIT_USAGE, "%s: %s takes a whole number from %llu to %llu, not \"%s\"",
		   rules->tool, option, (unsigned long long)low, (unsigned long long)high, value);
}

// "CSV", as the tools of Windows name the format.
static void
put_name(struct pmon_text *t, const struct pmon_writer *writer)
{
	const char *name = writer->alias != NULL ? writer->alias : writer->name;

	for (; *name != '\0'; name++) {
		char c = *name >= 'a' && *name <= 'z' ? (char)(*name - 'a' + 'A') : *name;

		pmon_text_span(t, (struct pmon_span){&c, 1});
	}
}

const struct pmon_writer *
words_format(const struct words_rules *rules, const char *name)
{
	const struct pmon_writer *writer = pmon_writer_find(name);
	char names[512];
	struct pmon_text t = pmon_text_init(names, sizeof(names));

	if (writer != NULL)
		return writer;
	for (size_t i = 0; (writer = pmon_writer_at(i)) != NULL; i++) {
		if (i > 0)
			pmon_text_str(&t, pmon_writer_at(i + 1) != NULL ? ", " : " or ");
		put_name(&t, writer);
	}
	say(0, "%s: -f takes %s, not \"%s\"", rules->tool, names, name);
	return NULL;
}

const char *
words_output(struct words_reader *reader, const struct pmon_writer *format, const char *output)
{
	const char *slash = strrchr(output, '/');
	const char *base = slash != NULL ? slash + 1 : output;
	size_t size = strlen(output) + strlen(format->endings[0]) + 2;
	struct pmon_os_stat there = pmon_os_stat(output, true);
	char *path;

	if (strcmp(output, "-") == 0 || strchr(base, '.') != NULL ||
	    (there.is_there && !there.is_regular))
		return output;
	path = malloc(size);
	if (path != NULL)
		(void)snprintf(path, size, "%s.%s", output, format->endings[0]);
	return keep_text(reader, path);
}

int
words_check_output(const struct words_rules *rules, const char *output)
{
	if (strncasecmp(output, "SQL:", 4) != 0)
		return EXIT_DONE;
	return say(EXIT_USAGE,
		   "%s: ODBC data sources (%s) exist on Windows only; -f SQL -o FILE.db writes the "
		   "same "
		   "tables into an SQLite database",
		   rules->tool, output);
}

int
words_list_open(struct words_listing *listing)
{
	*listing = (struct words_listing){.len = 0};
	listing->stream = open_memstream(&listing->text, &listing->len);
	return listing->stream != NULL ? EXIT_DONE : say(EXIT_FAILED, "not enough memory");
}

static int
write_listing(const struct words_listing *listing, const char *path,
	      struct pmon_outfile_options *options)
{
	struct pmon_outfile *file;
	struct pmon_err err;
	enum pmon_status status;

	options->temporary = signals_temporary;
	status = pmon_outfile_open(path, options, &file, &err);
	if (status != PMON_OK)
		return say_write_err(path, &err);
	pmon_outfile_write(file, listing->text, listing->len);
	status = pmon_outfile_commit(file, &err);
	pmon_outfile_close(file);
	return status == PMON_OK ? EXIT_DONE : say_write_err(path, &err);
}

int
words_list_close(struct words_listing *listing, const char *path,
		 struct pmon_outfile_options *options, int status)
{
	if (!text_stream_close(listing->stream, &listing->text))
		status = say(EXIT_FAILED, "not enough memory");
	if (status == EXIT_DONE)
		status = write_listing(listing, path, options);
	free(listing->text);
	return status;
}

int
words_policy(const struct words_rules *rules, const char *value, enum pmon_policy *out)
{
	for (int i = 0; i <= PMON_POLICY_CLAMP; i++) {
		if (strcmp(value, pmon_policy_name((enum pmon_policy)i)) == 0) {
			*out = (enum pmon_policy)i;
			return EXIT_DONE;
		}
	}
	return say(EXIT_USAGE, "%s: --policy takes default, strict or clamp, not \"%s\"",
		   rules->tool, value);
}
