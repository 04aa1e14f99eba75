/* SPDX-License-Identifier: MIT */
/* Runs of git, several in parallel, and what its own files share. Inside git/ only. */
#ifndef GIT_GIT_SPAWN_H
#define GIT_GIT_SPAWN_H

#include "git/git.h"
#include "os/fs.h"
#include "os/proc.h"
#include "os/tempdir.h"

#define GIT_ARGS_MAX 32

/* One run. The caller sets the members up to `may_be_cut`, and git_run() the others. */
struct git_job {
	const char *args[GIT_ARGS_MAX + 1]; /* not copied; git_arg() and git_args() add more */
	struct str_list paths;              /* after the arguments; each ends in NUL */
	const char *index;                  /* another index file; NULL: the repository's own */
	bool writes_index;                  /* git may keep there what it finds out about files */
	const char *objects;                /* the directory for new objects; NULL: the repository's own */
	struct str_list settings;           /* KEY=VALUE each; they override ours and the user's */
	struct str input;                   /* absent: none */
	size_t limit;                       /* of its output; 0: GIT_OUTPUT_LIMIT_BYTES */
	bool may_be_cut;                    /* output beyond the limit is dropped; else it is an error */
	struct buf out, stderr_text;
	struct proc_result end;
	int code; /* its exit code */
};

/* Adds the arguments of a list that ends in NULL. */
void git_args(struct git_job *job, const char *const *args);
void git_arg(struct git_job *job, const char *arg);
#define GIT_ARGS(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* A question about two commits, of which the answer stays the same. */
struct question {
	const char *what;
	struct str one, other;
	struct str key; /* answers.c's own */
};

/* The path of an index that nobody can create. */
#define GIT_NO_INDEX "/proc/no-index"
#define GIT_NAMES_OPTIONS "--raw", "--no-abbrev", "-z", "--no-renames", "--relative"
/* Nothing but commits, names and modes; git compares contents itself where times differ. */
#define GIT_STATUS_ARGS                                                                             \
	"status", "--porcelain=v2", "-z", "--branch", "--no-ahead-behind", "--untracked-files=all", \
		"--no-renames", "--ignore-submodules=untracked", "--"
#define GIT_TREE_ARGS "diff-tree", "--root", "-r", "--no-commit-id", "--diff-merges=first-parent"
#define GIT_UNTRACKED_ARGS "ls-files", "--others", "--exclude-standard", "-z"

/* Of the answer to GIT_UNTRACKED_ARGS: what is neither copied into a snapshot nor shown in a diff. */
struct hidden_files untracked_hidden(struct arena *a, const struct repository *r, struct str log_dir,
				     struct str answer);
/* Is it an untracked file of more than CONTENT_LIMIT_BYTES? */
bool is_large_file(struct arena *a, const struct repository *r, struct str path);
bool is_hidden_file(const struct hidden_files *l, struct str path, const char *why);
/* Pathspecs for --pathspec-from-file=- with --pathspec-file-nul: `path`, without log_dir and without the hidden files that
 * are too large. */
struct str pathspecs_without(struct arena *a, const struct repository *r, const char *path,
			     struct str log_dir, const struct hidden_files *hidden);

/* Adds the path with a backslash before each wildcard. */
void add_without_wildcards(struct buf *b, struct str path);

/* The project, whose files never are our git: the work tree in which root is, and that of which it is a worktree or submodule. */
struct str_list git_own_dirs(struct arena *a, struct str root);
/* Fails if a job could not be run to its end; the caller judges its exit code. */
int git_run(struct arena *a, const struct repository *r, struct git_job *jobs, size_t count,
	    struct err *err) MUST_CHECK;
/* The same with jobs that must end with code 0, unless their output may be cut and was. */
int git_run_good(struct arena *a, const struct repository *r, struct git_job *jobs, size_t count,
		 struct err *err) MUST_CHECK;
/* The error of a job with an unexpected exit code: the message that git printed. Always -1. */
int git_error(const struct git_job *job, struct err *err);
/* The same, for a question. */
enum git_answer git_unknown(const struct git_job *job, struct err *err);
/* An answer that is a path, without its last newline; the path may contain others. */
struct str git_path(struct str answer);
/* The first line of the output, without its newline; empty if there is none. */
struct str git_line(struct arena *a, const struct git_job *job);

