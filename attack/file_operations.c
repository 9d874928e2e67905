/* What does a process do to the files below one folder (or to it), and what if it dies in between?
 *
 * Preloaded into the program (LD_PRELOAD).  Every operation that changes a file below
 * ATTACK_FOLDER, or makes a change durable, is counted; if ATTACK_LOG names a file, the operation
 * is also appended to it, and if ATTACK_KILL is a number, the process is killed just before the
 * operation of that number (from 1).
 *
 * A line of the log is a header of seven fields, the path, the second path and the data:
 *   operation (1 byte), then offset, length, path length, second path length, data length, inode
 *   (8 bytes each, of this machine).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { WRITE = 'w', TRUNCATE = 't', SYNC = 's', RENAME = 'r', UNLINK = 'u', CREATE = 'c', LINK = 'l' };

static const char *folder, *log_path;
static long kill_at, count;
static int log_file = -1;
static int is_ready;

static void prepare(void) {
    if (is_ready) return;
    is_ready = 1;
    folder = getenv("ATTACK_FOLDER");
    log_path = getenv("ATTACK_LOG");
    const char *number = getenv("ATTACK_KILL");
    kill_at = number ? atol(number) : 0;
}

static int is_below(const char *path) {
    prepare();
    if (!folder || !path) return 0;
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == 0 || path[length] == '/');
}

static int path_of(int fd, char *path) {
    char link[64];
    prepare();
    if (!folder || fd < 0 || fd == log_file) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return is_below(path);
}

static void note(char operation, const char *path, const char *second, int64_t offset,
                 int64_t length, const void *data, int64_t data_length, int64_t inode) {
    int before = errno;
    long number = __sync_add_and_fetch(&count, 1);
    if (kill_at && number >= kill_at) kill(getpid(), SIGKILL);
    if (log_path) {
        if (log_file < 0)
            log_file = syscall(SYS_openat, AT_FDCWD, log_path,
                               O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
        int64_t numbers[6] = {offset, length, strlen(path), strlen(second), data_length, inode};
        struct iovec parts[5] = {{&operation, 1},
                                 {numbers, sizeof numbers},
                                 {(void *)path, strlen(path)},
                                 {(void *)second, strlen(second)},
                                 {(void *)data, data_length}};
        if (syscall(SYS_writev, log_file, parts, 5) < 0) abort();
    }
    errno = before;
}

static int64_t inode_of(int fd) {
    struct stat about;
    return fstat(fd, &about) ? 0 : (int64_t)about.st_ino;
}

static int64_t inode_at(const char *path) {
    struct stat about;
    return lstat(path, &about) ? 0 : (int64_t)about.st_ino;
}

static void absolute(int dir, const char *name, char *path) {
    char base[PATH_MAX] = "";
    if (name[0] == '/') {
        snprintf(path, PATH_MAX, "%s", name);
        return;
    }
    if (dir == AT_FDCWD) {
        if (!getcwd(base, sizeof base)) base[0] = 0;
    } else {
        char link[64];
        snprintf(link, sizeof link, "/proc/self/fd/%d", dir);
        ssize_t length = readlink(link, base, sizeof base - 1);
        base[length < 0 ? 0 : length] = 0;
    }
    snprintf(path, PATH_MAX, "%s/%s", base, name);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static void note_write(int fd, const void *data, int64_t length, int64_t offset) {
    char path[PATH_MAX];
    if (path_of(fd, path)) note(WRITE, path, "", offset, length, data, length, inode_of(fd));
}

static int64_t position(int fd) {
    if (fcntl(fd, F_GETFL) & O_APPEND) return lseek(fd, 0, SEEK_END);
    return lseek(fd, 0, SEEK_CUR);
}

ssize_t write(int fd, const void *data, size_t length) {
    char path[PATH_MAX];
    if (path_of(fd, path)) note_write(fd, data, length, position(fd));
    return NEXT(write)(fd, data, length);
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) {
    note_write(fd, data, length, offset);
    return NEXT(pwrite)(fd, data, length, offset);
}

ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) {
    note_write(fd, data, length, offset);
    return NEXT(pwrite64)(fd, data, length, offset);
}

/* Copies inside the kernel have no data here; the program then falls back to write(). */
ssize_t sendfile(int to, int from, off_t *offset, size_t length) {
    char path[PATH_MAX];
    if (path_of(to, path)) {
        errno = ENOTSOCK;
        return -1;
    }
    return NEXT(sendfile)(to, from, offset, length);
}
ssize_t sendfile64(int to, int from, off64_t *offset, size_t length) {
    return sendfile(to, from, offset, length);
}
ssize_t copy_file_range(int from, off64_t *start, int to, off64_t *end, size_t length, unsigned flags) {
    char path[PATH_MAX];
    if (path_of(to, path)) {
        errno = EXDEV;
        return -1;
    }
    return NEXT(copy_file_range)(from, start, to, end, length, flags);
}

