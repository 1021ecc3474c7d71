// Package mcpio is how `luahook mcp` reaches clients and servers of the Model Context Protocol:
// lines of standard input and output, programs, and streamable HTTP.
package mcpio

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxLine is how long a message may be, in bytes.
const maxLine = 32 << 20

// Lines is a transport whose messages are lines, as the protocol has them on standard input and
// output. Unlike that of the SDK it goes on after a line that is no message, which is what many
// servers write when they start. A line of several messages, a batch, counts as these messages.
type Lines struct {
	In  io.ReadCloser
	Out io.WriteCloser
	// Bad is told of a line that is no message. It may be called once for many lines.
	Bad func(err error)
	// Answers says that who writes such a line gets an error in answer, as a server gives it.
	Answers bool
}

// Connect begins to read.
func (t *Lines) Connect(context.Context) (mcp.Connection, error) {
	c := &lineConn{transport: t, messages: make(chan jsonrpc.Message), closed: make(chan struct{}), ended: make(chan struct{})}
	go c.read()
	return c, nil
}

type lineConn struct {
	transport *Lines
	messages  chan jsonrpc.Message

	writing sync.Mutex

	closing sync.Once
	closed  chan struct{}
	ended   chan struct{} // closed when there is nothing more to read
	err     error         // why, set before that
}

// SessionID is "": there is one session.
func (c *lineConn) SessionID() string { return "" }

// read takes messages from the lines until they end. It ends with the connection, as soon as
// reading does.
func (c *lineConn) read() {
	defer close(c.ended)
	r := bufio.NewReaderSize(c.transport.In, 64<<10)
	told := false
	for {
		line, err := readLine(r)
		if err != nil && (err != io.EOF || len(line) == 0) {
			c.err = err
			return
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		messages, bad := decodeLine(line)
		if bad != nil {
			if !told && c.transport.Bad != nil {
				c.transport.Bad(bad)
			}
			if told = true; c.transport.Answers {
				c.refuse(bad)
			}
		}
		for _, m := range messages {
			select {
			case c.messages <- m:
			case <-c.closed:
				return
			}
		}
	}
}

// readLine reads one line. At the end of all there may be one without its end.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if line = append(line, part...); len(line) > maxLine {
			return nil, fmt.Errorf("a message is longer than %d MiB", maxLine>>20)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// decodeLine reads the messages of a line: all up to the first that is none.
func decodeLine(line []byte) ([]jsonrpc.Message, error) {
	if !json.Valid(line) {
		return nil, fmt.Errorf("a line is no JSON: %q", line[:min(len(line), 100)])
	}
	items := []json.RawMessage{line}
	if line[0] == '[' {
		if err := json.Unmarshal(line, &items); err != nil {
			return nil, err
		}
	}
	var messages []jsonrpc.Message
	for _, item := range items {
		m, err := jsonrpc.DecodeMessage(item)
		if err != nil {
			return messages, fmt.Errorf("a line is no message: %w", err)
		}
		messages = append(messages, m)
	}
	return messages, nil
}

// refuse answers a line that is no message.
func (c *lineConn) refuse(bad error) {
	text, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": nil,
		"error": map[string]any{"code": jsonrpc.CodeInvalidRequest, "message": bad.Error()},
	})
	if err == nil {
		_ = c.writeLine(text) // that nobody reads is seen by the next message
	}
}

// Read is the next message.
func (c *lineConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m := <-c.messages:
		return m, nil
	case <-c.ended:
		return nil, c.err
	case <-c.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Write writes a message as a line.
func (c *lineConn) Write(ctx context.Context, m jsonrpc.Message) error {
	text, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return c.writeLine(text)
}

func (c *lineConn) writeLine(text []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err := c.transport.Out.Write(append(text, '\n'))
	return err
}

// Close closes both streams.
func (c *lineConn) Close() (err error) {
	c.closing.Do(func() {
		close(c.closed)
		err = errors.Join(c.transport.Out.Close(), c.transport.In.Close())
	})
	return err
}
