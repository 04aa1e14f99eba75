# What make install puts in, and that make uninstall takes out exactly that.

setup() {
	cd "$BATS_TEST_DIRNAME/../.."
	dest=$BATS_TEST_TMPDIR/dest
}

installed() { (cd "$dest/usr/local" && find . ! -type d | LC_ALL=C sort); }

@test "the binary, completions and the record are installed" {
	scripts/install /usr/local "$dest"
	for path in bin/holdfast share/holdfast/installed.txt share/bash-completion/completions/holdfast \
		share/zsh/site-functions/_holdfast share/fish/vendor_completions.d/holdfast.fish; do
		[ -s "$dest/usr/local/$path" ]
	done
	[ "$(ls "$dest/usr/local/bin")" = holdfast ]
}

@test "the names of other programs are links that are made only if asked for, and kept up" {
	scripts/install /usr/local "$dest" 1
	[ "$("$dest/usr/local/bin/conclaude" --help | head -n 1)" = "$(build/conclaude --help | head -n 1)" ]
	[ "$(readlink "$dest/usr/local/bin/agent-gauntlet")" = holdfast ]
	scripts/install /usr/local "$dest"
	[ "$(readlink "$dest/usr/local/bin/conclaude")" = holdfast ]
	scripts/uninstall /usr/local "$dest"
	[ -z "$(cd "$dest" && find . ! -type d)" ]
}

@test "links that 'holdfast init --replace' made are removed with the rest" {
	scripts/install /usr/local "$dest"
	ln -s holdfast "$dest/usr/local/bin/conclaude"
	scripts/uninstall /usr/local "$dest"
	[ -z "$(cd "$dest" && find . ! -type d)" ]
}

@test "an installation that fails leaves what was there" {
	scripts/install /usr/local "$dest"
	echo old >"$dest/usr/local/bin/holdfast"
	rm -r "$dest/usr/local/share/fish"
	# in the way of a directory
	echo mine >"$dest/usr/local/share/fish"
	before=$(cd "$dest" && find . -type f -exec sha256sum {} + | LC_ALL=C sort)
	run scripts/install /usr/local "$dest"
	[ "$status" -ne 0 ]
	[[ $output == *"nothing was installed into $dest/usr/local"* ]]
	[ "$(cd "$dest" && find . -type f -exec sha256sum {} + | LC_ALL=C sort)" = "$before" ]
	# and where there was nothing
	mkdir -p "$dest/opt/share"
	echo mine >"$dest/opt/share/fish"
	run scripts/install /opt "$dest"
	[ "$status" -ne 0 ]
	[ "$(cd "$dest/opt" && find . | LC_ALL=C sort | tr '\n' ' ')" = '. ./share ./share/fish ' ]
}

@test "sudo is not used without a yes" {
	mkdir -p "$BATS_TEST_TMPDIR/bin"
	printf '#!/bin/sh\necho "sudo $*" >>"%s/ran"\n' "$BATS_TEST_TMPDIR" >"$BATS_TEST_TMPDIR/bin/sudo"
	printf '#!/bin/sh\necho 1000\n' >"$BATS_TEST_TMPDIR/bin/id"
	printf '#!/bin/sh\n' >"$BATS_TEST_TMPDIR/bin/apt-get"
	chmod +x "$BATS_TEST_TMPDIR"/bin/*
	for tool in sh sed sort tr cat mktemp rm tail; do ln -s "$(command -v $tool)" "$BATS_TEST_TMPDIR/bin/"; done
	run env PATH="$BATS_TEST_TMPDIR/bin" scripts/install-deps build </dev/null
	[ "$status" -eq 1 ]
	[[ $output == *'Run this, or set YES=1 to let make do so: sudo apt-get install -y --no-install-recommends '* ]]
	[ ! -e "$BATS_TEST_TMPDIR/ran" ]
	run env PATH="$BATS_TEST_TMPDIR/bin" YES=1 scripts/install-deps build </dev/null
	grep -q 'sudo .*apt-get install' "$BATS_TEST_TMPDIR/ran"
}

@test "every man page and every file of the plugin is installed" {
	scripts/install /usr/local "$dest"
	for page in doc/man/*.[1-9]; do
		[ ! -e "$page" ] || [ -s "$dest/usr/local/share/man/man${page##*.}/${page##*/}" ]
	done
	[ ! -d share/claude-plugin ] || diff -r share/claude-plugin "$dest/usr/local/share/holdfast/claude-plugin"
}

