package process

import (
	"errors"
	"io"
	"os"
	"sync"
	"time"
)

// atOnce is a deadline that has passed.
var atOnce = time.Unix(1, 0)

// feeder writes the program's stdin.
type feeder struct {
	file *os.File
	done chan struct{}
}

func (f *feeder) run(data []byte) {
	defer close(f.done)
	// The errors are those of a program that doesn't read, which it needn't, and of
	// finish.
	_, _ = f.file.Write(data)
	_ = f.file.Close()
}

// finish gives up on what was not read.
func (f *feeder) finish() {
	if err := f.file.SetWriteDeadline(atOnce); err != nil && !errors.Is(err, os.ErrClosed) {
		return // a system without deadlines: the writer ends with the last reader
	}
	<-f.done
}

// collector reads one output of the program and keeps its beginning.
type collector struct {
	file *os.File
	done chan struct{} // closed when run is over
	max  int

	mu   sync.Mutex
	kept []byte
	cut  bool
	eof  bool
}

func newCollector(file *os.File, max int) *collector {
	return &collector{file: file, done: make(chan struct{}), max: max}
}

// run reads until everybody has closed the other end, or until finish.
func (c *collector) run() {
	defer close(c.done)
	buffer := make([]byte, 32<<10)
	for {
		n, err := c.file.Read(buffer)
		c.add(buffer[:n], err)
		if err != nil {
			return
		}
	}
}

func (c *collector) add(data []byte, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	keep := min(len(data), c.max-len(c.kept))
	c.kept = append(c.kept, data[:keep]...)
	c.cut = c.cut || keep < len(data)
	c.eof = c.eof || (err != nil && !errors.Is(err, os.ErrDeadlineExceeded))
}

// finish waits for the end of the output, or for stop; it then takes what is in the
// pipe, and so all that was written before.
func (c *collector) finish(stop <-chan struct{}) {
	select {
	case <-c.done:
	case <-stop:
		if c.file.SetReadDeadline(atOnce) != nil {
			return // a system without deadlines: the reader ends with the last writer
		}
		<-c.done
	}
	if !c.closed() && c.file.SetReadDeadline(time.Time{}) == nil {
		c.rest()
	}
	_ = c.file.Close() // reading end: nothing to flush
}

// pipeSize is what a pipe holds at most, so that reading this much reads all that
// stood in it at first, even while somebody goes on writing.
const pipeSize = 1 << 20

// rest reads what is in the pipe without waiting for more.
func (c *collector) rest() {
	buffer := make([]byte, 32<<10)
	for total := 0; total < pipeSize; {
		n, err := readNow(c.file, buffer)
		if n > 0 {
			c.add(buffer[:n], nil)
			total += n
			continue
		}
		if errors.Is(err, io.EOF) {
			c.add(nil, io.EOF)
		}
		return
	}
}

func (c *collector) closed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.eof
}

func (c *collector) text() (kept []byte, cut bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.kept[:len(c.kept):len(c.kept)], c.cut
}
