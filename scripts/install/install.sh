#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Install what was built: scripts/install/install.sh BUILD PREFIX DESTDIR VERSION [LIBDIR]
# Libraries go to LIBDIR, a folder below PREFIX: PREFIX/lib unless it is given. The Python packages that the ferry
# command needs are installed with it; FERRY_PYTHON_PACKAGES=system leaves them to the system, as Debian's packages do.
# Files go under DESTDIR/PREFIX and name only PREFIX, so that a staged tree can be moved there. Everything is first laid
# out in a folder of its own, so that what fails changes nothing, and what is installed is known: without DESTDIR,
# PREFIX/share/ferry/installed lists it for scripts/install/uninstall.sh.
set -euo pipefail
build=$(realpath -m "$1") prefix=$2 destdir=$3 version=$4 libdir=${5:-$2/lib}
root=$(realpath "$(dirname "$0")/../..")

fail() {
	echo "make install: $1" >&2
	exit 2
}
[[ $prefix == /* ]] || fail "PREFIX='$prefix' is not an absolute path; pass one, e.g. PREFIX=/usr/local"
[[ $prefix$destdir$libdir != *[[:space:]\|\&\\]* ]] ||
	fail "PREFIX, DESTDIR and LIBDIR may not contain blanks, '|', '&' or '\\'"
prefix=$(realpath -ms "$prefix")
libdir=$(realpath -ms "$libdir")
[ "$prefix" != / ] || prefix=
[[ $libdir == "$prefix"/* ]] || fail "LIBDIR='$libdir' is not below PREFIX='$prefix'"
[ -z "$destdir" ] || destdir=$(realpath -m "$destdir")
[ -d "$build" ] || fail "there is no $build; run make build"
above=$destdir$prefix/
while [ ! -e "$above" ]; do above=$(dirname "$above"); done
[ -w "$above" ] || fail "$above cannot be written to; install as root, or give another place: PREFIX=\$HOME/.local"
stage=$(mktemp -d)
trap 'rm -rf "$stage" "$stage.list"' EXIT
to=$stage$prefix
lib=$stage$libdir

# fill TEMPLATE FILE: write FILE with the template's @NAMES@ filled in
fill() {
	mkdir -p "$(dirname "$2")"
	sed -e "s|@PREFIX@|$prefix|g" -e "s|@VERSION@|$version|g" \
		-e "s|@LIBDIR@|\${prefix}${libdir#"$prefix"}|g" \
		-e "s|@FROM_LIBDIR@|$(realpath -m --relative-to="$libdir" "$prefix/")|g" \
		-e "s|@SONAME@|$(soname libferry)|g" -e "s|@PYTHON@|${python:-}|g" \
		-e "s|@PYTHONPATH@|$libdir/ferry/python|g" -e "s|@BENCH@|$libdir/ferry/bench|g" \
		-e "s|@BIN@|$prefix/bin|g" -e "s|@LIB@|$libdir|g" -e "s|@KERNEL@||g" "$1" >"$2"
	chmod 644 "$2"
}

# soname LIBRARY: the name that programs ask the loader for
soname() {
	local name
	name=$(objdump -p "$build/lib/$1.so.$version" | awk '$1 == "SONAME" { print $2 }')
	[[ $name == *.so.* ]] || fail "$build/lib/$1.so.$version has no soname; run make build again"
	echo "$name"
}

install_libraries() {
	local library name plugin
	install -d "$lib/ferry/gomp"
	for library in libferry libferryomp libferryingress; do
		name=$(soname "$library")
		install -m 644 "$build/lib/$library.a" "$lib/"
		if [ "$library" = libferryomp ]; then
			# One file under all names, so that a process has one pool, where LD_LIBRARY_PATH may point to.
			install -m 755 "$build/lib/gomp/libgomp.so.1" "$lib/ferry/gomp/"
			ln -s ferry/gomp/libgomp.so.1 "$lib/$library.so.$version"
		else
			install -m 755 "$build/lib/$library.so.$version" "$lib/"
		fi
		ln -s "$library.so.$version" "$lib/$name"
		ln -s "$name" "$lib/$library.so"
	done
	for name in libgomp.so.1.0.0 libomp.so.5 libomp.so libiomp5.so; do
		ln -s libgomp.so.1 "$lib/ferry/gomp/$name"
	done
	if has_network; then
		name=$(soname libferrynetwork)
		install -m 755 "$build/lib/libferrynetwork.so.$version" "$lib/"
		ln -s "libferrynetwork.so.$version" "$lib/$name"
		ln -s "$name" "$lib/libferrynetwork.so"
	fi
	# where `ferry cc` looks for it
	for plugin in "$build"/lib/ferry/gcc-*/libferry_gcc.so; do
		[ ! -f "$plugin" ] || install -D -m 755 -t "$lib/ferry/$(basename "$(dirname "$plugin")")" "$plugin"
	done
}

# It is built only where libnats is.
has_network() {
	[ -f "$build/lib/libferrynetwork.so.$version" ]
}

install_headers() {
	local template
	install -d "$to/include/ferry/cpp" "$to/include/ferry-compat/linux"
	install -m 644 "$root"/include/ferry/*.h "$root"/include/ferry/*.hpp "$to/include/ferry/"
	install -m 644 "$root"/include/ferry/cpp/*.hpp "$to/include/ferry/cpp/"
	install -m 644 "$root"/include/compat/linux/batch.h "$to/include/ferry-compat/linux/"
	install -m 644 "$root"/include/compat/omp-tools.h "$to/include/ferry-compat/"
	for template in "$root"/packaging/*.in; do
		case $template in
		*/ferrynetwork.pc.in) ! has_network || fill "$template" "$lib/pkgconfig/ferrynetwork.pc" ;;
		*.pc.in) fill "$template" "$lib/pkgconfig/$(basename "$template" .in)" ;;
		*.cmake.in) fill "$template" "$lib/cmake/ferry/$(basename "$template" .in)" ;;
		esac
	done
}

