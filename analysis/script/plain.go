package script

import (
	"strings"
)

// Plain returns what is plain to see in a program in a language that isn't read here, such as Go, Rust, C, Java, R or
// Lisp: the calls by which their libraries delete files and run programs, with arguments that are texts in quotes, or
// names of such texts. Calls with anything else aren't there, nor is what decides whether a call is reached.
func Plain(source string) Program {
	if len(source) > maxPlain {
		return Program{TooComplex: true}
	}
	r := plainReader{source: source, constants: map[string]string{}, line: 1}
	for r.next() {
	}
	return Program{Calls: r.calls, TooComplex: len(r.calls) >= maxCalls}
}

const maxPlain = 64 << 10

// plainCall is what a function does, by the last part of its name.
type plainCall struct {
	kind      Kind
	recursive bool
}

func plainCallOf(name string) (plainCall, bool) {
	last := lastOf(strings.TrimSuffix(name, "/files")) // of Racket
	switch last {
	case "RemoveAll", "remove_dir_all", "remove_all", "rm_rf", "rm_rf!", "deleteDirectory", "deleteRecursively", "delete-directory", "removeItem", "trashItem",
		"removeDirectoryRecursive", "removePathForcibly", "removeDir", "rmdirRecurse", "rmtree", "deleteTree", "delete-tree", "cleanDirectory", "forceDelete",
		"del_dir_r", "deleteDir":
		return plainCall{kind: Delete, recursive: true}, true
	case "rm", "unlink", "delete-file", "remove_file", "deleteFile", "removeFile", "deleteIfExists":
		return plainCall{kind: Delete}, true
	case "Remove", "remove":
		return plainCall{kind: Delete}, name == "os.Remove" || name == "std::filesystem::remove" || name == "fs::remove" || name == "remove"
	case "Delete", "delete":
		return plainCall{kind: Delete, recursive: strings.Contains(name, "Directory")}, strings.HasPrefix(name, "Directory.") || strings.HasPrefix(name, "File.") || strings.HasPrefix(name, "Files.") || strings.Contains(name, ".IO.")
	case "system", "popen", "shell-command", "shell", "callCommand", "shell_exec", "execShellCmd", "execCmd", "call-process-shell-command", "shell-command-to-string", "runShell":
		return plainCall{kind: Shell}, true
	case "command":
		return plainCall{kind: Shell}, name == "Sys.command"
	case "rmdir":
		return plainCall{kind: Delete}, true
	case "Command", "CommandContext", "new":
		return plainCall{kind: Run}, strings.HasPrefix(name, "exec.") || strings.HasSuffix(name, "Command::new")
	case "exec", "ProcessBuilder", "cmd", "callProcess", "rawSystem", "system2", "execvp", "execlp", "execl", "execv", "call-process", "start-process", "createProcess":
		return plainCall{kind: Run}, true
	case "run", "Start", "Run":
		return plainCall{kind: Run}, name == "run" || strings.HasPrefix(name, "Process.") || strings.HasSuffix(name, "process.run")
	}
	return plainCall{}, false
}

// lastOf returns the last part of a name, behind the package of Go, the module of Rust and the namespace of Clojure.
func lastOf(name string) string {
	return name[strings.LastIndexAny(name, ".:/")+1:]
}

// plainReader goes through a source once.
type plainReader struct {
	source    string
	at, line  int
	constants map[string]string
	calls     []Call
	last      string // the name that was read last
	assigns   bool
}

