//go:build linux || darwin

package audit_test

import (
	"os"
	"os/signal"
	"strconv"
	"syscall"
)

// limitFiles lets no file grow above AUDIT_TEST_LIMIT bytes, as on a full disk.
func limitFiles() {
	limit, _ := strconv.ParseUint(os.Getenv("AUDIT_TEST_LIMIT"), 10, 64)
	if limit == 0 {
		return
	}
	signal.Ignore(syscall.SIGXFSZ)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
		panic(err)
	}
}

func init() {
	plants["pipe"] = func(at, _ string) error { return syscall.Mkfifo(at, 0o600) }
}
