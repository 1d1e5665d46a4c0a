# Put SQL into a C source: cmake -DOUT=sql.c -DHEADER=format/sqlite/sql.h -DPREFIX=pmon_sqlite_sql_
#     -DFILES="a.sql;b.sql" -P sql.cmake
#
# a.sql is PREFIX and "a", which HEADER declares. Comments, which SQLite would store with the tables, are left out.

set(text "// made by cmake/sql.cmake\n\n#include \"${HEADER}\"\n")
foreach(file IN LISTS FILES)
    get_filename_component(name "${file}" NAME_WE)
    file(READ "${file}" sql)
    string(REGEX REPLACE "(^|\n)--[^\n]*\n" "\\1" sql "${sql}")
    string(REGEX REPLACE " *--[^\n]*" "" sql "${sql}")
    string(HEX "${sql}" bytes)
    string(REGEX REPLACE "(................................)" "\\1\n\t" bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND text "\nconst char ${PREFIX}${name}[] = {\n\t${bytes}0};\n")
endforeach()
file(WRITE "${OUT}" "${text}")
