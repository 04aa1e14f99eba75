#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# guards.protect by effect: however a protected file is changed, it shows after the tool and at the stop, and holdfast restore
# puts it back.

load helper

setup() {
	setup_project
	write holdfast.yml <<-'END'
		tries: 1000
		guards:
		  protect:
		    - /package.json
		    - {path: "locked/**", message: Ask the team.}
		    - "*.lock"
		    - linked
	END
	printf '{\n  "name": "x",\n  "version": "1"\n}\n' >package.json
	mkdir -p locked/deep src/a
	printf 'one\ntwo\n' >locked/deep/a.txt
	printf '#!/bin/sh\n' >locked/run.sh && chmod 755 locked/run.sh
	echo pinned >src/a/deps.lock
	echo shared >target.txt && ln -s target.txt linked
	echo free >free.txt
	git_project
	echo uncommitted >>locked/deep/a.txt # restored although git does not have it
	prompt go
	PRISTINE=$(state_of)
}

# Names, modes, link targets and contents of all that is protected.
state_of() {
	find . -path ./.git -prune -o \( -path './locked*' -o -name '*.lock' -o -name package.json -o -name linked -o -name target.txt \) \
		! -type d -printf '%p %m %y %l\n' | LC_ALL=C sort
	find . -path ./.git -prune -o \( -path './locked*' -o -name '*.lock' -o -name package.json -o -name target.txt \) -type f -print0 |
		LC_ALL=C sort -z | xargs -0 cat
}

after_tool() { hook '.hook_event_name = "PostToolUse" | .tool_name = "Bash" | .tool_input = {command: "x"} | .tool_response = {}' holdfast hook PostToolUse; }

# way NAME COMMAND: the command changes a protected file; that is found after the tool and at the stop, and put back.
way() {
	local name=$1
	shift
	(eval "$*") >/dev/null 2>&1 || show "$name: the command itself failed: $*"
	[[ $(state_of) != "$PRISTINE" ]] || show "$name: the command changed nothing: $*"
	if [[ $name != "new: "* ]]; then
		after_tool
		[[ $status == 2 && $stderr == *'guards.protect'* ]] || show "$name: not found after the tool: $*"
	fi
	hook
	assert_block '.status == "protected_changed"' || show "$name: not found at the stop: $*"
	run_holdfast restore
	assert_status 0
	[[ $(state_of) == "$PRISTINE" ]] || show "$name: not put back: $* $(diff <(echo "$PRISTINE") <(state_of))"
	hook
	assert_allow '.status == "no_config"' || show "$name: blocked after it was put back"
	WAYS=$((WAYS + 1))
}

