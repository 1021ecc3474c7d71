package audit_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/engine/internal/ownfile"
)

// TestMain makes the test binary a writer where the environment says so: so many records
// to a folder, 0 for no end.
func TestMain(m *testing.M) {
	dir := os.Getenv("AUDIT_TEST_DIR")
	if dir == "" {
		os.Exit(m.Run())
	}
	count, _ := strconv.Atoi(os.Getenv("AUDIT_TEST_COUNT"))
	size, _ := strconv.ParseInt(os.Getenv("AUDIT_TEST_SIZE"), 10, 64)
	limitFiles()
	l, err := audit.Open(dir, audit.Options{MaxBytes: size, MaxFiles: 1000, Wait: time.Minute})
	for i := 0; err == nil && (count == 0 || i < count); i++ {
		err = l.Append(context.Background(), audit.Record{Kind: audit.KindNote, Session: os.Getenv("AUDIT_TEST_NAME"), Note: "count", Data: map[string]any{"i": i}, Text: "some text that makes the line longer than a few bytes"})
		if i == 0 {
			fmt.Println("begun") // the parent waits for it
		}
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(0)
}

func lockOf(file string) (unlock func() error, err error) {
	return ownfile.Lock(context.Background(), file, time.Second)
}
