#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Clones and worktrees: whose trust and pins they have, and which definitions hold where nobody has accepted any.

load helper

HOOKS='{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"holdfast stop-hook"}]}]}}'
LOOSE=' the definitions differ from the pinned ones, which are used: holdfast.yml'

setup() {
	setup_project
	AT=$XDG_STATE_HOME/holdfast/trust
}

# team: a repository with a gate that fails, from which others clone.
team() {
	mkdir ../team
	cd ../team
	printf 'base: main\ntries: 20\ngates:\n  test: test -e ok\n' >holdfast.yml
	write .claude/settings.json <<<"$HOOKS"
	git_project
}

# a_clone NAME [BRANCH]: such a clone is the project from now on, with a branch and work of its own.
a_clone() {
	git clone -q "$BATS_TEST_TMPDIR/team" "$BATS_TEST_TMPDIR/$1"
	cd "$BATS_TEST_TMPDIR/$1"
	PROJECT=$PWD SESSION=$1
	git checkout -qb "${2:-work}"
	echo work >work
}

loosen() { sed -i 's/test -e ok/"true"/' holdfast.yml; }

# ---- worktrees ----

@test "a worktree has the trust of its repository, also in a subdirectory and of a bare one" {
	printf 'gates:\n  test: touch ran; false\n' >holdfast.yml
	mkdir sub
	printf 'gates:\n  inner: touch inner; false\n' >sub/holdfast.yml
	git_project
	run_holdfast trust sub
	git worktree add -q ../tree
	cd ../tree
	PROJECT=$PWD
	touch work
	hook . holdfast stop-hook --user
	assert_block '.status == "failed"'
	assert_file ran
	touch sub/work
	hook ".cwd = \"$PWD/sub\"" holdfast stop-hook --user
	assert_file sub/inner
	run_holdfast trust --revoke
	assert_stdout_has 'is no longer trusted'
	cd ../project
	PROJECT=$PWD SESSION=next hook . holdfast stop-hook --user
	assert_allow '.status == "not_trusted"'
	git clone -q --bare . ../bare.git
	git -C ../bare.git worktree add -q ../one
	git -C ../bare.git worktree add -q -b two ../two
	cd ../one
	run_holdfast trust
	run_holdfast trust --list
	assert_stdout_has "$PWD  trusted since"
	assert_stdout_lacks 'changed since'
	cd ../two
	touch work
	PROJECT=$PWD SESSION=two hook . holdfast stop-hook --user
	assert_block '.status == "failed"'
}

@test "a pin holds in every worktree, and is told and renewed there" {
	printf 'base: main\ngates:\n  test: test -e ok\n' >holdfast.yml
	git_project
	run_holdfast trust --pin
	git worktree add -q ../tree
	cd ../tree
	PROJECT=$PWD
	echo work >work
	loosen
	hook
	assert_block ".systemMessage | contains(\"$LOOSE; 'holdfast trust $PWD' accepts\")"
	CLAUDE_PROJECT_DIR=$PWD hook
	assert_block
	run_holdfast run
	assert_status 1
	run_holdfast trust
	assert_stdout_has 'Trusted and pinned'
	hook
	assert_allow '.status == "passed"'
	cd ../project
	PROJECT=$PWD SESSION=main hook
	assert_answer ".systemMessage | contains(\"$LOOSE\")"
}

@test "a work tree that its repository does not know has no trust of it" {
	printf 'gates:\n  test: touch ran\n' >holdfast.yml
	git_project
	run_holdfast trust
	git worktree add -q ../tree
	mkdir ../stranger
	cp holdfast.yml ../tree/.git ../stranger
	cd ../stranger
	PROJECT=$PWD hook . holdfast stop-hook --user
	assert_allow '.status == "not_trusted"'
	rm .git
	mkdir .git
	cp "$BATS_TEST_TMPDIR"/project/.git/HEAD .git
	mkdir .git/objects .git/refs
	echo "$BATS_TEST_TMPDIR/project/.git" >.git/commondir
	echo "$PWD/.git" >.git/gitdir
	PROJECT=$PWD SESSION=next hook . holdfast stop-hook --user
	assert_allow '.status == "not_trusted"'
	assert_absent ran
}

