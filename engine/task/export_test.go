package task

import "testing"

// LimitFile lets a file have so many bytes while a test runs.
func LimitFile(t *testing.T, bytes int64) {
	maxBytes = bytes
	t.Cleanup(func() { maxBytes = 0 })
}
