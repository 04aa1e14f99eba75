# What the benchmarks make of figures: verdicts, tables, plots.

setup() {
	cd "$BATS_TEST_TMPDIR"
	mkdir -p tests/bench doc build
	cp "$BATS_TEST_DIRNAME"/../bench/* tests/bench/
	cat >tests/bench/rows.txt <<-'END'
	= stops
	* stop-{1,2} unchanged | a stop, $1 files | 1.1 x git status, 1 git
	stop-1 gate            | one gate         | below lefthook
	= growth
	growth-gates holdfast  | gates            | exponent 1.1
	END
	printf '<!-- measured: cost -->\nold\n<!-- end -->\n' >README.md
	for table in summary stops growth plots; do printf '%s\n' "<!-- measured: $table -->" '<!-- end -->' 'By hand.'; done >doc/performance.md
	cat >build/bench.json <<-'END'
	{"machine": {"date": "2026-01-02", "commit": "abc", "cores": 2, "system": "Debian", "kernel": "6.1", "disk": "ext4", "git": "2.39", "load": 0.1},
	 "measurements": {"stop-1": {
		"git status": {"ms": 10, "peak_kib": 1024}, "lefthook": {"ms": 20, "peak_kib": 1024},
		"unchanged": {"ms": 12, "peak_kib": 1024, "git": 1, "calls": 1234}, "gate": {"ms": 19, "peak_kib": 1024}},
	  "growth-gates": {"points": [{"size": 10, "holdfast": {"ms": 1, "peak_kib": 1}}, {"size": 100, "holdfast": {"ms": 100, "peak_kib": 1}}]}}}
	END
}

@test "tables, plots and the list of what was missed are made of the figures; what stands around them stays" {
	tests/bench/record
	[ "$(grep -c '^By hand.$' doc/performance.md)" = 4 ]
	grep -qxF '| a stop, 1 files | 12 ms | 1.20 × `git status` (10 ms) | 1 | 1,234 | 1.0 MiB | 1.1 × `git status`, 1 process of git | **no** |' doc/performance.md
	grep -qxF '| a stop, 2 files | not measured |  |  |  |  | 1.1 × `git status`, 1 process of git |  |' doc/performance.md
	grep -qxF '| one gate | 19 ms | 0.95 × lefthook (20 ms) |  |  | 1.0 MiB | below lefthook | yes |' doc/performance.md
	grep -qxF '| gates (100) | 100 ms |  | exponent 1.1 | exponent 2.00, **no** |' doc/performance.md
	grep -qF '1 of 4 rows are within their bounds; 1 were not measured.' doc/performance.md
	grep -qxF -- '- a stop, 1 files: 1.20 (1.1 × `git status`)' doc/performance.md
	grep -qxF '| a stop, 1 files | 12 ms | 1.20 × `git status` (10 ms) |' README.md
	grep -qxF '![gates](growth-gates.svg)' doc/performance.md
	grep -q polyline doc/growth-gates.svg
	tests/bench/record --check
}

@test "a figure, a bound or a plot that is not what was measured is noticed" {
	tests/bench/record
	sed -i 's/12 ms/11 ms/' README.md
	run tests/bench/record --check
	[ "$status" = 1 ]
	[ "$output" = "README.md is not what doc/performance.json says; tests/bench/record --text writes it" ]
	tests/bench/record --text
	tests/bench/record --check
	sed -i 's/1.1 x git status/1.3 x git status/' tests/bench/rows.txt
	run tests/bench/record --check
	[ "$status" = 1 ]
	tests/bench/record --text
	grep -qF '| 1.3 × `git status`, 1 process of git | yes |' doc/performance.md
	rm doc/growth-gates.svg
	: >doc/growth-old.svg
	run tests/bench/record --check
	[ "$status" = 1 ]
	[ "${#lines[@]}" = 2 ]
}

@test "a part is measured alone; an answer that is not the expected one is a failure, and the figures of other parts stay" {
	HOLDFAST_BIN=$(type -P true) run tests/bench/run --seconds 0.1 storm-rounds
	[ "$status" = 1 ]
	[[ $output == *"bench: storm-rounds: "*"the answer has not '\"status\":\"round_completed\"'"* ]]
	grep -q '"stop-1"' build/bench.json
	[ "$(grep -c '"storm-rounds"' build/bench.json)" = 0 ]
	[ -z "$(compgen -G 'build/bench-*')" ]
	run tests/bench/run nothing-of-that-name
	[ "$status" = 1 ]
	[ "$output" = 'bench: there is no such part; tests/bench/run --list names them' ]
}
