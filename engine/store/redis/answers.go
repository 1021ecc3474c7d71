package redis

import (
	"bytes"
	"errors"
	"net"
	"strconv"
	"syscall"
)

// Bounds of a server's answer to what is sent at once. go-redis allocates what an answer announces, and reads an
// endless one until there is no memory left.
const (
	mostAnswer = 64 << 20 // bytes
	mostText   = 32 << 20 // bytes of one value
	mostLine   = 64 << 10 // bytes of an error, or another line
	mostParts  = 1 << 18  // elements of lists, all counted
	mostNested = 4        // lists within lists
)

var (
	errTooMuch = errors.New("it answers more than any store of luahook holds")
	errNoReply = errors.New("its answer is not valid in Redis's protocol")
)

// bounded returns a connection that ends with an error if a server answers more than it may. go-redis examines
// the socket of a connection before it uses it again, if it can.
func bounded(conn net.Conn) net.Conn {
	b := &boundedConn{Conn: conn}
	if raw, ok := conn.(syscall.Conn); ok {
		return boundedSocket{b, raw}
	}
	return b
}

type boundedSocket struct {
	*boundedConn
	syscall.Conn
}

type boundedConn struct {
	net.Conn
	asked, said words
}

// Write sends questions, each of which may have a whole answer.
func (b *boundedConn) Write(p []byte) (int, error) {
	b.asked.begin()
	b.said.begin()
	if err := b.asked.read(p); err != nil {
		return 0, err
	}
	return b.Conn.Write(p)
}

// Read returns no byte of an answer that is too large, or that nobody asked for: go-redis would log leftover
// bytes.
func (b *boundedConn) Read(p []byte) (int, error) {
	n, err := b.Conn.Read(p)
	bad := b.said.read(p[:n])
	if bad == nil && b.said.whole > b.asked.whole {
		bad = errNoReply
	}
	if bad != nil {
		return 0, errors.Join(bad, b.Conn.Close())
	}
	return n, err
}

// words follows one side of a connection, as far as needed to know what is to come.
type words struct {
	whole        int    // questions, or answers
	bytes, parts int    // since the last question
	line         []byte // the beginning of one
	length       int    // of that line
	text         int    // bytes of a value that are still to come, with the end of its line
	open         []int  // lists: how many elements of each are still to come
}

func (w *words) begin() { w.bytes, w.parts = 0, 0 }

func (w *words) read(p []byte) error {
	if w.bytes += len(p); w.bytes > mostAnswer {
		return errTooMuch
	}
	for len(p) > 0 {
		if w.text > 0 {
			n := min(w.text, len(p))
			p = p[n:]
			if w.text -= n; w.text == 0 {
				w.part()
			}
			continue
		}
		n, whole := bytes.IndexByte(p, '\n')+1, true
		if n == 0 {
			n, whole = len(p), false
		}
		w.line = append(w.line, p[:min(n, max(0, 32-len(w.line)))]...)
		if w.length += n; w.length > mostLine {
			return errTooMuch
		}
		p = p[n:]
		if !whole {
			continue
		}
		if err := w.lineEnds(); err != nil {
			return err
		}
		w.line, w.length = w.line[:0], 0
	}
	return nil
}

// lineEnds handles a whole line.
func (w *words) lineEnds() error {
	switch w.line[0] {
	case '+', '-', ':':
		w.part()
		return nil
	case '$', '*':
	default:
		return errNoReply
	}
	n, err := strconv.Atoi(string(bytes.TrimRight(w.line[1:], "\r\n")))
	switch {
	case err != nil || w.length > len(w.line):
		return errNoReply
	case n < 0 || n == 0 && w.line[0] == '*':
		w.part()
	case w.line[0] == '$':
		if n > mostText {
			return errTooMuch
		}
		w.text = n + len("\r\n")
	case n > mostParts-w.parts || len(w.open) == mostNested:
		return errTooMuch
	default:
		w.parts += n
		w.open = append(w.open, n)
	}
	return nil
}

// part counts an element that has come, and closes each list that it completes.
func (w *words) part() {
	for len(w.open) > 0 {
		last := len(w.open) - 1
		if w.open[last]--; w.open[last] > 0 {
			return
		}
		w.open = w.open[:last]
	}
	w.whole++
}
