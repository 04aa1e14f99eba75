/* SPDX-License-Identifier: MIT */
/* Asks git: by argv and never through a shell. Paths are separated by NUL. The user's configuration does not change what is
 * parsed, and the environment of a calling git does not change which repository is used. */
#ifndef GIT_GIT_H
#define GIT_GIT_H

#include "model/gate.h"

struct fs_facts;

/* What git has said about a repository, so that it is not asked again. The texts are in the arena of the call that asked. */
struct git_known {
	struct str blob_file;     /* where to keep which file has which content; absent: it is not kept */
	struct str index_file;    /* where to keep an index of our own; absent: none is kept */
	struct str answer_file;   /* where to keep answers about commits; absent: they are not kept */
	size_t index_least_bytes; /* git is quick with a smaller index as it is */
	bool is_read_only;        /* nothing is written there */
	struct answers *answers;  /* git/answers.c's own */
	struct str index;         /* the path of the repository's; absent: not asked yet */
	/* Until something may have written files; absent: not asked since. */
	struct str status, prefix; /* git's answer about the working tree, and what its paths begin with */
	struct str untracked;      /* the untracked files in it, each ended by NUL */
	struct unseen *unseen;     /* git/unseen.c's own, like status */
};

struct repository {
	/* Gates run here, and paths are relative to it. It may be below the top of the work tree. */
	struct str root;
	int64_t deadline_ms;     /* on clock_mono_ms(); 0: none */
	struct git_known *known; /* NULL: nothing is kept */
};
/* After something may have written files. */
void git_forget_files(const struct repository *r);

/* A question that failed is never answered by no: the reason for UNKNOWN is in the caller's struct err. */
enum git_answer { ANSWER_NO, ANSWER_YES, ANSWER_UNKNOWN };

/* Where HEAD is. The branch is "HEAD" if detached; the commit is absent in a repository without commits. Invalid UTF-8
 * in a branch is replaced, here and below, because it is compared with a branch read from a JSON file. */
struct git_head {
	struct str branch, commit;
	struct str merge_base; /* with the base that was asked about; absent: none, or several */
	struct str up;         /* from root to the top of the work tree, as git says */
};
/* The branch, read from .git/HEAD (worktrees too) without running git, for the hook's early decisions. Absent: unknown. */
struct str git_branch_now(struct arena *a, struct str root);
/* The commit of that branch, found in the same way: in a file of refs. */
struct str git_commit_now(struct arena *a, struct str root);
/* The same for all work trees of a repository, of a real path in one of them: where it is in the main work tree, or below the bare
 * repository. A root that is in no linked work tree, or in one that the repository does not know, is its own. */
struct str git_shared_root(struct arena *a, struct str root);
/* The default branch of the remote as the clone knows it, origin/main; absent: there is no such remote. */
struct str git_remote_default(struct arena *a, struct str root);
/* The commit that a fetch from the remote, or the clone, last brought for this branch of it, by the log of the ref: not what a push
 * of ours or `git update-ref` moved it to. Absent: no log says so. */
struct str git_fetched(struct arena *a, struct str root, struct str branch);
/* The branch that work is merged into, for a configuration that names none: the target of origin/HEAD, else main or
 * master, local or at origin; main if none of them exists. */
struct str git_usual_base(struct arena *a, const struct repository *r);
/* The answer for a name that no commit can have is no. */
enum git_answer git_has_commit(struct arena *a, const struct repository *r, struct str commit,
			       struct err *err) MUST_CHECK;
/* Is it certain that from that time on no file that git tracks was changed, none came or went, and neither the index nor the rules of
 * what is ignored were changed? False: that is not certain. What is below log_dir may change. */
bool git_stayed(struct arena *a, const struct repository *r, struct str log_dir, int64_t since_ns);
/* Where HEAD is, to ask later whether it was at another commit since, also if it is back. */
struct head_mark {
	struct str commit;
	const char *log; /* its reflog */
	uint64_t log_bytes;
};
struct head_mark git_head_mark(struct arena *a, struct str root);
bool git_head_moved(struct arena *a, struct str root, const struct head_mark *m);
enum git_answer git_is_ancestor(struct arena *a, const struct repository *r, struct str commit, struct str of,
				struct err *err) MUST_CHECK;

