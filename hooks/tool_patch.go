package hooks

import (
	"path"
	"regexp"
	"strings"
	"sync"
)

// patchedFiles returns the files that a patch touches: those of the lines of apply_patch ("*** Update File: a"), and
// of the headers of unified and context diffs, git's among them.
func patchedFiles(text string) []string {
	var files pathSet
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		for _, mark := range []string{"*** Add File:", "*** Update File:", "*** Delete File:", "*** Move to:", "rename from ", "rename to ", "copy from ", "copy to "} {
			if name, ok := strings.CutPrefix(strings.TrimSpace(line), mark); ok {
				name, _ = unquoted(strings.TrimSpace(name))
				files.addPatched(name)
			}
		}
		for _, mark := range [][2]string{{"--- ", "a/"}, {"+++ ", "b/"}, {"*** ", "a/"}, {"Index: ", ""}} {
			if name, ok := strings.CutPrefix(line, mark[0]); ok && !isMarkOfPatch(line) {
				files.addHeader(name, mark[1])
			}
		}
		if names, ok := strings.CutPrefix(line, "diff --git "); ok {
			left, right := namesOfGit(names)
			files.addStripped(left, "a/")
			files.addStripped(right, "b/")
		}
	}
	return files.list
}

// isMarkOfPatch reports whether a line that begins as the header of a context diff is another one: of apply_patch, or
// with the numbers of lines.
func isMarkOfPatch(line string) bool {
	return strings.HasSuffix(line, " ****") || strings.HasSuffix(line, " ----") || strings.HasPrefix(line, "*** ") && applyPatchMark().MatchString(line)
}

var applyPatchMark = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\*\*\* (?:(?:Begin|End) Patch|(?:Add|Update|Delete) File:|Move to:|End of File)`)
})

// addHeader adds the file of a header: what stands before a tab, and before a blank, because a date may stand behind
// either, and a name may have blanks.
func (p *pathSet) addHeader(text, prefix string) {
	if name, ok := unquoted(text); ok {
		p.addStripped(name, prefix)
		return
	}
	name, _, _ := strings.Cut(text, "\t")
	p.addStripped(name, prefix)
	if word, _, more := strings.Cut(name, " "); more {
		p.addStripped(word, prefix)
	}
}

// addStripped adds a file without the prefix that git gives it. Another one of a single character may be such a prefix,
// or a folder.
func (p *pathSet) addStripped(name, prefix string) {
	if rest, ok := strings.CutPrefix(name, prefix); ok && prefix != "" {
		p.addPatched(rest)
		return
	}
	p.addPatched(name)
	if len(name) > 2 && name[1] == '/' && name[0] != '.' && name[0] != '~' {
		p.addPatched(name[2:])
	}
}

func (p *pathSet) addPatched(name string) {
	if name = strings.TrimSpace(name); name != "" && name != "/dev/null" {
		p.add(path.Clean(name))
	}
}

// namesOfGit parts the two names of a line "diff --git a/x b/x". Names with blanks stand without quotes, and as a rule
// both are the same.
func namesOfGit(text string) (left, right string) {
	if name, rest, ok := cutQuoted(text); ok {
		right, _ = unquoted(strings.TrimSpace(rest))
		return name, right
	}
	if at := strings.Index(text, ` "`); at >= 0 {
		right, _ = unquoted(text[at+1:])
		return text[:at], right
	}
	half := len(text) / 2
	if len(text)%2 == 1 && text[half] == ' ' {
		return text[:half], text[half+1:]
	}
	at := strings.LastIndex(text, " b/")
	if at < 0 {
		at = strings.LastIndex(text, " ")
	}
	if at < 0 {
		return "", text
	}
	return text[:at], text[at+1:]
}

// unquoted returns the name that a text in quotes stands for, or the text itself.
func unquoted(text string) (name string, quoted bool) {
	if name, _, ok := cutQuoted(text); ok {
		return name, true
	}
	return text, false
}

// cutQuoted takes a name in quotes off the beginning of a text. git writes what is special in it as in C: \" \t \303.
func cutQuoted(text string) (name, rest string, ok bool) {
	if !strings.HasPrefix(text, `"`) {
		return "", "", false
	}
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '"':
			return b.String(), text[i+1:], true
		case c != '\\' || i+1 == len(text):
			b.WriteByte(c)
			continue
		}
		i++
		if at := strings.IndexByte("abfnrtv", text[i]); at >= 0 {
			b.WriteByte("\a\b\f\n\r\t\v"[at])
			continue
		}
		value, digits := 0, 0
		for digits < 3 && i+digits < len(text) && '0' <= text[i+digits] && text[i+digits] <= '7' {
			value = value*8 + int(text[i+digits]-'0')
			digits++
		}
		if digits == 0 {
			b.WriteByte(text[i])
			continue
		}
		b.WriteByte(byte(value))
		i += digits - 1
	}
	return b.String(), "", true
}
