package shell

import (
	"io"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// sourceText is a text as it is read: what a shell takes for granted where the parser doesn't is put in.
type sourceText struct {
	text     string
	inserted []insertion // by where they are
}

type insertion struct{ at, length int } // of the text with all of them

// maxRepairs is how often something is put into a text, which is then parsed anew.
const maxRepairs = 8

// insert puts what is missing in at an offset.
func (r *sourceText) insert(at int, missing string) {
	for i := range r.inserted {
		if r.inserted[i].at >= at {
			r.inserted[i].at += len(missing)
		}
	}
	r.inserted = append(r.inserted, insertion{at, len(missing)})
	slices.SortFunc(r.inserted, func(a, b insertion) int { return a.at - b.at })
	r.text = r.text[:at] + missing + r.text[at:]
}

// offset is where in the text as it was given an offset of the text as it is read is.
func (r *sourceText) offset(at int) int {
	given := at
	for _, i := range r.inserted {
		if i.at < at {
			given -= min(i.length, at-i.at)
		}
	}
	return given
}

// parse returns what could be read of text, with what stopped it, if anything
// did. The file is never nil; its positions are in the text as it was read.
//
// A text that isn't bash is read as zsh, which agents have on macOS, if it is that and orZsh.
func (w *walker) parse(text string, orZsh bool) (*syntax.File, *sourceText, *SyntaxError) {
	read := &sourceText{text: text}
	file, failure := w.parseAs(syntax.LangBash, text)
	if failure == nil || w.line.TooComplex {
		return file, read, failure
	}
	if repaired, r := w.repaired(syntax.LangBash, text, failure); repaired != nil {
		return repaired, r, nil
	}
	if !orZsh {
		return file, read, failure
	}
	other, otherFailure := w.parseAs(syntax.LangZsh, text)
	if otherFailure != nil && !w.line.TooComplex {
		if other, read = w.repaired(syntax.LangZsh, text, otherFailure); other == nil {
			return file, &sourceText{text: text}, failure
		}
	}
	if !closesQuotes(other) {
		return file, &sourceText{text: text}, failure
	}
	return other, read, nil
}

// closesQuotes reports whether the groups of zsh in a file, in which the parser doesn't look for quotes, have none
// that go on behind them.
func closesQuotes(file *syntax.File) bool {
	closed := true
	syntax.Walk(file, func(node syntax.Node) bool {
		if lit, ok := node.(*syntax.Lit); ok && strings.HasPrefix(lit.Value, "(") {
			_, err := Split(lit.Value)
			closed = closed && err == nil
		}
		return closed
	})
	return closed
}

// repaired is what text is with what a shell takes for granted, nil if it isn't valid for all that.
func (w *walker) repaired(language syntax.LangVariant, text string, failure *SyntaxError) (*syntax.File, *sourceText) {
	r := &sourceText{text: text}
	for range maxRepairs {
		if !r.repair(failure) || len(r.text) > maxText || !w.spend(textCost*len(r.text)) {
			return nil, nil
		}
		var file *syntax.File
		if file, failure = w.parseAs(language, r.text); failure == nil && !w.line.TooComplex {
			return file, r
		}
	}
	return nil, nil
}

// parseAs is parse for one language.
func (w *walker) parseAs(language syntax.LangVariant, text string) (*syntax.File, *SyntaxError) {
	if language == syntax.LangBash {
		if file := plainCommand(text); file != nil {
			return file, nil
		}
	}
	var file *syntax.File
	var failure *SyntaxError
	comments := mayContinue(text)
	for range maxComments {
		failure = w.guard(text, func(p *syntax.Parser, r io.Reader) (err error) {
			syntax.KeepComments(comments)(p)
			if language != syntax.LangBash {
				syntax.Variant(language)(p)
				defer syntax.Variant(syntax.LangBash)(p)
			}
			file, err = p.Parse(r, "")
			return err
		})
		if !comments || file == nil || w.line.TooComplex {
			break
		}
		ended, changed := endComments(text, file)
		if comments = changed; changed {
			text = ended
			w.spend(textCost * len(text))
		}
	}
	if comments && file != nil {
		w.line.TooComplex = true
	}
	if file == nil || w.line.TooComplex {
		file = new(syntax.File)
	}
	return file, failure
}

// repair puts in what a shell takes for granted, if that is what a text failed for.
func (r *sourceText) repair(failure *SyntaxError) bool {
	if delimiter, ok := strings.CutPrefix(failure.Message, "unclosed here-document `"); ok {
		return r.endDocument(strings.TrimSuffix(delimiter, "`"), failure)
	}
	return r.quoteSubscripts(failure) || r.partCommands(failure)
}

// quoteSubscripts quotes the subscript that a text failed for, and those of the elements behind it: what stands in one
// is arithmetic for the parser, but any text where the array is an associative one, as in a=([ARM 64-bit]=x).
func (r *sourceText) quoteSubscripts(failure *SyntaxError) bool {
	stopped := offsetOf(r.text, failure.Line, failure.Column)
	if stopped < 0 || stopped > len(r.text) {
		return false
	}
	at := strings.LastIndexByte(r.text[:stopped], '[')
	if at < 1 || !isSubscripted(r.text[at-1]) {
		return false
	}
	quoted := false
	for at >= 0 && at < len(r.text) && r.text[at] == '[' {
		length := strings.IndexAny(r.text[at+1:], "]\"'`\n")
		end := at + 1 + length
		if length < 1 || r.text[end] != ']' {
			break
		}
		if !isVariableName(r.text[at+1 : end]) {
			r.insert(end, `"`)
			r.insert(at+1, `"`)
			end, quoted = end+2, true
		}
		at = r.nextElement(end + 1)
	}
	return quoted
}

// isSubscripted reports whether a "[" behind that byte begins a subscript.
func isSubscripted(before byte) bool {
	return before == '(' || before == ' ' || before == '\t' || before == '\n' || before == '_' || before >= '0' && before <= '9' || isLetter(before)
}

// nextElement is where the element of an array behind the value at an offset begins, -1 where there is none.
func (r *sourceText) nextElement(at int) int {
	if at >= len(r.text) || r.text[at] != '=' {
		return -1
	}
	for quote := byte(0); at < len(r.text); at++ {
		switch c := r.text[at]; {
		case c == '\\' && quote != '\'':
			at++
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
		case c == '"' || c == '\'':
			quote = c
		case c == ' ' || c == '\t' || c == '\n':
			rest := strings.TrimLeft(r.text[at:], " \t\n")
			return len(r.text) - len(rest)
		case c == ')' || c == '(' || c == '`':
			return -1
		}
	}
	return -1
}

// endDocument ends a here-document that isn't: in front of the bracket that stands right behind its delimiter, or else
// with the text.
func (r *sourceText) endDocument(delimiter string, failure *SyntaxError) bool {
	if delimiter == "" || strings.Contains(delimiter, "\n") {
		return false
	}
	for at := max(offsetOf(r.text, failure.Line, failure.Column), 0); ; {
		line := strings.IndexByte(r.text[at:], '\n')
		if line < 0 {
			break
		}
		at += line + 1
		tabs := len(r.text[at:]) - len(strings.TrimLeft(r.text[at:], "\t"))
		if strings.HasPrefix(r.text[at+tabs:], delimiter+")") {
			r.insert(at+tabs+len(delimiter), "\n")
			return true
		}
	}
	end := "\n" + delimiter + "\n"
	if strings.HasSuffix(r.text, end[:len(end)-1]) || strings.HasSuffix(r.text, end) {
		return false // it doesn't help
	}
	r.insert(len(r.text), end)
	return true
}

// partCommands parts the brackets of "((" and "$((" in front of what isn't arithmetic: a shell then takes the inner
// ones for those of a subshell.
func (r *sourceText) partCommands(failure *SyntaxError) bool {
	stopped := offsetOf(r.text, failure.Line, failure.Column)
	if stopped < 0 {
		stopped = len(r.text)
	}
	if stopped < len(r.text) && r.text[stopped] == '$' {
		stopped++
	}
	at := strings.LastIndex(r.text[:min(stopped+2, len(r.text))], "((")
	if at < 0 {
		return false
	}
	r.insert(at+1, " ")
	return true
}

// isQualifier reports whether text is what zsh reads behind a pattern, in brackets, as the kind or the order of the
// files that it stands for, such as (.), (/N) and (om[1,3]).
func isQualifier(text string) bool {
	inner, opened := strings.CutPrefix(text, "(")
	inner, closed := strings.CutSuffix(inner, ")")
	if !opened || !closed || inner == "" || len(inner) > 40 {
		return false
	}
	for i := 0; i < len(inner); i++ {
		switch c := inner[i]; {
		case strings.IndexByte("./@=p*%^-rwxRWXNDMTF#q,", c) >= 0:
		case c == 'o' || c == 'O':
			if i++; i == len(inner) || strings.IndexByte("nLlamcdN", inner[i]) < 0 {
				return false
			}
		case strings.IndexByte("macLUGuglf", c) >= 0:
			digits := strings.TrimLeft(inner[i+1:], "Mwhmskpg+-")
			rest := strings.TrimLeft(digits, "0123456789")
			if rest == digits {
				return false
			}
			i = len(inner) - len(rest) - 1
		case c == '[':
			end := strings.IndexByte(inner[i:], ']')
			if end < 0 || strings.Trim(inner[i+1:i+end], "0123456789,-") != "" {
				return false
			}
			i += end
		default:
			return false
		}
	}
	return true
}

// group puts (...) of a word in, which is a qualifier or alternatives for zsh, and a substitution for fish.
func (e *expander) group(text string, last bool, s *scope) {
	e.word.Glob = true
	if last && len(e.text) > 0 && isQualifier(text) {
		return
	}
	if inner := text[1 : len(text)-1]; strings.ContainsAny(inner, " \t\n:+") && e.w.spend(nestedText+textCost*len(text)) {
		// The code of zsh's (e:'...':) stands in quotes of its own.
		if code, ok := strings.CutPrefix(inner, "e"); ok && len(code) > 2 && !isLetter(code[0]) && code[0] != ' ' {
			inner = strings.Trim(strings.Trim(code, code[:1]), "'\"")
		}
		source := argument{Word: Word{Text: inner}, at: e.at}
		e.w.subshell(func() { e.w.reread(source, "()", *s) })
		e.word.Dynamic = true
		e.word.dynamic = append(e.word.dynamic, text)
	}
	e.text = append(e.text, text...)
}

// reread walks text that only another shell takes for commands, as far as it is any.
func (w *walker) reread(text argument, via string, s scope) {
	s = s.through(via)
	s.context, s.out, s.assigned, s.redirects, s.external = "substitution", nil, nil, nil, false
	file, failure := w.parseAs(syntax.LangBash, text.Text)
	if failure != nil || s.depth > maxDepth {
		return
	}
	s.source, s.at, s.nested = text.Text, text.at, true
	w.stmts(file.Stmts, &s)
}