/* The paths, relative to root, that git does not ignore; all of them where git can't tell. */
struct str_list git_not_ignored(struct arena *a, const struct repository *r, const struct str_list *paths);
/* The pattern by which git ignores the path, relative to root; absent: it does not ignore it, or can't tell. */
struct str git_ignored_by(struct arena *a, const struct repository *r, struct str path);
/* The files at or below the path (empty: all), whose content git does not have: changed or new, and not ignored. As `git status
 * --porcelain` has them, relative to the work tree: "?? new", " M changed". */
int git_unsaved(struct arena *a, const struct repository *r, struct str path, struct str_list *ret,
		struct err *err) MUST_CHECK;
/* Directories, relative to root, of which git ignores everything; none where there is no repository. */
int git_ignored_dirs(struct arena *a, const struct repository *r, struct str_list *ret,
		     struct err *err) MUST_CHECK;
/* The files below root that are in the index, sorted, without those in log_dir. */
int git_tracked_files(struct arena *a, const struct repository *r, struct str log_dir, struct str_list *ret,
		      struct err *err) MUST_CHECK;
/* Is the file in the index? */
enum git_answer git_tracks(struct arena *a, const struct repository *r, struct str path,
			   struct err *err) MUST_CHECK;
/* Makes git ignore the file: adds the pattern to info/exclude of the repository, which is not shared, unless git ignores the file
 * already. */
int git_ignore(struct arena *a, const struct repository *r, struct str path, const char *pattern,
	       struct err *err) MUST_CHECK;
/* Does the commit have, below these paths (NULL-terminated), exactly these files with the content that they have in the
 * working tree? All paths are relative to the root. A ref that does not exist is answered by no. */
enum git_answer git_commit_has(struct arena *a, const struct repository *r, struct str ref,
			       const char *const *below, const struct str_list *files,
			       struct err *err) MUST_CHECK;
/* The files that a commit has below these paths, all relative to the root; none where one of them is a link or a repository. */
int git_commit_files(struct arena *a, const struct repository *r, struct str commit, const char *const *below,
		     struct str_list *ret, struct err *err) MUST_CHECK;
/* Does the index, HEAD or the base branch have this file? Its path is relative to root. */
enum git_answer git_has_file(struct arena *a, const struct repository *r, struct str path, struct str base,
			     struct err *err) MUST_CHECK;

enum change_mode {
	CHANGES_LOCAL, /* from the merge base of HEAD and the base to the working tree, untracked files included */
	CHANGES_CI,          /* base...head */
	CHANGES_COMMIT,      /* the changes of one commit */
	CHANGES_UNCOMMITTED, /* staged, not staged, untracked */
	CHANGES_SINCE, /* all changes since a snapshot or commit, committed or not, untracked files included */
};
struct change_spec {
	enum change_mode mode;
	struct str base;        /* of LOCAL and CI */
	struct str head;        /* of CI; absent: HEAD */
	struct str commit;      /* of COMMIT and SINCE */
	struct str log_dir;     /* never part of the changes: relative to root, or absolute */
	struct str_list except; /* left out of a diff's text: a few files, relative to root */
	struct str_list only;   /* all that is in a diff's text; none: everything below its path */
	bool is_text; /* a diff shows the lines of every file, also of those that git takes for binary */
	/* Untracked files above CONTENT_LIMIT_BYTES are no changes: a snapshot does not have them. A diff never has them. */
	bool is_without_large;
};
/* A changed file as it was or is now. */
struct changed_file {
	struct str mode;   /* git's; absent: it does not exist */
	struct str object; /* git's name for its content; absent: not known */
};
struct change_list {
	struct str *items; /* relative to root, any bytes, sorted, each once; new and old name of a rename */
	size_t count;
	struct changed_file *files; /* one for each item */
	/* One for each item that was looked at on disk, else zeroed; NULL: none was. */
	struct fs_facts *facts;
	struct str commit;  /* the name of the commit that was compared with; absent: not known */
	struct str warning; /* such as that the base does not exist and what is used instead; absent: none */
	struct str base_used; /* for the log: a name, "uncommitted", "root" or "the empty tree" */
	/* Why every file that may differ counts as changed; absent: contents were compared. */
	struct str fallback_reason;
	size_t added, modified, deleted;
	/* Other tracked files that are on disk in another form than git shows; NULL: none are. */
	const struct change_list *unseen;
	struct str unseen_error; /* why that is not known */
};
/* Runs as few git processes as possible, in parallel. */
int git_changes(struct arena *a, const struct repository *r, const struct change_spec *spec,
		struct change_list *ret, struct err *err) MUST_CHECK;
