# report.py - results as text
# SPDX-License-Identifier: MIT



def number(x):
    return f"{x:,.0f}" if abs(x) >= 1000 else f"{x:.3g}"


def rate(x):
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if x >= size:
            return f"{x / size:.2f} {unit}"
    return f"{x:.0f} "


def row_text(row, bandwidth):
    memory = f"{row['peak_kib'] / 1024:8.1f} MiB" if row["peak_kib"] else 12 * " "
    limit = f" of {row['peak_limit_kib'] / 1024:.0f}" if "peak_limit_kib" in row else ""
    return (f"{row['job']:10} {row['program']:22} {row['seconds']:9.3f} s"
            f" {rate(row['bytes_per_second']):>8}B/s"
            f" {100 * row['bytes_per_second'] / bandwidth:6.1f} %"
            f" {rate(row['values_per_second']):>8}/s {memory}{limit}")


def target_text(target):
    if target["measured"] is None:
        return f"  ?   {target['what']}: not measured"
    word = {True: "met", False: "NOT", None: "?"}[target["met"]]
    return (f"{word:>5} {number(target['measured']):>8} {target['unit']:3} {target['sign']:2}"
            f" {target['limit']:<4} {target['what']}")


def type_text(row):
    if not row["same"]:
        return f"{row['type']:34} {row['pmon_ns']:6.1f} ns       differs: {row['why']}"
    return f"{row['type']:34} {row['pmon_ns']:6.1f} ns {row['mono_ns']:6.1f} ns by Mono"


def core_text(row, read_ns):
    return f"{row['type']:34} {row['value_large_ns']:6.2f} ns, its operands {read_ns:.2f} ns"


def text(results, yardstick):
    lines = [f"memory, one core: {rate(yardstick['median'])}B/s, the median of {yardstick['times']}"
             f" times, from {rate(yardstick['lowest'])}B/s to {rate(yardstick['highest'])}B/s;"
             f" a plain sum of doubles {rate(yardstick['plain'])}B/s", ""]
    lines += [row_text(r, yardstick["median"]) for r in results.rows]
    lines.append("")
    if results.core:
        lines += [core_text(t, results.core["read_large_ns"]) for t in results.core["types"]] + [""]
    lines += [type_text(r) for r in results.mono] + [""]
    lines += [target_text(t) for t in results.targets()]
    return "\n".join(lines)
