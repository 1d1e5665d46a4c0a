# WASI.cmake - what CMake asks of a system: WebAssembly programs, which load no libraries

set(WASI 1)
set_property(GLOBAL PROPERTY TARGET_SUPPORTS_SHARED_LIBS FALSE)
set(CMAKE_EXECUTABLE_SUFFIX .wasm)