/* Can it be given to git as the name of a commit? False for what could be an option, a range or several lines. */
bool git_is_commit_name(struct str name);

/* log_dir relative to root, normalised; absent if it is not below root. */
struct str git_log_dir(struct arena *a, struct str root, struct str log_dir);

/* Settings under which no filter of the user's configuration is required: git then reads a file as it is if its filter, such
 * as that of git-lfs, is not installed. What is read that way must not be written to the repository. */
int git_filters_optional(struct arena *a, const struct repository *r, struct str_list *ret,
			 struct err *err) MUST_CHECK;

/* The question for the path of the repository's index, and the path in the answer to such a question. */
#define GIT_INDEX_ARGS "rev-parse", "--git-path", "index"
struct str git_answer_path(struct arena *a, const struct repository *r, struct str answer);
/* Copies that index to dir->file. Git's knowledge about the files comes with it, so that git reads only those that changed.
 * A repository may have no index yet: then there is no copy, and git creates one. */
int git_index_copy(struct tempdir *dir, struct arena *a, struct str path, struct err *err) MUST_CHECK;

/* The git directory of a work tree whose top this is: .git, or what it names in a worktree or a submodule; absent: this is no
 * top. */
struct str git_dir_at(struct arena *a, struct str top);
/* The directory of refs and their logs, which all work trees of a repository share; absent: there is none. */
struct str git_common_dir(struct arena *a, struct str root);
/* That of the nearest directory, upwards from root; absent: there is none. */
struct str git_dir_above(struct arena *a, struct str root);
/* Where a git directory has what all worktrees share. */
struct str git_shared_dir(struct arena *a, struct str dir);
/* The nearest directory with a .git, upwards; absent: none. A view of root. */
struct str find_top(struct str root);
/* The question where HEAD is, and where it left `base`, the full name of a ref or a commit; absent: not asked. */
void head_ask(struct arena *a, struct git_job *job, struct str base);
/* Reads its answer. Asks again if HEAD is a branch without commits. */
int head_read(struct arena *a, const struct repository *r, struct git_job *job, struct git_head *ret,
	      struct err *err) MUST_CHECK;

/* Fails if git looks at another directory than the one whose .git is found from the root, as core.worktree can make it do. */
int head_check_top(struct arena *a, const struct repository *r, const struct git_head *head,
		   struct err *err) MUST_CHECK;

/* Is the commit q->one an ancestor of q->other? Unknown: git has to be asked. Resolves both names, if files can tell. */
enum git_answer ancestor_known(struct arena *a, const struct repository *r, struct question *q);
void ancestor_ask(struct arena *a, struct git_job *job, const struct question *q);
/* Reads its answer. May ask git again. */
enum git_answer ancestor_read(struct arena *a, const struct repository *r, const struct git_job *job,
			      const struct question *q, struct err *err) MUST_CHECK;

/* ---- refs.c: refs in files ---- */

#define OBJECT_NAME_LEAST 40
#define OBJECT_NAME_MOST 64
struct ref_files {
	struct str dir, shared; /* the git directory, and that of all work trees */
	struct str below;       /* from the top of the work tree to the root; empty: that is the top */
	size_t name_length;     /* of an object; 0: not known */
};
/* False: git may take another repository or work tree, or keep refs in another way. */
bool ref_files_find(struct arena *a, struct str root, struct ref_files *ret);
/* Does a ref of this full name exist, and which object does it name? A ref that is a link to another one leads there: *ret_last, which
 * may be NULL, is the name of the last one. Unknown: git has to be asked. */
enum git_answer ref_read(struct arena *a, const struct ref_files *f, struct str ref, struct str *ret_object,
			 struct str *ret_last);

/* ---- parse.c: git's output. Pure ---- */

struct change_entry {
	struct str path;              /* relative to the root */
	char status;                  /* git's letter; ? is untracked */
	struct changed_file old, new; /* both sides */
	bool is_compared;             /* the content is known to differ from that of HEAD */
};

