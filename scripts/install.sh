#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Install what was built: scripts/install.sh BUILD PREFIX DESTDIR VERSION
# Files go under DESTDIR/PREFIX and name only PREFIX, so that a staged tree can be moved there.
set -euo pipefail
build=$(realpath "$1") prefix=$2 destdir=$3 version=$4
root=$(realpath "$(dirname "$0")/..")

fail() {
	echo "make install: $1" >&2
	exit 2
}
[[ $prefix == /* ]] || fail "PREFIX='$prefix' is not an absolute path; pass one, e.g. PREFIX=/usr/local"
[[ $prefix$destdir != *[[:space:]\|\&\\]* ]] || fail "PREFIX and DESTDIR may not contain blanks, '|', '&' or '\\'"
prefix=$(realpath -ms "$prefix")
[ "$prefix" != / ] || prefix=
[ -z "$destdir" ] || destdir=$(realpath -m "$destdir")
to=$destdir$prefix
soname=$(objdump -p "$build/lib/libferry.so.$version" | awk '$1 == "SONAME" { print $2 }')
omp_soname=$(objdump -p "$build/lib/libferryomp.so.$version" | awk '$1 == "SONAME" { print $2 }')
[[ $soname == *.so.* && $omp_soname == *.so.* ]] ||
	fail "the libraries in $build/lib have no soname; run make build again"

# fill TEMPLATE FILE: write FILE with the template's @NAMES@ filled in
fill() {
	mkdir -p "$(dirname "$2")"
	sed -e "s|@PREFIX@|$prefix|g" -e "s|@VERSION@|$version|g" -e "s|@SONAME@|$soname|g" \
		-e "s|@PYTHON@|${python:-}|g" \
		-e "s|@PYTHONPATH@|$prefix/lib/ferry/python|g" -e "s|@BENCH@|$prefix/lib/ferry/bench|g" \
		-e "s|@BIN@|$prefix/bin|g" -e "s|@KERNEL@||g" "$1" >"$2"
	chmod 644 "$2"
}

install_library() {
	install -d "$to/lib" "$to/include/ferry" "$to/include/ferry-compat/linux"
	install -m 644 "$build/lib/libferry.a" "$to/lib/"
	install -m 755 "$build/lib/libferry.so.$version" "$to/lib/"
	ln -sf "libferry.so.$version" "$to/lib/$soname"
	ln -sf "$soname" "$to/lib/libferry.so"
	install -m 644 "$build/lib/libferryomp.a" "$to/lib/"
	install -m 755 "$build/lib/libferryomp.so.$version" "$to/lib/"
	ln -sf "libferryomp.so.$version" "$to/lib/$omp_soname"
	ln -sf "$omp_soname" "$to/lib/libferryomp.so"
	install -m 644 "$build/lib/libferryingress.a" "$to/lib/"
	install -m 755 "$build/lib/libferryingress.so.$version" "$to/lib/"
	ln -sf "libferryingress.so.$version" "$to/lib/libferryingress.so.0"
	ln -sf libferryingress.so.0 "$to/lib/libferryingress.so"
	install -m 644 "$root"/include/ferry/*.h "$to/include/ferry/"
	install -d "$to/include/ferry/cpp"
	install -m 644 "$root"/include/ferry/*.hpp "$to/include/ferry/"
	install -m 644 "$root"/include/ferry/cpp/*.hpp "$to/include/ferry/cpp/"
	install -m 644 "$root"/include/compat/linux/batch.h "$to/include/ferry-compat/linux/"
	fill "$root/packaging/ferry.pc.in" "$to/lib/pkgconfig/ferry.pc"
	fill "$root/packaging/ferryomp.pc.in" "$to/lib/pkgconfig/ferryomp.pc"
	fill "$root/packaging/ferryingress.pc.in" "$to/lib/pkgconfig/ferryingress.pc"
	fill "$root/packaging/ferry-compat.pc.in" "$to/lib/pkgconfig/ferry-compat.pc"
	fill "$root/packaging/ferryConfig.cmake.in" "$to/lib/cmake/ferry/ferryConfig.cmake"
	fill "$root/packaging/ferryConfigVersion.cmake.in" "$to/lib/cmake/ferry/ferryConfigVersion.cmake"
}

# Under its own name where programs are linked with it, under libgomp's where LD_LIBRARY_PATH may point to.
install_openmp() {
	local openmp
	openmp=$(objdump -p "$build/lib/libferryomp.so.$version" | awk '$1 == "SONAME" { print $2 }')
	[ -n "$openmp" ] || fail "$build/lib/libferryomp.so.$version has no soname; run make build again"
	install -d "$to/lib/ferry/gomp"
	install -m 644 "$build/lib/libferryomp.a" "$to/lib/"
	install -m 755 "$build/lib/libferryomp.so.$version" "$to/lib/"
	ln -sf "libferryomp.so.$version" "$to/lib/$openmp"
	ln -sf "$openmp" "$to/lib/libferryomp.so"
	install -m 755 "$build/lib/gomp/libgomp.so.1" "$to/lib/ferry/gomp/"
	fill "$root/packaging/ferryomp.pc.in" "$to/lib/pkgconfig/ferryomp.pc"
}

install_programs() {
	local program
	install -d "$to/bin" "$to/lib/ferry/bench"
	for program in "$build"/bin/*; do
		# notes-cli is an example: its library is not installed
		[[ -x $program && ! $program =~ /(ferry|notes-cli)$ ]] || continue
		install -m 755 "$program" "$to/bin/"
	done
	for program in "$build"/bench/*; do
		# those in Rust and Python refer to this tree
		[[ -x $program && $program != *-rust && $program != *-python ]] || continue
		install -m 755 "$program" "$to/lib/ferry/bench/"
	done
	# the library that ingress-cpp calls, where it looks for it
	install -d "$to/lib/ferry/lib/echo-cpp"
	install -m 755 "$build/lib/echo-cpp/libecho.so" "$to/lib/ferry/lib/echo-cpp/"
}

# The other names of a page's NAME section, which man(1) finds only where a page of that name is.
other_names() {
	awk -v page="$(basename "${1%.*}")" '
		/^\.S[Hh] / { inside = $2 == "NAME"; next }
		inside && /^\.Nd / { next }
		inside && sub(/^\.Nm /, "") { sub(/ ,$/, ""); gsub(/ /, "-") }
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
	"$build/venv/bin/python" "$root/scripts/install_python.py" "$root/tools/ferry" "$to/lib/ferry/python"
	# bytecode is checked against nothing: the tree is not edited, and its times may change on the way
	"$build/venv/bin/python" -m compileall -q -j 0 --invalidation-mode unchecked-hash ${destdir:+-s "$destdir"} \
		"$to/lib/ferry/python"
	fill "$root/scripts/ferry.in" "$to/bin/ferry"
	chmod 755 "$to/bin/ferry"
}

# As cabal sdist would pack it: `packages: FILE` in a cabal.project has it built once and kept in cabal's store.
install_haskell() {
	install -d "$to/share/ferry"
	tar --create --dereference --directory "$root/haskell" --format=ustar --sort=name --mtime=@0 \
		--owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
		--exclude='*.py' --exclude=__pycache__ --exclude=cabal.project --exclude='dist*' \
		--transform="s,^[.],ferry-$version," . |
		gzip -9n >"$to/share/ferry/ferry-$version.tar.gz"
}

# What libraries in Nim, and generated bindings in Rust and Python stand on, as sources: for nim --path, a dependency by
# path in Cargo.toml (bindgen's --runtime), and PYTHONPATH.
install_ingress_sources() {
	local from into file
	while read -r from into; do
		# nothing that was removed stays, and no bytecode of this tree comes along
		rm -rf "${to:?}/share/ferry/$into"
		while read -r file; do
			install -D -m 644 "$root/$from/$file" "$to/share/ferry/$into/$file"
		done < <(cd "$root/$from" && find . -type f -regex '.*\.\(nim\|nimble\|rs\|py\|toml\|typed\)' \
			-not -path '*/bench/*' -not -path '*/tests/*' -printf '%P\n' | sort)
	done <<-END
		nim nim
		hosts/rust/ferry-ingress rust/ferry-ingress
		hosts/python python
	END
}

umask 022
install_library
install_openmp
install_programs
install_manual
install_haskell
install_ingress_sources
install_ferry
echo "Installed Ferry $version under ${to:-/}"
