#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Completion scripts, loaded into the shells that are there.

load helper

# complete_bash WORD...: what bash offers with the cursor behind the last word.
complete_bash() {
	bash -c '
		source <(holdfast completions bash)
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		_holdfast
		printf "%s\n" "${COMPREPLY[@]}"
	' bash "$@" | LC_ALL=C sort | tr '\n' ' '
}

has() { [[ " $1 " == *" $2 "* ]] || show "'$1' lacks $2"; }
lacks() { [[ " $1 " != *" $2 "* ]] || show "'$1' has $2"; }

@test "bash: the script loads and is registered" {
	run_command bash -c 'source <(holdfast completions bash) && complete -p holdfast'
	assert_status 0
	assert_stderr_empty
	assert_stdout 'complete -F _holdfast holdfast'
}

@test "bash: commands, and those that begin with what was typed" {
	local offered
	offered=$(complete_bash holdfast '')
	for name in stop-hook hook ralph init uninstall doctor completions help version; do has "$offered" $name; done
	lacks "$offered" --help
	assert_equal "$(complete_bash holdfast un)" 'uninstall '
	assert_equal "$(complete_bash holdfast zz)" ' '
}

@test "bash: subcommands and options" {
	assert_equal "$(complete_bash holdfast ralph sta)" 'start status '
	has "$(complete_bash holdfast init --)" --dry-run
	has "$(complete_bash holdfast init --)" --help
	lacks "$(complete_bash holdfast init --)" --max-iterations
	has "$(complete_bash holdfast ralph start --m)" --max-iterations
	has "$(complete_bash holdfast --)" --version
	lacks "$(complete_bash holdfast init --)" --version
}

@test "bash: what an argument or a value may be" {
	assert_equal "$(complete_bash holdfast completions '')" 'bash fish zsh '
	has "$(complete_bash holdfast hook Sess)" SessionEnd
	has "$(complete_bash holdfast help '')" ralph
	assert_equal "$(complete_bash holdfast ralph start --mode '')" 'hook script '
	assert_equal "$(complete_bash holdfast ralph start --mode =)" 'hook script '
	assert_equal "$(complete_bash holdfast ralph start --mode = ho)" 'hook '
	assert_equal "$(complete_bash holdfast ralph start --max-iterations '')" ' '
}

@test "bash: files where a value is one" {
	touch task.md
	has "$(bash -c '
		compopt() { :; }
		source <(holdfast completions bash)
		COMP_WORDS=(holdfast ralph start --prompt-file ta) COMP_CWORD=4
		_holdfast
		printf "%s " "${COMPREPLY[@]}"')" task.md
}

# some_gates: a project with two gates and a branch whose name is a trap.
some_gates() {
	printf '%s\n' 'cli: {default_preference: [claude]}' 'entry_points: [{path: src, checks: [lint]}]' |
		write .gauntlet/config.yml
	echo 'command: "true"' | write .gauntlet/checks/lint.yml
	echo 'Look.' | write .gauntlet/reviews/quality.md
	git_project
	git branch 'x$(touch${IFS}trap)'
}

@test "bash: names of gates and branches, which are never run" {
	assert_equal "$(complete_bash holdfast run -g '')" ' '
	some_gates
	assert_equal "$(complete_bash holdfast run -g '')" 'lint quality '
	assert_equal "$(complete_bash holdfast check --gate = l)" 'lint '
	assert_equal "$(complete_bash holdfast detect -b '')" 'main x\$\(touch\$\{IFS\}trap\) '
	[[ ! -e trap ]] || show 'a name was run'
}

@test "zsh and fish: names of gates and branches" {
	some_gates
	if command -v zsh >/dev/null; then
		holdfast completions zsh >_holdfast
		run_command zsh -f -c 'compadd() { print -rl -- "$@" }; compdef() { : }; source ./_holdfast
			words=(holdfast run -g ""); CURRENT=4; _holdfast; words=(holdfast run -b ""); _holdfast'
		assert_stdout $'--\nlint\nquality\n--\nmain\nx$(touch${IFS}trap)'
	fi
	if command -v fish >/dev/null; then
		holdfast completions fish >holdfast.fish
		run_command fish -N -c 'source holdfast.fish; complete -C "holdfast run -g "; complete -C "holdfast run -b ma"'
		for name in lint quality main; do assert_stdout_has "$name"; done
	fi
	[[ ! -e trap ]] || show 'a name was run'
}

@test "bash: each command and option of the table is offered" {
	local kind name option words count=0
	while IFS=$'\t' read -r kind name option; do
		read -ra words <<<"$name"
		case $kind in
		command) ((${#words[@]} > 1)) && has "$(complete_bash "${words[@]:0:${#words[@]}-1}" '')" "${words[-1]}" ;;
		option) has "$(complete_bash "${words[@]}" --)" "$option" ;;
		*) continue ;;
		esac || return 1
		count=$((count + 1))
	done < <(holdfast help --names | grep -v $'^command\tholdfast$')
	((count > 20))
}

@test "zsh: the script is valid and offers the commands" {
	mkdir fpath
	holdfast completions zsh >fpath/_holdfast
	zsh -n fpath/_holdfast
	cat >try.zsh <<-'END'
		fpath=($PWD/fpath $fpath)
		autoload -Uz compinit && compinit -u -D
		_describe() { local name=${@[-1]}; print -rl -- ${(P)name} }
		compadd() { print -rl -- ${@[(i)--]+${@[2,-1]}} }
		compset() { : }
		autoload -Uz _holdfast
		try() { words=("$@"); CURRENT=$#words; _holdfast }
		try holdfast ''
		print -- ---
		try holdfast ralph start --
		print -- ---
		try holdfast ralph start --mode ''
	END
	run_command zsh -f try.zsh
	assert_stdout_has 'init:register'
	assert_stdout_has '--max-iterations:number of iterations'
	[[ ${stdout##*---} == *hook* ]] || show 'no choices'
}

@test "fish: the script is valid and offers commands, options and choices" {
	holdfast completions fish >holdfast.fish
	fish -n holdfast.fish
	run_command fish -N -c 'source holdfast.fish; complete -C "holdfast un"; complete -C "holdfast ralph start --ma"; complete -C "holdfast completions "; complete -C "holdfast ralph start --mode "'
	assert_status 0
	assert_stdout_has 'uninstall'
	assert_stdout_has '--max-iterations'
	assert_stdout_has 'zsh'
	[[ $stdout == *$'\nhook'* ]] || show 'no choices'
}

@test "the other programs have completions of their own" {
	run_command conclaude completions bash
	assert_status 0
	assert_stdout_has 'complete -F _conclaude conclaude'
}

@test "a shell that is not known is an error" {
	run_holdfast completions tcsh
	assert_status 1
	assert_stderr_has "unknown shell 'tcsh'; expected one of: bash, zsh, fish"
	run_holdfast completions
	assert_status 1
}

@test "a value that is a directory is completed as one" {
	run_command conclaude completions candidates -- init --claude-path ''
	assert_stdout ':files'
}
