package lib

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/internal/openfile"
	"github.com/luahook/luahook/luabind"
)

func listFolder(c call) int {
	c.needRead()
	p := rootPlace
	if c.Get(1) != lua.LNil {
		p = c.place(1)
	}
	entries, err := inProject(c, p, func(ctx context.Context, root *os.Root, name string) ([]fs.DirEntry, error) {
		var all []fs.DirEntry
		err := eachEntry(ctx, root, name, func(e fs.DirEntry) error {
			if all = append(all, e); len(all) > maxEntries {
				return fmt.Errorf("it holds more than %d entries", maxEntries)
			}
			return nil
		})
		return all, err
	})
	if err != nil {
		return c.failed(err)
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	meter := luabind.Meter{L: c.LState}
	t := c.list(len(entries))
	for _, e := range entries {
		meter.Add(10, entryBytes+len(e.Name()))
		entry := c.CreateTable(0, 2)
		entry.RawSetString("name", lua.LString(e.Name()))
		entry.RawSetString("type", lua.LString(typeName(e.Type())))
		t.Append(entry)
	}
	meter.Flush()
	return c.give(t)
}

// eachEntry calls f with what is in a folder, in no order, until that fails.
func eachEntry(ctx context.Context, root *os.Root, name string, f func(fs.DirEntry) error) error {
	if info, err := root.Stat(name); err != nil {
		return err
	} else if !info.IsDir() {
		return errors.New("it is no folder")
	}
	dir, err := openfile.FolderIn(root, name)
	if err != nil {
		return err
	}
	defer func() { _ = dir.Close() }()
	for {
		entries, err := dir.ReadDir(256)
		for _, e := range entries {
			if err := f(e); err != nil {
				return err
			}
		}
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		}
	}
}

// join is a name in a folder, "." among them.
func join(dir, name string) string {
	if dir == "." {
		return name
	}
	return path.Join(dir, name)
}
