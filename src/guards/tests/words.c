/* SPDX-License-Identifier: MIT */
/* A table for each language. Where two words match at one place, the first of them counts. Holds no logic. */
#include "guards/tests/marks.h"

#define SKIPPED (MARK_TEST | MARK_SKIP)
#define FOCUSED (MARK_TEST | MARK_FOCUS)

static const struct words javascript[] = {
	{ MARK_SKIP, "describe.skip|context.skip|suite.skip|~.skip.each|~.concurrent.skip|~.describe.skip|~."
		     "describe.fixme|xdescribe(|xcontext(|pending(|this.skip(|t.skip(|t.todo(|skip: "
		     "true|skip: '|skip: \"|todo: true" },
	{ SKIPPED,
	  "it.skip*|test.skip*|specify.skip*|it.todo|test.todo|it.fixme|test.fixme|xit(|xtest(|xspecify(" },
	{ MARK_TEST | MARK_EXPECTED_FAILURE, "it.fail*(|test.fail*(" },
	{ MARK_FOCUS, "describe.only|context.only|suite.only|~.describe.only|~.concurrent.only|only: "
		      "true|fdescribe(|ddescribe(" },
	{ FOCUSED, "it.only|test.only|specify.only|fit(|iit(" },
	{ MARK_TEST | MARK_TABLE, "it.each|test.each" },
	{ MARK_TABLE, "describe.each|~.forEach(|^for (const " },
	{ MARK_TEST, "it(|test(|specify(|it.concurrent(|test.concurrent(|Deno.test(|t.test(" },
	{ MARK_ASSERTION,
	  "expect*(|expect.|assert*(|assert.|verify*(|~.should|~.expect(|t.is*(|t.not*(|t.deepEqual(|t.equal*"
	  "(|t.same*(|t.true(|t.false(|t.truthy(|t.ok(|t.throws*(|t.assert." },
};

static const struct words python[] = {
	{ MARK_SKIP, "pytest.mark.skip*|pytest.skip(|pytest.importorskip(|unittest.skip*|unittest.SkipTest|^@"
		     "skip*|self.skipTest(|^raise SkipTest|__test__ = False|collect_ignore*" },
	{ MARK_EXPECTED_FAILURE,
	  "pytest.mark.xfail|pytest.xfail(|unittest.expectedFailure|^@expectedFailure" },
	{ MARK_TABLE, "pytest.mark.parametrize|self.subTest(" },
	{ MARK_TEST, "^def test*(|^async def test*(" },
	{ MARK_ASSERTION, "^assert "
			  "|^assert(|self.assert*(|self.fail(|pytest.raises(|pytest.warns(|pytest.fail(|"
			  "assert_*(|~.assert_*(|verify*(" },
};

static const struct words go[] = {
	{ MARK_SKIP, "t.Skip*(|b.Skip*(|f.Skip*(|!//go:build ignore|!// +build ignore|PIt(|XIt(" },
	{ MARK_FOCUS, "FIt(|FDescribe(|FContext(" },
	{ MARK_TABLE, "~:= range " },
	{ MARK_TEST, "^func Test*(|^func Fuzz*(|^func Example*(|^func (*) Test*(|t.Run(|It(" },
	{ MARK_ASSERTION,
	  "t.Error*(|t.Fatal*(|t.Fail*(|assert.*(|require.*(|assert*(|check*(|~.Expect(|Expect(" },
};

static const struct words rust[] = {
	{ MARK_SKIP, "#[ignore|#[cfg(any())]" },
	{ MARK_EXPECTED_ERROR, "#[should_panic" },
	{ MARK_TABLE, "#[case|^for " },
	{ MARK_TEST | MARK_TABLE, "#[test_case" },
	{ MARK_TEST, "#[test]|#[rstest|#[tokio::test|#[async_std::test|#[actix_rt::test" },
	{ MARK_ASSERTION, "assert*!(|assert*(|debug_assert*!(|prop_assert*!(|panic!(" },
};

static const struct words java[] = {
	{ MARK_SKIP,
	  "@Disabled*|@Ignore*|enabled = "
	  "false|enabled=false|Assumptions.*(|Assume.*(|assumeTrue(|assumeFalse(|assumeThat(|SkipException" },
	{ MARK_EXPECTED_ERROR, "expected = |expectedExceptions = " },
	{ MARK_TEST | MARK_TABLE, "@ParameterizedTest" },
	{ MARK_TABLE, "dataProvider = " },
	{ MARK_TEST, "@Test|@RepeatedTest|@TestFactory|@Theory" },
	{ MARK_ASSERTION,
	  "Assertions.*(|Assert.*(|assert*(|^assert |verify*(|fail(|expect*(|~.andExpect(|~.should*(" },
};

