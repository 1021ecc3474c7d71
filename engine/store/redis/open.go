package redis

import (
	"context"
	"errors"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"github.com/luahook/luahook/engine/store"
)

const (
	answerTime  = 2 * time.Second // to connect, to send, to answer: each
	connections = 8               // at once; further calls wait
)

// clusterScheme is what comes before redis or rediss in the URL of a cluster.
const clusterScheme = "+cluster"

// errURL describes the form of a URL. It shows nothing of the wrong one, any part of which may contain a
// password.
var errURL = errors.New("the URL of a store in Redis is redis://[user:password@]host[:port][/database], rediss:// for TLS, unix:///path/to/socket[?db=database], or redis+cluster://[user:password@]host:port[?addr=host:port&addr=...] and rediss+cluster:// for a cluster, with %XX for special characters of a password, and no other parameters than db and skip_verify=true (TLS without a look at the certificate)")

// Open returns the store in Redis at a URL: redis://, rediss:// (TLS) or unix://, or in a cluster: redis+cluster://,
// rediss+cluster://, with one of its nodes, and further ones as addr=host:port, from which the others are learnt. It doesn't connect yet: while
// a server can't be reached, each call returns an error. No error contains the password of the URL.
func Open(address string) (*Store, error) {
	u, err := url.Parse(address)
	if err != nil || u.Opaque != "" || u.Fragment != "" {
		return nil, errURL
	}
	scheme, cluster := strings.CutSuffix(u.Scheme, clusterScheme)
	cluster = cluster && (scheme == "redis" || scheme == "rediss")
	for name := range u.Query() {
		if (name != "db" || cluster) && name != "skip_verify" && (name != "addr" || !cluster) {
			return nil, errURL
		}
	}
	if cluster {
		return openCluster(u, scheme)
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
	options.MaintNotificationsConfig = noNotifications()
	options.Dialer = failOnUse(redis.NewDialer(options))
	return &Store{client: redis.NewClient(options), where: options.Addr}, nil
}

func noNotifications() *maintnotifications.Config {
	return &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
}

// openCluster is Open for a cluster. Nodes that it names are spoken to with the user, password and TLS of the URL.
func openCluster(u *url.URL, scheme string) (*Store, error) {
	more := u.Query()["addr"]
	u.Scheme = scheme
	query := u.Query()
	query.Del("addr")
	u.RawQuery = query.Encode()
	one, err := redis.ParseURL(u.String())
	if err != nil || one.DB != 0 || u.Hostname() == "" {
		return nil, errURL
	}
	for _, addr := range more {
		if host, port, err := net.SplitHostPort(addr); err != nil || host == "" || port == "" {
			return nil, errURL
		}
	}
	dialer := redis.NewDialer(&redis.Options{DialTimeout: answerTime, TLSConfig: one.TLSConfig})
	client := redis.NewClusterClient(&redis.ClusterOptions{
		Addrs: append([]string{one.Addr}, more...), Username: one.Username, Password: one.Password, TLSConfig: one.TLSConfig, Protocol: 2, MaxRetries: -1,
		DialTimeout: answerTime, ReadTimeout: answerTime, WriteTimeout: answerTime, ContextTimeoutEnabled: true, PoolSize: connections,
		PoolTimeout: store.MaxWait, PipelinePoolSize: -1, DisableIdentity: true, DisableRoutingPolicies: true,
		MaintNotificationsConfig: noNotifications(), Dialer: failOnUse(dialer),
	})
	return &Store{client: client, where: one.Addr, cluster: true}, nil
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
