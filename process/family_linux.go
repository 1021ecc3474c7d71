package process

import (
	"bytes"
	"crypto/rand"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// markName is the variable that tells the processes of one run. Its value is the ids
// of all runs that a process belongs to: a program that a hook started may run hooks
// itself.
const markName = "LUAHOOK_RUN"

// marked is the environment with a mark of its own, beside that of this process.
func marked(env []string) (mark string, with []string) {
	mark = rand.Text()
	with = slices.DeleteFunc(slices.Clone(env), func(e string) bool { return strings.HasPrefix(e, markName+"=") })
	value := mark
	if outer := os.Getenv(markName); outer != "" && len(outer) < 1<<10 {
		value = outer + ":" + mark
	}
	return mark, append(with, markName+"="+value)
}

// family is a program and all that it has started. It belongs to one goroutine.
type family struct {
	group int
	mark  string
	known map[int]uint64 // processes that are of the family and when they began

	strangers map[int]uint64 // that are not: what isn't born with the mark never has it
}

func newFamily(pid int, mark string) *family {
	return &family{group: pid, mark: mark, known: map[int]uint64{}, strangers: map[int]uint64{}}
}

// ask asks all to end and tells whether it is worth waiting for them. The group is
// asked at once, so that its shell doesn't go on when the program that it waits for
// has ended; before, as long as their parents are here, those who have left it are
// found.
func (f *family) ask() bool {
	list := f.look()
	signalGroup(f.group, syscall.SIGTERM)
	for pid, p := range list {
		if p.group != f.group {
			signal(pid, p, syscall.SIGTERM)
		}
	}
	return true
}

// gone tells whether nothing of the family runs any more.
func (f *family) gone() bool { return len(f.look()) == 0 }

// kill ends all by force and returns how many it has found.
func (f *family) kill() int {
	list := f.look()
	signalGroup(f.group, syscall.SIGKILL)
	for pid, p := range list {
		signal(pid, p, syscall.SIGKILL)
	}
	return len(list)
}

// signal sends a signal to a process, unless its number is another's by now. One that
// fails is one to a process that has just ended.
func signal(pid int, p process, s syscall.Signal) {
	handle, err := os.FindProcess(pid)
	if err != nil {
		return
	}
	defer func() { _ = handle.Release() }()
	// The handle stays that of the process which has the number now, so look once more.
	if now, ok := readProcess(pid); ok && now.began == p.began {
		_ = handle.Signal(s)
	}
}

// process is what /proc tells about one.
type process struct {
	parent, group int
	began         uint64 // in ticks since the system began
	zombie        bool
}

// look lists the processes of the family that run.
func (f *family) look() map[int]process {
	all := processes()
	for pid, began := range f.known {
		if p, ok := all[pid]; !ok || p.began != began {
			delete(f.known, pid) // the number may be somebody else's by now
		}
	}
	if p, ok := all[f.group]; ok && p.parent == os.Getpid() {
		f.known[f.group] = p.began
	}
	for pid, p := range all {
		if _, known := f.known[pid]; !known && (p.group == f.group || f.marks(pid, p.began)) {
			f.known[pid] = p.began
		}
	}
	for grown := true; grown; {
		grown = false
		for pid, p := range all {
			_, known := f.known[pid]
			if _, child := f.known[p.parent]; child && !known {
				f.known[pid], grown = p.began, true
			}
		}
	}
	list := map[int]process{}
	for pid := range f.known {
		if p := all[pid]; !p.zombie {
			list[pid] = p
		}
	}
	return list
}

// marks tells whether the process was started with the family's mark. The
// environment of other users' processes can't be read, and that of a zombie is empty.
func (f *family) marks(pid int, began uint64) bool {
	if f.strangers[pid] == began {
		return false
	}
	env, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil || len(env) == 0 { // which it is for a moment while a program takes another's place
		return false
	}
	for _, e := range bytes.Split(env, []byte{0}) {
		if value, is := bytes.CutPrefix(e, []byte(markName+"=")); is && slices.Contains(strings.Split(string(value), ":"), f.mark) {
			return true
		}
	}
	f.strangers[pid] = began
	return false
}

// processes lists all that run, but this one.
func processes() map[int]process {
	list := map[int]process{}
	dir, err := os.Open("/proc")
	if err != nil {
		return list
	}
	defer func() { _ = dir.Close() }()
	names, _ := dir.Readdirnames(-1) // what could be read is better than nothing
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil || pid == os.Getpid() {
			continue
		}
		if p, ok := readProcess(pid); ok {
			list[pid] = p
		}
	}
	return list
}

// readProcess reads /proc/PID/stat: "pid (name) state ppid pgrp ...", where the name
// may hold anything, and the 22nd field is when it began.
func readProcess(pid int) (p process, ok bool) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return process{}, false
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 20 {
		return process{}, false
	}
	p.zombie = fields[0] == "Z" || fields[0] == "X"
	p.parent, _ = strconv.Atoi(fields[1])
	p.group, _ = strconv.Atoi(fields[2])
	p.began, err = strconv.ParseUint(fields[19], 10, 64)
	return p, err == nil
}
