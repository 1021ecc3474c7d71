// Command spawn runs a command and prints its processor time, including its children's, in microseconds, its
// peak resident memory in bytes, and its exit status.
//
//	spawn INPUT OUTPUT COMMAND [ARGUMENT...]
//
// Linux attributes the memory of a starting process to the started one, so this program is small.
package main

import (
	"fmt"
	"os"
	"syscall"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "spawn:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) < 3 {
		return fmt.Errorf("usage: spawn INPUT OUTPUT COMMAND [ARGUMENT...]")
	}
	in, err := os.Open(args[0])
	if err != nil {
		return err
	}
	out, err := os.Create(args[1])
	if err != nil {
		return err
	}
	nowhere, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	command := args[2:]
	pid, err := syscall.ForkExec(command[0], command, &syscall.ProcAttr{Env: os.Environ(), Files: []uintptr{in.Fd(), out.Fd(), nowhere.Fd()}})
	if err != nil {
		return err
	}
	var status syscall.WaitStatus
	var usage syscall.Rusage
	if _, err := syscall.Wait4(pid, &status, 0, &usage); err != nil {
		return err
	}
	cpu := usage.Utime.Nano() + usage.Stime.Nano()
	fmt.Println(cpu/1000, int64(usage.Maxrss)*1024, status.ExitStatus())
	return nil
}
