// forms.c - the forms of PAL's code that can be converted to rules
// SPDX-License-Identifier: MIT

#include "verbs/rules/forms.h"

#include <string.h>

#include "base/scan.h"

#define NAMES 10

// %0 to %9 stand for a name or a number, the same one each time; %9 for any text up to a quote.
#define CALL   "StaticThreshold-CollectionOfCounterInstances$%1-Operator'%2'-Threshold$%0"
#define MEMORY "$iPhysicalMemory"

static const struct {
	enum form_limit limit;
	const char *text;
} limits[] = {
	{FORM_MEMORY_MB, "$%0=$([Int]$PhysicalMemory*1024)*%3" CALL},
	{FORM_MEMORY_FLOOR, "$%0=$([Int]$PhysicalMemory*1024)*%3If($%0-lt64){$%0=64}" CALL},
	{FORM_MEMORY, "$%0=$([Int]$PhysicalMemory*1GB)*%3" CALL},
	{FORM_MEMORY,
	 "If($PhysicalMemory-eq0){$PhysicalMemory=1};" MEMORY
	 "=$([Math]::Round($PhysicalMemory,0))" MEMORY "=" MEMORY "*1GB$%0=" MEMORY "*%3" CALL},
	{FORM_PROCESSORS, "[Int]$%4=$%5.Count-1If($%4-eq0){$%4=1}$%0=$%4*%3" CALL},
	{FORM_PROCESSORS, "[Int]$%4=$%5.Count-1If($%4-eq0){$%4=1}$%0=[Int]$%4*%3" CALL},
	{FORM_PROCESSORS, "[Int]$%4=$%5.Count-1$%0=$%4*%3" CALL},
	{FORM_ANSWER, "$%0=$([Int]$%6)*%3" CALL},
	{FORM_FALL, "$%0=-$([Int]$%6)*%3" CALL "-IsTrendOnly$True"},
	{FORM_CHOICE, "If($($%6)-eq$True){$%0=%3}Else{$%0=%7}" CALL},
	{FORM_SYSTEM,
	 "$%4=$%6.substring(0,2)If($%4-eq'32'){$%0=%3*2GB" CALL "}Else{$%0=%3*8TB" CALL "}"},
};

// Two counters of the same instance of SQL Server, of which PAL makes one.
#define EACH(N, I) "For($" I "=0;$" I "-lt$%" N ".Count;$" I "++){"
#define NAME(N, S, I)                                                                              \
	"$%" S "=ExtractSqlNamedInstanceFromCounterObjectPath-sCounterObjectPath$%" N "[$" I       \
	"].CounterObject$%" S "WithComputer=\"$($%" N "[$" I "].CounterComputer)\"+'/'+\"$%" S     \
	"\""
#define SQL(VARIABLE, FORMULA)                                                                     \
	"$%0=@{}" EACH("1", "a") NAME("1", "3", "a") "$m=-1" EACH("2", "b")                        \
		NAME("2", "4", "b") "If($%3WithComputer-eq$%4WithComputer){$m=$b}}If($m-ge0){$"    \
				    "blValues=New-ObjectSystem."                                   \
				    "Collections.ArrayListFor($v=0;$v-lt$%1[$a].Value.Count;$v++)" \
				    "{If((IsGreaterThanZero" VALUE ")-and(IsGreaterThanZero" OTHER \
				    ")){If((" VALUE "-gt1)-and(" OTHER "-gt1)){" FORMULA           \
				    "}Else{" VARIABLE "=0}[void]$blValues.Add(" VARIABLE           \
				    ")}Else{[void]$blValues.Add(0)}}"                              \
				    "$sGeneratedInstanceName=\"\\\\$($%1[$a].CounterComputer)"     \
				    "\\PALGenerated($($%3))\\%9\""                                 \
				    "$%0.Add($sGeneratedInstanceName,$blValues)}}"
#define VALUE "$%1[$a].Value[$v]"
#define OTHER "$%2[$m].Value[$v]"
#define RATIO "$iRatio"
#define WIDTH "$iPercentageOfNetworkUtilization"

