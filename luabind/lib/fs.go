package lib

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/luabind"
)

// Bounds of fs.
const (
	maxRead     = 16 << 20 // bytes
	defaultRead = 1 << 20
	maxEntries  = 10_000 // of a list
	entryBytes  = 300    // about what the table of an entry takes
)

func fsModule() luabind.Module {
	return module("fs", "files of the project, with fs.read and fs.write granted (each separately). "+
		"A path starts at the project's root or is absolute and below it; a path that leads out, by .. or a link, is an error. "+
		"If a file can't be used, the result is nil and a message",
		function{
			"read", "(path: string, options?: {max: integer}): string|nil, string?",
			"the content of a file; nil and a message if it can't be read or is longer than max bytes (1 MiB by default, at most 16 MiB)",
			`local text, problem = fs.read("go.mod")
assert(text, problem)
assert(fs.read("no/such/file") == nil)`,
			readFile,
		},
		function{
			"exists", "(path: string): boolean",
			"whether there is a file or folder; a link counts if it leads to one. It is an error if that can't be found out",
			`assert(fs.exists("go.mod") and not fs.exists("no/such/file"))`,
			fileExists,
		},
		function{
			"stat", "(path: string): {type: string, size: integer, mtime: number, mode: string}|nil, string?",
			"what a path leads to: type is file, folder or other, size in bytes, mtime in seconds since 1970, mode like 0644; nil and a message if there is nothing",
			`assert(fs.stat("go.mod").type == "file" and fs.stat(".").type == "folder")`,
			statFile,
		},
		function{
			"real", "(path: string): string|nil, string?",
			"the path from the root to what a path leads to, with its links followed; nil and a message if there is nothing",
			`assert(fs.real("src/main.go") == "src/main.go")`,
			realPath,
		},
		function{
			"list", "(path?: string): {name: string, type: string}[]|nil, string?",
			"the entries of a folder, or of the root, by name; type is file, folder, link or other. " +
				"It gives nil and a message if the folder can't be read or has more than 10,000 entries",
			`local names = {}
for _, entry in ipairs(fs.list("src")) do names[#names + 1] = entry.name end
assert(table.concat(names, " ") == "lib main.go")`,
			listFolder,
		},
		function{
			"glob", "(pattern: string): string[]|nil, string?",
			"paths of files and links below the root that match, sorted. The pattern is that of path.match. It follows no links and looks into no .git. " +
				"It gives nil and a message if it would look at more than 50,000 entries or find more than 10,000",
			`assert(table.concat(fs.glob("src/**/*.go"), " ") == "src/lib/a.go src/main.go")`,
			newMatchers().globFiles,
		},
		function{
			"tree", "(options?: {depth: integer, entries: integer, skip: string[], timeout: string}): " + treeResult,
			"the project's folders and files without those that its .gitignore files name: 3 levels, or depth, up to 20; 50 entries of a folder, or entries, up to 500; 2,000 in all, those near the root first. " +
				"skip names folders to leave out. Entries are in the order of a listing, folders first, each under its folder. type is file, folder, link or other. " +
				"A folder with nothing but a folder in it is one entry, a/b. " +
				"files is how many files are in a folder and below it, 0 if they weren't counted; more is how many of its entries are left out. " +
				"complete is false if there are more than 50,000 files and folders, or the timeout was over. It follows no links and looks into no .git",
			`local tree = fs.tree({ depth = 1 })
assert(tree.entries[1].name == "src" and tree.entries[1].files == 2 and tree.complete)`,
			folderTree,
		},
		function{
			"write", "(path: string, text: string): boolean|nil, string?",
			"makes the text the content of a file, in one step for every reader. A new file has the mode 0644, less the umask; others keep theirs. " +
				"It writes nothing in .git, .hooks, hooks.yaml or the settings of agents, and nothing through a link",
			`assert(fs.write("out.txt", "hello\n"))
assert(fs.read("out.txt") == "hello\n")`,
			writeFile,
		},
		function{
			"append", "(path: string, text: string): boolean|nil, string?",
			"adds the text at the end of a file, and makes the file if there is none; up to 64 MiB; not to a file that has a second name; else as fs.write",
			`assert(fs.append("log.txt", "one\n") and fs.append("log.txt", "two\n"))
assert(fs.read("log.txt") == "one\ntwo\n")`,
			appendFile,
		},
		function{
			"mkdir", "(path: string): boolean|nil, string?",
			"makes a folder and the missing ones above it; else as fs.write",
			`assert(fs.mkdir("build/reports") and fs.exists("build/reports"))`,
			makeFolder,
		},
		function{
			"remove", "(path: string): boolean|nil, string?",
			"deletes a file, a link or an empty folder; else as fs.write",
			`assert(fs.write("out.txt", "x") and fs.remove("out.txt"))
assert(not fs.exists("out.txt"))`,
			removeFile,
		})
}

func readFile(c call) int {
	c.needRead()
	p, most := c.place(1), c.options(2, "max").whole("max", defaultRead, maxRead)
	size, err := inProject(c, p, func(_ context.Context, root *os.Root, name string) (int, error) {
		info, err := root.Stat(name)
		if err != nil {
			return 0, err
		}
		return sizeToRead(info, most)
	})
	if err != nil {
		return c.failed(err)
	}
	c.charge(size)
	c.allocate(size)
	text, err := inProject(c, p, func(ctx context.Context, root *os.Root, name string) (string, error) {
		return readBelow(ctx, root, name, size, most)
	})
	if err != nil {
		return c.failed(err)
	}
	return c.giveText(text)
}

func sizeToRead(info fs.FileInfo, most int) (int, error) {
	switch {
	case info.IsDir():
		return 0, errors.New("it is a folder")
	case info.Size() > int64(most):
		return 0, fmt.Errorf("it has %d bytes, more than the %d to read (max: up to %d)", info.Size(), most, maxRead)
	}
	return int(info.Size()), nil
}

func fileExists(c call) int {
	c.needRead()
	found, err := inProject(c, c.place(1), func(_ context.Context, root *os.Root, name string) (bool, error) {
		_, err := root.Stat(name)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNotFolder) {
			return false, nil
		}
		return err == nil, err
	})
	c.raised(err)
	return c.give(lua.LBool(found))
}

func statFile(c call) int {
	c.needRead()
	info, err := inProject(c, c.place(1), func(_ context.Context, root *os.Root, name string) (fs.FileInfo, error) {
		return root.Stat(name)
	})
	if err != nil {
		return c.failed(err)
	}
	t := c.object(4)
	t.RawSetString("type", lua.LString(typeName(info.Mode())))
	t.RawSetString("size", lua.LNumber(info.Size()))
	t.RawSetString("mtime", lua.LNumber(float64(info.ModTime().UnixMilli())/1000))
	t.RawSetString("mode", lua.LString(fmt.Sprintf("%04o", info.Mode().Perm())))
	return c.give(t)
}

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
