// Package shell says which commands a shell command line would run, so that
// a guard can decide by what a line does and not by what its text looks like.
//
// Start at [Parse]. It reads the text as bash, or as PowerShell or cmd.exe do, and returns a [Line]: every
// simple command in it, also those inside loops, functions, substitutions
// and here-documents, and those that another program is asked to run (sudo,
// xargs, find -exec, bash -c, python -c and so on). [Command.Flag],
// [Command.Operands] and [Command.Subcommand] then read a command's arguments
// as the program itself would, [Command.Paths] says which files it names and
// what for, and [Command.Git] what a git command does to history and worktree.
//
// The walk follows what the line itself makes known: variables, arrays and
// positional parameters, functions and aliases, the folder after cd, what
// echo, printf and other pure programs write, and the files that the line
// writes and then runs. Where a line may go several ways, as behind an if, a
// command is reported once for each value that its words may have.
//
// Nothing is run: the package touches neither files nor the environment, keeps
// no state, and is safe for concurrent use. What can only be known while the
// line runs is said to be so (Dynamic), and not guessed, but for a program that
// a pattern names: /bin/r? is taken for the one that is known and fits. What
// other patterns may stand for [Line.WithNames] says. What isn't looked into at
// all: files that the line didn't write itself, which program a name stands for
// on the PATH, and languages other than shell, PowerShell, that of cmd.exe,
// Python, JavaScript, Perl, Ruby, PHP and awk.
//
// A cmdlet of PowerShell is a command with its usual name, whatever alias or
// case it was called by: "Remove-Item", with the parameters that hold under
// their full names ("-Recurse" for -r and -Recurse:$true). Behind it stands, as
// what it does, the command of a Unix system that does the same: "rm", through
// "Remove-Item". It's the same with the commands that are a part of cmd.exe.
package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/luahook/luahook/analysis/windows"
	"mvdan.cc/sh/v3/syntax"
)

// The bounds of one [Parse]. Over any of them a line is TooComplex.
const (
	maxText     = 64 << 10 // bytes of text
	maxCommands = 10_000
	maxDepth    = 32    // of commands inside commands: sudo env bash -c ...
	maxFrames   = 5_000 // stack frames while parsing: some hundreds of nested brackets

	// maxWork bounds everything else. A unit is about 20 ns on a machine of
	// today, so that the worst line takes some 20 ms.
	maxWork = 1 << 20

	textCost     = 3   // of maxWork, for each byte that is parsed
	nestedText   = 100 // of maxWork, for each text inside the line that is parsed
	commandCost  = 48  // of maxWork, for each command
	compoundCost = 32  // of maxWork, for each command with others in it
	shellCost    = 100 // of maxWork, for each shell of its own
	roundCost    = 64  // of maxWork, for each round of a loop
	callCost     = 64  // of maxWork, for each call of a function
	fieldCost    = 16  // of maxWork, for each word that a value is split into
	changeCost   = 16  // of maxWork, for each change of what a name stands for
	wordCost     = 4   // of maxWork, for each word of one
	listCost     = 6   // of maxWork, for each element that is copied
)

// Line is what a command line would run.
type Line struct {
	// Commands holds the simple commands in the order in which they would
	// start: what a substitution runs stands before the command that it is
	// for, and a wrapper such as sudo before the command that it runs.
	// Commands that may run or not, as in a branch, are all here; the bodies
	// of functions that the line never calls come last.
	Commands []*Command

	// Err is nil or a *[SyntaxError]: the text, or a text in it that is
	// handed to a shell, isn't valid, or isn't UTF-8. A shell still runs what stands before
	// the error, so Commands holds what could be understood, possibly
	// nothing. Treat the rest as unknown.
	Err error

	// TooComplex is set when the text is too long or too deeply nested to be
	// read to its end. Commands is then incomplete, possibly empty.
	TooComplex bool
}

// SyntaxError says where and why a text isn't valid.
type SyntaxError struct {
	Line, Column int // from 1; the column counts bytes, 0 where unknown
	Message      string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Message)
}

// Language is that of a command line.
type Language string

// The languages of command lines. Where none is said, a line is bash, unless its text can't be anything but
// PowerShell.
const (
	Bash       Language = "bash"
	PowerShell Language = "powershell"
	Cmd        Language = "cmd" // of cmd.exe
)

// Options says where a line is run, and by what.
type Options struct {
	Cwd      string   // the folder it starts in, absolute; "": not known
	Home     string   // the home folder, absolute; "": not known
	Language Language // "": see there
}

// Parse reads text in its language. It never returns nil and never fails as such:
// look at Err and TooComplex before relying on what is not in Commands. The
// result shares nothing with other results, but the commands in it may share
// slices: don't change them.
func Parse(text string, options Options) *Line { return walk(text, options).line }

