package redis_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/engine/store"
)

// hostile is a server that greets like Redis, and answers each further question in its own way.
func hostile(t *testing.T, answer func(conn net.Conn)) (url string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				for in := bufio.NewReader(conn); ; {
					words, err := question(in)
					switch {
					case err != nil:
						return
					case strings.EqualFold(words[0], "hello"), strings.EqualFold(words[0], "client"):
						_, err = io.WriteString(conn, "-ERR unknown command\r\n")
					default:
						answer(conn)
						return
					}
					if err != nil {
						return
					}
				}
			}()
		}
	}()
	return "redis://" + l.Addr().String()
}

func question(in *bufio.Reader) (words []string, err error) {
	line, err := in.ReadString('\n')
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(strings.Trim(line, "*\r\n"))
	for range n {
		if line, err = in.ReadString('\n'); err != nil {
			return nil, err
		}
		size, err := strconv.Atoi(strings.Trim(line, "$\r\n"))
		if err != nil {
			return nil, err
		}
		word := make([]byte, size+2)
		if _, err := io.ReadFull(in, word); err != nil {
			return nil, err
		}
		words = append(words, string(word[:size]))
	}
	return words, err
}

// endless writes the same as long as the other side reads.
func endless(text string) func(net.Conn) {
	return func(conn net.Conn) {
		block := []byte(strings.Repeat(text, 1+(1<<16)/len(text)))
		for {
			if _, err := conn.Write(block); err != nil {
				return
			}
		}
	}
}

func says(text string) func(net.Conn) {
	return func(conn net.Conn) {
		_, _ = io.WriteString(conn, text)
		_, _ = conn.Read(make([]byte, 1)) // until the client has enough
	}
}

// Whatever a server answers, a call ends with an error in time, and takes no more memory than the largest
// allowed answer.
func TestHostileServer(t *testing.T) {
	for name, answer := range map[string]func(net.Conn){
		"a value without an end":      endless("x"),
		"a line without an end":       func(c net.Conn) { _, _ = io.WriteString(c, "+"); endless("x")(c) },
		"an error without an end":     func(c net.Conn) { _, _ = io.WriteString(c, "-ERR "); endless("x")(c) },
		"zeros":                       endless("\x00"),
		"empty lines":                 endless("\r\n"),
		"a giant value":               says("$5000000000\r\nx"),
		"the largest number":          says("$9223372036854775807\r\n"),
		"one that is none":            says("$99999999999999999999\r\n"),
		"a giant list":                says("*2000000000\r\n"),
		"lists in lists":              endless("*1\r\n"),
		"a list of giant lists":       endless("*200000\r\n"),
		"a giant list without an end": func(c net.Conn) { _, _ = io.WriteString(c, "*200000000\r\n"); endless(":1\r\n")(c) },
		"values without an end": func(c net.Conn) {
			_, _ = io.WriteString(c, "*200000\r\n")
			endless("$1000\r\n" + strings.Repeat("x", 1000) + "\r\n")(c)
		},
		"pushes":                      endless(">2\r\n+message\r\n+x\r\n"),
		"a giant map":                 says("%2000000000\r\n"),
		"a giant set":                 says("~2000000000\r\n"),
		"a giant number":              func(c net.Conn) { _, _ = io.WriteString(c, "("); endless("9")(c) },
		"an attribute without an end": endless("|1\r\n+a\r\n+b\r\n"),
		"half a value":                func(c net.Conn) { _, _ = io.WriteString(c, "$10\r\nhalf") },
		"nothing":                     func(net.Conn) {},
		"a list of other things":      says("*3\r\n:0\r\n*0\r\n*-1\r\n"),
		"a number that is no code":    says("*1\r\n:77\r\n"),
		"a text":                      says("+OK\r\n+OK\r\n"),
		"a value that ends elsewhere": says("$2\r\nabcdef\r\n"),
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, hostile(t, answer))
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for call, err := range map[string]error{
				"Incr": func() error { _, err := s.Incr(ctx, home, "n", 1, store.Keep); return err }(),
				"List": func() error { _, err := s.List(ctx, home, ""); return err }(),
			} {
				var unavailable *store.UnavailableError
				if !errors.As(err, &unavailable) || ctx.Err() != nil {
					t.Errorf("%s: %v", call, err)
				}
			}
			runtime.ReadMemStats(&after)
			if built := after.TotalAlloc - before.TotalAlloc; built > 800<<20 {
				t.Errorf("it took %d MiB", built>>20)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	if lines := log.lines(); len(lines) > 0 {
		t.Errorf("go-redis has logged %q", lines)
	}
}

// A value that arrives byte by byte takes no longer than an answer may.
func TestSlowServer(t *testing.T) {
	gone := make(chan struct{})
	s := open(t, hostile(t, func(conn net.Conn) {
		defer close(gone)
		_, _ = io.WriteString(conn, "$100000\r\n")
		for tick := time.NewTicker(50 * time.Millisecond); ; <-tick.C {
			if _, err := conn.Write([]byte("x")); err != nil {
				return
			}
		}
	}))
	defer s.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := s.Get(ctx, home, "k"); err == nil || ctx.Err() != nil {
		t.Errorf("Get: %v", err)
	}
	<-gone // the connection has been closed
}

// The bounds don't limit what a store holds.
func TestLargeAnswers(t *testing.T) {
	var text bytes.Buffer
	text.WriteString("*2\r\n:0\r\n*200000\r\n")
	for range 200_000 {
		text.WriteString("$100\r\n" + strings.Repeat("x", 100) + "\r\n")
	}
	s := open(t, hostile(t, says(text.String())))
	defer s.Close()
	if keys, err := s.List(t.Context(), home, ""); len(keys) != 200_000 || err != nil {
		t.Errorf("List: %d keys, %v", len(keys), err)
	}
	value := strings.Repeat("x", 30<<20)
	s = open(t, hostile(t, says("$"+strconv.Itoa(len(value))+"\r\n"+value+"\r\n")))
	defer s.Close()
	if got, err := s.Get(t.Context(), home, "k"); string(got) != value || err != nil {
		t.Errorf("Get: %d bytes, %v", len(got), err)
	}
	var quota *store.QuotaError // what couldn't be read again isn't written
	if err := s.Set(t.Context(), home, "k", make([]byte, 32<<20), store.Forever); !errors.As(err, &quota) {
		t.Errorf("Set of what is too large: %v", err)
	}
}
