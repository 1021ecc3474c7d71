package lib

import (
	"fmt"
	"unicode/utf8"

	"github.com/luahook/luahook/luabind"
)

// maxJSON bounds the texts that json.encode makes and json.decode takes.
const maxJSON = 8 << 20

const indentation = "  "

var errJSONDepth = fmt.Errorf("the value is nested deeper than %d levels", luabind.MaxDepth)

var errJSONValues = fmt.Errorf("the text has more than %d values", luabind.MaxNodes)

// jsonSize sums up how large the JSON of a value will be, so that it can be refused
// before it is written: a short table can hold one long string many times.
type jsonSize struct {
	indent bool
	bytes  int // exact for strings, at least for numbers
	values int
}

var errJSONSize = fmt.Errorf("the text would be larger than %d bytes", maxJSON)

// add returns an error as soon as the sum is past maxJSON.
func (s *jsonSize) add(v any, depth int) error {
	s.values++
	switch v := v.(type) {
	case string:
		s.bytes += quotedSize(v)
	case map[string]any:
		s.bytes += 2
		for k, e := range v {
			s.bytes += quotedSize(k) + 2 + s.newline(depth)
			if err := s.add(e, depth+1); err != nil {
				return err
			}
		}
	case []any:
		s.bytes += 2
		for _, e := range v {
			s.bytes += 1 + s.newline(depth)
			if err := s.add(e, depth+1); err != nil {
				return err
			}
		}
	case []string:
		for _, e := range v {
			s.bytes += quotedSize(e) + 1 + s.newline(depth)
		}
	default: // a number, boolean or null; a number has 1 to some 20 characters
		s.bytes++
	}
	if s.bytes > maxJSON {
		return errJSONSize
	}
	return nil
}

func (s *jsonSize) newline(depth int) int {
	if !s.indent {
		return 0
	}
	return 1 + (depth+1)*len(indentation)
}

// quotedSize is the length of a string in JSON as package encoding/json writes it.
func quotedSize(s string) int {
	n := len(s) + 2
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			switch {
			case c == '"' || c == '\\' || c == '\b' || c == '\f' || c == '\n' || c == '\r' || c == '\t':
				n++
			case c < ' ':
				n += 5
			}
			i++
			continue
		}
		r, width := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && width == 1:
			n += 5
		case r == '\u2028' || r == '\u2029':
			n += 3
		}
		i += width
	}
	return n
}
