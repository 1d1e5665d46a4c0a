# Take the colours of charts from the style sheet of the page: cmake -DOUT=colours.c -DCSS=style.css -P colours.cmake

file(READ "${CSS}" css)
string(FIND "${css}" ":root[data-theme=\"dark\"]" middle)
string(SUBSTRING "${css}" 0 ${middle} light)
string(SUBSTRING "${css}" ${middle} -1 dark)

# The C initializer of a variable of the style sheet.
function(take text name out)
    if(NOT text MATCHES "--${name}: #([0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]);")
        message(FATAL_ERROR "${CSS} has no colour --${name}")
    endif()
    set(${out} "RGB(${CMAKE_MATCH_1})" PARENT_SCOPE)
endfunction()

set(themes "")
set(palettes "")
foreach(theme light dark)
    string(TOUPPER ${theme} upper)
    string(APPEND themes "\t[DRAW_${upper}] = {\n")
    foreach(pair page=paper text=ink muted=quiet grid=grid axis=edge alarm=bad)
        string(REPLACE "=" ";" pair ${pair})
        list(GET pair 0 field)
        list(GET pair 1 name)
        take("${${theme}}" ${name} colour)
        string(APPEND themes "\t\t.${field} = ${colour},\n")
    endforeach()
    string(APPEND themes "\t},\n")
    string(APPEND palettes "\t[DRAW_${upper}] = {")
    foreach(i RANGE 7)
        take("${${theme}}" line-${i} colour)
        string(APPEND palettes "${colour}, ")
    endforeach()
    string(APPEND palettes "},\n")
endforeach()
file(WRITE "${OUT}" "// made from web/page/style.css by cmake/colours.cmake\n\n#include \"draw/colour.h\"\n\n"
    "#define RGB(hex) {(0x##hex >> 16) / 255.0, (0x##hex >> 8 & 0xFF) / 255.0, (0x##hex & 0xFF) / 255.0}\n\n"
    "const struct draw_colours draw_themes[] = {\n${themes}};\n\n"
    "const struct draw_rgb draw_palettes[][DRAW_PALETTE] = {\n${palettes}};\n")
