package main

import (
	"bytes"
	"os"

	"golang.org/x/sys/unix"
)

// terminalRoom is more than Linux keeps of what was written to a terminal and not read yet.
const terminalRoom = 128 << 10

// emptyTerminal waits until what was written on the terminal that testscript has made has
// been read: it drops the rest when the command ends. A terminal has no way to ask, so it
// gets more than it has room for. One that is not testscript's is left alone: that makes
// the command the leader of a session.
func emptyTerminal() {
	if session, err := unix.Getsid(0); err != nil || session != os.Getpid() {
		return
	}
	terminal, err := os.OpenFile("/dev/tty", os.O_WRONLY, 0)
	if err != nil {
		return // there is none
	}
	defer terminal.Close()
	_, _ = terminal.Write(bytes.Repeat([]byte{' '}, terminalRoom)) // what can't be written can't be waited for
}
