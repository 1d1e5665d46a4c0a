# Put modules into one script for a page: cmake -DOUT=script.c -DFILES="a.js;b.js" -P script.cmake
#
# They are joined in their order, without imports, exports and comments, and their SHA-256 is given as a policy of the
# page needs it: in base64.

set(script "")
foreach(file IN LISTS FILES)
    file(READ ${file} text)
    string(REGEX REPLACE "(^|\n)import [^\n]*" "\\1" text "${text}")
    string(REGEX REPLACE "(^|\n)export " "\\1" text "${text}")
    string(REGEX REPLACE "(^|\n)\t*//[^\n]*" "\\1" text "${text}")
    string(REGEX REPLACE "\n[\t\n]+" "\n" text "${text}")
    string(APPEND script "${text}")
endforeach()
file(WRITE ${OUT}.js "${script}")
file(SHA256 ${OUT}.js hash)
file(READ ${OUT}.js bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes "${bytes}")

set(letters ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
set(base64 "")
foreach(at RANGE 0 60 6)
    string(SUBSTRING "${hash}00" ${at} 6 three)
    math(EXPR three "0x${three}")
    foreach(shift 18 12 6 0)
        math(EXPR letter "(${three} >> ${shift}) & 63")
        string(SUBSTRING ${letters} ${letter} 1 letter)
        string(APPEND base64 ${letter})
    endforeach()
endforeach()
string(SUBSTRING ${base64} 0 43 base64) # 32 bytes

file(WRITE ${OUT} "// made by cmake/script.cmake

#include \"verbs/report/script.h\"

const unsigned char report_script[] = {
${bytes}0};
const char report_script_hash[] = \"sha256-${base64}=\";
")
