package terminal

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestProgress(t *testing.T) {
	var b bytes.Buffer
	p := NewProgress(&b) // no terminal
	p.next = time.Time{}
	p.Show("half")
	p.Clear()
	(*Progress)(nil).Show("half")
	(*Progress)(nil).Clear()
	if b.Len() > 0 {
		t.Errorf("where nobody looks: %q", b.String())
	}
	p = &Progress{out: &b}
	p.Clear()
	for _, text := range []string{"a long text", "short\x1b[2J"} {
		p.next = time.Time{}
		p.Show("%s", text)
		p.next = time.Now().Add(time.Hour)
		p.Show("too soon")
	}
	p.Clear()
	p.Clear()
	want := "\ra long text\rshort\ufffd[2J" + strings.Repeat(" ", 2) + "\r" + strings.Repeat(" ", 9) + "\r"
	if b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}