// next reads one thing, false at the end.
func (r *plainReader) next() bool {
	s := r.source
	if r.at >= len(s) || len(r.calls) >= maxCalls {
		return false
	}
	switch c := s[r.at]; {
	case c == '\n':
		r.line++
		r.at++
		r.last, r.assigns = "", false
	case strings.HasPrefix(s[r.at:], "//"), (c == '#' || c == ';') && r.startsLine():
		r.to("\n")
	case strings.HasPrefix(s[r.at:], "/*"):
		r.to("*/")
	case c == '"' || c == '`' || c == '\'':
		text, ok := r.quoted()
		if ok && r.assigns && r.last != "" && len(r.constants) < maxCalls {
			r.constants[r.last] = text
		}
		r.assigns = false
	case isPlainByte(c):
		r.name()
	case c == '=' && r.last != "" && r.at+1 < len(s) && s[r.at+1] != '=':
		r.assigns = true
		r.at++
	case c == ' ' || c == '\t' || c == ':' || c == '&' || c == '{' && r.assigns:
		r.at++
	default:
		r.at++
		r.assigns = false
		if c != '<' && c != '>' && c != '[' && c != ']' && c != '*' {
			r.last = ""
		}
	}
	return true
}

// startsLine reports whether only blanks stand before what is read.
func (r *plainReader) startsLine() bool {
	before := strings.TrimRight(r.source[:r.at], " \t")
	return before == "" || before[len(before)-1] == '\n'
}

func (r *plainReader) to(end string) {
	i := strings.Index(r.source[r.at:], end)
	if i < 0 {
		i = len(r.source) - r.at
	}
	r.line += strings.Count(r.source[r.at:r.at+i], "\n")
	r.at += i
	if end != "\n" {
		r.at = min(r.at+len(end), len(r.source))
	}
}

func isPlainByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

// quoted reads a text in quotes, which isn't one if it goes on behind the line, but between backquotes and three quotes.
func (r *plainReader) quoted() (string, bool) {
	s, quote := r.source, r.source[r.at]
	if long := strings.Repeat(string(quote), 3); strings.HasPrefix(s[r.at:], long) {
		end := strings.Index(s[r.at+3:], long)
		if end < 0 {
			r.at += 3
			return "", false
		}
		text := s[r.at+3 : r.at+3+end]
		r.line += strings.Count(text, "\n")
		r.at += end + 6
		return text, true
	}
	var b strings.Builder
	for i := r.at + 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == quote:
			r.line += strings.Count(s[r.at:i], "\n")
			r.at = i + 1
			return b.String(), true
		case c == '\n' && quote != '`':
			r.at++ // an apostrophe, or the mark of a lifetime
			return "", false
		case c == '\\' && quote != '`' && i+1 < len(s):
			i++
			switch s[i] {
			case 'n':
				b.WriteByte('\n')
			case 't':
				b.WriteByte('\t')
			default:
				b.WriteByte(s[i])
			}
		default:
			b.WriteByte(c)
		}
	}
	r.at++
	return "", false
}

// name reads a name with its qualifiers, and the call that it may begin.
func (r *plainReader) name() {
	s, start := r.source, r.at
	for r.at < len(s) {
		c := s[r.at]
		lisp := r.at > start && start > 0 && s[start-1] == '('
		dash := (c == '-' || c == '/') && lisp && r.at+1 < len(s) && isPlainByte(s[r.at+1])
		separator := (c == '.' || c == ':') && r.at+1 < len(s) && (isPlainByte(s[r.at+1]) || s[r.at+1] == ':')
		if !isPlainByte(c) && !dash && !separator && !(c == '!' && r.at+1 < len(s) && s[r.at+1] != '=') {
			break
		}
		r.at++
	}
	name := s[start:r.at]
	line, before := r.line, r.at
	if name == "file" && strings.HasPrefix(s[r.at:], " delete ") { // Tcl
		words, _, _ := strings.Cut(s[r.at:], "\n")
		for _, word := range strings.Fields(words)[1:] {
			if word = strings.Replace(strings.Trim(word, `"{};`), "$env(HOME)", "~", 1); word != "" && word[0] != '-' && word[0] != '$' && word[0] != '[' {
				r.calls = append(r.calls, Call{Func: "file delete", Kind: Delete, Args: []Arg{{Text: word, Home: word[0] == '~'}}, Recursive: true, Line: line})
			}
		}
	}
	call, ok := plainCallOf(name)
	inside := start > 0 && s[start-1] == '('
	if lastOf(name) == "sh" && inside {
		call, ok = plainCall{kind: Run}, true // of Clojure
	}
	if ok && call.kind == Delete && strings.HasPrefix(s[r.at:], "()") {
		if file, known := r.receiver(start); known {
			r.calls = append(r.calls, Call{Func: name, Kind: Delete, Args: []Arg{{Text: file, Home: strings.HasPrefix(file, "~")}}, Recursive: call.recursive, Line: line})
			return
		}
	}
	if ok {
		end := r.at
		args, rest := r.arguments(inside)
		if r.add(call, name, args, rest, line) {
			r.last, r.assigns = "", false
			return
		}
		r.at, r.line = end, line
	}
	if r.at < before {
		r.at = before
	}
	if value, ok := r.constants[name]; ok && r.assigns && r.last != "" {
		r.constants[r.last] = value
		r.assigns = false
		return
	}
	if name != "string" && name != "str" && name != "String" {
		r.last, r.assigns = name, false
	}
}