// walk returns the walker that has gone through text.
func walk(text string, options Options) *walker {
	w := &walker{line: new(Line), options: options, work: maxWork, shells: make([]shellProcess, 1)}
	w.env = &environment{work: &w.work}
	if len(text) > maxText {
		w.line.TooComplex = true
		return w
	}
	var file *syntax.File
	var read *sourceText
	language := options.Language
	switch {
	case language == "":
		language = Language(windows.Language(text))
	case language == PowerShell && strings.HasPrefix(text, "for ") && windows.Language(text) == string(Cmd):
		language = Cmd // for %f in (...) do is nothing in PowerShell
	}
	if language != PowerShell && language != Cmd {
		text = asBash(text)
		w.spend(textCost * len(text))
		var err *SyntaxError
		if file, read, err = w.parse(text, true); err != nil {
			// A shell of Unix runs the lines before the mistake for all that: so both are reported.
			if language == "" && windows.IsLikelyPowerShell(text) {
				language = PowerShell
			} else {
				w.line.Err = err
			}
		}
	}
	dir := literal(options.Cwd, place{})
	if dir.Text = cleanArgument(dir); dir.Text == "" {
		dir.Text = "."
	}
	w.env.set(name{kind: folder}, &binding{word: dir})
	if file != nil {
		w.stmts(file.Stmts, &scope{source: read.text, lines: &lineStarts{given: text, reading: read}})
	}
	if language == PowerShell || language == Cmd {
		w.windowsText(language, argument{Word: Word{Text: text}}, scope{nested: true})
	}
	w.exit()
	w.walkUncalled()
	w.repointDuplicates()
	if w.parser != nil {
		parsers.Put(w.parser)
		w.parser = nil
	}
	return w
}

// parsers are those of walks that are over: a parser is large, and good for any text.
var parsers = sync.Pool{New: func() any { return syntax.NewParser(syntax.Variant(syntax.LangBash)) }}

// parseDocument reads text as the body of a here-document. It returns nil when
// that isn't possible, which is then noted in the line.
func (w *walker) parseDocument(text string) (word *syntax.Word) {
	failure := w.guard(text, func(p *syntax.Parser, r io.Reader) (err error) {
		word, err = p.Document(r)
		return err
	})
	if failure != nil && w.line.Err == nil {
		w.line.Err = failure
	}
	if failure != nil || w.line.TooComplex {
		return nil
	}
	return word
}

// guard calls read with a parser, and with text in a way that keeps the parser
// within bounds.
func (w *walker) guard(text string, read func(*syntax.Parser, io.Reader) error) (failure *SyntaxError) {
	// The parser isn't ours and the text may be hostile: a fault in the
	// parser must not take the host down, it makes the text unreadable.
	defer func() {
		if recover() != nil {
			failure = &SyntaxError{1, 1, "the parser failed on this text"}
		}
	}()
	source := &shallowReader{text: text}
	parser := w.parser
	if w.parser = nil; parser == nil { // it isn't used again after a fault
		parser = parsers.Get().(*syntax.Parser)
	}
	err := read(parser, source)
	w.parser = parser
	if source.deep {
		w.line.TooComplex = true
		return nil
	}
	if err == nil {
		return nil
	}
	var parse syntax.ParseError
	var lang syntax.LangError
	switch {
	case errors.As(err, &parse):
		return &SyntaxError{int(parse.Pos.Line()), int(parse.Pos.Col()), parse.Text}
	case errors.As(err, &lang):
		message := strings.TrimPrefix(err.Error(), lang.Pos.String()+": ")
		return &SyntaxError{int(lang.Pos.Line()), int(lang.Pos.Col()), message}
	}
	return &SyntaxError{1, 1, err.Error()}
}

// shallowReader gives out text until the parser that reads it has recursed
// too deeply. The parser has no bound of its own, and nesting can't be seen
// from outside without parsing: "$(')'$(')'..." fools any count of brackets.
// So it looks at the stack that it's called on.
type shallowReader struct {
	text string
	read int
	deep bool
}

// chunk is how much is read between two looks at the stack. Every level of
// nesting takes at least one byte, so the first chunk needs none.
const chunk = 512

func (r *shallowReader) Read(buffer []byte) (int, error) {
	if r.read == len(r.text) {
		return 0, io.EOF
	}
	var caller [1]uintptr
	if r.deep = r.deep || r.read > 0 && runtime.Callers(maxFrames, caller[:]) > 0; r.deep {
		return 0, io.ErrUnexpectedEOF
	}
	n := copy(buffer[:min(len(buffer), chunk)], r.text[r.read:])
	r.read += n
	return n, nil
}