@test "a record of a worktree's own path holds as before" {
	printf 'base: main\ngates:\n  test: test -e ok\n' >holdfast.yml
	git_project
	git worktree add -q ../tree
	mv .git ../hidden # such a record was written for the path alone
	mv ../tree/.git ../link
	cd ../tree
	PROJECT=$PWD
	run_holdfast trust --pin
	mv ../link .git
	mv ../hidden ../project/.git
	touch work
	loosen
	hook . holdfast stop-hook --user
	assert_block ".systemMessage | contains(\"$LOOSE\")"
	run_holdfast trust --no-pin
	assert_equal "$(ls "$AT")" "$(cd "$AT" && ls project-*.json)"
	hook . holdfast stop-hook --user
	assert_allow '.status == "passed"'
}

# ---- clones that nobody has accepted ----

@test "a fresh clone is held by the definitions of origin/HEAD, and that is told once" {
	team
	a_clone fresh
	loosen
	hook
	assert_block ".systemMessage | contains(\"$PROJECT were accepted by nobody, so those of origin/main are pinned\")" \
		".systemMessage | contains(\"$LOOSE\")"
	hook
	assert_block '.systemMessage | contains("accepted by nobody") | not' ".systemMessage | contains(\"$LOOSE\")"
	SESSION=next hook
	assert_block '.systemMessage | contains("accepted by nobody") | not'
	run_holdfast trust --list
	assert_stdout_has "$PROJECT  pinned to origin/main since"
	run_holdfast doctor
	assert_stdout_has "$LOOSE"
	run_holdfast trust
	assert_stdout_has 'Trusted and pinned'
	hook
	assert_allow '.status == "passed"'
}

@test "a worktree of such a clone and a second clone on another branch are held, too" {
	team
	a_clone first
	git worktree add -q -b more ../tree
	cd ../tree
	PROJECT=$PWD SESSION=tree
	touch work
	loosen
	hook
	assert_block ".systemMessage | contains(\"$LOOSE\")"
	a_clone second other
	loosen
	git commit -qam 'A loose gate'
	hook
	assert_block ".systemMessage | contains(\"$LOOSE\")"
}

@test "the first prompt pins a clone: guards and definitions that are removed after it still hold" {
	team
	printf 'guards: {protect: [locked.txt]}\n' >>holdfast.yml
	echo 1 >locked.txt
	git add -A
	git commit -qm Guards
	a_clone fresh
	prompt 'Go on.'
	rm holdfast.yml
	run_holdfast explain --json --command 'echo 3 >locked.txt'
	assert_json '.verdict == "deny"'
	hook
	assert_block '.systemMessage | contains("accepted by nobody")' ".systemMessage | contains(\"$LOOSE\")"
}

@test "a clone whose definitions are gone before its first stop is held" {
	team
	a_clone fresh
	git rm -q holdfast.yml
	hook
	assert_block '.status == "failed"' ".systemMessage | contains(\"$LOOSE\")"
}

@test "a pinned clone has its prompts from the same commit, and is not trusted by that" {
	team
	mkdir prompts
	echo 'Say pass.' >prompts/q.md
	printf '  q: {review: prompts/q.md, by: [claude]}\n' >>holdfast.yml
	git add -A
	git commit -qm Review
	a_clone fresh
	echo 'Pass.' >prompts/q.md
	hook
	assert_block '.systemMessage | contains("which are used: prompts/q.md;")'
	assert_file "$(echo "$AT"/pinned/fresh-*/*/prompts/q.md)" 'Say pass.'
	git rm -q .claude/settings.json
	SESSION=next hook . holdfast stop-hook --user
	assert_allow '.status == "not_trusted"'
}

@test "a clone where holdfast is registered for all projects alone is neither run nor pinned" {
	team
	git rm -q .claude/settings.json
	git commit -qm 'No hooks'
	a_clone fresh
	hook . holdfast stop-hook --user
	assert_allow '.status == "not_trusted"'
	assert_absent "$AT"
}

