/* SPDX-License-Identifier: MIT */
/* The follow-up queue in SQLite. The journal mode stays rollback: with short-lived processes a write-ahead log grows without
 * limit. A damaged file is reported and never changed. Processes of ours take turns by a lock on the database's directory, in which
 * they sleep; SQLite's own lock, which can only be tried again and again, is for other programs. */
#include "store/queue.h"

#include "os/clock.h"
#include "os/env.h"
#include "os/fd.h"
#include "os/fs.h"
#include "os/locked.h"

#include <errno.h>

#include <sqlite3.h>

#define TABLE                                                  \
	"CREATE TABLE IF NOT EXISTS prompt_prefix_sessions ("  \
	" session_id TEXT NOT NULL PRIMARY KEY,"               \
	" initial_prompt VARCHAR(100) NOT NULL,"               \
	" queue_position INTEGER NOT NULL DEFAULT 0,"          \
	" times_remaining INTEGER NOT NULL DEFAULT 1,"         \
	" created_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP," \
	" updated_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP)"

/* The pause between two attempts is random, so that no process always loses. */
#define TRY_MS 1
#define TRY_MORE_MS 4
/* How often one that waits for its turn looks whether there is progress. Each look costs the kernel a search among all who wait. */
#define LOOK_MS 1000

/* Waits for the lock until `until_ms`, or until no process has written for `patience_ms`. */
struct patience {
	const char *path;
	int64_t patience_ms, until_ms;
	int64_t since_ms, written_at; /* when the last change was seen, and the file's time then */
};

struct queue {
	sqlite3 *db;
	int turn; /* the directory, locked; -1: not */
	struct patience patience;
	struct str session;
	struct arena *arena;
};

static void
close_db(sqlite3 **db)
{
	(void)sqlite3_close(*db);
	*db = NULL;
}

static void
close_statement(sqlite3_stmt **s)
{
	(void)sqlite3_finalize(*s);
}

static int
fail(sqlite3 *db, struct err *err)
{
	int code = sqlite3_extended_errcode(db);

	return err_set(err, (code & 0xff) == SQLITE_BUSY ? ERR_BUSY : ERR_SYS, "%s", sqlite3_errmsg(db));
}

struct str
queue_path(struct arena *a, struct str configured, struct str config_dir)
{
	struct str home = env_home(a);

	if (env_has("CONCLAUDE_DATA_DIR"))
		return path_join(a, env_get("CONCLAUDE_DATA_DIR"), STR("conclaude.db"));
	if (configured.n > 0) {
		struct str path = configured;

		if (str_starts(path, STR("~/")) && !home.s)
			return STR_NONE;
		if (str_starts(path, STR("~/")))
			path = path_join(a, home, str_rest(path, 2));
		else
			path = path_from(a, config_dir, path);
		return fs_kind(path.s) == FS_DIR ? path_join(a, path, STR("conclaude.db")) : path;
	}
	struct str data = env_xdg(a, "XDG_DATA_HOME", ".local/share");

	return data.s ? path_join(a, data, STR("conclaude/conclaude.db")) : STR_NONE;
}

static struct patience
patience(const char *path, int64_t patience_ms, int64_t most_ms)
{
	int64_t now = clock_mono_ms();

	return (struct patience){ path, patience_ms, now + most_ms, now, fs_written_at(path) };
}

/* 0: no more; else how long to wait before the next look at the file. */
static int64_t
wait_ms(void *context)
{
	struct patience *p = context;
	int64_t now = clock_mono_ms(), written_at = fs_written_at(p->path);

	if (written_at != p->written_at) {
		p->since_ms = now;
		p->written_at = written_at;
	}
	int64_t until = p->since_ms + p->patience_ms;

	if (until > p->until_ms)
		until = p->until_ms;
	return until <= now ? 0 : until - now < LOOK_MS ? until - now : LOOK_MS;
}

/* Waits for the processes of ours that are before us. Without such a lock SQLite's decides alone: -1. */
static int
take_turn(struct arena *a, struct patience *p)
{
	struct str dir = path_parent(str_from(p->path));
	int fd = -1;

	if (dir.s && fs_open_dir(str_copy(a, dir).s, &fd, IGNORED) == 0 &&
	    lock_take(fd, wait_ms, p, IGNORED) < 0)
		fd_close(&fd);
	return fd;
}

