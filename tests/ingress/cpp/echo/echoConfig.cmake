# SPDX-License-Identifier: BSD-3-Clause
# Generated from echo.json by ferry-bindgen; edit that file and run `ferry bindgen` again.
#
# find_package(echo): the target echo::echo. ECHO_LIBRARY is libecho.so, if CMake does not find it.
include(CMakeFindDependencyMacro)
find_dependency(PkgConfig)
find_dependency(Threads)

if(NOT TARGET echo::provider)
	find_library(ECHO_LIBRARY NAMES echo REQUIRED)
	pkg_check_modules(ECHO_FERRY REQUIRED IMPORTED_TARGET ferryingress)
	add_library(echo::provider INTERFACE IMPORTED)
	set_target_properties(echo::provider PROPERTIES INTERFACE_LINK_LIBRARIES
		"${ECHO_LIBRARY};PkgConfig::ECHO_FERRY;Threads::Threads")
endif()

if(EXISTS ${CMAKE_CURRENT_LIST_DIR}/echoTargets.cmake)
	include(${CMAKE_CURRENT_LIST_DIR}/echoTargets.cmake)
endif()