@test "forty ways to change a protected file are found and put back" {
	WAYS=0
	# shells
	way redirect 'echo x >package.json'
	way append 'echo x >>locked/deep/a.txt'
	way here-document $'cat >package.json <<E\nx\nE'
	way noclobber 'set -C; echo x >|package.json'
	way tee 'echo x | tee package.json'
	way cd 'cd locked/deep && echo x >a.txt'
	way relative 'cd src/a && echo x >../../package.json'
	way dollar 'f=pack; f=${f}age.json; echo x >"$f"'
	way bash-c "bash -c 'echo x >package.json'"
	way background 'echo x >package.json & wait'
	way descriptor 'exec 3<>package.json; printf X >&3'
	# tools that edit
	way sed "sed -i s/1/2/ package.json"
	way awk "awk '{print \$1}' package.json >t && mv t package.json"
	way perl-lines "perl -ni -e 'print unless \$. == 2' package.json"
	way dd 'printf X | dd of=package.json bs=1 seek=3 conv=notrunc'
	way truncate 'truncate -s 5 package.json'
	way same-size "sed 's/\"1\"/\"2\"/' package.json >t && cat t >package.json; rm t"
	way set-back 'touch -r package.json ref; echo x >>package.json; touch -r ref package.json; rm ref'
	way patch $'printf -- \'--- a/package.json\\n+++ b/package.json\\n@@ -2,1 +2,1 @@\\n-  "name": "x",\\n+  "name": "y",\\n\' | patch -p1'
	way install 'install -m 644 free.txt package.json'
	way cp 'cp free.txt locked/deep/a.txt'
	way mv 'cp free.txt t && mv -f t package.json'
	way rename-away 'mv package.json other.json'
	way exchange 'mv locked/run.sh t && mv locked/deep/a.txt locked/run.sh && mv t locked/deep/a.txt'
	way directory-away 'mv locked elsewhere'
	way remove 'rm locked/run.sh'
	way remove-all 'rm -rf locked'
	way find 'find . -name run.sh -delete'
	way xargs 'echo package.json | xargs rm'
	way tar 'mkdir t && echo x >t/package.json && tar -C t -cf x.tar package.json && tar -xf x.tar; rm -r t x.tar'
	way mode 'chmod 644 locked/run.sh'
	way setuid 'chmod u+s locked/run.sh'
	# names and links
	way hard-link 'ln package.json h && echo x >>h; rm h'
	way symbolic-link 'ln -sf free.txt package.json'
	way through-a-link 'ln -s package.json l && echo x >>l; rm l'
	way turn-a-link 'ln -sfn free.txt linked'
	way what-a-link-leads-to 'echo x >>target.txt'
	way directory-link 'mv locked away && mkdir evil && ln -s evil locked; rm -rf away'
	way fifo 'rm package.json && mkfifo package.json'
	way proc 'echo x >"/proc/self/cwd/package.json"'
	way new-file 'echo x >locked/new.txt'
	way 'new: name anywhere' 'echo x >src/b.lock'
	# git
	way git-checkout 'git checkout -q -- locked/deep/a.txt'
	way git-stash 'git stash -q && git stash drop -q'
	way git-reset 'git reset -q --hard'
	way git-apply $'printf -- \'diff --git a/package.json b/package.json\\n--- a/package.json\\n+++ b/package.json\\n@@ -1,4 +1,4 @@\\n {\\n-  "name": "x",\\n+  "name": "y",\\n   "version": "1"\\n }\\n\' | git apply'
	way git-merge 'git commit -qam u && git checkout -q -b other && echo y >package.json && git commit -qam y && git checkout -q main && git merge -q other && git branch -qD other'
	way git-mv 'git mv package.json p.json'
	way git-rm 'git add -A && git rm -qf package.json'
	way git-update 'git add -A && git update-index --assume-unchanged package.json && echo x >package.json && git update-index --no-assume-unchanged package.json'
	# other programs
	way python 'python3 -c "open(\"package.json\", \"a\").write(\"x\")"'
	way python-mmap 'python3 -c "
import mmap
with open(\"package.json\", \"r+b\") as f:
    m = mmap.mmap(f.fileno(), 0); m[0:1] = b\"X\"; m.flush()"'
	way perl 'perl -pi -e "s/1/2/" package.json'
	way make $'printf \'all:\\n\\techo x >package.json\\n\' >M && make -sf M; rm M'
	[[ $WAYS -ge 50 ]]
}

@test "a mount of the same file, and one on top of it, are found" {
	local how=(unshare --mount)
	"${how[@]}" true 2>/dev/null || how=(unshare --user --map-root-user --mount)
	echo other >"$BATS_TEST_TMPDIR/other"
	mkdir m
	"${how[@]}" mount --bind . m 2>/dev/null || skip 'nothing can be mounted here'
	"${how[@]}" bash -c 'mount --bind . m && echo x >>m/package.json'
	hook
	assert_block '.status == "protected_changed"' '.reason | contains("package.json was changed")'
	holdfast restore
	event >"$BATS_TEST_TMPDIR/event"
	run_command "${how[@]}" bash -c 'mount --bind "$1/other" package.json && holdfast stop-hook <"$1/event"' - "$BATS_TEST_TMPDIR"
	assert_block '.status == "protected_changed"'
}

@test "the agent is told the name, the lines and what to do, once after tools and at each stop" {
	sed -i s/two/TWO/ locked/deep/a.txt
	after_tool
	assert_status 2
	assert_stderr_has 'locked/deep/a.txt was changed
    Ask the team.
    @@ line 2
    -two
    +TWO'
	assert_stderr_has '`holdfast restore` puts them back'
	after_tool
	assert_status 0
	hook
	assert_block '.reason | contains("locked/deep/a.txt was changed")'
	sed -i s/TWO/THREE/ locked/deep/a.txt
	after_tool
	assert_status 2
}

@test "a change by the user between prompts is none, unless the agent's change is outstanding" {
	echo user >package.json
	prompt next
	hook
	assert_allow
	echo agent >package.json
	hook
	assert_block '.status == "protected_changed"'
	echo user >locked/new.txt
	prompt next
	hook
	assert_block '.reason | contains("package.json was changed")' '.reason | contains("locked/new.txt") | not'
	run_holdfast restore
	assert_file package.json user
	hook
	assert_allow
}

@test "a prompt that the client sends by itself does not make a change the user's" {
	echo agent >package.json
	hook
	prompt "$(jq -r .reason "$OUT")"
	hook
	assert_block '.status == "protected_changed"'
	echo agent >locked/new.txt
	prompt '<task-notification>x'
	hook
	assert_block '.reason | contains("locked/new.txt is new")'
	hook '.hook_event_name = "SessionStart" | .source = "compact"' holdfast hook SessionStart
	hook
	assert_block '.reason | contains("locked/new.txt is new")'
}

@test "restore lists, restores some, keeps what it overwrites, and only the user accepts" {
	echo agent >package.json
	rm locked/run.sh
	run_holdfast restore --list
	assert_stdout 'locked/run.sh is gone
package.json was changed'
	run_holdfast restore --list --json
	assert_json '.files == [{path: "locked/run.sh", change: "is gone"}, {path: "package.json", change: "was changed"}]'
	run_holdfast restore --dry-run
	assert_stdout 'would be restored: locked/run.sh
would be restored: package.json'
	cd locked && run_holdfast restore . && cd ..
	assert_stdout 'restored locked/run.sh'
	[[ -x locked/run.sh ]]
	run_holdfast restore free.txt
	assert_status 1
	assert_stderr_has "'free.txt' is as it was, or is not protected"
	CLAUDECODE=1 run_holdfast restore --accept
	assert_status 1
	assert_stderr_has 'only you can accept a change'
	run_holdfast restore
	assert_stdout_has 'restored package.json (what was there is in '
	assert_file "$(sed -n 's/.*is in \(.*\))/\1/p' <<<"$stdout")" agent
	run_holdfast restore
	assert_stdout_has 'All protected files are as they were'
	echo user >package.json
	run_holdfast restore --accept package.json
	assert_stdout 'accepted package.json'
	hook
	assert_allow
}

@test "nothing is written into the repository, and the copies go with the session" {
	before=$(find .git -type f | sort | xargs md5sum)
	echo x >package.json
	hook
	holdfast restore
	[[ $(find .git -type f | sort | xargs md5sum) == "$before" ]]
	[[ -d $HOME/.local/state/holdfast/protected ]]
	find "$HOME/.local/state/holdfast/protected" -type f -perm /077 | not_any
	hook '.hook_event_name = "SessionEnd" | .reason = "exit"' holdfast hook SessionEnd
	find "$HOME/.local/state/holdfast/protected" -type f | not_any
}
not_any() { ! grep .; }

@test "a rule for some agents, and what a later rule takes out, are not compared" {
	printf '%s\n' 'guards: {protect: [{path: /free.txt, by: "test-*"}, "locked/**", "!locked/deep/**"]}' >holdfast.yml
	prompt next
	echo x >>free.txt
	echo x >>locked/deep/a.txt
	hook
	assert_allow
	echo x >>locked/run.sh
	hook
	assert_block '.reason | contains("locked/run.sh")'
}

@test "a name without a slash is not searched for where git ignores everything, and a path is" {
	mkdir -p node_modules/a ignored/locked
	printf '%s\n' 'guards: {protect: ["*.lock", ignored/locked]}' >holdfast.yml
	printf '%s\n' node_modules ignored '*.lock' >.gitignore
	prompt next
	echo x >node_modules/a/x.lock
	hook
	assert_allow
	echo x >ignored/locked/file
	echo x >x.lock
	hook
	assert_block '.reason | contains("ignored/locked/file is new\nx.lock is new\n")'
}

@test "blocks are bounded, and the file stays a violation" {
	sed -i 's/tries: 1000/tries: 2/' holdfast.yml
	prompt next
	echo x >package.json
	hook
	assert_block
	hook
	assert_block
	hook
	assert_allow '.systemMessage | contains("a protected file is not as it was: package.json; the agent may stop: tries used: 2 of 2")'
	prompt next
	hook
	assert_block '.status == "protected_changed"'
}
