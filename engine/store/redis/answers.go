package redis

import (
	"bytes"
	"errors"
	"net"
	"strconv"
	"syscall"
)

// Bounds of what a server may answer to what is sent at once. go-redis makes room for what
// an answer says that it will be, and for one that has no end until there is no memory left.
const (
	mostAnswer = 64 << 20 // bytes
	mostText   = 32 << 20 // bytes of one value
	mostLine   = 64 << 10 // bytes of an error, or another line
	mostParts  = 1 << 18  // parts of lists, all counted
	mostNested = 4        // lists within lists
)

var (
	errTooMuch = errors.New("it answers more than any store of luahook holds")
	errNoReply = errors.New("it answers what no Redis does")
)

// bounded makes a connection one that ends with an error where a server answers more than
// it may. go-redis looks at the socket of a connection before it uses it again, if it can.
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
	answers answers
}

// Write sends a question, to which there may be a whole answer.
func (b *boundedConn) Write(p []byte) (int, error) {
	b.answers.bytes, b.answers.parts = 0, 0
	return b.Conn.Write(p)
}

// Read gives no byte of an answer that is too large.
func (b *boundedConn) Read(p []byte) (int, error) {
	n, err := b.Conn.Read(p)
	if bad := b.answers.read(p[:n]); bad != nil {
		return 0, errors.Join(bad, b.Conn.Close())
	}
	return n, err
}

// answers follows what a server says, as far as it tells what is to come. It belongs to the
// one who has the connection.
type answers struct {
	bytes, parts int    // since the last question
	line         []byte // the beginning of one
	length       int    // of that line
	text         int    // bytes of a value that are still to come, with the end of its line
	open         []int  // lists: how many parts of each are still to come
}

func (a *answers) read(p []byte) error {
	if a.bytes += len(p); a.bytes > mostAnswer {
		return errTooMuch
	}
	for len(p) > 0 {
		if a.text > 0 {
			n := min(a.text, len(p))
			p = p[n:]
			if a.text -= n; a.text == 0 {
				a.part()
			}
			continue
		}
		n, whole := bytes.IndexByte(p, '\n')+1, true
		if n == 0 {
			n, whole = len(p), false
		}
		a.line = append(a.line, p[:min(n, max(0, 32-len(a.line)))]...)
		if a.length += n; a.length > mostLine {
			return errTooMuch
		}
		p = p[n:]
		if !whole {
			continue
		}
		if err := a.said(); err != nil {
			return err
		}
		a.line, a.length = a.line[:0], 0
	}
	return nil
}

// said looks at a whole line.
func (a *answers) said() error {
	switch a.line[0] {
	case '+', '-', ':':
		a.part()
		return nil
	case '$', '*':
	default:
		return errNoReply
	}
	n, err := strconv.Atoi(string(bytes.TrimRight(a.line[1:], "\r\n")))
	switch {
	case err != nil || a.length > len(a.line):
		return errNoReply
	case n < 0 || n == 0 && a.line[0] == '*':
		a.part()
	case a.line[0] == '$':
		if n > mostText {
			return errTooMuch
		}
		a.text = n + len("\r\n")
	case n > mostParts-a.parts || len(a.open) == mostNested:
		return errTooMuch
	default:
		a.parts += n
		a.open = append(a.open, n)
	}
	return nil
}

// part is what has come, and with it each list that it was the last of.
func (a *answers) part() {
	for len(a.open) > 0 {
		last := len(a.open) - 1
		if a.open[last]--; a.open[last] > 0 {
			return
		}
		a.open = a.open[:last]
	}
}