/* SQLite's busy handler. */
static int
try_again(void *context, int tries)
{
	struct patience *p = context;

	if (tries == 0)
		p->since_ms = clock_mono_ms();
	if (wait_ms(p) == 0)
		return 0;
	(void)sqlite3_sleep(TRY_MS + (int)(clock_real_us() % TRY_MORE_MS));
	return 1;
}

static int
open_db(struct patience *p, sqlite3 **ret, struct err *err)
{
	CLEANUP(close_db) sqlite3 *db = NULL;

	if (sqlite3_open_v2(p->path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
		return db ? fail(db, err) : err_set(err, ERR_SYS, "no memory for the database");
	(void)sqlite3_busy_handler(db, try_again, p);
	/* The file may come from a repository: what its schema says is not run. */
	if (sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL) != SQLITE_OK ||
	    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL) != SQLITE_OK ||
	    sqlite3_exec(db, "PRAGMA synchronous=NORMAL", NULL, NULL, NULL) != SQLITE_OK)
		return fail(db, err);
	*ret = db;
	db = NULL;
	return 0;
}

static int
bind_text(sqlite3_stmt *s, int at, struct str x)
{
	return sqlite3_bind_text64(s, at, x.s ? x.s : "", x.n, SQLITE_STATIC, SQLITE_UTF8);
}

/* ?1 is the session, ?2 to ?4 are of the row, ?5 is the time. A statement need not use all of them. */
static int
write_row(struct arena *a, sqlite3 *db, const char *sql, struct str session, const struct queue_row *row,
	  struct err *err)
{
	CLEANUP(close_statement) sqlite3_stmt *s = NULL;
	struct str now = clock_format_micros(a, clock_real_us());

	if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK || bind_text(s, 1, session) != SQLITE_OK ||
	    bind_text(s, 2, row->prompt) != SQLITE_OK ||
	    sqlite3_bind_int64(s, 3, row->position) != SQLITE_OK ||
	    sqlite3_bind_int64(s, 4, row->remaining) != SQLITE_OK || bind_text(s, 5, now) != SQLITE_OK ||
	    sqlite3_step(s) != SQLITE_DONE || sqlite3_reset(s) != SQLITE_OK)
		return fail(db, err);
	return 0;
}

int
queue_add(struct arena *a, struct str path, struct str session, const struct queue_row *row, struct err *err)
{
	CLEANUP(close_db) sqlite3 *db = NULL;
	struct patience p = patience(path.s, QUEUE_PROMPT_MS, QUEUE_PROMPT_MOST_MS);

	if (str_find_char(session, '\0') >= 0)
		return err_set(err, ERR_VALUE, "the session id contains a NUL byte");
	if (fs_make_parents(a, path, 0700, err) < 0)
		return -1;
	/* It contains what the user typed, so no other user may read it, whatever the umask. */
	if (fs_kind(path.s) == FS_NOTHING && fs_create(path.s, STR(""), 0600, err) < 0 && err->sys != EEXIST)
		return -1;
	CLEANUP(fd_close) int turn = take_turn(a, &p);

	if (open_db(&p, &db, err) < 0)
		return -1;
	if (sqlite3_exec(db, TABLE, NULL, NULL, NULL) != SQLITE_OK)
		return fail(db, err);
	return write_row(a, db,
			 "INSERT OR IGNORE INTO prompt_prefix_sessions (session_id, initial_prompt,"
			 " queue_position, times_remaining, created_at, updated_at)"
			 " VALUES (?1, ?2, ?3, ?4, ?5, ?5)",
			 session, row, err);
}

static bool
has_table(sqlite3 *db)
{
	CLEANUP(close_statement) sqlite3_stmt *s = NULL;

	return sqlite3_prepare_v2(db,
				  "SELECT 1 FROM sqlite_schema WHERE type = 'table'"
				  " AND name = 'prompt_prefix_sessions'",
				  -1, &s, NULL) == SQLITE_OK &&
	       sqlite3_step(s) == SQLITE_ROW;
}

