// Package access is what the HTTP servers of luahook share: addresses, listening on them, who may ask, and the end.
package access

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
)

// Address is where to listen. Make one with [ParseAddress].
type Address struct {
	network string // tcp or unix
	host    string // of tcp; "": all addresses of the machine
	port    string
	path    string // of unix
}

// ParseAddress reads HOST:PORT or unix:PATH.
func ParseAddress(text string) (Address, error) {
	if path, isUnix := strings.CutPrefix(text, "unix:"); isUnix {
		if path == "" || strings.HasPrefix(path, "@") || strings.ContainsRune(path, 0) {
			return Address{}, fmt.Errorf("%q names no file for the socket; want unix:/PATH", text)
		}
		return Address{network: "unix", path: path}, nil
	}
	host, port, err := net.SplitHostPort(text)
	if err != nil || port == "" {
		return Address{}, fmt.Errorf("%q is no address; want HOST:PORT such as 127.0.0.1:7878, or unix:/PATH", text)
	}
	return Address{network: "tcp", host: strings.ToLower(host), port: port}, nil
}

// String is the address as [ParseAddress] reads it.
func (a Address) String() string {
	if a.network == "unix" {
		return "unix:" + a.path
	}
	return net.JoinHostPort(a.host, a.port)
}

// URL is where events are answered on a listener of that address, whose port may be another one.
func (a Address) URL(l net.Listener) string {
	if a.network == "unix" {
		return a.String()
	}
	return "http://" + l.Addr().String()
}

// Local reports whether nobody beside this machine can reach the address.
func (a Address) Local() bool {
	ip, err := netip.ParseAddr(a.host)
	return a.network == "unix" || a.host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}

// everywhere reports whether all addresses of the machine are listened on.
func (a Address) everywhere() bool {
	ip, err := netip.ParseAddr(cmp.Or(a.host, "::"))
	return a.network == "tcp" && err == nil && ip.Unmap().IsUnspecified()
}

// Listen starts to listen. A Unix socket is the user's alone, from its first moment on; a file of the same name is
// replaced if it's a socket on which nobody answers any more.
func (a Address) Listen(ctx context.Context) (net.Listener, error) {
	if a.network == "unix" {
		return listenUnix(ctx, a.path)
	}
	var config net.ListenConfig
	config.SetMultipathTCP(false) // whose sockets take no filter: see arrivals_linux.go
	l, err := config.Listen(ctx, "tcp", net.JoinHostPort(a.host, a.port))
	if err != nil {
		return nil, err
	}
	if tcp, ok := l.Addr().(*net.TCPAddr); a.Local() && (!ok || !tcp.IP.IsLoopback()) {
		return nil, errors.Join(fmt.Errorf("%s is %s here, which others can reach; name 127.0.0.1 or [::1]", a, l.Addr()), l.Close())
	}
	return l, nil
}