/* What differs between two lists: files in one of them alone, or with another content. */
struct str_list git_differences(struct arena *a, const struct change_list *l, const struct change_list *r);
/* How many lines were added and removed. Git has to read every file that changed; lines of untracked files do not count,
 * unless the old side has the file, and neither do those of files that git can't compare. */
struct line_counts {
	uint64_t added, removed;
};
int git_count_lines(struct arena *a, const struct repository *r, const struct change_spec *spec,
		    struct line_counts *ret, struct err *err) MUST_CHECK;
/* Completes `files`, by asking git once. Objects are not stored. A file of more than CONTENT_LIMIT_BYTES is known by its size,
 * time and inode. Fails if there is a file whose content can't be known. */
int git_read_contents(struct arena *a, const struct repository *r, struct change_list *list,
		      struct err *err) MUST_CHECK;
/* The content of files, relative to the root, in a commit; absent where it has no such file. */
int git_read_texts(struct arena *a, const struct repository *r, struct str commit,
		   const struct str_list *paths, struct str *ret, struct err *err) MUST_CHECK;
/* Git knows the tree without files in every repository whose object names are SHA-1, though it is not stored. */
#define GIT_EMPTY_TREE "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
/* The full name of a branch: refs/remotes/origin/main for origin/main, else refs/heads/NAME. A tag of that name is never
 * meant. Names of objects stay. */
struct str git_branch_ref(struct arena *a, struct str name);
/* What changed, where HEAD is, and whether a commit is in the base, asked in parallel. */
struct repo_status_spec {
	struct change_spec changes;
	struct str commit, base; /* is the commit in the base? absent: not asked */
};
struct repo_status {
	struct change_list changes;
	struct git_head head;
	enum git_answer is_in_base;
	struct err in_base_err; /* why is_in_base is unknown */
	/* Files that git was told not to look at, by assume-unchanged, skip-worktree or a sparse checkout; some are gone. */
	struct str_list hidden;
	/* Each .gitignore next to tracked files that git neither tracks nor shows. */
	struct str_list own_rules;
};
/* What git ignores by rules that are new: in a .gitignore that the changes have or that hides itself, or, written since that time (0:
 * not known), in a file of the repository's own or of the user's. For people: the first path with its rule, and how many more there
 * are; absent: none, or that is not known. */
struct str git_newly_ignored(struct arena *a, const struct repository *r, const struct repo_status *s,
			     int64_t since_ns);
/* Was this file, which git was told not to look at and which is gone, left out by a sparse checkout before that time? */
bool git_was_left_out(struct arena *a, const struct repository *r, struct str path, int64_t time_ns);
int git_status(struct arena *a, const struct repository *r, const struct repo_status_spec *spec,
	       struct repo_status *ret, struct err *err) MUST_CHECK;

/* A commit of the working tree as it is, untracked files of at most CONTENT_LIMIT_BYTES included; head itself if that has the
 * same files. Index, stash and refs are not changed. Files that are in log_dir, outside root or unreadable are taken from the
 * index. If it fails, or we are killed, no objects remain. */
int git_snapshot(struct arena *a, const struct repository *r, const struct git_head *head, struct str log_dir,
		 struct str *ret_commit, struct err *err) MUST_CHECK;

/* A file whose change can't be read in a diff. */
struct hidden_file {
	struct str path; /* relative to root */
	const char *why; /* "binary" */
};
struct hidden_files {
	struct hidden_file *items;
	size_t count;
};
#define HIDDEN_LARGE "larger than 16 MiB"
#define HIDDEN_REPOSITORY "a repository of its own"

struct diff_text {
	struct str text;
	bool is_cut; /* there was more than the limit */
	struct hidden_files
		hidden; /* untracked files above CONTENT_LIMIT_BYTES, and untracked repositories */
};
/* The changes below `path` as text for reviewers: unified, prefixes a/ and b/, no colour, no external tools, untracked files
 * shown as new; at most limit bytes. */
int git_diff(struct arena *a, const struct repository *r, const struct change_spec *spec, struct str path,
	     size_t limit, struct diff_text *ret, struct err *err) MUST_CHECK;

/* The commits that were made in this work tree in a span of time, oldest first: by its own HEAD, on whatever branch. One that was
 * amended since is left out. */
struct made_commit {
	struct str hash, subject;
	int64_t time_us;       /* whole seconds */
	struct str_list files; /* relative to the top of the work tree; none of a merge */
	uint64_t added, removed;
};
int git_made_commits(struct arena *a, const struct repository *r, int64_t since_us, int64_t until_us,
		     struct made_commit **ret, size_t *ret_count, struct err *err) MUST_CHECK;

#endif