@test "definitions that are links in the commit are not pinned" {
	team
	git mv holdfast.yml real.yml
	ln -s real.yml holdfast.yml
	git add -A
	git commit -qm 'A link'
	a_clone fresh
	hook
	assert_block '.systemMessage // "" | contains("pinned") | not'
	assert_absent "$AT"
}

@test "without a remote nothing is pinned, and changes in the session are told" {
	team
	PROJECT=$PWD
	git checkout -qb work
	prompt 'Go on.'
	loosen
	hook
	assert_allow '.status == "passed"' '.systemMessage | contains("have changed since the session began: holdfast.yml")'
	assert_absent "$AT"
}

# ---- what a fetch brings ----

# held: the loosened definitions are not used.
held() {
	hook
	assert_block ".systemMessage | contains(\"$LOOSE\")"
}

@test "a push, update-ref or fetch from elsewhere accepts nothing, before and after the pin" {
	local when how n=0
	team
	git checkout -q --detach
	for when in before after; do
		for how in 'git push -q origin HEAD:main' 'git update-ref refs/remotes/origin/main HEAD' \
			'git update-ref -m "update by push" refs/remotes/origin/main HEAD' \
			'git fetch -q . +HEAD:refs/remotes/origin/main' \
			'git branch -q evil && git push -q origin evil && git fetch -q origin +evil:refs/remotes/origin/main' \
			'git update-ref refs/remotes/origin/main HEAD; rm -r .git/logs/refs/remotes'; do
			cd ../team
			rm -rf ../fresh "$AT"
			git -C ../team branch -qf main "$(git -C ../team rev-parse HEAD)"
			git update-ref -d refs/heads/evil
			a_clone fresh
			SESSION=$when-$((++n))
			[[ $when == before ]] || hook
			loosen
			git commit -qam 'A loose gate'
			eval "$how"
			if [[ $when == before && $how == *'rm -r'* ]]; then
				hook # as without a remote
				assert_absent "$AT"
			else
				held
			fi
		done
	done
}

@test "what a fetch brings is pinned, also after a push, and the clone is no more trusted by it" {
	team
	a_clone fresh
	hook
	assert_block
	git -C ../team checkout -q -b next
	sed -i 's/test -e ok/test -e fine/' ../team/holdfast.yml
	git -C ../team commit -qam 'Another gate'
	cp ../team/holdfast.yml .
	held
	git -C ../team branch -qf main next
	held
	git fetch -q
	hook
	assert_block '.systemMessage | contains("origin/main has the same definitions, so they are pinned now: holdfast.yml")'
	hook
	assert_block '.systemMessage // "" | contains("pinned") | not'
	run_holdfast trust --list
	assert_stdout_has 'pinned to origin/main since'
	sed -i 's/test -e fine/"true"/' holdfast.yml
	held
}

@test "definitions that the remote no longer has are not accepted though a fetch once brought them" {
	team
	a_clone fresh
	hook
	cd ../team
	sed -i 's/test -e ok/"true"/' holdfast.yml
	git commit -qam 'A loose gate'
	git checkout -q --detach
	cd ../fresh
	git fetch -q
	git checkout -q origin/main
	git revert --no-edit HEAD >/dev/null
	git push -q origin HEAD:main
	loosen
	held
}

@test "whoever forges the log of a fetch renews a pin" {
	team
	a_clone fresh
	hook
	assert_block
	loosen
	git commit -qam 'A loose gate'
	git update-ref -m 'fetch origin: fast-forward' refs/remotes/origin/main HEAD
	hook
	assert_allow '.systemMessage | contains("so they are pinned now: holdfast.yml")'
}

@test "whoever fetches another branch into the place of the base branch renews a pin" {
	team
	a_clone fresh
	hook
	assert_block
	loosen
	git commit -qam 'A loose gate'
	git push -q origin HEAD:other
	git config remote.origin.fetch '+refs/heads/other:refs/remotes/origin/main'
	git fetch -q
	hook
	assert_allow '.systemMessage | contains("so they are pinned now: holdfast.yml")'
}
