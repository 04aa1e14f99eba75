# SPDX-License-Identifier: MIT
# What the tests of reviews start from, on top of helper.bash and gates.bash: a project with one review, on a branch of
# its own, with changes in src/, and reviewers that are scripts.
#
#     $ANSWERS/NAME   what the reviewer of that name does     $ASKED   what each was asked, see reviewer.bash

FINDINGS=gauntlet_logs/review_._quality_claude@1

# review_project: reviewers $reviewers (claude), $num_reviews (1) slots, entry point $entry (.); $more_config and
# $more_review are added to config.yml and to the review's front matter. src/a.txt has a new line 2, src/b.txt a new
# line 4.
review_project() {
	export ANSWERS=$BATS_TEST_TMPDIR/answers ASKED=$BATS_TEST_TMPDIR/asked
	mkdir -p "$ANSWERS" "$ASKED"
	write .gauntlet/config.yml <<-CONFIG
	base_branch: main
	cli:
	  default_preference: [${reviewers-claude}]
	${more_cli-}
	entry_points:
	  - path: "${entry-.}"
	    reviews: [quality]
	${more_config-}
	CONFIG
	write .gauntlet/reviews/quality.md <<-REVIEW
	---
	num_reviews: ${num_reviews-1}
	${more_review-}
	---
	Look for bugs.
	REVIEW
	mkdir -p src
	echo one >src/a.txt
	printf '1\n2\n3\n' >src/b.txt
	git_project
	git checkout -q -b work
	echo two >>src/a.txt
	echo four >>src/b.txt
}

# answers NAME [PROGRAM] < shell: a reviewer of that name, found in PATH, that does this when it is asked.
answers() {
	cat >"$ANSWERS/$1"
	fake "${2:-$1}" <<-SCRIPT
	#!/bin/bash
	name=$1
	. "$BATS_TEST_DIRNAME/reviewer.bash"
	SCRIPT
}

# asked NAME: how often it was asked
asked() { find "$ASKED" -maxdepth 1 -name "$1.*" | wc -l; }
prompt_of() { cat "$ASKED/$1/prompt"; }

# finding INDEX FILTER [FILE]: changes a violation in the newest findings of the first slot, as an agent would
finding() {
	local file=${3:-$(newest_findings)}
	jq ".violations[$1] |= ($2)" "$file" >"$TMPDIR/findings" && cat "$TMPDIR/findings" >"$file"
}
newest_findings() { find "$LOGS" -maxdepth 1 -name '*@1.*.json' | sort -t. -k4n | tail -1; }
fixed() { finding "$1" '.status = "fixed" | .result = "done"' "${@:2}"; }
skipped() { finding "$1" '.status = "skipped" | .result = "not wanted"' "${@:2}"; }