@test "uninstall leaves nothing of ours and all that is not ours" {
	mkdir -p "$dest/usr/local/bin" "$dest/usr/local/share/man/man1"
	echo mine >"$dest/usr/local/bin/other"
	before=$(cd "$dest" && find . | LC_ALL=C sort)
	scripts/install /usr/local "$dest"
	scripts/install /usr/local "$dest"
	scripts/uninstall /usr/local "$dest"
	[ "$(cd "$dest" && find . | LC_ALL=C sort)" = "$before" ]
	[ "$(cat "$dest/usr/local/bin/other")" = mine ]
}

@test "a program of the name that holdfast would take stays, at install and at uninstall" {
	mkdir -p "$dest/usr/local/bin" "$dest/usr/local/lib"
	echo '#!/bin/sh' | tee "$dest/usr/local/lib/cli.js" >"$dest/usr/local/bin/conclaude"
	ln -s ../lib/cli.js "$dest/usr/local/bin/agent-gauntlet"
	before=$(cd "$dest" && find . | LC_ALL=C sort)
	run scripts/install /usr/local "$dest" 1
	[ "$status" -eq 0 ]
	[[ $output == *"bin/agent-gauntlet is another program and stays"* ]]
	[ "$("$dest/usr/local/bin/holdfast" --version)" = "$(build/holdfast --version)" ]
	[ "$(cat "$dest/usr/local/bin/conclaude")" = '#!/bin/sh' ]
	scripts/uninstall /usr/local "$dest"
	[ "$(cd "$dest" && find . | LC_ALL=C sort)" = "$before" ]
	[ "$(readlink "$dest/usr/local/bin/agent-gauntlet")" = ../lib/cli.js ]
	# and one that came after holdfast
	rm "$dest/usr/local/bin/"*
	scripts/install /usr/local "$dest" 1
	ln -sfn ../lib/cli.js "$dest/usr/local/bin/agent-gauntlet"
	scripts/uninstall /usr/local "$dest"
	[ "$(readlink "$dest/usr/local/bin/agent-gauntlet")" = ../lib/cli.js ]
	[ ! -e "$dest/usr/local/bin/conclaude" ]
}

@test "a directory of ours in which somebody put a file stays" {
	scripts/install /usr/local "$dest"
	echo mine >"$dest/usr/local/share/holdfast/notes"
	scripts/uninstall /usr/local "$dest"
	[ "$(installed)" = ./share/holdfast/notes ]
}

@test "a prefix may have blanks, brackets and accents" {
	prefix='/opt/my [own] tools é'
	scripts/install "$prefix" "$dest"
	[ -x "$dest$prefix/bin/holdfast" ]
	scripts/uninstall "$prefix" "$dest"
	[ -z "$(cd "$dest" && find . ! -type d)" ]
	scripts/install /usr/local "$dest" # the build is as the others expect it again
}

@test "uninstall without an installation says so" {
	run scripts/uninstall /usr/local "$dest"
	[ "$status" -eq 1 ]
	[[ $output == *'nothing to remove'* ]]
}

@test "a relative prefix is refused" {
	run scripts/install usr "$dest"
	[ "$status" -eq 1 ]
	[[ $output == *"not 'usr'"* ]]
}

@test "who may not write there is told what to do, before anything is made" {
	local as=()
	((EUID)) || as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	run "${as[@]}" sh -s -- /no-such-prefix/usr <scripts/install
	[ "$status" -eq 1 ]
	[[ $output == "/ can't be written: sudo make install, or make install PREFIX=\$HOME/.local" ]]
}
