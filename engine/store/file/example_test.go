package file_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/engine/store/file"
)

func ExampleNew() {
	folder, err := os.MkdirTemp("", "store")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)

	s := file.New(filepath.Join(folder, "store.db"))
	defer s.Close()
	ctx, builds := context.Background(), store.Space{Name: "builds", MaxKeys: 1000, MaxBytes: 1 << 20}
	if err := s.Set(ctx, builds, "last", []byte("green"), time.Hour); err != nil {
		fmt.Println(err)
		return
	}
	n, err := s.Incr(ctx, builds, "count", 1, store.Keep)
	fmt.Println(n, err)
	keys, err := s.List(ctx, builds, "")
	fmt.Println(keys, err)
	// Output:
	// 1 <nil>
	// [count last] <nil>
}
