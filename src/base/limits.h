/* SPDX-License-Identifier: MIT */
/* Every bound on something that grows, in one place, so that they can be weighed against each other. */
#ifndef BASE_LIMITS_H
#define BASE_LIMITS_H

#define KIB(n) ((size_t)(n) << 10)
#define MIB(n) ((size_t)(n) << 20)

/* An event: 1 MiB of it, and a last message of 16 MiB of which every byte is escaped by another. */
#define EVENT_LIMIT_BYTES MIB(1 + 2 * 16)
#define EVENT_DEADLINE_MS 5000

/* The keys and values of a document of so many bytes. Each takes about 100 bytes of memory, so that reading a document
 * takes a small multiple of its size. */
#define VALUES_LIMIT(bytes) (12288 + (bytes) / 24)
#define JSON_DEPTH_LIMIT 128
#define YAML_DEPTH_LIMIT 64
#define YAML_ALIAS_LIMIT 100

#define CONFIG_LIMIT_BYTES MIB(1)
/* Of what is wrong in configuration files, that much is listed. */
#define CONFIG_PROBLEM_LIMIT 500
/* Keys of a map that has any number of them. */
#define CONFIG_MAP_LIMIT 1000
/* Files in one directory of gates. */
#define GATE_FILES_LIMIT 1000
#define SETTINGS_LIMIT_BYTES MIB(8)
/* Ten thousand indented hooks have one for each 20 bytes. */
#define SETTINGS_VALUES_LIMIT(bytes) (12288 + (bytes) / 20)
/* The front matter of a Markdown file. */
#define FRONT_MATTER_LIMIT_BYTES KIB(256)
#define STATE_LIMIT_BYTES MIB(16)

/* A transcript is read from its end in chunks of the first, as far back as the second, and a line longer
 * than the third ends the search: it can't be told whether a user's prompt is in it. */
#define TRANSCRIPT_CHUNK_BYTES KIB(64)
#define TRANSCRIPT_SCAN_LIMIT_BYTES MIB(256)
#define TRANSCRIPT_LINE_LIMIT_BYTES MIB(16)

/* What is kept of one output stream of a command: its beginning and its end. */
#define CAPTURE_HEAD_BYTES KIB(64)
#define CAPTURE_TAIL_BYTES KIB(192)

/* What is kept of it on disk when an answer can't hold it. */
#define SPILL_LIMIT_BYTES MIB(256)

/* Of a gate's output, the end is at hand for the reason and the report; the rest is in its log. */
#define GATE_TAIL_BYTES KIB(16)

/* Of that log: what is written as it comes, and, of a gate that says more, what is kept of the end. */
#define GATE_LOG_LIMIT_BYTES MIB(64)
#define GATE_LOG_TAIL_BYTES KIB(256)
/* The results journal: beyond the first it is compacted, beyond the second it is not read. */
#define JOURNAL_COMPACT_BYTES KIB(256)
#define JOURNAL_LIMIT_BYTES MIB(64)
/* How much of a review's findings is read. */
#define REVIEW_LIMIT_BYTES MIB(16)
/* The changes of a review: what is read of them, what a reviewer is shown, and the prompt of one that takes it as an
 * argument, which Linux bounds. */
#define DIFF_READ_LIMIT_BYTES MIB(16)
#define DIFF_SHOWN_LIMIT_BYTES KIB(512)
#define PROMPT_ARGUMENT_LIMIT_BYTES KIB(120)
/* What is kept of a reviewer's output: its beginning and, since answers stand there, more of its end. Of that, what is
 * put beside its findings. */
#define ANSWER_HEAD_BYTES KIB(512)
#define ANSWER_TAIL_BYTES MIB(3)
#define ANSWER_RAW_BYTES MIB(1)
/* More reviews of one kind than anybody wants. */
#define REVIEW_SLOTS_LIMIT 64

/* What git may answer to one question: the names of a million files. An index of that many is read, too. */
#define GIT_OUTPUT_LIMIT_BYTES MIB(128)
#define GIT_INDEX_LIMIT_BYTES MIB(512)

/* Texts that holdfast composes for the model stay below 9,000 bytes; a user's own prompt or message is never cut.
 * Of a command that is named in one there is at most the second. */
#define REASON_LIMIT_BYTES 8999
#define COMMAND_SHOWN_BYTES 1000

/* How far up a project is looked for when no repository bounds the search, and how far up a repository is. */
#define PROJECT_LEVELS 12
#define REPOSITORY_LEVELS 64

#define PATH_LIMIT_BYTES 4096

/* More open files than a client hands down, for kernels that can't close them all at once. */
#define DESCRIPTORS_MOST 4096

#endif
