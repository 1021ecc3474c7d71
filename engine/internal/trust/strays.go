package trust

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// strayNames are the names of files that editors, version control and desktops leave
// beside what somebody works on, and of those that are there to be read by people. No
// name that the engine reads a file by is among them.
var strayNames = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:` + strings.Join([]string{
		`.*~`, `~\$.*`, `.*\.(?:orig|rej|bak|bck|tmp|save(?:\.\d+)?)`, // copies that editors and patch keep
		`.*\.sw[a-px]x?`, `\.sw[a-px]`, `[._].*\.(?:s[a-v][a-z]|un~)`, `4913|5036|5159|5282`, // vi: swap, undo, a try whether it can write
		`#.*#`, `\.#.*`, // Emacs: what wasn't saved, and who is at work
		`\..*\.kate-swp`, `\.~lock\..*#`, `\.goutputstream-.*`, `\.subl.*\.tmp`, `.*___jb_(?:tmp|old|bak)___`,
		`\.ds_store`, `\._.*`, `\.localized`, `\.apdisk`, "icon\r", // macOS
		`thumbs\.db`, `ehthumbs(?:_vista)?\.db`, `desktop\.ini`, // Windows
		`\.directory`, `\.nfs[0-9a-f]+`, `\.fuse_hidden.*`, `\.syncthing\..*`, `~syncthing~.*`,
		`\.git(?:ignore|attributes|keep)`, `\.keep`,
		`(?:readme|licen[cs]e|copying|notice|authors|changelog|contributing)(?:\.(?:md|txt|rst|adoc|org|html))?`,
	}, "|") + `)$`)
})

// What luahook makes for editors, beside hooks.yaml.
const (
	schemaFile = "hooks.schema.json"    // of luahook schema
	stubFile   = ".luahook/luahook.lua" // of luahook types; nothing loads a file in such a folder by itself
)

// isStray reports whether a file of a hooks folder may be one that no hook has to do with:
// name is a slash path below the folder. A file that may be loaded as Lua is none, unless
// its name says that nobody loads it.
func isStray(name string) bool {
	if name == schemaFile || name == stubFile {
		return true
	}
	base := path.Base(name)
	if strings.HasSuffix(base, "_test.lua") { // run by "luahook test" alone, in a sandbox without grants
		return len(base) <= maxStrayName
	}
	if strings.HasSuffix(strings.ToLower(base), ".lua") && !strings.HasPrefix(base, ".#") && !strings.HasPrefix(base, "._") {
		return false
	}
	return len(base) <= maxStrayName && strayNames().MatchString(base)
}

// Bounds of stray files; what lies beyond is pinned as any other file is.
const (
	maxStrayName  = 64       // bytes
	maxStrays     = 100      // in one project
	maxStrayWork  = 32 << 20 // bytes of texts, times stray files
	strayLineLook = 300      // bytes that are looked at behind the mention of a program's own place
)

// strays are the stray files of one project, and which of them may be read by a hook
// after all: because a text that the hooks consist of names one, or the folder that it
// lies in, or because that folder is the program's own. It belongs to one goroutine.
type strays struct {
	dir   string          // the hooks folder, a slash path below the root
	names map[string]bool // slash paths below the root: whether it is read
	work  int
}

// add notes a file of the hooks folder; it reports whether it is a stray one.
func (s *strays) add(name string) bool {
	below := strings.TrimPrefix(strings.TrimPrefix(name, s.dir), "/")
	if s.dir == "." || below == name || !isStray(below) {
		return false
	}
	if _, known := s.names[name]; known {
		return true
	}
	if len(s.names) == maxStrays {
		return false
	}
	if s.names == nil {
		s.names = map[string]bool{}
	}
	s.names[name] = false
	return true
}

// read notes which stray files the text of a file may have to do with; own is its path, ""
// where it is the text of a command.
func (s *strays) read(own string, text []byte) {
	if len(s.names) == 0 {
		return
	}
	s.work += len(text) * len(s.names)
	enough := s.work <= maxStrayWork
	if enough {
		text = bytes.ToLower(text)
	}
	for name, known := range s.names {
		if !known && (!enough || s.mentions(own, string(text), name)) {
			s.names[name] = true
		}
	}
}

// ignored reports whether a file is a stray one that no hook has to do with.
func (s *strays) ignored(name string) bool {
	read, stray := s.names[name]
	return stray && !read
}

// needed are those that are read, in order.
func (s *strays) needed() (list []string) {
	for name, read := range s.names {
		if read {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// mentions reports whether a text, in small letters, has to do with a stray file.
func (s *strays) mentions(own, text, stray string) bool {
	if strings.Contains(text, strings.ToLower(path.Base(stray))) {
		return true
	}
	for dir := path.Dir(stray); ; dir = path.Dir(dir) {
		if namesFolder(text, strings.ToLower(path.Base(dir))) {
			return true
		}
		if own != "" && path.Dir(own) == dir && namesItsPlace(text, dir == s.dir) {
			return true
		}
		if dir == s.dir || dir == "." {
			return false
		}
	}
}

// namesFolder reports whether a text names a folder, and not only a file in it.
func namesFolder(text, base string) bool {
	if len(base) > maxStrayName {
		return true
	}
	for at := 0; ; {
		i := strings.Index(text[at:], base)
		if i < 0 {
			return false
		}
		i += at
		at = i + len(base)
		if (i == 0 || !inName(text[i-1])) && !namesOne(text[at:]) {
			return true
		}
	}
}

// namesOne reports whether what stands behind the name of a folder makes it another name, or
// the path of one thing in it. A pattern or a variable may stand for any.
func namesOne(rest string) bool {
	if rest != "" && inName(rest[0]) {
		return true
	}
	for strings.HasPrefix(rest, "/") {
		rest = strings.TrimLeft(rest, "/")
		n := 0
		for n < len(rest) && inName(rest[n]) {
			n++
		}
		element := rest[:n]
		rest = rest[n:]
		switch {
		case element == "" || element == ".", rest != "" && strings.IndexByte("*?[{$%(`\\", rest[0]) >= 0:
			return false
		case !strings.HasPrefix(rest, "/"):
			return true
		}
	}
	return false
}

func inName(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c >= 0x80 || strings.IndexByte("_-.", c) >= 0
}

// ownPlace are the ways in which a program finds the folder that it lies in.
var ownPlace = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`dirname|realpath|readlink|\$\{0[%:#/]|bash_source|__file__|__dir__|import\.meta|psscriptroot|myinvocation|~dp0|findbin|program_name|executable\(\)|argv\[0\]|getinfo`)
})

// namesItsPlace reports whether a program may look for whatever lies beside it. One that
// names a single file there, or that goes up and out of the hooks folder, doesn't.
func namesItsPlace(text string, top bool) bool {
	for _, at := range ownPlace().FindAllStringIndex(text, -1) {
		rest := text[at[1]:min(at[1]+strayLineLook, len(text))]
		rest, _, _ = strings.Cut(rest, "\n")
		_, rest, found := strings.Cut(rest, "/")
		if !found || !namesOne("/"+rest) || (strings.HasPrefix(rest, "..") && !top) {
			return true
		}
	}
	return false
}
