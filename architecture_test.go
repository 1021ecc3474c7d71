package luahook_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/luahook/luahook/"

// layers says which of our packages each package may import, and which modules of
// others. What isn't named here is forbidden; the standard library and basics are free.
var layers = map[string]struct{ ours, others []string }{
	".":                             {},
	"hooks":                         {},
	"hooks/wire":                    {ours: []string{"hooks"}},
	"hooks/schema":                  {ours: []string{"hooks"}},
	"cmd/luahook/internal/access":   {others: []string{"golang.org/x/sys/unix"}},
	"cmd/luahook/internal/markup":   {},
	"cmd/luahook/internal/logindex": {ours: []string{"engine/audit", "hooks"}, others: []string{"github.com/segmentio/encoding/json"}},
	"cmd/luahook/internal/logindex/logindextest": {},
	"cmd/luahook/internal/ui":                    {ours: []string{"hooks", "builtins", "engine", "engine/audit", "cmd/luahook/internal/access", "cmd/luahook/internal/chart", "cmd/luahook/internal/logindex", "cmd/luahook/internal/markup", "cmd/luahook/internal/replay", "cmd/luahook/internal/show"}},
	"cmd/luahook/internal/chart":                 {ours: []string{"cmd/luahook/internal/markup"}},
	"cmd/luahook/internal/serve":                 {ours: []string{"cmd/luahook/internal/access", "engine", "hooks", "hooks/wire"}},
	"cmd/luahook/internal/ownprocess":            {},
	"cmd/luahook/internal/kept":                  {ours: []string{"engine", "hooks", "cmd/luahook/internal/terminal"}},
	"cmd/luahook/internal/replay":                {ours: []string{"engine", "engine/audit", "hooks", "internal/redact", "cmd/luahook/internal/terminal"}},
	"cmd/luahook/internal/check":                 {ours: []string{"engine", "engine/config", "hooks", "luabind", "luabind/compile", "luabind/lib", "luabind/luapattern", "cmd/luahook/internal/terminal"}, others: []string{"github.com/yuin/gopher-lua/ast", "github.com/yuin/gopher-lua/parse"}},
	"cmd/luahook/internal/show":                  {ours: []string{"analysis/shell", "hooks", "engine", "engine/audit", "cmd/luahook/internal/terminal"}},
	"cmd/luahook/internal/terminal":              {others: []string{"golang.org/x/term"}},
	"cmd/luahook/internal/scaffold":              {ours: []string{"cmd/luahook/internal/luacats"}, others: []string{"github.com/luahook/luahook"}},
	"cmd/luahook/internal/luacats":               {ours: []string{"hooks", "internal/prose", "luabind", "luabind/lib"}},
	"cmd/luahook/internal/mcpio":                 {ours: []string{"internal/process"}, others: []string{"github.com/modelcontextprotocol/go-sdk/jsonrpc", "github.com/modelcontextprotocol/go-sdk/mcp"}},
	"cmd/luahook/internal/install":               {ours: []string{"hooks/wire"}, others: []string{"github.com/pelletier/go-toml/v2", "github.com/pelletier/go-toml/v2/unstable"}},
	"internal/regex":                             {},
	"internal/spelling":                          {},
	"internal/prose":                             {},
	"internal/sourceline":                        {},
	"internal/wordlist":                          {},
	"internal/process":                           {},
	"internal/openfile":                          {},
	"internal/gitfolder":                         {},
	"internal/gitignore":                         {},
	"internal/gitindex":                          {ours: []string{"internal/gitfolder"}},
	"internal/userhome":                          {},
	"engine/internal/command":                    {ours: []string{"hooks", "internal/process"}, others: []string{"mvdan.cc/sh/v3/syntax"}},
	"analysis/shell":                             {ours: []string{"analysis/script", "analysis/shell/programs", "analysis/shell/recipes", "analysis/windows"}, others: []string{"mvdan.cc/sh/v3/syntax"}},
	"analysis/script":                            {},
	"analysis/windows":                           {},
	"analysis/shell/programs":                    {},
	"analysis/shell/recipes":                     {},
	"internal/escape":                            {},
	"internal/redact":                            {},
	"internal/excerpt":                           {},
	"analysis/sql":                               {ours: []string{"analysis/shell"}},
	"luabind":                                    {ours: []string{"hooks", "luabind/compile", "luabind/luapattern"}, others: []string{"github.com/yuin/gopher-lua", "layeh.com/gopher-luar"}},
	"luabind/compile":                            {ours: []string{"hooks"}, others: []string{"github.com/yuin/gopher-lua", "github.com/yuin/gopher-lua/ast", "github.com/yuin/gopher-lua/parse"}},
	"luabind/luapattern":                         {},
	"luabind/lib":                                {ours: []string{"hooks", "luabind", "luabind/lib/internal/hostgrant", "luabind/lib/internal/ruleindex", "analysis/shell", "analysis/sql", "internal/gitfolder", "internal/gitignore", "internal/gitindex", "internal/process", "internal/redact"}, others: []string{"github.com/yuin/gopher-lua"}},
	"luabind/lib/internal/hostgrant":             {},
	"luabind/lib/internal/ruleindex":             {ours: []string{"analysis/shell", "analysis/sql"}},
	"builtins":                                   {},
	"builtins/measure":                           {ours: []string{"builtins", "engine", "hooks", "internal/redact"}},
	"engine":                                     {ours: []string{"hooks", "internal/redact", "luabind", "luabind/compile", "luabind/lib", "builtins", "engine/internal/command", "engine/internal/pool", "engine/internal/source", "engine/config", "engine/task", "engine/internal/trust", "engine/store", "engine/audit", "analysis/shell"}, others: []string{"golang.org/x/sys/windows", "github.com/fsnotify/fsnotify"}},
	"engine/adapter":                             {ours: []string{"engine", "hooks"}},
	"engine/adaptertest":                         {ours: []string{"engine", "engine/adapter", "hooks"}},
	"engine/config":                              {ours: []string{"hooks", "builtins"}, others: []string{"github.com/goccy/go-yaml", "github.com/goccy/go-yaml/ast", "github.com/goccy/go-yaml/lexer", "github.com/goccy/go-yaml/parser", "github.com/goccy/go-yaml/token"}},
	"engine/internal/source":                     {ours: []string{"hooks", "engine/config", "luabind", "luabind/compile"}, others: []string{"golang.org/x/sys/windows"}},
	"engine/internal/trust":                      {ours: []string{"hooks", "engine/internal/ownfile", "engine/internal/source", "analysis/shell"}},
	"engine/internal/pool":                       {ours: []string{"hooks", "luabind", "luabind/compile"}},
	"engine/store":                               {},
	"internal/misuse":                            {},
	"engine/store/file":                          {ours: []string{"engine/store", "engine/internal/ownfile"}, others: []string{"golang.org/x/sys/windows"}},
	"engine/store/redis":                         {ours: []string{"engine/store"}, others: []string{"github.com/redis/go-redis/v9", "github.com/redis/go-redis/v9/maintnotifications"}},
	"engine/store/storetest":                     {ours: []string{"engine/store"}},
	"engine/audit":                               {ours: []string{"hooks", "internal/redact", "engine/internal/ownfile"}},
	"engine/override":                            {ours: []string{"hooks", "engine/internal/ownfile", "engine/store"}},
	"engine/internal/ownfile":                    {},
	"engine/spill":                               {ours: []string{"engine/internal/ownfile"}},
	"engine/task":                                {ours: []string{"internal/process", "hooks", "engine/internal/ownfile", "engine/store"}},
	"cmd/luahook":                                {ours: []string{"analysis/shell", "hooks", "hooks/schema", "hooks/wire", "cmd/luahook/internal/install", "cmd/luahook/internal/replay", "cmd/luahook/internal/scaffold", "adapters/mcphook", "cmd/luahook/internal/mcpio", "cmd/luahook/internal/ownprocess", "cmd/luahook/internal/access", "cmd/luahook/internal/logindex", "cmd/luahook/internal/serve", "cmd/luahook/internal/ui", "cmd/luahook/internal/terminal", "internal/process", "internal/redact", "engine", "engine/audit", "engine/config", "engine/override", "engine/spill", "engine/task", "engine/store", "engine/store/file", "engine/store/redis", "builtins", "cmd/luahook/internal/kept", "luatest", "cmd/luahook/internal/testreport", "cmd/luahook/internal/check", "cmd/luahook/internal/show"}, others: []string{"github.com/modelcontextprotocol/go-sdk/mcp", "github.com/spf13/cobra", "github.com/spf13/pflag", "golang.org/x/term"}},
	"luatest":                                    {ours: []string{"hooks", "luabind", "luabind/compile", "luabind/lib", "engine", "engine/spill", "engine/store", "engine/task", "engine/config"}, others: []string{"github.com/yuin/gopher-lua", "github.com/fsnotify/fsnotify"}},
	"cmd/luahook/internal/testreport":            {ours: []string{"luatest", "cmd/luahook/internal/terminal"}},
}

