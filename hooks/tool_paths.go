package hooks

import (
	"net/url"
	"path"
	"strings"
)

// Where hosts keep the names of files, folded: alone, in lists, and in patches.
var (
	pathKeys = []string{"filepath", "path", "absolutepath", "notebookpath", "targetfile", "filename", "file", "dirpath", "directory", "targetdirectory", "source", "destination", "oldpath", "newpath", "uri",
		"sourcepath", "destinationpath", "sourcefile", "destinationfile", "src", "dst", "dest", "srcpath", "dstpath", "destpath", "frompath", "topath", "oldfilepath", "newfilepath", "targetpath",
		"outputpath", "outputfile", "savepath", "fullpath", "relativepath", "relpath", "relativeworkspacepath", "pathname", "folder", "folderpath", "directorypath", "fileuri", "localpath",
		"paths", "filepaths", "files", "edits", "folders", "directories", "sources", "changes", "operations", "moves"}
	// These may be names of people as well: only what looks like a path counts.
	eitherKeys = []string{"from", "to", "target", "old", "new", "name", "location", "output"}
	// What some hosts and servers wrap the input in.
	wrapperKeys = []string{"arguments", "args", "params", "parameters", "input", "request", "toolarguments", "toolinput"}
	patchKeys   = []string{"patch", "patchtext", "input", "diff", "command"}
)

// pathsOf lists the files that a tool's input names; shell text names its files
// only when it is parsed. The list stands in buf where it is long enough.
func pathsOf(buf []string, kind Kind, input map[string]any) []string {
	if kind == KindShell || kind == KindWeb || kind == KindAgent {
		return nil
	}
	paths := pathSet{list: buf[:0]}
	paths.named(input)
	if kind == KindMCP || kind == KindOther {
		paths.either(input)
		for _, key := range keysOf(nil, input, wrapperKeys) {
			if inner, ok := input[key].(map[string]any); ok {
				for _, path := range pathsOf(nil, KindRead, inner) {
					paths.take(path)
				}
				paths.either(inner)
			}
		}
	}
	if kind == KindEdit {
		for _, key := range keysOf(nil, input, patchKeys) {
			if text, ok := input[key].(string); ok {
				for _, file := range patchedFiles(text) {
					paths.add(file)
				}
			}
		}
	}
	if len(paths.list) == 0 {
		return nil
	}
	return paths.list
}

// named takes what stands under keys that name files.
func (p *pathSet) named(input map[string]any) {
	var buf [4]string
	for _, key := range keysOf(buf[:], input, pathKeys) {
		p.take(input[key])
	}
}

// take adds the files that a value names.
func (p *pathSet) take(v any) {
	switch v := v.(type) {
	case string:
		if v != "" {
			p.add(fileName(v))
		}
	case []string:
		for _, e := range v {
			p.take(e)
		}
	case []any:
		for _, e := range v {
			if _, nested := e.([]any); !nested {
				p.take(e)
			}
		}
	case map[string]any:
		for _, key := range keysOf(nil, v, pathKeys) {
			if s, ok := v[key].(string); ok {
				p.take(s)
			}
		}
		p.either(v)
	}
}

// either adds what stands under keys that may hold paths and looks like one.
func (p *pathSet) either(input map[string]any) {
	for _, key := range keysOf(nil, input, eitherKeys) {
		if s, ok := input[key].(string); ok && !strings.ContainsAny(s, "\n@") && strings.ContainsAny(s, `/\`) && (!strings.Contains(s, "://") || isFileAddress(s)) {
			p.take(s)
		}
	}
}

// fileName is the path that a text stands for, which may be a file's address: file:///a,
// file://localhost/a or file:/a, in any case, with escapes.
func fileName(text string) string {
	if !isFileAddress(text) {
		return text
	}
	name := text[len("file:"):]
	if rest, ok := strings.CutPrefix(name, "//"); ok {
		name = rest
		if host, _, _ := strings.Cut(rest, "/"); strings.EqualFold(host, "localhost") {
			name = rest[len(host):]
		}
	}
	if plain, err := url.PathUnescape(name); err == nil {
		return plain
	}
	return name
}

func isFileAddress(text string) bool {
	const scheme = "file:/"
	return len(text) > len(scheme) && strings.EqualFold(text[:len(scheme)], scheme)
}

// union is a with those of b that it lacks, in time linear to both. It doesn't write to
// what a and b share with others.
func union(a, b []string) []string {
	if len(b) == 0 {
		return a
	}
	all := pathSet{list: a[:len(a):len(a)]}
	for _, s := range b {
		all.add(s)
	}
	return all.list
}

// pathSet is a list without doubles.
type pathSet struct {
	list []string
	seen map[string]bool // of the list, once it is long
}

func (p *pathSet) add(s string) {
	if p.seen == nil && len(p.list) >= 16 {
		p.seen = make(map[string]bool, 2*len(p.list))
		for _, known := range p.list {
			p.seen[known] = true
		}
	}
	if p.seen[s] || p.seen == nil && contains(p.list, s) {
		return
	}
	if p.list = append(p.list, s); p.seen != nil {
		p.seen[s] = true
	}
}

// patchedFiles reads the files that a patch touches: the "*** Update File:" lines
// of apply_patch, and the "---", "+++" and "rename" lines of a unified diff.
func patchedFiles(text string) []string {
	var files []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		for _, mark := range []string{"*** Add File:", "*** Update File:", "*** Delete File:", "*** Move to:", "rename from ", "rename to "} {
			if f, ok := strings.CutPrefix(strings.TrimSpace(line), mark); ok && strings.TrimSpace(f) != "" {
				files = append(files, strings.TrimSpace(f))
			}
		}
		for _, mark := range [][2]string{{"--- ", "a/"}, {"+++ ", "b/"}} {
			if f, ok := strings.CutPrefix(line, mark[0]); ok {
				f, _, _ = strings.Cut(f, "\t")
				f = strings.Trim(f, `"`)
				if f = strings.TrimPrefix(f, mark[1]); f != "" && f != "/dev/null" {
					files = append(files, path.Clean(f))
				}
			}
		}
	}
	return files
}
