package hooks

import (
	"cmp"
	"net/url"
	"path"
	"slices"
	"strings"
)

// Where hosts keep the shell text, and the further words of it, folded.
var (
	commandKeys  = []string{"command", "cmd", "commandline", "script", "code"}
	shellKeys    = []string{"command", "cmd", "commandline"} // those that no other tool has
	argumentKeys = []string{"args", "arguments", "argv"}
)

// keysOf lists the keys of input that a host may have meant by the folded names, in
// their order. room is where the list may stand: the caller's, so that a short one costs
// nothing.
func keysOf(room []string, input map[string]any, names []string) []string {
	keys := room[:0]
	for key, v := range input {
		if rank(names, key) >= 0 && v != nil {
			keys = append(keys, key)
		}
	}
	if len(keys) > 1 {
		slices.SortFunc(keys, func(a, b string) int {
			return cmp.Or(rank(names, a)-rank(names, b), strings.Compare(a, b))
		})
	}
	return keys
}

// rank is the place of a key, folded, among the names; -1 where it is none of them.
func rank(names []string, key string) int {
	var room [32]byte // enough for a name
	folded := appendFolded(room[:0], key)
	for i, name := range names {
		if name == string(folded) {
			return i
		}
	}
	return -1
}

// commandOf finds the shell text of a shell tool's input. A list is an argument
// vector: its words are quoted for the shell, but for a single one, which is text. Two
// keys that disagree are an error, because the host may run either.
func commandOf(kind Kind, input map[string]any) (string, error) {
	if kind != KindShell {
		return "", nil
	}
	if text, ok := input["command"].(string); ok && saysOnly("command", input) {
		return text, nil // as nearly every host writes it
	}
	found, from := "", ""
	var room [4]string
	for _, key := range keysOf(room[:], input, commandKeys) {
		text, ok := input[key].(string)
		if !ok {
			words, err := wordsOf(key, input[key])
			if err != nil {
				return "", err
			}
			if text = joinWords(words); len(words) == 1 {
				text = words[0]
			}
		}
		if from != "" && text != found {
			return "", fieldError("tool_call.input."+key, "says something else than %s", from)
		}
		found, from = text, key
	}
	if from == "" {
		return "", nil
	}
	for _, key := range keysOf(room[:], input, argumentKeys) {
		words, err := wordsOf(key, input[key])
		if err != nil {
			return "", err
		}
		found = strings.TrimSpace(found + " " + joinWords(words))
	}
	return found, nil
}

// saysOnly tells whether no other key of the input holds shell text or words of it.
func saysOnly(key string, input map[string]any) bool {
	if len(input) == 1 {
		return true
	}
	for other := range input {
		if other == key {
			continue
		}
		if rank(commandKeys, other) >= 0 || rank(argumentKeys, other) >= 0 {
			return false
		}
	}
	return true
}

// wordsOf reads an argument vector.
func wordsOf(key string, v any) ([]string, error) {
	switch v := v.(type) {
	case []string:
		return v, nil
	case []any:
		words := make([]string, len(v))
		for i, w := range v {
			s, ok := w.(string)
			if !ok {
				return nil, fieldError("tool_call.input."+key, "want text or a list of words, got %s in the list", typeName(w))
			}
			words[i] = s
		}
		return words, nil
	case string:
		if slices.Contains(argumentKeys, fold(key)) {
			return []string{v}, nil
		}
	}
	return nil, fieldError("tool_call.input."+key, "want text or a list of words, got %s", typeName(v))
}

// looksLikeShell tells whether the input of a tool that we don't know has shell text:
// a guard should rather look at too much than pass something by for its name.
func looksLikeShell(input map[string]any) bool {
	for _, key := range keysOf(nil, input, shellKeys) {
		switch input[key].(type) {
		case string, []any, []string:
			return true
		}
	}
	return false
}

// joinWords writes an argument vector as shell text.
func joinWords(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		if w != "" && strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./:,@%=") == "" {
			quoted[i] = w
			continue
		}
		quoted[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	return strings.Join(quoted, " ")
}

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
// only when it is parsed. room is where a short list may stand.
func pathsOf(room []string, kind Kind, input map[string]any) []string {
	if kind == KindShell || kind == KindWeb || kind == KindAgent {
		return nil
	}
	paths := pathSet{list: room[:0]}
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
	var room [4]string
	for _, key := range keysOf(room[:], input, pathKeys) {
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
		if s, ok := input[key].(string); ok && !strings.ContainsAny(s, "\n@") && strings.ContainsAny(s, `/\`) && (!strings.Contains(s, "://") || strings.HasPrefix(s, "file://")) {
			p.take(s)
		}
	}
}

// fileName is the path that a text stands for, which may be a file's address.
func fileName(text string) string {
	name, ok := strings.CutPrefix(text, "file://")
	if !ok {
		return text
	}
	if plain, err := url.PathUnescape(strings.TrimPrefix(name, "localhost")); err == nil {
		return plain
	}
	return name
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
