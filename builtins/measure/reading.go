package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// longest is the longest line that is read, in bytes: transcripts have whole files on one.
const longest = 16 << 20

// call is a tool call.
type call struct {
	tool  string
	input map[string]any
	cwd   string // "": it isn't known
	where string // FILE:LINE
}

// shell is the call of a shell that runs a command.
func shell(command string) call {
	return call{tool: "bash", input: map[string]any{"command": command}}
}

// reading is a file being read. Its first line that isn't blank says what it is:
//
//	a JSON object       JSON lines, each with a call, or a transcript (see transcript.go)
//	: 1700000000:0;ls   the history of zsh with times. A command goes on in the next line after a backslash
//	- cmd: ls           the history of fish
//	anything else       a list of commands, or the history of bash
type reading struct {
	name   string
	number int // of the line
	take   func(call)
	unread func(where, why string)
	line   func(r *reading, text string)

	held    []string // the lines of a command that may go on
	from    int      // the number of the first of them
	stamped bool     // bash has written times; then a command reaches up to the next
	cwd     string   // what a transcript has said last
}

// taker takes what is read.
type taker interface {
	take(call)
	unread(where, why string) // a line that can't be read
}

// read reads the calls of a file. The memory that it takes doesn't grow with the file.
func read(name string, from io.Reader, to taker) error {
	r := &reading{name: name, take: to.take, unread: to.unread}
	in := bufio.NewReaderSize(from, 64<<10)
	for {
		text, err := r.next(in)
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("%s: %w", name, err)
		}
		if r.line == nil && strings.TrimSpace(text) != "" {
			r.line = formatOf(text)
		}
		if r.line != nil && (err == nil || text != "") {
			r.line(r, text)
		}
		if err != nil {
			r.end()
			return nil
		}
	}
}

// next reads a line. One that is too long is left out, and read as a blank one.
func (r *reading) next(in *bufio.Reader) (string, error) {
	var line []byte
	r.number++
	long := false
	for {
		part, err := in.ReadSlice('\n')
		if long = long || len(line)+len(part) > longest; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if long {
			r.unread(r.where(r.number), fmt.Sprintf("longer than %d MiB", longest>>20))
		}
		return strings.TrimRight(string(line), "\r\n"), err
	}
}

func (r *reading) where(line int) string {
	return fmt.Sprintf("%s:%d", r.name, line)
}

var (
	zshTimes = regexp.MustCompile(`^: *\d+:\d+;`)
	bashTime = regexp.MustCompile(`^#\d{6,}$`)
)

func formatOf(first string) func(*reading, string) {
	switch {
	case strings.HasPrefix(first, `{"`), strings.HasPrefix(first, "{") && json.Valid([]byte(first)): // no command begins with {"
		return (*reading).record
	case zshTimes.MatchString(first):
		return (*reading).zsh
	case strings.HasPrefix(first, "- cmd: "):
		return (*reading).fish
	}
	return (*reading).plain
}

// hold keeps a line of a command that may go on.
func (r *reading) hold(text string) {
	if len(r.held) == 0 {
		r.from = r.number
	}
	r.held = append(r.held, text)
}

// end takes the command that has been held.
func (r *reading) end() {
	text := strings.Join(r.held, "\n")
	r.held = r.held[:0]
	r.command(text, r.from)
}

func (r *reading) command(text string, line int) {
	if strings.TrimSpace(text) == "" {
		return
	}
	c := shell(text)
	c.where = r.where(line)
	r.take(c)
}

// plain reads a command a line. It goes on in the next after a backslash, and may be written as a JSON string, for
// commands of several lines. Lines that begin with # are comments, or the times of bash.
func (r *reading) plain(text string) {
	switch {
	case bashTime.MatchString(text):
		r.end()
		r.stamped = true
	case r.stamped:
		r.hold(text)
	case len(r.held) == 0 && strings.HasPrefix(text, "#"):
	case len(r.held) == 0 && strings.HasPrefix(text, `"`) && json.Unmarshal([]byte(text), &text) == nil:
		r.command(text, r.number)
	default:
		r.hold(text)
		if !goesOn(text) {
			r.end()
		}
	}
}

// goesOn reports whether a line ends with a backslash that isn't itself behind one.
func goesOn(line string) bool {
	return (len(line)-len(strings.TrimRight(line, `\`)))%2 == 1
}

// zsh writes a line end in a command as a backslash and a line end, and some bytes as \x83 and the byte with one bit
// changed.
func (r *reading) zsh(text string) {
	if len(r.held) == 0 {
		text = text[len(zshTimes.FindString(text)):]
	}
	more := strings.HasSuffix(text, `\`)
	r.hold(unmetafied(strings.TrimSuffix(text, `\`)))
	if !more {
		r.end()
	}
}

func unmetafied(text string) string {
	if !strings.Contains(text, "\x83") {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] == 0x83 && i+1 < len(text) {
			i++
			out = append(out, text[i]^0x20)
			continue
		}
		out = append(out, text[i])
	}
	return string(out)
}

var fishEscapes = strings.NewReplacer(`\\`, `\`, `\n`, "\n")

// fish writes - cmd: COMMAND, and under it when: and paths:.
func (r *reading) fish(text string) {
	if command, ok := strings.CutPrefix(text, "- cmd: "); ok {
		r.command(fishEscapes.Replace(command), r.number)
	}
}
