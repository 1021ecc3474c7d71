/* Runs a command and prints its processor time, its waited-for children's included, in microseconds, its peak of
   resident memory in bytes, and its exit status.

     spawn INPUT OUTPUT COMMAND [ARGUMENT...]

   What a process costs at its start depends on the one that starts it: a copy of a large parent is charged to the
   child, and so is its memory. This program has next to none, and posix_spawn copies nothing. */

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

extern char **environ;

static int failed(const char *what, int error)
{
	fprintf(stderr, "spawn: %s: %s\n", what, strerror(error));
	return 1;
}

static long long microseconds(struct timeval t) { return t.tv_sec * 1000000LL + t.tv_usec; }

int main(int argc, char **argv)
{
	posix_spawn_file_actions_t files;
	struct rusage usage;
	pid_t pid;
	int error, status;

	if (argc < 4) {
		fprintf(stderr, "usage: spawn INPUT OUTPUT COMMAND [ARGUMENT...]\n");
		return 1;
	}
	if ((error = posix_spawn_file_actions_init(&files)) != 0 ||
	    (error = posix_spawn_file_actions_addopen(&files, 0, argv[1], O_RDONLY, 0)) != 0 ||
	    (error = posix_spawn_file_actions_addopen(&files, 1, argv[2], O_WRONLY | O_CREAT | O_TRUNC, 0644)) != 0 ||
	    (error = posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0)) != 0 ||
	    (error = posix_spawn(&pid, argv[3], &files, NULL, argv + 3, environ)) != 0)
		return failed(argv[3], error);
	if (wait4(pid, &status, 0, &usage) < 0) {
		perror("spawn: wait4");
		return 1;
	}
#ifdef __APPLE__ /* which counts in bytes */
	long long peak = usage.ru_maxrss;
#else
	long long peak = usage.ru_maxrss * 1024LL;
#endif
	printf("%lld %lld %d\n", microseconds(usage.ru_utime) + microseconds(usage.ru_stime), peak, WIFEXITED(status) ? WEXITSTATUS(status) : -1);
	return 0;
}
