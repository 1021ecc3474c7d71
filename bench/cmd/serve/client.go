//go:build linux

package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// client fires events on several connections from one thread, with as few system calls as there can be: what it takes
// of the processors is missing to the server. One goroutine may use it.
type client struct {
	network, address string
	poll             int // epoll's descriptor
	ready            [256]unix.EpollEvent
	connections      []*connection
	idle             []*connection // that may send, the one that has waited longest first
	load             *load
	requests         []request
	fired            int // events, ever
	failed           error
}

// connection is one of a client's.
type connection struct {
	number  int32 // of the client's
	fd      int   // -1: there is none any more
	session int   // which the events are of; each has some
	left    int   // events of the session that are to come
	due     time.Time
	wanted  []byte // how the answer begins
	answer  [16 << 10]byte
	got     int // bytes of the answer
}

const (
	sessionEvents = 50 // an agent's, before another one takes its connection
	sessionDigits = 9
)

// request is an event to fire.
type request struct {
	text    []byte
	session int    // where its digits are
	wanted  []byte // how the answer begins
}

// newRequests are the events of the load: every eighth is denied.
func newRequests() []request {
	var all []request
	for _, command := range []string{"ls -la", "cat README.md", "git status", "go test ./...", "git log --oneline -5",
		"grep -rn TODO src | head -20", "npm run build", "rm -rf build"} {
		body := `{"event":"pre_tool_call","session_id":"s-` + string(bytes.Repeat([]byte{'0'}, sessionDigits)) +
			`","cwd":"/work/shop","tool_call":{"id":"c","name":"bash","input":{"command":"` + command + `"}}}`
		text := fmt.Appendf(nil, "POST /v1/fire HTTP/1.1\r\nHost: localhost\r\nUser-Agent: luahook-bench\r\nAccept: */*\r\n"+
			"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		r := request{text: text, session: bytes.Index(text, []byte(`"s-`)) + len(`"s-`), wanted: []byte(`{"decision":"","block":false,`)}
		if command == "rm -rf build" {
			r.wanted = []byte(`{"decision":"deny","block":true,"reason":"no rm -rf here"`)
		}
		all = append(all, r)
	}
	return all
}

// newClient connects.
func newClient(network, address string, connections int, l *load) (c *client, err error) {
	c = &client{network: network, address: address, load: l, requests: newRequests()}
	if c.poll, err = unix.EpollCreate1(unix.EPOLL_CLOEXEC); err != nil {
		return nil, err
	}
	for i := range connections {
		at := &connection{number: int32(i)}
		if err := c.connect(at); err != nil {
			c.close()
			return nil, err
		}
		c.connections = append(c.connections, at)
	}
	return c, nil
}

func (c *client) close() {
	for _, at := range c.connections {
		c.drop(at)
	}
	_ = unix.Close(c.poll)
}

// connect makes a new connection, which is idle then.
func (c *client) connect(at *connection) error {
	at.fd = -1
	made, err := net.Dial(c.network, c.address)
	if err != nil {
		return err
	}
	defer made.Close()
	file, err := made.(interface{ File() (*os.File, error) }).File()
	if err != nil {
		return err
	}
	defer file.Close()
	fd, err := unix.Dup(int(file.Fd()))
	if err != nil {
		return err
	}
	at.fd = fd
	if err := unix.SetNonblock(fd, true); err != nil {
		return err
	}
	at.got, at.wanted = 0, nil
	c.idle = append(c.idle, at)
	return unix.EpollCtl(c.poll, unix.EPOLL_CTL_ADD, fd, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: at.number})
}

// drop ends a connection.
func (c *client) drop(at *connection) {
	if at.fd >= 0 {
		_ = unix.Close(at.fd)
	}
	at.fd = -1
}

