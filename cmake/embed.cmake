# Put files into a C source: cmake -DOUT=page.c -DFILES="path|type|file;..." -P embed.cmake
#
# path is what a browser asks for. Text stays what it is, byte by byte.

set(text "// made from the files of the page by cmake/embed.cmake\n\n#include \"web/page.h\"\n")
set(table "")
set(number 0)
foreach(entry IN LISTS FILES)
    string(REPLACE "|" ";" parts "${entry}")
    list(GET parts 0 path)
    list(GET parts 1 type)
    list(GET parts 2 file)
    file(READ "${file}" bytes HEX)
    string(LENGTH "${bytes}" length)
    math(EXPR length "${length} / 2")
    string(REGEX REPLACE "(................................)" "\\1\n\t" bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND text "\nstatic const unsigned char file_${number}[] = {\n\t${bytes}0};\n")
    string(APPEND table "\t{\"${path}\", \"${type}; charset=utf-8\", file_${number}, ${length}},\n")
    math(EXPR number "${number} + 1")
endforeach()
string(APPEND text "\nconst struct page_file page_files[] = {\n${table}\t{0, 0, 0, 0},\n};\n")
file(WRITE "${OUT}" "${text}")
