//go:build !unix

package engine_test

import "os"

// mkfifo makes something that is no regular file either.
func mkfifo(path string) error { return os.Mkdir(path, 0o700) }