// basics are small packages that import none of ours and may be imported by all.
var basics = []string{"internal/escape", "internal/excerpt", "internal/misuse", "internal/openfile", "internal/regex", "internal/sourceline", "internal/spelling", "internal/userhome", "internal/wordlist"}

// TestImportsRunOneWay holds the imports of every file that is no test against
// layers.
func TestImportsRunOneWay(t *testing.T) {
	seen := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != "." && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".")) {
			return filepath.SkipDir
		}
		if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil && path != "." && path != filepath.Join("cmd", "luahook") {
			return filepath.SkipDir // another module; the command is held to the layers, too
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		name := filepath.ToSlash(filepath.Dir(path))
		seen[name] = true
		layer, ok := layers[name]
		if !ok {
			t.Errorf("%s: the package %s has no place in the layers; give it one here", path, name)
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if ours, ok := strings.CutPrefix(imported, module); ok {
				if !slices.Contains(basics, ours) && !slices.Contains(layer.ours, ours) {
					t.Errorf("%s imports %s, which %s must not", path, ours, name)
				}
				continue
			}
			first, _, _ := strings.Cut(imported, "/")
			if strings.Contains(first, ".") && !slices.Contains(layer.others, imported) {
				t.Errorf("%s imports %s, which %s must not", path, imported, name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range basics {
		if len(layers[name].ours) > 0 {
			t.Errorf("%s is for all, and so may import none of ours", name)
		}
	}
	for name := range layers {
		if !seen[name] {
			t.Errorf("the layers name %s, which is no package", name)
		}
	}
}

// TestMainModuleStaysLight keeps out of go.mod what is heavy, and what embedders don't
// need: that belongs in nested modules.
func TestMainModuleStaysLight(t *testing.T) {
	text, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for _, heavy := range []string{"sqlite", "opentelemetry", "grpc", "adk", "langchain", "cobra", "go-toml", "golang.org/x/term", "invopop", "replace "} {
		if strings.Contains(string(text), heavy) {
			t.Errorf("go.mod mentions %q", heavy)
		}
	}
}

// opensItself says which files open others by themselves, how often and why nobody is
// waited for there. All else goes by way of internal/openfile.
var opensItself = map[string]int{
	"engine/adaptertest/adaptertest.go":                   2, // a golden file of the test that runs it
	"cookbook.go":                                         1, // the program itself holds these files
	"internal/openfile/openfile.go":                       7,
	"internal/process/tree_linux.go":                      4, // /proc
	"engine/internal/ownfile/check.go":                    1, // O_NONBLOCK
	"engine/internal/ownfile/file.go":                     1, // O_NONBLOCK
	"engine/internal/ownfile/lock_flock.go":               1, // O_NONBLOCK
	"engine/internal/ownfile/lock_other.go":               1, // O_EXCL
	"engine/internal/ownfile/owner_unix.go":               1, // O_DIRECTORY
	"engine/store/file/open.go":                           1, // O_NONBLOCK
	"engine/store/file/place.go":                          1, // O_EXCL
	"engine/spill/folder.go":                              1, // O_EXCL
	"engine/spill/bound.go":                               2, // O_NONBLOCK, O_EXCL
	"cmd/luahook/internal/install/write.go":               3, // O_EXCL
	"cmd/luahook/internal/scaffold/scaffold.go":           1, // O_EXCL
	"cmd/luahook/internal/logindex/logindextest/write.go": 1, // in a folder of a test
	"luabind/lib/fswrite.go":                              2, // O_NONBLOCK, O_EXCL
	"luatest/worker.go":                                   1, // in a folder of its own
	"luatest/words.go":                                    1, // in a folder of its own
	"cmd/luahook/eval_event.go":                           1, // O_NONBLOCK
	"cmd/luahook/internal/terminal/ask.go":                2, // the terminal
}

// TestFilesAreOpenedWithoutWaiting finds what opens a file in its own way, and so could
// be made to wait by a pipe that somebody has put there.
func TestFilesAreOpenedWithoutWaiting(t *testing.T) {
	found := map[string]int{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != "." && (d.Name() == "testdata" || d.Name() == "bench" || strings.HasPrefix(d.Name(), ".")) {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			selector, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			of, _ := selector.X.(*ast.Ident)
			isOS := of != nil && of.Name == "os"
			switch selector.Sel.Name {
			case "OpenFile", "OpenRoot", "OpenInRoot":
				if of == nil || of.Name != "options" { // of bbolt
					found[filepath.ToSlash(path)]++
				}
			case "Open", "ReadFile", "Create", "WriteFile", "DirFS":
				if isOS || of != nil && of.Name == "root" {
					found[filepath.ToSlash(path)]++
				}
			case "FS":
				if of == nil || of.Name != "embed" {
					found[filepath.ToSlash(path)]++
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for path, n := range found {
		if n != opensItself[path] {
			t.Errorf("%s opens files by itself in %d places, want %d: use internal/openfile", path, n, opensItself[path])
		}
	}
}
