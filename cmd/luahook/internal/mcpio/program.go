package mcpio

import (
	"context"
	"os"
	"sync"
	"time"

	"github.com/luahook/luahook/internal/process"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// patience is how long a server has to end by itself once its input has ended. Clients that end
// their servers by force wait two seconds and more.
const patience = time.Second

// Program is a server that is started in the current folder, and ended with all that it has
// started.
type Program struct {
	Path   string // or a name, to be found in PATH
	Args   []string
	Stderr *os.File
	Bad    func(err error) // as that of [Lines]

	mu   sync.Mutex
	code int
}

// Connect starts the program.
func (p *Program) Connect(ctx context.Context) (mcp.Connection, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	peer, err := process.Start(ctx, process.Spec{Path: p.Path, Args: p.Args, Dir: dir, Env: os.Environ()}, p.Stderr)
	if err != nil {
		return nil, err
	}
	c, err := (&Lines{In: peer.Out, Out: peer.In, Bad: p.Bad}).Connect(ctx)
	if err != nil {
		peer.End(0)
		return nil, err
	}
	return &programConn{Connection: c, program: p, peer: peer}, nil
}

// ExitCode is that of the program, once its connection is closed; -1: a signal ended it.
func (p *Program) ExitCode() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.code
}

type programConn struct {
	mcp.Connection
	program *Program
	peer    *process.Peer
	once    sync.Once
}

// Close ends the program.
func (c *programConn) Close() error {
	c.once.Do(func() {
		code := c.peer.End(patience)
		c.program.mu.Lock()
		c.program.code = code
		c.program.mu.Unlock()
		_ = c.Connection.Close() // its files are closed by now
	})
	return nil
}
