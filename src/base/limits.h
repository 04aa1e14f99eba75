/* SPDX-License-Identifier: MIT */
/* Every limit on something that grows, in one file, so that they can be compared. */
#ifndef BASE_LIMITS_H
#define BASE_LIMITS_H

#define KIB(n) ((size_t)(n) << 10)
#define MIB(n) ((size_t)(n) << 20)

/* An event: 1 MiB, and a last message of 16 MiB in which every byte is escaped. */
#define EVENT_LIMIT_BYTES MIB(1 + 2 * 16)
#define EVENT_DEADLINE_MS 5000

/* Keys and values in a document of this size. Each takes about 100 bytes, so that a document in memory takes a small multiple
 * of its size. */
#define VALUES_LIMIT(bytes) (12288 + (bytes) / 24)
/* The same for a configuration file, whose values are short: 2,000 entry points with all their keys have 26,000. */
#define YAML_VALUES_LIMIT(bytes) (28672 + (bytes) / 24)
#define JSON_DEPTH_LIMIT 128
#define YAML_DEPTH_LIMIT 64
#define YAML_ALIAS_LIMIT 100

#define CONFIG_LIMIT_BYTES MIB(1)
/* Listed problems of configuration files. */
#define CONFIG_PROBLEM_LIMIT 500
/* Keys of a map with free keys. */
#define CONFIG_MAP_LIMIT 1000
/* Objects in a list, such as commands: each takes far more room than its text. */
#define CONFIG_OBJECTS_LIMIT 10000
/* Files in one directory of gates. */
#define GATE_FILES_LIMIT 1000
/* All files that define what runs in a project. */
#define DEFINITIONS_LIMIT 2000
#define DEFINITIONS_LIMIT_BYTES MIB(16)
#define SETTINGS_LIMIT_BYTES MIB(8)
/* Settings with ten thousand indented hooks have one value per 20 bytes. */
#define SETTINGS_VALUES_LIMIT(bytes) (12288 + (bytes) / 20)
/* The front matter of a Markdown file. */
#define FRONT_MATTER_LIMIT_BYTES KIB(256)
#define STATE_LIMIT_BYTES MIB(16)

/* A transcript is read backwards in chunks of the first, no further than the second. A line longer than the third ends the
 * search: it may contain a user's prompt. */
#define TRANSCRIPT_CHUNK_BYTES KIB(64)
#define TRANSCRIPT_SCAN_LIMIT_BYTES MIB(256)
#define TRANSCRIPT_LINE_LIMIT_BYTES MIB(16)

/* The start and the end of a command's output that are kept in memory. */
#define CAPTURE_HEAD_BYTES KIB(64)
#define CAPTURE_TAIL_BYTES KIB(192)

/* The output on disk, if it is too long for an answer. */
#define SPILL_LIMIT_BYTES MIB(256)

/* The end of a gate's output in memory, for the reason and the report; all of it is in the log. */
#define GATE_TAIL_BYTES KIB(16)

/* The log: the first bytes, and the last ones if there are more. */
#define GATE_LOG_LIMIT_BYTES MIB(64)
#define GATE_LOG_TAIL_BYTES KIB(256)
/* The results journal: beyond the first it is compacted, beyond the second it is not read. */
#define JOURNAL_COMPACT_BYTES KIB(256)
#define JOURNAL_LIMIT_BYTES MIB(64)
/* A review file. */
#define REVIEW_LIMIT_BYTES MIB(16)
/* The diff of a review: as read, as shown to a reviewer; and a prompt that is passed as an argument, which Linux limits. */
#define DIFF_READ_LIMIT_BYTES MIB(16)
#define DIFF_SHOWN_LIMIT_BYTES KIB(512)
#define PROMPT_ARGUMENT_LIMIT_BYTES KIB(120)
/* The start and the end of a reviewer's output; the answer is usually at the end. The third is kept with its findings. */
#define ANSWER_HEAD_BYTES KIB(512)
#define ANSWER_TAIL_BYTES MIB(3)
#define ANSWER_RAW_BYTES MIB(1)
/* More than is ever useful. */
#define REVIEW_SLOTS_LIMIT 64

/* An answer of git, and its index: enough for a million files. */
#define GIT_OUTPUT_LIMIT_BYTES MIB(128)
/* Of a changed file that is read to learn whether it changed again. A larger one is known by size, time and inode; if it is
 * untracked, it is neither shown to reviewers nor copied into a snapshot. */
#define CONTENT_LIMIT_BYTES MIB(16)
#define GIT_INDEX_LIMIT_BYTES MIB(512)
/* From about 400 files on, it is worth an index of our own. */
#define OWN_INDEX_LEAST_BYTES KIB(32)

/* Of guards.tests: a file that is compared with what it was, and how many of them. */
#define TESTS_FILE_BYTES MIB(2)
#define TESTS_FILES_LIMIT 2000

/* Texts that holdfast composes for the model stay below 9,000 bytes; a user's own prompt or message is never cut. The second is
 * for a command shown in such a text. */
#define REASON_LIMIT_BYTES 8999
#define COMMAND_SHOWN_BYTES 1000

/* A message to `holdfast mcp`, and the text of a run in its answer. A page of a log: unless another size is asked for, and at
 * most. */
#define MESSAGE_LIMIT_BYTES MIB(4)
#define RUN_TEXT_BYTES KIB(24)
#define LOG_PAGE_BYTES KIB(16)
#define LOG_PAGE_LIMIT_BYTES KIB(64)

/* How many parent directories are searched for a project outside a repository, and for a repository. */
#define PROJECT_LEVELS 12
#define REPOSITORY_LEVELS 64

#define PATH_LIMIT_BYTES 4096

/* A command line that an agent wants to run, with here-documents; how deeply it may be nested, through commands such as `bash -c`
 * too; its words and parts; and the commands that it comes to, which loops multiply. */
#define SHELL_LIMIT_BYTES MIB(1)
#define SHELL_DEPTH_LIMIT 64
#define SHELL_NODES_LIMIT 30000
#define SHELL_COMMANDS_LIMIT 2000
#define SHELL_STEPS_LIMIT 20000
#define SHELL_EXPANDED_LIMIT_BYTES MIB(16)
/* Of all scripts and recipes that a line runs. */
#define SHELL_SCRIPT_STEPS_LIMIT 10000
#define SHELL_SCRIPT_LIMIT_BYTES MIB(4)

/* More descriptors than a client passes on, for kernels without close_range(). */
#define DESCRIPTORS_MAX 4096

#endif
