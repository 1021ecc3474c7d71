package shell

import (
	"path"
	"strings"
)

// located returns the path that word names for a command that runs in dir.
func located(dir, word Word, access Access) Path {
	p := Path{Text: word.Text, Access: access, Dynamic: word.Dynamic, Glob: word.Glob, Home: word.Home}
	switch {
	case word.Dynamic || isDrive(word.Text):
	case word.Home || word.Text[0] == '/':
		p.Text = cleaned(word.Text, word.Glob, word.Home)
	case dir.Dynamic && dir.Text != "" && len(dir.Text) <= maxPath:
		p.Dynamic = true // but for what is known of the folder
		p.Text = strings.TrimSuffix(dir.Text, "/") + "/" + word.Text
	case dir.Dynamic || len(dir.Text) > maxPath:
		p.Dynamic = true
		p.places = below(dir.places, word.Text)
	case dir.Text == "" || dir.Text == ".":
		p.Text = cleaned(word.Text, word.Glob, false)
	default:
		p.Home = dir.Home
		p.Glob = p.Glob || dir.Glob
		p.Text = cleaned(dir.Text+"/"+word.Text, p.Glob, dir.Home)
	}
	if p.Dynamic {
		p.locate(&dir, &word)
	}
	if !p.Dynamic && !p.Home && p.Text[0] == '~' {
		p.Text = "./" + p.Text // a file with that name
	}
	return p
}

// isDrive reports whether text is a path of Windows with a drive or a server.
func isDrive(text string) bool {
	if strings.HasPrefix(text, `\\`) {
		return true
	}
	if len(text) < 3 || text[1] != ':' || text[2] != '\\' && text[2] != '/' {
		return false
	}
	letter := text[0] | 0x20
	return letter >= 'a' && letter <= 'z'
}

// cleaned returns the shortest text for a path, as path.Clean does. A pattern
// may stand for a symbolic link or for "..", and a home folder for anything:
// a ".." behind these stays.
func cleaned(text string, glob, home bool) string {
	if !glob && !home || !strings.Contains(text, "..") {
		return path.Clean(text)
	}
	absolute := text[0] == '/'
	var parts []string
	for part := range strings.SplitSeq(text, "/") {
		switch {
		case part == "" || part == ".":
		case part != "..":
			parts = append(parts, part)
		case len(parts) == 0 && absolute: // the root is its own parent
		case len(parts) == 0, parts[len(parts)-1] == "..",
			glob && isPattern(parts[len(parts)-1]), home && len(parts) == 1:
			parts = append(parts, part)
		default:
			parts = parts[:len(parts)-1]
		}
	}
	switch {
	case absolute:
		return "/" + strings.Join(parts, "/")
	case len(parts) == 0:
		return "."
	}
	return strings.Join(parts, "/")
}

func isPattern(part string) bool {
	return strings.ContainsAny(part, "*?[(")
}

// looksLikePath reports whether a word that may be anything names a file.
func looksLikePath(word *Word) bool {
	text := word.Text
	switch {
	case text == "" || strings.Contains(text, "://") || strings.ContainsAny(text, "\n\r"):
		return false
	case text[0] == '/' || text[0] == '.' || word.Home || isDrive(text):
		return true
	case strings.ContainsAny(text, " \t"):
		return false // text with a slash in it
	}
	return strings.Contains(text, "/") && text[0] != '-'
}

// isElsewhere reports whether a path of rsync or scp is on another machine:
// host:path, host::module or a URL.
func isElsewhere(text string) bool {
	if isDrive(text) {
		return false
	}
	colon := strings.IndexByte(text, ':')
	slash := strings.IndexByte(text, '/')
	return colon > 0 && (slash < 0 || colon < slash)
}
