# install.cmake - what `cmake --install` puts where
#
# SPDX-License-Identifier: MIT
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sortes)

install(TARGETS sortes EXPORT sortes
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    PUBLIC_HEADER DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET sortes_program)
    install(TARGETS sortes_program DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(EXPORT sortes NAMESPACE sortes:: FILE sortes-targets.cmake
        DESTINATION ${package_dir})

configure_package_config_file(
    ${CMAKE_CURRENT_LIST_DIR}/sortes-config.cmake.in
    ${PROJECT_BINARY_DIR}/sortes-config.cmake
    INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(
    ${PROJECT_BINARY_DIR}/sortes-config-version.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sortes-config.cmake
              ${PROJECT_BINARY_DIR}/sortes-config-version.cmake
        DESTINATION ${package_dir})

# A static library leaves what it needs to the program's own link.
if(BUILD_SHARED_LIBS)
    set(pc_private "-lm -pthread")
    set(pc_cflags " -DSORTES_SHARED")
else()
    set(pc_public " -lm -pthread")
endif()
file(RELATIVE_PATH pc_up /at/${CMAKE_INSTALL_LIBDIR}/pkgconfig /at)
configure_file(${CMAKE_CURRENT_LIST_DIR}/sortes.pc.in
               ${PROJECT_BINARY_DIR}/sortes.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/sortes.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

file(GLOB man_pages ${PROJECT_SOURCE_DIR}/docs/man/*.1)
if(man_pages)
    install(FILES ${man_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

# For llama.cpp programs: needs their own llama.h, so nothing here compiles it.
install(FILES ${PROJECT_SOURCE_DIR}/include/sortes_llama.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# For programs that keep their rows with MLX; plugins/mlx/load.c goes with it.
install(FILES ${PROJECT_SOURCE_DIR}/include/sortes_mlx.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# What `sortes try` plays.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples/rows
        DESTINATION ${CMAKE_INSTALL_DATADIR}/sortes/examples)