// receiver returns the name of the file whose method begins at start: File("/x").deleteRecursively().
func (r *plainReader) receiver(start int) (string, bool) {
	before, ok := strings.CutSuffix(r.source[:start], ").")
	if !ok || before == "" {
		return "", false
	}
	quote := before[len(before)-1]
	if quote != '"' && quote != '\'' {
		return "", false
	}
	open := strings.LastIndexByte(before[:len(before)-1], quote)
	if open < 0 || !strings.HasSuffix(before[:open], "File(") {
		return "", false
	}
	file := before[open+1 : len(before)-1]
	return file, file != "" && !strings.ContainsAny(file, "\\$\n")
}

// arguments reads what stands behind the name of a function: up to its closing bracket, and the arguments of the
// methods that are chained to it; inside is a call in Lisp. What isn't a text is Dynamic.
func (r *plainReader) arguments(inside bool) (args []Arg, rest string) {
	s := r.source
	open := r.at
	for r.at < len(s) && (s[r.at] == ' ' || s[r.at] == '\t') {
		r.at++
	}
	if r.at >= len(s) {
		return nil, ""
	}
	depth := 0
	if inside {
		depth = 1
	} else if s[r.at] == '(' {
		depth = 1
		r.at++
	} else if s[r.at] != '"' && s[r.at] != '\'' && s[r.at] != '`' {
		return nil, ""
	}
	from, bare := r.at, depth == 0
	known, other := "", false // the argument under way
	given, home := false, false
	end := func() {
		if given && !other {
			args = append(args, Arg{Text: known, Home: home})
		} else if given || other {
			args = append(args, Arg{Text: "$", Dynamic: true})
		}
		known, other, given, home = "", false, false, false
	}
	for r.at < len(s) && len(args) < 64 && r.at-open < 4096 {
		switch c := s[r.at]; {
		case c == '"' || c == '\'' || c == '`':
			text, ok := r.quoted()
			if !ok {
				continue
			}
			if inside && given {
				end()
			}
			known, given = known+text, true
			continue
		case isPlainByte(c):
			if inside && given {
				end()
			}
			start := r.at
			for r.at < len(s) && (isPlainByte(s[r.at]) || s[r.at] == '.' || s[r.at] == ':' && !bare) {
				r.at++
			}
			name := s[start:r.at]
			label := strings.HasSuffix(name, ":")
			value, constant := r.constants[name]
			switch {
			case constant:
				known, given = known+value, true
			case name == "atPath:" || label || strings.HasSuffix(name, ".of") || strings.HasSuffix(name, ".get") || name == "new" || name == "File" || name == "to_string" || name == "c" || name == "unwrap_or_default" || strings.HasSuffix(name, "List.of"):
			case r.home(name):
				known, given, home = known+"~", true, known == ""
			case name == "unwrap" || name == "clone" || name == "as_str" || name == "toString" || name == "to_owned":
			default:
				other = true
			}
			continue
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			if depth--; depth <= 0 {
				end()
				r.at++
				if c != ')' || !r.chained() {
					return args, s[from:min(r.at, len(s))]
				}
				depth = 1
				continue
			}
		case c == ',', c == ';' && !bare: // in Julia before the names of arguments
			end()
		case c == '\n':
			r.line++
			if bare || inside && depth == 0 {
				end()
				return args, s[from:r.at]
			}
		case c == '+' || c == '.' || c == '&' || c == ' ' || c == '\t':
		case c == '=':
			known, other, given = "", false, false // the name of an argument
		case bare && c == ';':
			end()
			return args, s[from:r.at]
		}
		r.at++
	}
	end()
	return args, s[from:r.at]
}