static const struct words c_words[] = {
	{ MARK_SKIP, "^skip(|GTEST_SKIP|~DISABLED_*|cr_skip*(|~.disabled = true|~.disabled = 1|^#if "
		     "0|SKIP(|TEST_IGNORE*(" },
	{ MARK_EXPECTED_ERROR,
	  "tcase_add_test_raise_signal(|tcase_add_exit_test(|~.signal = SIG*|~.exit_code = " },
	{ MARK_TABLE, "tcase_add_loop_test(|INSTANTIATE_TEST_SUITE_P(|ParameterizedTestParameters(|^for (" },
	{ MARK_TEST,
	  "START_TEST(|tcase_add_test(|TEST(|TEST_F(|TEST_P(|TYPED_TEST*(|^Test(|ParameterizedTest(|cmocka_"
	  "unit_test*(|TEST_CASE*(|SCENARIO(|RUN_TEST(|BOOST_AUTO_TEST_CASE(" },
	{ MARK_ASSERTION, "assert*(|ASSERT*(|EXPECT*(|expect_*(|ck_assert*(|ck_abort*(|cr_assert*(|cr_expect*"
			  "(|REQUIRE*(|CHECK*(|BOOST_*(|TEST_ASSERT*(|TEST_FAIL*(|fail*(" },
};

static const struct words ruby[] = {
	{ MARK_SKIP, "^skip|^xdescribe|^xcontext|skip: true|skip: '|skip: \"|~, :skip" },
	{ MARK_EXPECTED_FAILURE, "^pending|pending: true|~, :pending" },
	{ SKIPPED, "^xit|^xspecify|^xscenario" },
	{ FOCUSED, "^fit" },
	{ MARK_FOCUS, "^fdescribe|^fcontext|^focus|focus: true|~, :focus" },
	{ MARK_TABLE, "~.each |~.each_*" },
	{ MARK_TEST, "^it |^it(|^specify|^scenario |^example |^def test_*|^test " },
	{ MARK_ASSERTION, "expect|is_expected|assert*|refute*|flunk|~.must_*|~.wont_*|~.should*" },
};

static const struct words php[] = {
	{ MARK_SKIP, "markTestSkipped(|markTestIncomplete(|~->skip*(|~->todo(" },
	{ MARK_EXPECTED_FAILURE, "~->fails(" },
	{ MARK_FOCUS, "~->only(" },
	{ MARK_TABLE, "#[DataProvider*|#[TestWith*|!* @dataProvider|~->with(" },
	{ MARK_TEST, "function test*(|#[Test]|!* @test|^it(|^test(" },
	{ MARK_ASSERTION, "assert*(|expect(|expectException*(|~->should*(|fail(" },
};

static const struct words csharp[] = {
	{ MARK_SKIP, "Skip = |Skip=|Ignore(|~[Ignore|~, "
		     "Ignore|~[Explicit|Assert.Ignore(|Assert.Inconclusive(|Assert.Skip*(|Skip.If*(" },
	{ MARK_EXPECTED_ERROR, "~[ExpectedException" },
	{ MARK_TEST | MARK_TABLE, "~[TestCase*" },
	{ MARK_TABLE, "~[InlineData|~[DataRow|~[MemberData" },
	{ MARK_TEST, "~[Fact|~[Theory|~[Test]|~[Test(|~[Test,|~[TestMethod|~[DataTestMethod" },
	{ MARK_ASSERTION,
	  "Assert.*(|Assert.*<|CollectionAssert.*(|StringAssert.*(|Assert*(|Verify*(|~.Should*(|~.Verify*(" },
};

static const struct words shell[] = {
	{ MARK_SKIP, "^skip|^startSkipping" },
	{ MARK_FOCUS, "!# bats test_tags=bats:focus|!# bats file_tags=bats:focus" },
	{ MARK_TABLE, "^for |^while " },
	{ MARK_TEST, "^@test |^test*()|^function test*" },
	{ MARK_ASSERTION, "^[ |^[[ |^test |^assert*|^refute*|^fail*|${_ASSERT_*|^diff |^cmp |^grep |^! " },
};

#define WORDS(table) (table), COUNT_OF(table)
const struct language test_languages[] = {
	{ "js jsx mjs cjs ts tsx mts cts vue svelte", BLOCK_COMMENTS, "//", "'\"", "`", WORDS(javascript) },
	{ "py", TRIPLE_QUOTES, "#", "'\"", "", WORDS(python) },
	{ "go", BLOCK_COMMENTS, "//", "'\"", "`", WORDS(go) },
	{ "rs", BLOCK_COMMENTS | LIFETIMES | INLINE_TESTS, "//", "", "\"", WORDS(rust) },
	{ "java kt kts groovy scala", BLOCK_COMMENTS | TRIPLE_QUOTES, "//", "'\"", "", WORDS(java) },
	{ "c h cc cpp cxx hh hpp", BLOCK_COMMENTS | INLINE_TESTS, "//", "'\"", "", WORDS(c_words) },
	{ "rb", 0, "#", "'\"", "", WORDS(ruby) },
	{ "php", BLOCK_COMMENTS, "// #", "'\"", "", WORDS(php) },
	{ "cs", BLOCK_COMMENTS, "//", "'\"", "", WORDS(csharp) },
	{ "bats sh bash", 0, "#", "'\"", "", WORDS(shell) },
};
const size_t test_language_count = COUNT_OF(test_languages);
