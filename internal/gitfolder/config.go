package gitfolder

import (
	"path/filepath"
	"strings"

	"github.com/luahook/luahook/internal/openfile"
)

// Setting is a value in git's configuration.
type Setting struct {
	Part  string // what stands between section and name, as origin in remote.origin.push; "" for none
	Name  string // in lower case
	Value string
}

// Settings lists the values of a section, such as "alias", in the order in which git reads them: those of the user,
// whose home folder home is, and then those of the repository f, which may be nil. Files that these include by
// include.path are read, too, those of includeIf aren't.
func Settings(f *Folder, home, section string) []Setting {
	r := reader{section: section, home: home}
	read := func(name string) {
		r.files = 0
		r.file(name)
	}
	if home != "" {
		read(filepath.Join(home, ".config", "git", "config"))
		read(filepath.Join(home, ".gitconfig"))
	}
	if f != nil {
		read(filepath.Join(f.Common, "config"))
		if f.Dir != f.Common {
			read(filepath.Join(f.Dir, "config.worktree"))
		}
	}
	return r.found
}

type reader struct {
	section, home string
	files         int
	found         []Setting
}

func (r *reader) file(name string) {
	if r.files++; r.files > maxFiles {
		return
	}
	text, err := openfile.Read(name, maxConfig)
	if err != nil {
		return
	}
	section, part := "", ""
	lines := strings.Split(string(text), "\n")
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		if strings.HasPrefix(line, "[") {
			section, part, line = header(line)
		}
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		key, rest, given := strings.Cut(line, "=")
		value := "true"
		if given {
			for continues(rest) && i+1 < len(lines) {
				i++
				rest = rest[:len(rest)-1] + lines[i]
			}
			value = unquoted(rest)
		}
		s := Setting{Part: part, Name: strings.ToLower(strings.TrimSpace(key)), Value: value}
		switch {
		case section == r.section:
			r.found = append(r.found, s)
		case section == "include" && s.Name == "path" && part == "":
			r.include(name, value)
		}
	}
}

func (r *reader) include(from, name string) {
	if rest, ok := strings.CutPrefix(name, "~/"); ok && r.home != "" {
		name = filepath.Join(r.home, rest)
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(filepath.Dir(from), name)
	}
	r.file(name)
}

// header reads [section "part"], and gives what stands behind it in the same line.
func header(line string) (section, part, rest string) {
	inside, quoted := line[1:], false
	for i := 0; i < len(inside); i++ {
		switch {
		case quoted && inside[i] == '\\':
			i++
		case inside[i] == '"':
			quoted = !quoted
		case inside[i] == ']' && !quoted:
			inside, rest = inside[:i], strings.TrimSpace(inside[i+1:])
			section, part, _ = strings.Cut(inside, " ")
			if part = strings.TrimSpace(part); len(part) > 1 && part[0] == '"' && part[len(part)-1] == '"' {
				part = strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(part[1 : len(part)-1])
			}
			if before, behind, dotted := strings.Cut(section, "."); dotted && part == "" {
				section, part = before, behind // the old way
			}
			return strings.ToLower(section), part, rest
		}
	}
	return "", "", ""
}

// continues reports whether a value goes on in the next line.
func continues(value string) bool {
	n := len(value) - len(strings.TrimRight(value, `\`))
	return n%2 == 1
}

// unquoted reads a value as git does: without quotes, comments, and the blanks around it.
func unquoted(text string) string {
	var b strings.Builder
	quoted, end := false, 0 // end: of the value without blanks behind it
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\\' && i+1 < len(text):
			i++
			switch text[i] {
			case 'n':
				b.WriteByte('\n')
			case 't':
				b.WriteByte('\t')
			default:
				b.WriteByte(text[i])
			}
			end = b.Len()
		case c == '"':
			quoted = !quoted
		case (c == '#' || c == ';') && !quoted:
			return b.String()[:end]
		case !quoted && (c == ' ' || c == '\t' || c == '\r'):
			if b.Len() > 0 {
				b.WriteByte(c)
			}
		default:
			b.WriteByte(c)
			end = b.Len()
		}
	}
	return b.String()[:end]
}
