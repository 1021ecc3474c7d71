package shell

import (
	"strings"

	"github.com/luahook/luahook/analysis/script"
)

// luaProgram returns what a program in Lua does, by the calls of its own
// library that have a constant as their argument, or something unknown.
func luaProgram(source string) script.Program {
	calls := map[string]script.Kind{"os.execute": script.Shell, "io.popen": script.Shell, "os.remove": script.Delete, "os.rename": script.Move, "io.open": script.Write}
	return scanScript(source, "--", func(r *scriptReader) {
		name := r.name()
		kind, ok := calls[name]
		if r.blanks(); !ok {
			return
		}
		call := script.Call{Func: name, Kind: kind, Line: r.line}
		parens := r.accept("(")
		for {
			call.Args = append(call.Args, r.value(".."))
			if !parens || !r.accept(",") {
				break
			}
		}
		switch {
		case kind == script.Write:
			if len(call.Args) < 2 || !call.Args[1].Dynamic && !strings.ContainsAny(call.Args[1].Text, "wa+") {
				return
			}
			if mode := call.Args[1]; !mode.Dynamic && strings.Contains(mode.Text, "a") {
				call.Kind = script.Append
			}
			call.Args = call.Args[:1]
		case kind == script.Move && len(call.Args) < 2:
			return
		case kind != script.Move:
			call.Args = call.Args[:1]
		}
		r.calls = append(r.calls, call)
	})
}

// appleScript returns what a program in AppleScript has a shell run, or one in
// JavaScript for the same.
func appleScript(source string) script.Program {
	return scanScript(source, "--", func(r *scriptReader) {
		text, name := r.source[r.at:], ""
		switch {
		case hasWords(text, "do shell script"):
			name = "do shell script"
		case hasWords(text, "do script"):
			name = "do script"
		case strings.HasPrefix(text, "doShellScript"):
			name = "doShellScript"
		}
		if name == "" {
			for r.at < len(r.source) && isWordByte(r.source[r.at]) {
				r.at++
			}
			return
		}
		r.at += len(name)
		r.blanks()
		r.accept("(")
		if r.at < len(r.source) {
			r.calls = append(r.calls, script.Call{Func: name, Kind: script.Shell, Args: []script.Arg{r.value("&")}, Line: r.line})
		}
	})
}

func hasWords(text, words string) bool {
	return len(text) > len(words) && strings.EqualFold(text[:len(words)], words) && !isWordByte(text[len(words)])
}

func isWordByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}

// scriptReader reads a program by its names and strings.
type scriptReader struct {
	source   string
	at, line int
	comment  string
	calls    []script.Call
}

// scanScript calls name at every name of source that isn't in a string or a
// comment. It has to read it.
func scanScript(source, comment string, name func(*scriptReader)) script.Program {
	r := &scriptReader{source: source, line: 1, comment: comment}
	for r.at < len(source) {
		r.blanks()
		switch {
		case r.at >= len(source):
		case isWordByte(source[r.at]):
			name(r)
		default:
			if _, ok := r.quoted(); !ok {
				r.at++
			}
		}
	}
	return script.Program{Calls: r.calls}
}

// blanks skips blanks and comments.
func (r *scriptReader) blanks() {
	for r.at < len(r.source) {
		switch c := r.source[r.at]; {
		case c == '\n':
			r.line++
		case c == ' ' || c == '\t' || c == '\r':
		case strings.HasPrefix(r.source[r.at:], r.comment):
			for r.at+1 < len(r.source) && r.source[r.at+1] != '\n' {
				r.at++
			}
		default:
			return
		}
		r.at++
	}
}

func (r *scriptReader) accept(text string) bool {
	r.blanks()
	if strings.HasPrefix(r.source[r.at:], text) {
		r.at += len(text)
		r.blanks()
		return true
	}
	return false
}

// name reads a name with its dots.
func (r *scriptReader) name() string {
	start := r.at
	for r.at < len(r.source) && (isWordByte(r.source[r.at]) || r.source[r.at] == '.' && r.at+1 < len(r.source) && isWordByte(r.source[r.at+1])) {
		r.at++
	}
	return r.source[start:r.at]
}

// quoted reads a string: in quotes, or in Lua's long brackets.
func (r *scriptReader) quoted() (string, bool) {
	if strings.HasPrefix(r.source[r.at:], "[[") {
		text, _, ok := strings.Cut(r.source[r.at+2:], "]]")
		r.at = min(r.at+2+len(text)+2, len(r.source))
		r.line += strings.Count(text, "\n")
		return strings.TrimPrefix(text, "\n"), ok
	}
	if r.at >= len(r.source) || r.source[r.at] != '"' && r.source[r.at] != '\'' {
		return "", false
	}
	quote := r.source[r.at]
	var b strings.Builder
	for r.at++; r.at < len(r.source); r.at++ {
		switch c := r.source[r.at]; {
		case c == quote:
			r.at++
			return b.String(), true
		case c == '\\' && r.at+1 < len(r.source):
			r.at++
			next := r.source[r.at]
			if simple, ok := map[byte]byte{'n': '\n', 't': '\t', 'r': '\r'}[next]; ok {
				next = simple
			}
			b.WriteByte(next)
		default:
			if c == '\n' {
				r.line++
			}
			b.WriteByte(c)
		}
	}
	return b.String(), true
}

// value reads an argument: strings, joined by the operator, and what isn't
// known as it's written.
func (r *scriptReader) value(operator string) script.Arg {
	arg := script.Arg{}
	start := r.at
	for {
		r.blanks()
		from := r.at
		if text, ok := r.quoted(); ok {
			arg.Text += text
		} else {
			end := r.at
			for end < len(r.source) && !strings.ContainsRune(",;)&\n\"'", rune(r.source[end])) && !strings.HasPrefix(r.source[end:], "..") {
				end++
			}
			r.at = end
			part := strings.TrimSpace(r.source[from:end])
			part = "{" + part + "}"
			arg.Dynamic = true
			arg.Text += part
			arg.Parts = append(arg.Parts, part)
		}
		if !r.accept(operator) {
			break
		}
	}
	if len(arg.Parts) == 1 && arg.Text == arg.Parts[0] {
		arg.Text, arg.Parts = strings.Trim(arg.Text, "{}"), nil
	}
	if r.at == start && r.at < len(r.source) {
		r.at++
	}
	return arg
}