// home reads what a name in an argument asks the environment for, if that is the home folder.
func (r *plainReader) home(name string) bool {
	if strings.HasSuffix(name, "HOME") || strings.HasSuffix(name, "NSHomeDirectory") || strings.HasSuffix(name, "homedir") || strings.HasSuffix(name, "user_home") {
		return true
	}
	if !strings.HasSuffix(strings.ToLower(name), "env") && !strings.HasSuffix(name, "var") && !strings.HasSuffix(name, "getProperty") {
		return false
	}
	for _, call := range []string{`("HOME")`, `('HOME')`, `("user.home")`} {
		if strings.HasPrefix(r.source[r.at:], call) {
			r.at += len(call)
			return true
		}
	}
	return false
}

// chained reads .name( behind a call, if that gives the call more arguments.
func (r *plainReader) chained() bool {
	rest := strings.TrimLeft(r.source[r.at:], " \t\r\n")
	for _, method := range []string{".arg(", ".args(", ".arg (", ".args ("} {
		if strings.HasPrefix(rest, method) {
			skipped := len(r.source[r.at:]) - len(rest)
			r.line += strings.Count(r.source[r.at:r.at+skipped], "\n")
			r.at += skipped + len(method)
			return true
		}
	}
	return false
}

// add notes a call whose arguments are known, false if they aren't.
func (r *plainReader) add(call plainCall, name string, args []Arg, rest string, line int) bool {
	last := lastOf(name)
	if strings.Contains(rest, "recursive=true") || strings.Contains(rest, "recursive=TRUE") || strings.Contains(rest, "recursive = T") || strings.Contains(rest, "recursive=T") {
		call.recursive = true
	}
	if last == "CommandContext" || last == "Remove" && len(args) > 1 {
		args = args[min(1, len(args)):]
	}
	if len(args) == 0 {
		return false
	}
	switch last {
	case "execl", "execlp":
		args = append(args[:1:1], args[min(2, len(args)):]...)
	case "execvp", "execv":
		args = args[min(1, len(args)):]
	case "call-process", "start-process":
		args = args[:1]
	}
	if len(args) == 0 || args[0].Dynamic {
		return false
	}
	if last == "rmdir" {
		if call.recursive = len(args) == 2 && args[1].Text == "s"; !call.recursive {
			return false // only an empty folder
		}
	}
	switch call.kind {
	case Delete:
		args = args[:1]
		args[0].Home = strings.HasPrefix(args[0].Text, "~")
	case Shell:
		args = args[:1]
	case Run:
		if len(args) == 1 && strings.ContainsAny(args[0].Text, " ") || last == "Start" && len(args) == 2 {
			text := args[0].Text
			if len(args) == 2 {
				text += " " + args[1].Text
			}
			call.kind, args = Shell, []Arg{{Text: text}}
		}
	}
	r.calls = append(r.calls, Call{Func: name, Kind: call.kind, Args: args, Recursive: call.recursive, Line: line})
	return true
}
