//go:build linux

package agents

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// tryNamespaces says why agents can't be shut in here.
func tryNamespaces() error {
	cmd := exec.Command("/bin/sh", "-c", "mount -t proc proc /proc")
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWNET | syscall.CLONE_NEWPID, Unshareflags: syscall.CLONE_NEWNS,
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("agents run in namespaces of their own, which takes root and a kernel that lets it: %w %s", err, tail(out))
	}
	return nil
}

// runAlone runs this program again with its arguments, more in the environment, and no network, and returns its exit
// status. An error means that it couldn't be started.
func runAlone(env ...string) (int, error) {
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	runtime.LockOSThread() // the death of the thread that has started it would end it
	cmd := exec.Command(self, os.Args[1:]...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET, Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		return 0, fmt.Errorf("starting the tests in a network namespace: %w", err)
	}
	_ = cmd.Wait() // whose error the status says
	if status := cmd.ProcessState.ExitCode(); status >= 0 {
		return status, nil
	}
	return 0, fmt.Errorf("the tests have ended by a signal: %s", cmd.ProcessState)
}

// raiseLoopback switches on the one device of a new network namespace.
func raiseLoopback() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	lo.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	if err := unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, lo); err != nil {
		return fmt.Errorf("switching on loopback: %w", err)
	}
	return nil
}