// send fires the next event, which was due at some time, on the connection that has been idle for longest.
func (c *client) send(due time.Time) {
	at := c.idle[0]
	c.idle = c.idle[:copy(c.idle, c.idle[1:])]
	r := &c.requests[c.fired%len(c.requests)]
	c.fired++
	if at.left == 0 {
		c.load.sessions++
		at.session, at.left = c.load.sessions, sessionEvents
	}
	at.left--
	for i, n := r.session+sessionDigits-1, at.session; i >= r.session; i, n = i-1, n/10 {
		r.text[i] = byte('0' + n%10)
	}
	at.due, at.wanted, at.got = due, r.wanted, 0
	if n, err := unix.Write(at.fd, r.text); err != nil || n < len(r.text) {
		c.lose(at, fmt.Errorf("sending it: %d of %d bytes, %w", n, len(r.text), err))
	}
}

// wait takes the answers that have come in, and waits for one for some time at most.
func (c *client) wait(most time.Duration) {
	n, err := unix.EpollWait(c.poll, c.ready[:], int(most/time.Millisecond))
	if err != nil && err != unix.EINTR {
		c.failed = err
		return
	}
	for _, e := range c.ready[:max(n, 0)] {
		c.receive(c.connections[e.Fd])
	}
}

// receive reads what has come in on a connection.
func (c *client) receive(at *connection) {
	if at.fd < 0 {
		return
	}
	n, err := unix.Read(at.fd, at.answer[at.got:])
	switch {
	case err == unix.EAGAIN:
		return
	case n <= 0 && at.wanted == nil: // between two events
		c.reconnect(at)
		return
	case n <= 0:
		c.lose(at, fmt.Errorf("the connection has ended: %w", cmp.Or(err, io.EOF)))
		return
	}
	at.got += n
	last, whole, err := check(at.answer[:at.got], at.wanted)
	switch {
	case err == nil && !whole && at.got == len(at.answer):
		err = errors.New("the answer is too long")
	case err == nil && !whole:
		return
	}
	if err != nil {
		c.lose(at, err)
		return
	}
	c.load.answered(time.Since(at.due))
	at.wanted = nil
	if last {
		c.reconnect(at)
		return
	}
	c.idle = append(c.idle, at)
}

// lose notes that an event got no answer, or a wrong one.
func (c *client) lose(at *connection, err error) {
	c.load.lost++
	fmt.Fprintln(os.Stderr, "serve: an event was lost:", err)
	at.wanted = nil
	c.reconnect(at)
}

// reconnect replaces a connection, unless nobody listens any more.
func (c *client) reconnect(at *connection) {
	c.drop(at)
	if i := slices.Index(c.idle, at); i >= 0 {
		c.idle = slices.Delete(c.idle, i, i+1)
	}
	_ = c.connect(at) // an error: nothing was sent
}

// open reports whether there is a connection.
func (c *client) open() bool {
	for _, at := range c.connections {
		if at.fd >= 0 {
			return true
		}
	}
	return false
}

var (
	endOfHead  = []byte("\r\n\r\n")
	okStatus   = []byte("HTTP/1.1 200 OK\r\n")
	lengthName = []byte("\r\nContent-Length: ")
	closeLine  = []byte("\r\nConnection: close\r\n")
)

// check reports whether an answer is there as a whole, and the last one of its connection. The error says what is
// wrong with it.
func check(answer, wanted []byte) (last, whole bool, err error) {
	end := bytes.Index(answer, endOfHead)
	if end < 0 {
		return false, false, nil
	}
	head, body := answer[:end+2], answer[end+4:]
	_, rest, _ := bytes.Cut(head, lengthName)
	digits, _, _ := bytes.Cut(rest, endOfHead[:2])
	length, err := strconv.Atoi(string(digits))
	if err != nil || !bytes.HasPrefix(head, okStatus) {
		return false, false, fmt.Errorf("answered wrongly: %s", answer)
	}
	if len(body) < length {
		return false, false, nil
	}
	if len(body) > length || !bytes.HasPrefix(body, wanted) || !bytes.HasSuffix(body, []byte("}\n")) {
		return false, false, fmt.Errorf("answered wrongly: %s", answer)
	}
	return bytes.Contains(head, closeLine), true, nil
}
