# hardening.cmake - compiler and linker options that make a defect in the code hard to exploit
#
# Each option is used if the compiler and the linker know it. Flags of a packager (dpkg-buildflags) come
# first on the command line and say the same; a _FORTIFY_SOURCE that they set is not changed.
#
# pmon_harden(TARGET) applies them. PMON_FORTIFY is the level of _FORTIFY_SOURCE, or empty. Sources see
# PMON_HAS_CALLFILTER where the sandbox has a filter of system calls.

include(CheckCCompilerFlag)
include(CheckCSourceCompiles)
include(CheckLinkerFlag)
include(CheckPIESupported)
include(CheckSymbolExists)

check_pie_supported(LANGUAGES C)

# pmon_check_fortify(LEVEL VARIABLE): does the C library check at this level, as we compile? It does not
# without optimisation, and not with a compiler that cannot tell the sizes of objects at run time.
function(pmon_check_fortify level variable)
    string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
    set(CMAKE_REQUIRED_FLAGS
        "${CMAKE_C_FLAGS_${type}} -Werror -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=${level}")
    check_c_source_compiles("
        #include <string.h>
        #if !defined __USE_FORTIFY_LEVEL || __USE_FORTIFY_LEVEL != ${level}
        #error the C library does not check at this level
        #endif
        int main(void) { return 0; }" ${variable})
endfunction()

set(hardening_compile_options "")
set(hardening_link_options "")
set(PMON_FORTIFY "")
if(PMON_HARDENING AND NOT PMON_SANITIZE AND NOT MSVC)
    check_c_compiler_flag(-fstack-protector-strong PMON_HAS_STACK_PROTECTOR)
    check_c_compiler_flag(-fcf-protection PMON_HAS_CF_PROTECTION) # an error where it is not x86
    check_linker_flag(C LINKER:-z,relro,-z,now PMON_HAS_RELRO)
    if(PMON_HAS_STACK_PROTECTOR)
        list(APPEND hardening_compile_options -fstack-protector-strong)
        if(MINGW) # its C library has no part in that: a library of gcc's does
            list(APPEND hardening_link_options -fstack-protector-strong)
        endif()
    endif()
    if(PMON_HAS_CF_PROTECTION)
        list(APPEND hardening_compile_options -fcf-protection)
    endif()
    if(PMON_HAS_RELRO)
        list(APPEND hardening_link_options LINKER:-z,relro,-z,now)
    endif()
    if(NOT CMAKE_C_FLAGS MATCHES "_FORTIFY_SOURCE")
        pmon_check_fortify(3 PMON_HAS_FORTIFY_3)
        if(PMON_HAS_FORTIFY_3)
            set(PMON_FORTIFY 3)
        else()
            pmon_check_fortify(2 PMON_HAS_FORTIFY_2)
            if(PMON_HAS_FORTIFY_2)
                set(PMON_FORTIFY 2)
            endif()
        endif()
    endif()
    if(PMON_FORTIFY)
        # Some compilers define it themselves.
        list(APPEND hardening_compile_options -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=${PMON_FORTIFY})
    endif()
endif()

function(pmon_harden target)
    if(NOT PMON_HARDENING)
        return()
    endif()
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_compile_options(${target} PRIVATE ${hardening_compile_options})
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE")
        target_link_options(${target} PRIVATE ${hardening_link_options})
    endif()
endfunction()

if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    check_symbol_exists(PMON_AUDIT_ARCH ${PROJECT_SOURCE_DIR}/shell/process/audit_arch.h PMON_HAS_CALLFILTER)
    if(PMON_HAS_CALLFILTER)
        add_compile_definitions(PMON_HAS_CALLFILTER=1)
    else()
        message(STATUS "No list of system calls for this machine: the sandbox has no seccomp filter")
    endif()
endif()
