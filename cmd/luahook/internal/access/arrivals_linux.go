package access

import (
	"errors"

	"golang.org/x/sys/unix"
)

// withoutSYN is a socket filter, which begins to read at the TCP header: it drops the packets that ask for a
// connection (RFC 9293, section 3.1: SYN is the second bit of the byte at 13).
var withoutSYN = []unix.SockFilter{
	{Code: unix.BPF_LD | unix.BPF_B | unix.BPF_ABS, K: 13},
	{Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, K: 0x02, Jt: 1},
	{Code: unix.BPF_RET | unix.BPF_K, K: 1<<32 - 1},
	{Code: unix.BPF_RET | unix.BPF_K, K: 0},
}

// shut drops who asks for a connection. Their system asks again in a second, and is refused by then, or gets to the
// server that has taken this one's place.
func (d tcpDoor) shut() error {
	raw, err := d.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = raw.Control(func(fd uintptr) {
		failed = unix.SetsockoptSockFprog(int(fd), unix.SOL_SOCKET, unix.SO_ATTACH_FILTER,
			&unix.SockFprog{Len: uint16(len(withoutSYN)), Filter: &withoutSYN[0]})
	})
	return errors.Join(err, failed)
}
