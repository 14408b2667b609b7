# SPDX-License-Identifier: BSD-3-Clause
# Generated from notes.json by ferry-bindgen; edit that file and run `ferry bindgen` again.
#
# find_package(notes): the target notes::notes. NOTES_LIBRARY is libnotes.so, if CMake does not find it.
include(CMakeFindDependencyMacro)
find_dependency(PkgConfig)
find_dependency(Threads)

if(NOT TARGET notes::provider)
	find_library(NOTES_LIBRARY NAMES notes REQUIRED)
	pkg_check_modules(NOTES_FERRY REQUIRED IMPORTED_TARGET ferryingress)
	add_library(notes::provider INTERFACE IMPORTED)
	set_target_properties(notes::provider PROPERTIES INTERFACE_LINK_LIBRARIES
		"${NOTES_LIBRARY};PkgConfig::NOTES_FERRY;Threads::Threads")
endif()

if(EXISTS ${CMAKE_CURRENT_LIST_DIR}/notesTargets.cmake)
	include(${CMAKE_CURRENT_LIST_DIR}/notesTargets.cmake)
endif()
