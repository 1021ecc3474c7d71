package excerpt

import (
	"fmt"
	"strings"

	"github.com/luahook/luahook/internal/escape"
)

// Squeezed says what [Squeeze] has dropped.
type Squeezed struct {
	Escapes     int // escape sequences of terminals
	Overwritten int // states of a line before the last one, as progress bars write them
	Repeated    int // lines equal to the line before
}

// Squeeze drops from a text what the reader of a terminal wouldn't see or miss: escape sequences (colours,
// cursor, titles), the states of a progress line that a carriage return has overwritten, and repetitions of a
// line, which one line in brackets replaces. Line ends stay as they are. The result is never longer, and is the
// same string if there is nothing to drop.
func Squeeze(text string, spend func(units int)) (string, Squeezed) {
	s := squeezer{}
	spendBytes(spend, len(text)/4)
	text, s.left.Escapes = escape.Strip(text)
	first, same := "", 0 // the repeated line, and how often it was repeated
	reported := 0
	for pos := 0; pos < len(text); {
		if pos >= reported {
			spendBytes(spend, spendEvery/2)
			reported = pos + spendEvery
		}
		end := len(text)
		if i := strings.IndexByte(text[pos:], '\n'); i >= 0 {
			end = pos + i + 1
		}
		line := s.plain(text[pos:end])
		if line == first && pos > 0 {
			same++
		} else {
			s.repeats(first, same)
			first, same = line, 0
			s.write(line, text, pos, end)
		}
		if same == 1 { // from here on the text differs
			s.begin(text, pos)
		}
		pos = end
	}
	s.repeats(first, same)
	if !s.begun {
		return text, s.left
	}
	return s.out.String(), s.left
}

type squeezer struct {
	out   strings.Builder
	begun bool // the result differs from the text, and is in out
	left  Squeezed
}

// begin copies the unchanged text before pos.
func (s *squeezer) begin(text string, pos int) {
	if !s.begun {
		s.begun = true
		s.out.WriteString(text[:pos])
	}
}

func (s *squeezer) write(line, text string, pos, end int) {
	if !s.begun && len(line) == end-pos {
		return
	}
	s.begin(text, pos)
	s.out.WriteString(line)
}

// repeats writes the line that replaces repetitions, if it is shorter than they are.
func (s *squeezer) repeats(line string, n int) {
	if n == 0 {
		return
	}
	note := fmt.Sprintf("[the line above %s]%s", times(n), lineEnd(line))
	if !strings.HasSuffix(line, "\n") || len(note) >= n*len(line) {
		for range n {
			s.out.WriteString(line)
		}
		return
	}
	s.left.Repeated += n
	s.out.WriteString(note)
}

func times(n int) string {
	if n == 1 {
		return "once more"
	}
	return grouped(n) + " times more"
}

// lineEnd returns the end of a line: \r\n, \n or nothing.
func lineEnd(line string) string {
	switch {
	case strings.HasSuffix(line, "\r\n"):
		return "\r\n"
	case strings.HasSuffix(line, "\n"):
		return "\n"
	}
	return ""
}

// plain returns a line without overwritten states.
func (s *squeezer) plain(line string) string {
	end := lineEnd(line)
	if body := line[:len(line)-len(end)]; strings.IndexByte(body, '\r') >= 0 {
		if last := s.lastState(body); len(last) < len(body) {
			return last + end
		}
	}
	return line
}

// lastState returns what is left of an overwritten line. States that look alike, as those of a progress bar do,
// become one. Others stay, since some files end lines with carriage returns.
func (s *squeezer) lastState(line string) string {
	var out strings.Builder
	for line != "" {
		state, rest, more := strings.Cut(line, "\r")
		for more {
			next, after, goesOn := strings.Cut(rest, "\r")
			if next != "" && !alike(state, next) {
				break
			}
			if next != "" {
				state = next
			}
			s.left.Overwritten++
			rest, more = after, goesOn
		}
		out.WriteString(state)
		if more {
			out.WriteByte('\r')
		}
		line = rest
	}
	return out.String()
}

// alike reports whether two states of a line show the same progress: their first letters are the same, or they
// have hardly any. A state that reports a problem is like another only if all letters are the same.
func alike(a, b string) bool {
	if a, b := a[:min(len(a), stateBytes)], b[:min(len(b), stateBytes)]; wrong(a) || wrong(b) {
		_, x := hashed(a, 0, 0)
		_, y := hashed(b, 0, 0)
		return x == y
	}
	x, y := letters(a), letters(b)
	return x == y || len(strings.TrimRight(x, "\x00")) < lettersOfWord || len(strings.TrimRight(y, "\x00")) < lettersOfWord
}

// wrong reports whether a state of a line has a word for a problem.
func wrong(state string) bool {
	state = lower(state)
	for _, word := range []string{"err", "fail", "fatal", "warn", "panic", "denied", "exception", "cannot", "could not", "abort", "not found", "killed", "refused", "timed out"} {
		if strings.Contains(state, word) {
			return true
		}
	}
	return false
}

// stateBytes is how much of a line's state is examined.
const stateBytes = 1000

const lettersOfWord = 4

// letters returns the first of a state's ASCII letters.
func letters(s string) string {
	var found [lettersOfWord]byte
	n := 0
	for i := 0; i < min(len(s), 400) && n < len(found); i++ {
		if c := s[i] | 0x20; 'a' <= c && c <= 'z' {
			found[n] = c
			n++
		}
	}
	return string(found[:])
}
