package luahook

import (
	"embed"
	"io/fs"
)

//go:embed testdata/hooks/cookbook
var cookbook embed.FS

// Cookbook returns the hooks of the cookbook. Each is a file NAME.lua whose first line is a comment that says what it is for,
// with its test, NAME_test.lua. If it needs something of hooks.yaml, NAME.yaml is a hooks.yaml with that.
func Cookbook() fs.FS {
	folder, err := fs.Sub(cookbook, "testdata/hooks/cookbook")
	if err != nil {
		panic(err) // the path isn't one: a mistake in this file
	}
	return folder
}
