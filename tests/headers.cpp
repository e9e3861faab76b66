// Nothing but the precompiled header of the tests (CMakeLists.txt).
