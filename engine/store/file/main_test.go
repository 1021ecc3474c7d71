package file_test

import (
	"os"
	"testing"

	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/engine/store/file"
	"github.com/luahook/luahook/engine/store/storetest"
)

func TestMain(m *testing.M) {
	storetest.Child(func(where string) (store.Store, error) { return file.New(where), nil })
	os.Exit(m.Run())
}