/* 1; 0: there is none. */
static int
select_row(struct queue *q, struct queue_row *ret, struct err *err)
{
	CLEANUP(close_statement) sqlite3_stmt *s = NULL;

	if (sqlite3_prepare_v2(q->db,
			       "SELECT initial_prompt, queue_position, times_remaining"
			       " FROM prompt_prefix_sessions WHERE session_id = ?1",
			       -1, &s, NULL) != SQLITE_OK ||
	    bind_text(s, 1, q->session) != SQLITE_OK)
		return fail(q->db, err);
	int step = sqlite3_step(s);

	if (step == SQLITE_DONE)
		return 0;
	if (step != SQLITE_ROW)
		return fail(q->db, err);
	const char *prompt = (const char *)sqlite3_column_text(s, 0);

	ret->prompt = str_copy(q->arena, (struct str){ prompt, (size_t)sqlite3_column_bytes(s, 0) });
	ret->position = sqlite3_column_int64(s, 1);
	ret->remaining = sqlite3_column_int64(s, 2);
	return 1;
}

int
queue_open(struct arena *a, const struct queue_key *key, struct queue **ret, struct queue_row *ret_row,
	   struct err *err)
{
	CLEANUP(queue_close) struct queue *q = NULL;
	int count;

	*ret = NULL;
	if (fs_kind(key->path.s) == FS_NOTHING && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	q = arena_new(a, struct queue);
	*q = (struct queue){
		.patience = patience(key->path.s, QUEUE_STOP_MS, key->wait_ms),
		.turn = -1,
		.session = key->session,
		.arena = a,
	};
	if (open_db(&q->patience, &q->db, err) < 0)
		return -1;
	count = select_row(q, ret_row, err);
	if (count <= 0)
		return count < 0 && has_table(q->db) ? -1 : 0;
	/* Now that there is something to write: no other process may write between our read and our update. */
	q->turn = take_turn(a, &q->patience);
	if (sqlite3_exec(q->db, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK)
		return fail(q->db, err);
	count = select_row(q, ret_row, err);
	if (count <= 0)
		return count;
	*ret = q;
	q = NULL;
	return 0;
}

int
queue_advance(struct queue *q, const struct queue_row *row, struct err *err)
{
	if (write_row(q->arena, q->db,
		      "UPDATE prompt_prefix_sessions SET queue_position = ?3, times_remaining = ?4,"
		      " updated_at = ?5 WHERE session_id = ?1",
		      q->session, row, err) < 0)
		return -1;
	return sqlite3_exec(q->db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK ? 0 : fail(q->db, err);
}

void
queue_close(struct queue **q)
{
	/* Closing rolls back an open transaction. */
	if (*q) {
		close_db(&(*q)->db);
		fd_close(&(*q)->turn);
	}
	*q = NULL;
}

int
queue_probe(struct arena *a, struct str path, struct err *err)
{
	CLEANUP(close_db) sqlite3 *db = NULL;
	struct patience p = patience(path.s, QUEUE_PROMPT_MS, QUEUE_PROMPT_MS);

	if (fs_kind(path.s) == FS_NOTHING) {
		struct str dir = path_parent(path);

		while (dir.n > 0 && fs_kind(str_copy(a, dir).s) == FS_NOTHING)
			dir = path_parent(dir);
		const char *nearest = str_copy(a, dir).s;

		if (dir.n > 0 && fs_kind(nearest) == FS_DIR && fs_is_writable(nearest))
			return 0;
		return err_set(err, ERR_SYS, "nothing can be created in '" STR_FMT "'", STR_ARG(dir));
	}
	if (open_db(&p, &db, err) < 0)
		return -1;
	if (sqlite3_db_readonly(db, "main") == 1)
		return err_set(err, ERR_SYS, "the file is read-only");
	if (sqlite3_exec(db, "BEGIN IMMEDIATE; ROLLBACK", NULL, NULL, NULL) != SQLITE_OK)
		return fail(db, err);
	return 0;
}
