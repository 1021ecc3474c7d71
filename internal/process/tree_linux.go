package process

import (
	"bytes"
	"crypto/rand"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
	"unsafe"
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

// children are those of this process: what runs, and what was left.
var children = struct {
	starting sync.RWMutex // held to read while a program is started, to write while it is looked whose a process is

	mu       sync.Mutex // for what follows
	adopts   bool
	runs     int            // that are under way
	programs map[int]bool   // that runs have started, and that they wait for themselves
	left     map[int]uint64 // that were left in the background, and when they began
}{programs: map[int]bool{}, left: map[int]uint64{}}

// AdoptOrphans has the system make every process whose parent has ended a child of this
// one, where it descends from it (PR_SET_CHILD_SUBREAPER). So [Run] finds all that a
// program has started, whatever that has done to hide. It is for a process that starts
// programs by Run alone: other children that it gets are taken for what a program has
// left, and are waited for. The error is [errors.ErrUnsupported] on other systems than Linux.
func AdoptOrphans() error {
	const setChildSubreaper = 36
	if _, _, err := syscall.RawSyscall(syscall.SYS_PRCTL, setChildSubreaper, 1, 0); err != 0 {
		return err
	}
	before := map[int]uint64{}
	if _, err := endedChild(); err == nil { // of a shell that this process has taken the place of
		before = adopted()
	}
	children.mu.Lock()
	defer children.mu.Unlock()
	children.adopts = true
	maps.Copy(children.left, before)
	return nil
}

// beginStart is called before a program is started, endStart afterwards, with its number,
// 0 where it was not started. What is being started has this process's files until it is
// the program, and is a child that nobody knows yet.
func beginStart() { children.starting.RLock() }

func endStart(pid int) {
	children.mu.Lock()
	if pid != 0 {
		children.runs++
		children.programs[pid] = true
	}
	children.mu.Unlock()
	children.starting.RUnlock()
}

// noStarts keeps programs from being started, unless that takes too long; it then returns
// nil, else what ends it.
func noStarts() (end func()) {
	for range 20 {
		if children.starting.TryLock() {
			return children.starting.Unlock
		}
		time.Sleep(time.Millisecond)
	}
	return nil
}

func adopting() bool {
	children.mu.Lock()
	defer children.mu.Unlock()
	return children.adopts
}

// waitedFor is called when a program has been waited for.
func waitedFor(pid int) {
	children.mu.Lock()
	defer children.mu.Unlock()
	delete(children.programs, pid)
}

// processTree is a program and all that it has started. It belongs to one goroutine.
type processTree struct {
	group int
	began uint64 // the program
	mark  string
	pipes []string       // that only the tree holds the other ends of, as /proc names them
	known map[int]uint64 // processes that are of the tree and when they began
	line  *lifeline      // nil: there is none

	strangers map[int]uint64 // that are not: what isn't born with the mark never has it
}

func newProcessTree(pid int, mark string, line *lifeline, pipes ...*os.File) *processTree {
	f := &processTree{group: pid, mark: mark, line: line, known: map[int]uint64{}, strangers: map[int]uint64{}}
	if line != nil {
		line.arm(pid)
		pipes = append(pipes, line.there)
	}
	for _, pipe := range pipes {
		if info, err := pipe.Stat(); err == nil {
			if s, ok := info.Sys().(*syscall.Stat_t); ok {
				f.pipes = append(f.pipes, "pipe:["+strconv.FormatUint(s.Ino, 10)+"]")
			}
		}
	}
	return f
}

// close ends the tree's account of itself. Where the program has come to its end by
// itself, byItself, what it has left lives on, and is nobody's that ends later.
func (f *processTree) close(byItself bool) {
	f.line.close()
	children.mu.Lock()
	children.runs--
	adopts := children.adopts
	children.mu.Unlock()
	if !adopts {
		return
	}
	end := noStarts()
	if end == nil {
		return
	}
	defer end()
	if some := reap(); !some || !byItself {
		return
	}
	left := adopted()
	children.mu.Lock()
	defer children.mu.Unlock()
	maps.Copy(children.left, left)
}

// reap waits for those adopted children that have ended, so that no zombies stay, and
// reports whether there are other children. No program may be started meanwhile.
func reap() (some bool) {
	for {
		pid, err := endedChild()
		if err != nil {
			return false // there are none at all
		}
		children.mu.Lock()
		own := pid == 0 || children.programs[pid]
		children.mu.Unlock()
		if own { // its run waits for it; the next time it isn't in the way
			return true
		}
		_, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
	}
}

// endedChild is a child that has ended and that nobody has waited for, 0 where there is
// none such; the error is that there are no children. It stays as it is.
func endedChild() (pid int, err error) {
	const all = 0
	var info [128]byte // siginfo_t
	_, _, failed := syscall.Syscall6(syscall.SYS_WAITID, all, 0, uintptr(unsafe.Pointer(&info)), syscall.WEXITED|syscall.WNOHANG|syscall.WNOWAIT, 0, 0)
	if failed != 0 {
		return 0, failed
	}
	at := 12 // behind three numbers, and a gap where addresses have 8 bytes
	if unsafe.Sizeof(uintptr(0)) == 8 {
		at = 16
	}
	return int(*(*int32)(unsafe.Pointer(&info[at]))), nil
}

// adopted are the children that no run has started itself.
func adopted() map[int]uint64 {
	found := map[int]uint64{}
	tasks, _ := os.ReadDir("/proc/self/task")
	for _, task := range tasks {
		text, _ := os.ReadFile("/proc/self/task/" + task.Name() + "/children")
		for _, word := range strings.Fields(string(text)) {
			pid, err := strconv.Atoi(word)
			if err != nil || isProgram(pid) {
				continue
			}
			if p, ok := readProcess(pid); ok && !p.zombie {
				found[pid] = p.began
			}
		}
	}
	return found
}

func isProgram(pid int) bool {
	children.mu.Lock()
	defer children.mu.Unlock()
	return children.programs[pid]
}

// ask asks all to end and reports whether it is worth waiting for them. The group is
// asked at once, so that its shell doesn't go on when the program that it waits for
// has ended; before, as long as their parents are here, those who have left it are
// found.
func (f *processTree) terminate() bool {
	list := f.look(nil)
	signalGroup(f.group, syscall.SIGTERM)
	for pid, p := range list {
		if p.group != f.group {
			signal(pid, p, syscall.SIGTERM)
		}
	}
	return true
}

// ended reports whether nothing of the tree runs any more.
func (f *processTree) ended() bool { return len(f.look(nil)) == 0 }

// kill ends all by force and returns how many it has found. Each is ended as soon as it
// is found: the next moment it may have another number.
func (f *processTree) kill() int {
	end := func(pid int, p process) { signal(pid, p, syscall.SIGKILL) }
	f.look(end)
	signalGroup(f.group, syscall.SIGKILL)
	if n := len(f.look(end)); n > 0 || !alone() || !allWaitedFor() {
		return n
	}
	return f.killOrphans()
}

// killOrphans ends those who leave each moment what they were the moment before, and so
// are never where one looks: all that are left are children of this process. It returns
// how many there were at the last, and doesn't try for ever.
func (f *processTree) killOrphans() int {
	end := noStarts()
	if end == nil {
		return 0
	}
	defer end()
	for range 200 {
		if !reap() {
			return 0
		}
		for pid := range adopted() {
			_ = syscall.Kill(pid, syscall.SIGKILL) // a child keeps its number until it is waited for
		}
	}
	return 1 // or more
}

// certainlyEnded reports whether nothing of the tree is left, by the system's own account: no
// other run is under way, orphans become children of this process, and it has none.
func (f *processTree) certainlyEnded() bool {
	if !alone() {
		return false
	}
	end := noStarts()
	if end == nil {
		return false
	}
	defer end()
	return !reap()
}

// alone reports whether an orphan that this process has adopted can be of no other run, and
// of none that is over.
func alone() bool {
	children.mu.Lock()
	defer children.mu.Unlock()
	return children.adopts && children.runs == 1 && len(children.left) == 0
}

// allWaitedFor reports whether all programs that were started have been waited for.
func allWaitedFor() bool {
	children.mu.Lock()
	defer children.mu.Unlock()
	return len(children.programs) == 0
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

// look lists the processes of the tree that run, and gives each to found, which may be
// nil, as soon as it is known to be one.
func (f *processTree) look(found func(pid int, p process)) map[int]process {
	adopts := false // whether a child of this process can be one
	if end := noStarts(); end != nil {
		defer end()
		if adopts = adopting(); adopts {
			reap()
		}
	}
	all := map[int]process{}
	list := map[int]process{}
	self, alone := os.Getpid(), adopts && alone()
	add := func(pid int, p process) {
		f.known[pid] = p.began
		if p.zombie {
			return
		}
		if list[pid] = p; found != nil {
			found(pid, p)
		}
	}
	eachProcess(func(pid int, p process) {
		all[pid] = p
		_, known := f.known[p.parent]
		switch {
		case pid == f.group && p.parent == self:
			f.began = p.began
		case p.parent == self && (!adopts || isProgram(pid)):
			return
		case known || p.group == f.group || f.known[pid] == p.began:
		case f.marks(pid, p):
		case alone && p.parent == self && p.began >= f.began:
		default:
			return
		}
		add(pid, p)
	})
	for pid, began := range f.known {
		if p, ok := all[pid]; !ok || p.began != began {
			delete(f.known, pid) // the number may be somebody else's by now
			delete(list, pid)
		}
	}
	forget(all)
	for grown := true; grown; {
		grown = false
		for pid, p := range all {
			_, known := f.known[pid]
			if _, child := f.known[p.parent]; child && !known {
				add(pid, p)
				grown = true
			}
		}
	}
	return list
}

// forget drops what was left and isn't there any more.
func forget(all map[int]process) {
	children.mu.Lock()
	defer children.mu.Unlock()
	for pid, began := range children.left {
		if p, ok := all[pid]; !ok || p.began != began || p.zombie {
			delete(children.left, pid)
		}
	}
}

// marks reports whether the process was started with the tree's mark, or holds a pipe of
// the tree's. The environment and the files of other users' processes can't be read, and
// those of a zombie are empty.
func (f *processTree) marks(pid int, p process) bool {
	if f.strangers[pid] == p.began {
		return false
	}
	dir := "/proc/" + strconv.Itoa(pid)
	env, err := os.ReadFile(dir + "/environ")
	if err != nil {
		return false
	}
	for _, e := range bytes.Split(env, []byte{0}) {
		if value, is := bytes.CutPrefix(e, []byte(markName+"=")); is && slices.Contains(strings.Split(string(value), ":"), f.mark) {
			return true
		}
	}
	for _, number := range []string{"0", "1", "2", lifelineText} {
		if file, err := os.Readlink(dir + "/fd/" + number); err == nil && slices.Contains(f.pipes, file) {
			return true
		}
	}
	if len(env) > 0 { // which it is for a moment while a program takes another's place
		f.strangers[pid] = p.began
	}
	return false
}

// eachProcess calls f with all that run, but this one, as they are read.
func eachProcess(f func(pid int, p process)) {
	dir, err := os.Open("/proc")
	if err != nil {
		return
	}
	defer func() { _ = dir.Close() }()
	self := os.Getpid()
	for {
		names, err := dir.Readdirnames(256) // what could be read is better than nothing
		for _, name := range names {
			pid, err := strconv.Atoi(name)
			if err != nil || pid == self {
				continue
			}
			if p, ok := readProcess(pid); ok {
				f(pid, p)
			}
		}
		if err != nil || len(names) == 0 {
			return
		}
	}
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

// lifeline is a pipe that the program and what it starts hold one end of. When this
// process ends, however it does, the system closes the other end, and sends SIGKILL to
// the program's process group, because this end says so.
type lifeline struct{ here, there *os.File }

// lifelineNumber is the file of the program's that is its end: none that people use in
// scripts.
const (
	lifelineNumber = 97
	lifelineText   = "97"
)

// newLifeline makes it, before the program is started; nil where that isn't possible.
func newLifeline() *lifeline {
	there, here, err := os.Pipe()
	if err != nil {
		return nil
	}
	return &lifeline{here: here, there: there}
}

// give hands the program its end.
func (l *lifeline) give(cmd *exec.Cmd) {
	if l != nil {
		cmd.ExtraFiles = make([]*os.File, lifelineNumber-2)
		cmd.ExtraFiles[lifelineNumber-3] = l.there
	}
}

const setSignal = 10 // F_SETSIG

func (l *lifeline) arm(group int) {
	fd := l.there.Fd()
	control(fd, syscall.F_SETOWN, -group)
	control(fd, setSignal, int(syscall.SIGKILL))
	control(fd, syscall.F_SETFL, syscall.O_ASYNC)
}

// close lets go of the program, which lives on if it hasn't ended.
func (l *lifeline) close() {
	if l == nil {
		return
	}
	control(l.there.Fd(), syscall.F_SETFL, 0)
	closeAll([]*os.File{l.there, l.here})
}

// control is fcntl. Where it fails the program lives on when this process is killed.
func control(fd uintptr, command, value int) {
	_, _, _ = syscall.Syscall(syscall.SYS_FCNTL, fd, uintptr(command), uintptr(value))
}
