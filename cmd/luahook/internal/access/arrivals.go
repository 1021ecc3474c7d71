package access

import (
	"errors"
	"net"
	"os"
	"sync/atomic"
	"time"
)

// quietTime is how long nobody must have come, twice, before a listener that lets nobody in is closed.
const quietTime = 20 * time.Millisecond

// door is a listener that can be shut before it is closed.
type door interface {
	net.Listener
	SetDeadline(time.Time) error

	// shut keeps others from connecting. Who has connected can still be accepted. Where a system can't do that,
	// nothing happens.
	shut() error
}

// arrivals is a listener that ends without cutting off those who have connected and haven't been accepted yet. Closing
// a socket resets them, and what they have sent is lost.
type arrivals struct {
	net.Listener
	door door                      // the same listener; nil: it can only be closed
	last atomic.Pointer[time.Time] // when the last one is accepted at the end; nil: it isn't the end
}

func newArrivals(l net.Listener) *arrivals {
	a := &arrivals{Listener: l}
	switch l := l.(type) {
	case *net.TCPListener:
		a.door = tcpDoor{l}
	case door:
		a.door = l
	}
	return a
}

// leave has Accept return those who have connected, for some time at most, and [net.ErrClosed] after them.
func (a *arrivals) leave(most time.Duration) error {
	if a.door == nil {
		return a.Close()
	}
	last := time.Now().Add(most)
	a.last.Store(&last)
	return errors.Join(a.door.shut(), a.door.SetDeadline(time.Now())) // which ends the Accept that waits
}

// Accept implements [net.Listener].
func (a *arrivals) Accept() (net.Conn, error) {
	for quiet := 0; ; {
		last := a.last.Load()
		if last != nil {
			// Once isn't enough: a deadline may win against a connection. The second time begins with what is there.
			if quiet == 2 || time.Now().After(*last) {
				return nil, net.ErrClosed
			}
			if err := a.door.SetDeadline(time.Now().Add(quietTime)); err != nil {
				return nil, err
			}
			quiet++
		}
		c, err := a.Listener.Accept()
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			return c, err
		}
	}
}

// tcpDoor is the [door] of a TCP listener.
type tcpDoor struct{ *net.TCPListener }
