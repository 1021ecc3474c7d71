package logindex

import (
	"bytes"
	stdjson "encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/segmentio/encoding/json"

	"github.com/luahook/luahook/engine/audit"
)

// textSearch looks for a text in records: first in the bytes of many lines, and then in the values of those that may
// have it.
type textSearch struct {
	text []byte // in lower case
	part []byte // of text, which stands in a line as it is if text is in a value; "": there is no such part

	block, lower []byte
	at           int64 // where block begins in the file
	value        []byte
}

func newTextSearch(text string) *textSearch {
	t := &textSearch{text: lowered(nil, []byte(strings.ToValidUTF8(text, string(utf8.RuneError))))}
	// Of other characters JSON has a short form. Any may also be written as \u0061: lines with that always pass.
	for _, part := range bytes.FieldsFunc(t.text, func(r rune) bool {
		return r < ' ' || r == '"' || r == '\\' || r == '/' || r == utf8.RuneError
	}) {
		if len(part) > len(t.part) {
			t.part = part
		}
	}
	return t
}

// groupSize is about how many bytes of lines are searched at once.
const groupSize = 256 << 10

// group reads lines of a segment, down from that of a row to that of lowest. has says which may have the text.
func (t *textSearch) group(s *segment, row int, m *matcher) (lowest int, has []bool, err error) {
	end := s.end
	if row+1 < s.len() {
		end = s.start + int64(s.place[row+1])
	}
	lowest = row
	any := m.matches(s, row)
	for lowest > 0 && end-s.start-int64(s.place[lowest-1]) <= groupSize {
		lowest--
		any = any || m.matches(s, lowest)
	}
	has = make([]bool, row-lowest+1)
	if !any {
		return lowest, has, nil
	}
	t.at = s.start + int64(s.place[lowest])
	size := int(min(end-t.at, max(groupSize, audit.MaxLine))) // more only if broken lines follow
	if cap(t.block) < size {
		t.block = make([]byte, max(size, groupSize))
	}
	t.block = t.block[:size]
	if n, err := s.file.ReadAt(t.block, t.at); n < size {
		return 0, nil, shortOr(err)
	}
	if len(t.part) == 0 {
		for i := range has {
			has[i] = true
		}
		return lowest, has, nil
	}
	t.lower = lowered(t.lower[:0], t.block)
	t.mark(s, lowest, has, t.lower, t.part)
	t.mark(s, lowest, has, t.block, []byte(`\u`))
	return lowest, has, nil
}

// mark marks the rows in whose lines a part stands.
func (t *textSearch) mark(s *segment, lowest int, has []bool, block, part []byte) {
	row := lowest
	for from := 0; ; {
		at := bytes.Index(block[from:], part)
		if at < 0 {
			return
		}
		from += at
		place := t.at + int64(from)
		for row+1 < lowest+len(has) && s.start+int64(s.place[row+1]) <= place {
			row++
		}
		has[row-lowest] = true
		if row+1 == lowest+len(has) {
			return
		}
		from = int(s.start + int64(s.place[row+1]) - t.at)
	}
}

// in reports whether a value of a row of the group has the text.
func (t *textSearch) in(s *segment, row int) bool {
	line, _, _ := bytes.Cut(t.block[s.start+int64(s.place[row])-t.at:], []byte{'\n'})
	for token := json.NewTokenizer(line); token.Next(); {
		if len(token.Value) < 2 || token.Value[0] != '"' || token.IsKey {
			continue
		}
		text := []byte(token.Value[1 : len(token.Value)-1])
		if bytes.IndexByte(text, '\\') >= 0 || !utf8.Valid(text) {
			var decoded string
			if stdjson.Unmarshal(token.Value, &decoded) != nil {
				continue
			}
			text = []byte(decoded)
		}
		t.value = lowered(t.value[:0], text)
		if bytes.Contains(t.value, t.text) {
			return true
		}
	}
	return false
}

// lowered appends a text whose ASCII letters are in lower case.
func lowered(to, text []byte) []byte {
	n := len(to)
	if cap(to)-n < len(text) {
		to = append(make([]byte, 0, n+len(text)), to...)
	}
	to = to[:n+len(text)]
	out := to[n:]
	for i, c := range text {
		if c-'A' < 26 {
			c += 'a' - 'A'
		}
		out[i] = c
	}
	return to
}