install_programs() {
	local program
	install -d "$to/bin" "$lib/ferry/bench"
	for program in "$build"/bin/*; do
		# notes-cli is an example: its library is not installed
		[[ -x $program && ! $program =~ /(ferry|notes-cli)$ ]] || continue
		install -m 755 "$program" "$to/bin/"
	done
	for program in "$build"/bench/*; do
		# those in Go, Rust and Python, with the library in Nim and over the network refer to this tree; skip-*,
		# openmp-clang, callers, rests and libsum_rows.so are for bench/targets.toml, which is not installed
		[[ -x $program ]] || continue
		[[ ! $program =~ (-(go|rust|python|cpp-nim|python-nim|clang)|/skip-[a-z]+|\.so)$ ]] || continue
		[[ ! $program =~ /(callers|rests)$ ]] || continue
		[[ ! $program =~ /network(-grpc)?$ ]] || continue
		install -m 755 "$program" "$lib/ferry/bench/"
	done
	# the library that ingress-cpp calls, where it looks for it
	install -d "$lib/ferry/lib/echo-cpp"
	install -m 755 "$build/lib/echo-cpp/libecho.so" "$lib/ferry/lib/echo-cpp/"
}

# The other names of a page's NAME section, which man(1) finds only where a page of that name is.
other_names() {
	awk -v page="$(basename "${1%.*}")" '
		/^\.S[Hh] / { inside = $2 == "NAME"; next }
		inside && /^\.Nd / { next }
		inside && sub(/^\.Nm /, "") { sub(/ ,$/, "") }
		inside { text = text " " $0 }
		END {
			sub(/ \\-.*/, "", text)
			gsub(/,/, " ", text)
			count = split(text, names, " ")
			for (i = 1; i <= count; i++)
				if (names[i] != page) print names[i]
		}' "$1"
}

