//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package access

import (
	"context"
	"fmt"
	"net"
)

func listenUnix(_ context.Context, path string) (net.Listener, error) {
	return nil, fmt.Errorf("unix:%s: a socket can't be kept from other users on this system; listen on 127.0.0.1", path)
}