/* Entries in any order until change_set_settle(). Texts are views of git's answer. */
struct change_set {
	struct arena *arena;
	struct str
		hidden; /* this path and everything below it are left out, as loop files are; absent: none is */
	struct change_entry *items;
	size_t count;
};

void change_set_add(struct change_set *set, struct change_entry entry);
/* Reads diff --raw -z without renames. */
int change_set_read_diff(struct change_set *set, struct str answer, struct err *err) MUST_CHECK;
/* Reads status --porcelain=v2 -z --branch without renames, of which the paths are relative to the top of the work tree:
 * `prefix` is the root's own, with a slash at its end. The old side is HEAD's. */
int change_set_read_status(struct change_set *set, struct str answer, struct str prefix,
			   struct err *err) MUST_CHECK;
/* The commit of HEAD in such an answer; absent: there is none. */
struct str head_of_status(struct str answer);
/* Reads ls-files --others -z. A nested repository is one path, without its trailing slash and with mode 160000. */
void change_set_read_untracked(struct change_set *set, struct str answer);
/* Sorts by path and merges entries of one path. Entries with different letters become 'M', or '?' if one of them is untracked;
 * the old side is that of the first, the new one that of the last. */
void change_set_settle(struct change_set *set);

/* What to do with files that are in the index in one way and in the working tree in another. */
struct join_rules {
	bool keeps_staged;       /* what is staged counts, even if it was undone in the working tree */
	bool compares_untracked; /* an untracked file that the old side has counts only if it differs */
};
/* Joins the changes from some tree to HEAD (`trees`) with those from HEAD to the working tree (`files`); both are settled.
 * Those about which git has not said whether the content differs go to ret_open. */
void change_set_join(const struct change_set *trees, const struct change_set *files,
		     const struct join_rules *rules, struct change_set *ret, struct change_set *ret_open);

/* A record of --numstat, "<added> TAB <removed> TAB <path>"; 0 for the dashes of a binary file. False: it is none. */
bool numstat_read(struct str record, struct str *ret_path, struct line_counts *ret);

/* Is it the whole name of an object? */
bool is_object_name(struct str x);
/* The branch in the text of a HEAD file, or in the full name of a ref. "HEAD" if detached; absent if the file does not
 * contain it. */
struct str branch_of_head(struct str text);
struct str branch_of_ref(struct str ref);

/* ---- comparison.c: the two sides between which changes are found ---- */

struct comparison {
	const char *args[4]; /* for git: options, then --end-of-options and the commits; ends in NULL */
	bool is_of_commit;   /* for diff-tree; else for diff */
	bool has_files;      /* one side is the working tree, untracked files included */
	struct str base_used, warning;
	struct str commit; /* that is compared with; absent: git works it out */
};

/* The usual comparison; asks git nothing. Fails for names that no commit can have. */
int comparison_make(struct arena *a, const struct change_spec *spec, struct comparison *ret,
		    struct err *err) MUST_CHECK;
/* Another comparison after git failed with the first, as `job` shows: the repository has no commits, or no base, or no common
 * commit. Fails if there is none. */
int comparison_fallback(struct arena *a, const struct repository *r, const struct change_spec *spec,
			const struct git_job *job, struct comparison *ret, struct err *err) MUST_CHECK;

/* The name of the tree without files, in a repository that has an object of this name. */
const char *empty_tree_beside(struct str object);

/* Compares with this commit. */
void comparison_since(struct comparison *c, struct str commit);
/* Adds the comparison's arguments to those of a diff, and the "--" after which paths may follow. */
void comparison_args(struct git_job *job, const struct comparison *c);

/* ---- blobs.c: files about which git has not said whether their content differs from the old side ---- */

/* Adds to `changes` those entries of `open`, which is sorted, whose files differ from the old side. */
int open_compare(struct arena *a, const struct repository *r, const struct change_set *open,
		 struct change_set *changes, struct err *err) MUST_CHECK;

/* Compares the files with a small index that holds only these old sides: git knows about modes, links and filters. `options`
 * are those of diff, NULL-terminated. */
int open_diff(struct arena *a, const struct repository *r, const struct change_set *open,
	      const char *const *options, struct str *ret, struct err *err) MUST_CHECK;