install_manual() {
	local page section name
	for page in "$root"/man/*.[0-9]; do
		section=${page##*.}
		install -d "$to/share/man/man$section"
		install -m 644 "$page" "$to/share/man/man$section/"
		for name in $(other_names "$page"); do
			echo ".so man$section/$(basename "$page")" >"$to/share/man/man$section/$name.$section"
		done
	done
}

install_ferry() {
	python=$("$build/venv/bin/python" -c 'import sys; print(sys._base_executable)')
	if [ "${FERRY_PYTHON_PACKAGES:-}" = system ]; then
		python=/usr/bin/python3
		mkdir -p "$lib/ferry/python"
		cp -r "$root/tools/ferry/src/ferry" "$lib/ferry/python/"
		find "$lib/ferry/python" -name __pycache__ -prune -exec rm -r {} +
	else
		"$build/venv/bin/python" "$root/scripts/install/install_python.py" "$root/tools/ferry" \
			"$lib/ferry/python"
		# bytecode is checked against nothing: the tree is not edited, and its times may change on the way
		"$build/venv/bin/python" -m compileall -q -j 0 --invalidation-mode unchecked-hash -s "$stage" \
			"$lib/ferry/python"
	fi
	fill "$root/scripts/install/ferry.in" "$to/bin/ferry"
	chmod 755 "$to/bin/ferry"
}

# pack_haskell NAME FOLDER WHAT...: as cabal sdist would pack it; `packages: FILE` in a cabal.project has it built once
# and kept in cabal's store. core and include are links to folders of this repository. Files of the OpenMP runtime that
# have versions of symbols are for shared libraries (mk/openmp.mk).
pack_haskell() {
	local name=$1 folder=$2
	shift 2
	tar --create --dereference --directory "$root/haskell/$folder" --format=ustar --sort=name --mtime=@0 \
		--owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
		--exclude='core/*.md' --exclude='*.map' --exclude=lock_compat.c \
		--exclude='kmp/atomic_library.c' --exclude='kmp/lock.c' --exclude='kmp/version*.c' \
		--transform="s,^,$name-$version/," "$name.cabal" LICENSE README.md CHANGELOG.md src cbits "$@" |
		gzip -9n >"$to/share/ferry/$name-$version.tar.gz"
}

install_haskell() {
	install -d "$to/share/ferry"
	pack_haskell ferry . cmm core/batch core/thread include/ferry/{add,batch,list,typed,uapi,value}.h
	pack_haskell ferry-openmp openmp --exclude='core/thread/*.c' cmm core/openmp core/thread \
		include/compat/omp-tools.h include/ferry/openmp_coscheduler.h
	pack_haskell ferry-directory directory template
	pack_haskell ferry-ingress ingress include
}

# What libraries in Nim, and generated bindings in Go, Rust and Python stand on, as sources: for nim --path, a
# dependency by path in go.mod and Cargo.toml (bindgen's --runtime), and PYTHONPATH.
install_ingress_sources() {
	local from into file
	while read -r from into; do
		# without bytecode of this tree
		while read -r file; do
			install -D -m 644 "$root/$from/$file" "$to/share/ferry/$into/$file"
		done < <(cd "$root/$from" && find . -type f \
			-regex '.*\.\(nim\|nimble\|rs\|py\|toml\|typed\|go\|mod\|c\|h\)' \
			-not -path '*/bench/*' -not -path '*/tests/*' -printf '%P\n' | sort)
	done <<-END
		nim nim
		hosts/rust/ferry-ingress rust/ferry-ingress
		hosts/rust/ferry-ingress-macros rust/ferry-ingress-macros
		hosts/rust/ferry-ingress-provider rust/ferry-ingress-provider
		hosts/rust/ferry-ingress-tokio rust/ferry-ingress-tokio
		hosts/python python
		hosts/go go
	END
}

# Nothing of an earlier version stays. A folder that is there already is somebody else's: it is left as it is, and not
# listed.
put_in_place() {
	local list=share/ferry/installed path
	if [ -z "$destdir" ]; then
		[ ! -f "$prefix/$list" ] || "$root/scripts/install/uninstall.sh" "$prefix" >/dev/null
		(
			cd "$to/"
			find . -mindepth 1 -type d -printf '%P/\n' | while read -r path; do
				[ -d "$prefix/$path" ] || echo "$path"
			done
			find . ! -type d -printf '%P\n'
			echo "$list"
		) | sort >"$stage.list"
		install -m 644 "$stage.list" "$to/$list"
	fi
	mkdir -p "$destdir$prefix/"
	tar --create --directory "$to/" . |
		tar --extract --no-same-owner --no-overwrite-dir --keep-directory-symlink --directory "$destdir$prefix/"
}

# Where the loader looks there anyway, its cache is brought up to date; elsewhere the user has to say where Ferry is.
tell_the_loader() {
	local PATH=$PATH:/usr/sbin:/sbin
	if ldconfig -vNX 2>/dev/null | grep -q "^$libdir:"; then
		[ "$(id -u)" -ne 0 ] || ldconfig
		return
	fi
	cat <<-END
		The loader, pkg-config and the shell do not look there by themselves. In a shell that uses Ferry:
		  export PATH=$prefix/bin:\$PATH LD_LIBRARY_PATH=$libdir PKG_CONFIG_PATH=$libdir/pkgconfig
	END
}

umask 022
install_libraries
install_headers
install_programs
install_manual
install_haskell
install_ingress_sources
install_ferry
put_in_place
echo "Installed Ferry $version under ${destdir}${prefix:-/}"
[ -n "$destdir" ] || tell_the_loader