// maxComments is how often a text is read again for its comments.
const maxComments = 8

// asBash writes text so that the parser reads it as bash does: for bash, a
// backslash in front of a carriage return doesn't continue a line.
func asBash(text string) string {
	return strings.ReplaceAll(text, "\\\r\n", "\\\r\r\n")
}

// endComments returns text with the backslashes at the ends of comments
// blanked. The parser takes these for continued lines, where for a shell the
// comment ends and the next line is one of its own. It is called with what the
// parser made of text, and ok is false where nothing had to be changed.
func endComments(text string, file *syntax.File) (ended string, ok bool) {
	var changed []byte
	syntax.Walk(file, func(node syntax.Node) bool {
		comment, isComment := node.(*syntax.Comment)
		if !isComment || !strings.HasSuffix(comment.Text, "\\\n") {
			return true
		}
		// The end is looked for, because the parser drops what text has before
		// a newline or in backquotes.
		start := int(comment.Hash.Offset())
		if end := strings.Index(text[min(start, len(text)):], "\\\n"); end >= 0 {
			if changed == nil {
				changed = []byte(text)
			}
			changed[start+end] = ' '
		}
		return true
	})
	return string(changed), changed != nil
}

// mayContinue reports whether text can have a comment with a backslash at its
// end.
func mayContinue(text string) bool {
	return strings.Contains(text, "#") && strings.Contains(text, "\\\n")
}

// The bounds of a [Cache].
const (
	maxCached     = 16        // texts
	maxCachedText = 256 << 10 // bytes of them together
)

// CacheKey is the key under which a context has a *[Cache] for [ParseContext]. The
// contexts that hooks of one event are called with have one in common.
type CacheKey struct{}

// ParseContext is [Parse], but where ctx has a [Cache] (see [CacheKey]) a line that is
// there already isn't parsed anew. The line is shared: don't change it.
func ParseContext(ctx context.Context, text string, options Options) *Line {
	if c, ok := ctx.Value(CacheKey{}).(*Cache); ok && c != nil {
		return c.Parse(text, options)
	}
	return Parse(text, options)
}

// Cache keeps lines, so that those who look at the same text parse it once. It takes
// up to 16 texts of 256 KiB together, and parses what comes after them anew each time;
// nothing is ever dropped, so it should live no longer than they have to do with one
// another. The zero value is ready, and safe for concurrent use.
type Cache struct {
	mu    sync.Mutex
	lines []cachedLine
	size  int
}

type cachedLine struct {
	text    string
	options Options
	parse   func() *Line // parses when it is called for the first time
}

// Parse is [Parse] for a line that others may ask for as well. Those who ask while it
// is being parsed wait for it. The line is shared: don't change it.
func (c *Cache) Parse(text string, options Options) *Line {
	if parse := c.find(text, options); parse != nil {
		return parse()
	}
	return Parse(text, options)
}

// find gives the line's place, a new one where there is none yet, and nil where there
// is no room for it.
func (c *Cache) find(text string, options Options) func() *Line {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.lines {
		if l := &c.lines[i]; l.text == text && l.options == options {
			return l.parse
		}
	}
	if len(c.lines) == maxCached || c.size+len(text) > maxCachedText || len(text) > maxText {
		return nil
	}
	parse := sync.OnceValue(func() *Line { return Parse(text, options) })
	c.lines = append(c.lines, cachedLine{text, options, parse})
	c.size += len(text)
	return parse
}

// Files returns the files and folders that the commands of a line name and that are
// known as they stand: absolute, where [Options] said where the line starts. A pattern is there
// as it is written. Of what touches files that it doesn't name there is [Path.Reach] as well.
func (l *Line) Files() []string {
	var files []string
	seen := map[string]bool{}
	for _, c := range l.Commands {
		for _, p := range c.Paths() {
			for _, text := range p.Reach() {
				if !seen[text] && len(files) < maxFiles {
					seen[text] = true
					files = append(files, text)
				}
			}
		}
	}
	return files
}

// maxFiles bounds what a line is asked for; nobody writes a line of more.
const maxFiles = 1000

