#!/usr/bin/env bash
# workbook.sh - a log that was saved as an Excel workbook is read like the CSV file it was
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
need python3

# The forms that ECMA-376 allows for one table; expected are the values of log.csv, which has the same rows.
python3 - <<'PYTHON'
import random, zipfile
from xml.sax.saxutils import escape, quoteattr
paths = [r"\\S\Memory\Available Bytes", r'\\S\Process(a "b" & <c>)\Working Set', r"\\S\PhysicalDisk(0 C:)\Avg. Disk sec/Read"]
rows = [["(PDH-CSV 4.0) (UTC)(0)", *paths]]
for i in range(600):
    day = 46078 + (36000 + 15 * i) / 86400  # 2026-02-25, as Excel counts: 1 is the first day of 1900, a leap year to it
    rows.append([day, None if i % 7 == 3 else i * 7919 % 1000, 1e-5 * i, i / 3])
with open("log.csv", "w") as csv:
    csv.write(",".join('"%s"' % name.replace('"', '""') for name in rows[0]) + "\n")
    for i, (_, *values) in enumerate(rows[1:]):
        second = 36000 + 15 * i
        time = "02/25/2026 %02d:%02d:%02d.000" % (second // 3600, second // 60 % 60, second % 60)
        csv.write(",".join(['"%s"' % time] + ['"%s"' % ("" if v is None else repr(v)) for v in values]) + "\n")
def letter(column):
    name = ""
    while column >= 0:
        name, column = chr(65 + column % 26) + name, column // 26 - 1
    return name
def sheet(shared, p="", refers=True, inline=False, tail="</{p}worksheet>"):
    out = ['<?xml version="1.0" encoding="UTF-8" standalone="yes"?>', f'<{p}worksheet xmlns{":x" if p else ""}="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><{p}sheetData>']
    for r, row in enumerate(rows, 1):
        out.append(f'<{p}row r="{r}">')
        for c, value in enumerate(row):
            at = f' r="{letter(c)}{r}"' if refers else ""
            if value is None:
                out.append(f'<{p}c{at} s="3"/>' if not refers or r % 2 else "")
            elif isinstance(value, str) and inline:
                out.append(f'<{p}c{at} t="inlineStr"><{p}is><{p}t>{escape(value)}</{p}t></{p}is></{p}c>')
            elif isinstance(value, str):
                out.append(f'<{p}c{at} t="s"><{p}v>{shared.index(value)}</{p}v></{p}c>')
            else:
                out.append(f'<{p}c{at}><{p}f>A1+"no value"</{p}f><{p}v>{value!r}</{p}v></{p}c>' if c == 2 else f'<{p}c{at} s="1"><{p}v>{value!r}</{p}v></{p}c>')
        out.append(f"</{p}row>")
    return "".join(out) + f"</{p}sheetData>" + tail.format(p=p)
def strings(shared, rich=False):
    one = (lambda t: f"<si><r><rPr><b/></rPr><t>{escape(t[:5])}</t></r><r><t xml:space=\"preserve\">{escape(t[5:])}</t></r><rPh sb=\"0\" eb=\"1\"><t>sound</t></rPh></si>") if rich else (lambda t: f"<si><t>{escape(t)}</t></si>")
    return '<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' + "".join(map(one, shared)) + "</sst>"
BOOK = '<workbook xmlns="x"><workbookPr{}/><sheets><sheet name="log" sheetId="1"/></sheets></workbook>'
EMPTY = '<worksheet xmlns="x"><sheetData><row r="1"><c r="A1" s="2"/></row></sheetData></worksheet>'
def book(name, files):
    with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as z:
        for entry, text in files:
            z.writestr(entry, text)
shared = ["unused", *rows[0]]
TYPES, WB, SST, ONE, TWO = "[Content_Types].xml", "xl/workbook.xml", "xl/sharedStrings.xml", "xl/worksheets/sheet1.xml", "xl/worksheets/sheet2.xml"
plain = BOOK.format("")
book("excel.xlsx", [(TYPES, "<Types/>"), (WB, plain), (ONE, sheet(shared)), (SST, strings(shared))])
book("rich.xlsx", [(SST, strings(shared, True)), (ONE, EMPTY), (TWO, sheet(shared)), (WB, plain), (TYPES, "<Types/>")])
book("inline.xlsx", [(TYPES, "<Types/>"), (WB, plain), (ONE, sheet([], inline=True, refers=False))])
book("prefix.xlsx", [(TYPES, "<Types/>"), (WB, plain), (ONE, sheet(shared, p="x:")), (SST, strings(shared))])
book("chart.xlsx", [(TYPES, "<Types/>"), (WB, plain), (ONE, sheet(shared)), (SST, strings(shared)), ("xl/worksheets/_rels/sheet1.xml.rels", "<c><v>1</v></c>"), ("xl/charts/chart1.xml", "<c><v>1</v></c>")])
# Not one table of cells, or none that can be trusted
book("two.xlsx", [(WB, plain), (ONE, sheet(shared)), (TWO, sheet(shared)), (SST, strings(shared))])
book("none.xlsx", [(WB, plain), (ONE, EMPTY)])
book("mac.xlsx", [(WB, BOOK.format(' date1904="1"')), (ONE, sheet(shared)), (SST, strings(shared))])
book("order.xlsx", [(WB, plain), (ONE, '<worksheet><row><c r="B1"><v>1</v></c><c r="A1"><v>2</v></c></row></worksheet>')])
book("far.xlsx", [(WB, plain), (ONE, '<worksheet><row><c r="ZZZZZZZZ1"><v>1</v></c></row></worksheet>')])
book("nosuch.xlsx", [(WB, plain), (ONE, '<worksheet><row><c r="A1" t="s"><v>99</v></c></row></worksheet>'), (SST, strings(shared))])
book("laughs.xlsx", [(WB, plain), (ONE, '<!DOCTYPE w [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><worksheet><row><c r="A1"><v>&b;</v></c></row></worksheet>')])
book("token.xlsx", [(WB, plain), (ONE, '<worksheet a="' + "x" * (3 << 20) + '"/>')])
book("cut.xlsx", [(WB, plain), (ONE, sheet(shared, tail="")), (SST, strings(shared))])
book("letter.docx", [(TYPES, "<Types/>"), ("word/document.xml", "<w/>")])
book("table.ods", [("mimetype", "application/vnd.oasis.opendocument.spreadsheet"), ("content.xml", "<w/>")])
book("binary.xlsb", [(TYPES, "<Types/>"), ("xl/workbook.bin", "x")])
whole = open("excel.xlsx", "rb").read()
for i in range(40):
    random.seed(i)
    hit = bytearray(whole)
    hit[random.randrange(len(hit))] ^= 1 << random.randrange(8)
    open(f"hit{i}.xlsx", "wb").write(hit if i % 2 else whole[: random.randrange(len(whole))])
PYTHON

"$PMON_BIN" stats excel.xlsx >out 2>err
grep -Eq 'unpack it first|cannot load|cannot read' err && skip "this pmon was built without libarchive or expat, or they are not installed"
want=$("$PMON_BIN" values --format csv --digits full log.csv)
for file in excel rich inline prefix chart; do
	run values --format csv --digits full $file.xlsx
	status 0
	same "values of $file.xlsx" "$out" "$want"
done

while read -r file words; do
	run stats "$file"
	status 1
	err_says $words
done <<'END'
two.xlsx several sheets CSV
none.xlsx without cells
mac.xlsx 1904 CSV
order.xlsx damaged order
far.xlsx damaged
nosuch.xlsx damaged text
laughs.xlsx document type
token.xlsx unpacks
letter.docx Word
table.ods OpenDocument CSV
binary.xlsb XLSB CSV
END

run values --format csv --digits full cut.xlsx # the lines before the damage are kept
status 3
same "lines of cut.xlsx" "$(wc -l <<<"$out")" "$(wc -l <<<"$want")"
for i in {0..39}; do
	"$PMON_BIN" stats hit$i.xlsx >out 2>err
	case $? in 0 | 1 | 3) ok ;; *) bad "hit$i.xlsx: exit status $?" ;; esac
done
finish
