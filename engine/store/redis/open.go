package redis

import (
	"context"
	"errors"
	"net"
	"net/url"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"github.com/luahook/luahook/engine/store"
)

const (
	answerTime  = 2 * time.Second // to connect, to send, to answer: each
	connections = 8               // at once; further calls wait
)

// errURL describes the form of a URL. It shows nothing of the wrong one, any part of which may contain a
// password.
var errURL = errors.New("the URL of a store in Redis is redis://[user:password@]host[:port][/database], rediss:// for TLS, or unix:///path/to/socket[?db=database], with %XX for special characters of a password, and no other parameters than db and skip_verify=true (TLS without a look at the certificate)")

// Open returns the store in Redis at a URL: redis://, rediss:// (TLS) or unix://. It doesn't connect yet: while
// a server can't be reached, each call returns an error. No error contains the password of the URL.
func Open(address string) (*Store, error) {
	u, err := url.Parse(address)
	if err != nil || u.Opaque != "" || u.Fragment != "" {
		return nil, errURL
	}
	for name := range u.Query() {
		if name != "db" && name != "skip_verify" {
			return nil, errURL
		}
	}
	options, err := redis.ParseURL(address)
	if err != nil {
		return nil, errURL
	}
	options.Protocol = 2
	options.MaxRetries = -1 // a write that may have been done isn't sent again
	options.DialTimeout = answerTime
	options.ReadTimeout = answerTime
	options.WriteTimeout = answerTime
	options.ContextTimeoutEnabled = true
	options.PoolSize = connections
	options.PoolTimeout = store.MaxWait
	options.PipelinePoolSize = -1
	options.DisableIdentity = true
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	options.Dialer = failOnUse(redis.NewDialer(options))
	return &Store{client: redis.NewClient(options), where: options.Addr}, nil
}

// failOnUse makes a connection that can't be made fail when it is first used. go-redis would retry on its own, and
// write to its logger, which is global, belongs to the program that embeds luahook, and writes to standard
// error. The returned connections are bounded.
func failOnUse(dial func(ctx context.Context, network, addr string) (net.Conn, error)) func(ctx context.Context, network, addr string) (net.Conn, error) {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		if err != nil {
			near, _ := net.Pipe() // for the addresses and deadlines that a connection has
			return failed{near, err}, nil
		}
		return bounded(conn), nil
	}
}

// failed is a connection that was never made.
type failed struct {
	net.Conn
	err error
}

func (f failed) Read([]byte) (int, error)  { return 0, f.err }
func (f failed) Write([]byte) (int, error) { return 0, f.err }
