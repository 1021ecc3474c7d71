package access

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// Bounds of connections and of the end.
const (
	headerTime = 5 * time.Second
	idleTime   = 5 * time.Minute
	maxHeaders = 16 << 10

	leaveTime  = 500 * time.Millisecond // for clients that are connected to send what they were about to send
	drainTime  = 10 * time.Second       // for requests under way at the end
	answerTime = 5 * time.Second        // for the answers to those that were cut off then
)

// ErrStopping is the cause of the end of requests that were still under way when a server had to end.
var ErrStopping = errors.New("luahook is being stopped")

// Serve has a handler answer the requests that come in on l until ctx is done, and closes l. Then draining is called,
// nobody new is let in, who has connected has a moment to ask once more, and requests under way have 10 s to end before
// their contexts do. The error says what didn't go so, or why l doesn't work any more. logger is told what net/http
// has to say.
func Serve(ctx context.Context, l net.Listener, h http.Handler, logger *slog.Logger, draining func()) error {
	base, cut := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cut(ErrStopping)
	connected := &connections{none: make(chan struct{}, 1)}
	server := &http.Server{
		Handler: h, ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeaders,
		BaseContext: func(net.Listener) context.Context { return base },
		ConnState:   connected.note,
		ErrorLog:    slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}
	arriving := newArrivals(l)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(arriving) }()
	var failed error
	select {
	case <-ctx.Done():
		draining()
		if err := arriving.leave(leaveTime); err != nil {
			logger.Warn("who connects just now may be cut off: " + err.Error())
		}
		<-ended
	case failed = <-ended:
		draining()
	}
	connected.wait(leaveTime)
	return errors.Join(failed, shutDown(server, cut))
}

// shutDown closes connections once their requests are over.
func shutDown(server *http.Server, cut context.CancelCauseFunc) error {
	within, cancel := context.WithTimeout(context.Background(), drainTime)
	defer cancel()
	if server.Shutdown(within) == nil {
		return nil
	}
	cut(ErrStopping)
	within, cancel = context.WithTimeout(context.Background(), answerTime)
	defer cancel()
	if err := server.Shutdown(within); err != nil {
		_ = server.Close() // which is all that can be done
		return fmt.Errorf("events were under way for %s more, and were left: %w", drainTime+answerTime, err)
	}
	return fmt.Errorf("events were under way for %s more, and were denied", drainTime)
}

// connections counts those that are open.
type connections struct {
	open atomic.Int64
	none chan struct{} // gets a token when the last one ends
}

func (c *connections) note(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		c.open.Add(1)
	case http.StateClosed, http.StateHijacked:
		if c.open.Add(-1) == 0 {
			select {
			case c.none <- struct{}{}:
			default:
			}
		}
	}
}

// wait waits until there is none, for some time at most. No new ones may come any more.
func (c *connections) wait(most time.Duration) {
	late := time.NewTimer(most)
	defer late.Stop()
	for c.open.Load() > 0 {
		select {
		case <-c.none:
		case <-late.C:
			return
		}
	}
}