static const struct {
	const char *text;
	bool is_inverse; // the second counter is the value, of the first one
	double percent;
	double times;
	bool is_rest;
	bool is_with_work;
} ratios[] = {
	{SQL(RATIO, "[int]" RATIO "=$([double]" VALUE "/[double]" OTHER ")*100"), .percent = 1,
	 .times = 1, .is_with_work = true},
	{SQL(RATIO, "[int]" RATIO "=$([double]" OTHER "/[double]" VALUE ")*100"), .percent = 1,
	 .times = 1, .is_inverse = true, .is_with_work = true},
	{SQL(RATIO, "[int]" RATIO "=$([double]" VALUE "/[double]" OTHER ")"), .percent = 100,
	 .times = 1, .is_with_work = true},
	{SQL("$iAvg", "[int]$iAvg=$([double]" VALUE "/[double]" OTHER ")"), .percent = 100,
	 .times = 1, .is_with_work = true},
	{SQL(RATIO, "[double]" RATIO "=$(((([double]" OTHER ")-([double]" VALUE "))/([double]" OTHER
		    "))*100)If(" RATIO "-lt0){" RATIO "=0}If(" RATIO "-gt100){" RATIO "=100}"),
	 .percent = 1, .times = 1, .is_rest = true, .is_with_work = true},
	{"$%0=@{}" EACH("1", "i") EACH("2", "a") "If($%1[$i].CounterInstance-eq$%2[$a]."
						 "CounterInstance){$b=$a}}$alValues=New-"
						 "ObjectSystem.Collections.ArrayListFor($v=0;$v-lt"
						 "$%1[$i].Value.Count;$v++){If(($%1[$i]."
						 "QuantizedAvg[$v]-gt0)-and($%2[$b].QuantizedAvg"
						 "[$v]-gt0)){[int]" WIDTH "=(([double]$%1[$i]."
						 "QuantizedAvg[$v]*8)/[double]$%2[$b].QuantizedAvg"
						 "[$v])*100[void]$alValues.Add(" WIDTH ")}Else{"
						 "[void]$alValues.Add(0)}}"
						 "$sGeneratedInstanceName=\"\\\\$($%1[$i]."
						 "CounterComputer)\\$($%1[$i].CounterObject)($($%1"
						 "[$i].CounterInstance))\\%9\"$%0.Add("
						 "$sGeneratedInstanceName,$alValues)}",
	 .percent = 1, .times = 8},
};

static bool
is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

void
form_squeeze(char *code)
{
	char *out = code;
	bool begins = true; // a word, or a comment

	for (const char *at = code; *at != '\0';) {
		if (is_space(*at)) {
			begins = true;
			at++;
		} else if (begins && *at == '#') {
			at += strcspn(at, "\r\n");
		} else {
			begins = false;
			*out++ = *at++;
		}
	}
	*out = '\0';
}

static bool
is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || pmon_is_digit(c);
}

// The length of what a placeholder stands for.
static size_t
length_of(char name, const char *code)
{
	size_t len = 0;

	if (name == '9')
		return strcspn(code, "\"");
	if (name == '3' || name == '7') // numbers, as names end at no letter of the next word
		len = strspn(code, "0123456789.");
	if (len > 0)
		return len;
	while (is_word(code[len]))
		len++;
	return len;
}

static bool
matches(const char *form, const char *code, struct pmon_span names[NAMES])
{
	for (size_t i = 0; i < NAMES; i++)
		names[i] = (struct pmon_span){"", 0};
	for (; *form != '\0'; form++) {
		struct pmon_span *name;

		if (*form != '%') {
			if (*form != *code++)
				return false;
			continue;
		}
		name = &names[*++form - '0'];
		if (name->len == 0)
			*name = (struct pmon_span){code, length_of(*form, code)};
		if (name->len == 0 || strncmp(code, name->ptr, name->len) != 0)
			return false;
		code += name->len;
	}
	return *code == '\0';
}

bool
form_of(const char *squeezed, struct form *out)
{
	struct pmon_span names[NAMES];

	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		if (!matches(limits[i].text, squeezed, names))
			continue;
		*out = (struct form){.limit = limits[i].limit,
				     .collection = names[1],
				     .operator= names[2],
				     .number = names[3],
				     .other = names[7],
				     .processors = names[5],
				     .question = names[6]};
		return true;
	}
	return false;
}

bool
form_ratio_of(const char *squeezed, struct form_ratio *out)
{
	struct pmon_span names[NAMES];

	for (size_t i = 0; i < sizeof(ratios) / sizeof(ratios[0]); i++) {
		if (!matches(ratios[i].text, squeezed, names))
			continue;
		*out = (struct form_ratio){.value = names[ratios[i].is_inverse ? 2 : 1],
					   .of = names[ratios[i].is_inverse ? 1 : 2],
					   .percent = ratios[i].percent,
					   .times = ratios[i].times,
					   .is_rest = ratios[i].is_rest,
					   .is_with_work = ratios[i].is_with_work};
		return true;
	}
	return false;
}