/* Completes `files` of a list that is sorted with what is on disk. What is neither a file nor a link fails if it `is_strict`, and
 * else counts as nothing. */
int contents_on_disk(struct arena *a, const struct repository *r, struct change_list *list, bool is_strict,
		     struct err *err) MUST_CHECK;

/* ---- object_name.c: git's names of contents, as `git hash-object --no-filters` prints them ---- */

/* How long they are in this repository. */
size_t object_name_chars(struct arena *a, const struct repository *r);
/* A link is followed; anything else that is no regular file is an error. */
int object_name_of_file(struct arena *a, const char *path, size_t chars, struct str *ret,
			struct err *err) MUST_CHECK;

/* ---- conversions.c: may files on disk differ from what git compares? ---- */

#define CONVERSIONS_HIDE 1u        /* git may take a file that was changed for unchanged */
#define CONVERSIONS_AT_CHECKOUT 2u /* git itself may write other bytes than it compares */
/* By the settings, and by the attributes that the whole repository has. */
unsigned conversions_at(struct arena *a, const struct repository *r);
/* By a .gitattributes. */
unsigned conversions_of(struct arena *a, const struct repository *r, struct str path);

/* ---- unseen.c: what git does not show of tracked files ---- */

struct unseen {
	/* Those that are on disk in another form than in the index, sorted; `is_compared` are those that git has not written itself. */
	struct change_set files;
	struct str_list hidden;    /* that git was told not to look at */
	struct str_list own_rules; /* each .gitignore next to tracked files that git does not show */
	struct str error;          /* why the files are not known; absent: they are */
};
/* `status` and `prefix` are git's answers about the working tree. */
struct unseen *unseen_find(struct arena *a, const struct repository *r, struct str status, struct str prefix);

/* ---- answers.c: answers that are kept ---- */

/* Absent: git has to be asked. */
struct str answer_known(struct arena *a, const struct repository *r, struct question *q);
/* After answer_known(). The text is kept. */
void answer_keep(struct arena *a, const struct repository *r, const struct question *q, struct str text);

struct index_entry {
	struct str path, object;
	struct str mode;                /* absent: it is neither a regular file nor a link */
	int64_t changed_ns, written_ns; /* as git last saw them; 0: not known */
	bool is_flagged;                /* git was told not to look at it */
	bool is_conflict;
};
/* The path of the entry is valid until the next one; `object` is its name in bytes. False: no more are wanted. */
typedef bool (*index_taker)(void *context, const struct index_entry *entry, const unsigned char *object);
/* Reads an index file; *ret_untracked, which may be NULL, is its cache of untracked files. False: it is none that is understood, or the
 * taker said so. */
bool index_read(struct arena *a, struct str path, size_t hash_bytes, index_taker take, void *context,
		struct str *ret_untracked);
/* Git's number of variable length. */
bool index_number(const unsigned char **at, const unsigned char *end, size_t *ret);

/* ---- ignores.c: rules of what git ignores ---- */

/* Were rules of the repository or the user changed since that time, outside of the work tree? */
bool ignores_changed_outside(struct arena *a, const struct repository *r, int64_t since_ns);

/* ---- own_index.c: an index of our own ---- */

/* Zeroed: not used yet. */
struct own_index {
	struct str path;       /* absent: the question is about the repository's own index */
	struct fs_facts facts; /* of the file at the path */
	struct fs_facts from;  /* of the repository's index */
	struct tempdir dir;    /* where git completes a copy, which will be at the path */
	int64_t asked_ns;
	bool is_refused; /* it was of no use */
};
/* The path of ours that is a copy of the repository's index as it is now; absent: there can't be one. Fills in own->from. */
struct str own_index_path(struct arena *a, const struct repository *r, struct own_index *own);
/* Lets `job`, a status of all files, use the index that is kept, or make it. */
void own_index_use(struct arena *a, const struct repository *r, struct own_index *own, struct git_job *job);
/* After the job has ended. False: the answer does not count, and the question is to be asked again, of the repository's
 * index. */
bool own_index_settle(struct arena *a, const struct repository *r, struct own_index *own,
		      const struct git_job *job);
void own_index_clear(struct own_index *own);

#endif
