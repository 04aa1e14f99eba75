/* SPDX-License-Identifier: MIT */
/* Runs a command and writes the peak of its resident memory, in KiB, to a file.
 *
 *     peak FILE COMMAND [ARGUMENT]...
 *
 * Small on purpose: the kernel begins to count a child's peak at the size of its parent. */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	struct rusage usage;
	int status;

	if (argc < 3)
		return 125;
	pid_t pid = fork();

	if (pid == 0) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &usage) < 0)
		return 126;
	FILE *f = fopen(argv[1], "w");

	if (!f || fprintf(f, "%ld\n", usage.ru_maxrss) < 0 || fclose(f) != 0)
		return 126;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
