package programs

import (
	"flag"
	"math"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write index.bin")

// TestIndex compares index.bin with the files; with -update it writes it.
func TestIndex(t *testing.T) {
	want, err := tableOf(areas())
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("index.bin", []byte(want.index), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if index != want.index {
		t.Error("index.bin is not that of the files; run `go test ./analysis/shell/programs -update`")
	}
}

// tableOf makes the table of files, in which there are empty lines between the stanzas.
func tableOf(files []area) (*table, error) {
	t := newTable(files, string(make([]byte, slots*slotSize)))
	for i, file := range files {
		for at := 0; at < len(file.text); {
			next := len(file.text)
			if n := strings.Index(file.text[at:], "\n\n"); n >= 0 {
				next = at + n + len("\n\n")
			}
			s := stanza{file: &files[i], at: at + comments(file.text[at:next]), end: next}
			if at = next; s.at == s.end {
				continue
			}
			t.index += string([]byte{byte(i), byte(s.at), byte(s.at >> 8), byte(s.at >> 16), byte(s.end), byte(s.end >> 8), byte(s.end >> 16)})
			for at, name := range s.names() {
				if name == "" || len(name) > maxName || at > math.MaxUint16 || t.find(name) >= 0 {
					return nil, s.mistake(0, "%q is listed twice, empty or too long", name)
				}
				t.enter(name, at)
			}
		}
	}
	return newTable(files, t.index), nil
}

// enter adds a name of the last stanza, which stands there in its text.
func (t *table) enter(name string, at int) {
	i := hash(name)
	for number(t.index[i%slots*slotSize:], 2) != 0 {
		i++
	}
	from := int(i % slots * slotSize)
	n := (len(t.index) - slots*slotSize) / stanzaSize
	t.index = t.index[:from] + string([]byte{byte(n), byte(n >> 8), byte(at), byte(at >> 8), byte(len(name))}) + t.index[from+slotSize:]
}

// comments returns the length of the comments and empty lines at the start of text.
func comments(text string) int {
	at := 0
	for at < len(text) && (text[at] == '#' || text[at] == '\n') {
		at += strings.IndexByte(text[at:]+"\n", '\n') + 1
	}
	return min(at, len(text))
}