// Split breaks text into words at blanks and newlines and resolves POSIX
// quotes and backslashes. It is not a parser: operators, comments, $ and
// globs are ordinary characters. The error is a *[SyntaxError] for a quote
// that isn't closed or a backslash at the end.
func Split(text string) ([]string, error) {
	var words []string
	var word []byte
	inWord := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case ' ', '\t', '\n':
			if inWord {
				words, word, inWord = append(words, string(word)), word[:0], false
			}
		case '\'':
			inWord = true
			length := strings.IndexByte(text[i+1:], '\'')
			if length < 0 {
				return nil, unfinished(text, i, "a single quote isn't closed")
			}
			word = append(word, text[i+1:i+1+length]...)
			i += length + 1
		case '"':
			inWord = true
			start := i
			for i++; ; i++ {
				if i == len(text) {
					return nil, unfinished(text, start, "a double quote isn't closed")
				}
				if text[i] == '"' {
					break
				}
				if text[i] == '\\' && i+1 < len(text) {
					if next := text[i+1]; next == '\n' {
						i++
						continue
					} else if strings.IndexByte("$`\"\\", next) >= 0 {
						i++
					}
				}
				word = append(word, text[i])
			}
		case '\\':
			if i+1 == len(text) {
				return nil, unfinished(text, i, "a backslash at the end")
			}
			if i++; text[i] != '\n' {
				inWord = true
				word = append(word, text[i])
			}
		default:
			inWord = true
			word = append(word, c)
		}
	}
	if inWord {
		words = append(words, string(word))
	}
	return words, nil
}

func unfinished(text string, offset int, message string) error {
	before := text[:offset]
	return &SyntaxError{
		Line:    1 + strings.Count(before, "\n"),
		Column:  offset - strings.LastIndexByte(before, '\n'),
		Message: message,
	}
}

// Quote joins words to a text that any POSIX shell reads as these words, and
// [Split] too. A NUL byte, which no shell can read, is left as it is.
func Quote(words ...string) string {
	var b strings.Builder
	for i, word := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		if isSafe(word) {
			b.WriteString(word)
			continue
		}
		b.WriteByte('\'')
		b.WriteString(strings.ReplaceAll(word, `'`, `'\''`))
		b.WriteByte('\'')
	}
	return b.String()
}

// isSafe reports whether word means itself wherever a word can stand.
func isSafe(word string) bool {
	for i := range len(word) {
		c := word[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		case strings.IndexByte("_@%+:,./-", c) >= 0:
		case c == '=' && !syntax.ValidName(word[:i]): // --a=b is no assignment
		default:
			return false
		}
	}
	return word != "" && !syntax.IsKeyword(word)
}

// decodeANSI resolves the escapes of $'...'. As in bash, the text ends where
// an escape stands for a NUL.
func decodeANSI(text string) string {
	decoded := decodeEscapes(text)
	if i := strings.IndexByte(decoded, 0); i >= 0 {
		return decoded[:i]
	}
	return decoded
}

// decodeEscapes is decodeANSI for programs that can write a NUL.
func decodeEscapes(text string) string {
	if strings.IndexByte(text, '\\') < 0 {
		return text
	}
	var b []byte
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b = append(b, text[i])
			continue
		}
		i++
		c := text[i]
		if at := strings.IndexByte(`abeEfnrtv\'"?`, c); at >= 0 {
			b = append(b, "\a\b\x1b\x1b\f\n\r\t\v\\'\"?"[at])
			continue
		}
		base, digits := 16, 0
		switch c {
		case 'x':
			digits = 2
		case 'u':
			digits = 4
		case 'U':
			digits = 8
		case 'c':
			if i+1 < len(text) {
				i++
				b = append(b, text[i]&0x1f)
			}
			continue
		default:
			if c >= '0' && c <= '7' {
				base, digits = 8, 3
				i--
			}
		}
		n := 0
		for n < digits && i+1+n < len(text) && isDigit(text[i+1+n], base) {
			n++
		}
		if n == 0 { // not an escape
			b = append(b, '\\', c)
			continue
		}
		value, _ := strconv.ParseUint(text[i+1:i+1+n], base, 32)
		i += n
		switch {
		case c == 'u' || c == 'U':
			b = utf8.AppendRune(b, rune(value))
		default:
			b = append(b, byte(value))
		}
	}
	return string(b)
}

func isDigit(c byte, base int) bool {
	if base == 8 {
		return c >= '0' && c <= '7'
	}
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// backslashes resolves the escapes of echo -e and printf %b. It returns false
// where \c ends the text.
func backslashes(text string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		end := i + 2
		switch text[i+1] {
		case 'c':
			return b.String(), false
		case '0': // an octal escape is \0nnn here, and \nnn in $'...'
			for end < len(text) && end < i+5 && isDigit(text[end], 8) {
				end++
			}
			value, _ := strconv.ParseUint("0"+text[i+2:end], 8, 16)
			b.WriteByte(byte(value))
		default:
			for end < len(text) && end < i+10 && text[end] != '\\' && isDigit(text[end], 16) {
				end++
			}
			b.WriteString(decodeEscapes(text[i:end]))
		}
		i = end - 1
	}
	return b.String(), true
}