static void note_truncate(int fd, int64_t length) {
    char path[PATH_MAX];
    if (path_of(fd, path)) note(TRUNCATE, path, "", 0, length, "", 0, inode_of(fd));
}
int ftruncate(int fd, off_t length) {
    note_truncate(fd, length);
    return NEXT(ftruncate)(fd, length);
}
int ftruncate64(int fd, off64_t length) {
    note_truncate(fd, length);
    return NEXT(ftruncate64)(fd, length);
}

static void note_sync(int fd) {
    char path[PATH_MAX];
    if (path_of(fd, path)) note(SYNC, path, "", 0, 0, "", 0, inode_of(fd));
}
int fsync(int fd) {
    int result = NEXT(fsync)(fd);
    if (!result) note_sync(fd);
    return result;
}
int fdatasync(int fd) {
    int result = NEXT(fdatasync)(fd);
    if (!result) note_sync(fd);
    return result;
}

static void note_rename(int from_dir, const char *from, int to_dir, const char *to, char operation) {
    char old[PATH_MAX], new[PATH_MAX];
    absolute(from_dir, from, old);
    absolute(to_dir, to, new);
    if (is_below(new) || is_below(old)) note(operation, old, new, 0, 0, "", 0, inode_at(old));
}
int rename(const char *from, const char *to) {
    note_rename(AT_FDCWD, from, AT_FDCWD, to, RENAME);
    return NEXT(rename)(from, to);
}
int renameat(int from_dir, const char *from, int to_dir, const char *to) {
    note_rename(from_dir, from, to_dir, to, RENAME);
    return NEXT(renameat)(from_dir, from, to_dir, to);
}
int link(const char *from, const char *to) {
    note_rename(AT_FDCWD, from, AT_FDCWD, to, LINK);
    return NEXT(link)(from, to);
}
int linkat(int from_dir, const char *from, int to_dir, const char *to, int flags) {
    note_rename(from_dir, from, to_dir, to, LINK);
    return NEXT(linkat)(from_dir, from, to_dir, to, flags);
}
static void note_unlink(int dir, const char *name) {
    char path[PATH_MAX];
    absolute(dir, name, path);
    if (is_below(path)) note(UNLINK, path, "", 0, 0, "", 0, inode_at(path));
}
int unlink(const char *name) {
    note_unlink(AT_FDCWD, name);
    return NEXT(unlink)(name);
}
int unlinkat(int dir, const char *name, int flags) {
    note_unlink(dir, name);
    return NEXT(unlinkat)(dir, name, flags);
}

/* A file that opening makes, or empties. */
static int open_and_note(int dir, const char *name, int flags, mode_t mode) {
    char path[PATH_MAX];
    int is_ours = 0, was_there = 0;
    if (flags & (O_CREAT | O_TRUNC)) {
        absolute(dir, name, path);
        is_ours = is_below(path) && !(flags & O_DIRECTORY);
        was_there = is_ours && inode_at(path) != 0;
    }
    int fd = syscall(SYS_openat, dir, name, flags, mode);
    if (fd >= 0 && is_ours) {
        if (!was_there) note(CREATE, path, "", 0, 0, "", 0, inode_of(fd));
        else if (flags & O_TRUNC) note(TRUNCATE, path, "", 0, 0, "", 0, inode_of(fd));
    }
    return fd;
}

#include <stdarg.h>
#define MODE(last)                                    \
    mode_t mode = 0;                                  \
    if (flags & (O_CREAT | __O_TMPFILE)) {            \
        va_list more;                                 \
        va_start(more, last);                         \
        mode = va_arg(more, int);                     \
        va_end(more);                                 \
    }

int open(const char *name, int flags, ...) {
    MODE(flags)
    return open_and_note(AT_FDCWD, name, flags, mode);
}
int open64(const char *name, int flags, ...) {
    MODE(flags)
    return open_and_note(AT_FDCWD, name, flags | O_LARGEFILE, mode);
}
int openat(int dir, const char *name, int flags, ...) {
    MODE(flags)
    return open_and_note(dir, name, flags, mode);
}
int openat64(int dir, const char *name, int flags, ...) {
    MODE(flags)
    return open_and_note(dir, name, flags | O_LARGEFILE, mode);
}
