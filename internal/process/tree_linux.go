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

// markName is the variable that marks the processes of a run. Its value is the ids of all runs that a process
// belongs to: a program that a hook started may itself run hooks.
const markName = "LUAHOOK_RUN"

// marked returns the environment with a new mark, after the marks of this process.
func marked(env []string) (mark string, with []string) {
	mark = rand.Text()
	with = slices.DeleteFunc(slices.Clone(env), func(e string) bool { return strings.HasPrefix(e, markName+"=") })
	value := mark
	if outer := os.Getenv(markName); outer != "" && len(outer) < 1<<10 {
		value = outer + ":" + mark
	}
	return mark, append(with, markName+"="+value)
}

// children are the children of this process: running programs, and processes that programs left.
var children = struct {
	// read-locked while a program is started, write-locked while the owner of a process is determined
	starting sync.RWMutex

	mu       sync.Mutex // guards the fields below
	adopts   bool
	runs     int            // current runs
	programs map[int]bool   // started by runs, which wait for them themselves
	left     map[int]uint64 // left in the background, with their start times
}{programs: map[int]bool{}, left: map[int]uint64{}}

// AdoptOrphans makes this process the parent of descendants whose parent has ended (PR_SET_CHILD_SUBREAPER). So
// [Run] finds everything that a program has started, however it hides. It is for a process that starts programs
// by Run only: other children that it gets are treated as left by a program, and are waited for. The error is
// [errors.ErrUnsupported] on systems other than Linux.
func AdoptOrphans() error {
	const setChildSubreaper = 36
	if _, _, err := syscall.RawSyscall(syscall.SYS_PRCTL, setChildSubreaper, 1, 0); err != 0 {
		return err
	}
	before := map[int]uint64{}
	if _, err := endedChild(); err == nil { // of a shell that exec replaced with this process
		before = adopted()
	}
	children.mu.Lock()
	defer children.mu.Unlock()
	children.adopts = true
	maps.Copy(children.left, before)
	return nil
}

// beginStart is called before a program is started, and endStart afterwards with its number, or 0 if it was not
// started. Until the new process has become the program it has this process's files, and is a child that isn't
// registered yet.
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

// noStarts keeps programs from being started and returns a function that ends this, or nil if that would take
// too long.
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

// processTree is a program and everything that it started. It belongs to one goroutine.
type processTree struct {
	group int
	began uint64 // the program
	mark  string
	pipes []string       // whose other ends only the tree holds, as /proc names them
	known map[int]uint64 // processes of the tree, with their start times
	line  *lifeline      // nil: there is none

	strangers map[int]uint64 // processes that aren't: one that is born without the mark never has it
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

// close ends the tree's bookkeeping. If the program ended on its own (byItself), the processes that it left live
// on, and no later run ends them.
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

// reap waits for adopted children that have ended, so that no zombies stay, and reports whether there are other
// children. No program may be started meanwhile.
func reap() (some bool) {
	for {
		pid, err := endedChild()
		if err != nil {
			return false // there are none at all
		}
		children.mu.Lock()
		own := pid == 0 || children.programs[pid]
		children.mu.Unlock()
		if own { // its run waits for it; next time it isn't in the way
			return true
		}
		_, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
	}
}

// endedChild returns a child that has ended and hasn't been waited for, without waiting for it; 0 if there is
// none. The error says that there are no children.
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

// adopted returns the children that no run has started itself.
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

// terminate asks all processes to end and reports whether it is worth waiting for them. The group is asked in
// one step, so that its shell doesn't continue when the program that it waits for has ended. Processes that have
// left the group are looked up before that, while their parents still exist.
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

// ended reports whether nothing of the tree is running any more.
func (f *processTree) ended() bool { return len(f.look(nil)) == 0 }

// kill ends all by force and returns how many it found. Each is ended as soon as it is found, because its number
// may change the next moment.
func (f *processTree) kill() int {
	end := func(pid int, p process) { signal(pid, p, syscall.SIGKILL) }
	f.look(end)
	signalGroup(f.group, syscall.SIGKILL)
	if n := len(f.look(end)); n > 0 || !alone() || !allWaitedFor() {
		return n
	}
	return f.killOrphans()
}

// killOrphans ends processes that replace themselves so fast that a look at all processes misses them: all
// children of this process that are left. It returns how many the last round found, and gives up after a while.
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

// certainlyEnded reports whether nothing of the tree is left, according to the system: no other run is in
// progress, orphans become children of this process, and it has none.
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

// alone reports whether an adopted orphan can't belong to another run, nor to a finished one.
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

// signal sends a signal to a process, unless its number now belongs to another one. If that fails, the process
// has just ended.
func signal(pid int, p process, s syscall.Signal) {
	handle, err := os.FindProcess(pid)
	if err != nil {
		return
	}
	defer func() { _ = handle.Release() }()
	// The handle belongs to the process that has the number now, so compare once more.
	if now, ok := readProcess(pid); ok && now.began == p.began {
		_ = handle.Signal(s)
	}
}

// process is what /proc says about one.
type process struct {
	parent, group int
	began         uint64 // in ticks since the system began
	zombie        bool
}

// look returns the running processes of the tree, and passes each to found, which may be nil, as soon as it is
// known to belong to it.
func (f *processTree) look(found func(pid int, p process)) map[int]process {
	adopts := false // whether a child of this process can belong to it
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
			delete(f.known, pid) // the number may belong to another process by now
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

// forget drops processes that were left and no longer exist.
func forget(all map[int]process) {
	children.mu.Lock()
	defer children.mu.Unlock()
	for pid, began := range children.left {
		if p, ok := all[pid]; !ok || p.began != began || p.zombie {
			delete(children.left, pid)
		}
	}
}

// marks reports whether the process was started with the tree's mark, or holds a pipe of the tree's. The
// environment and the files of other users' processes can't be read, and those of a zombie are empty.
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
	if len(env) > 0 { // it is, for a moment, while the process executes another program
		f.strangers[pid] = p.began
	}
	return false
}

// eachProcess calls f with all running processes but this one, as it reads them.
func eachProcess(f func(pid int, p process)) {
	dir, err := os.Open("/proc")
	if err != nil {
		return
	}
	defer func() { _ = dir.Close() }()
	self := os.Getpid()
	for {
		names, err := dir.Readdirnames(256) // a partial list is better than none
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

// readProcess reads /proc/PID/stat: "pid (name) state ppid pgrp ...", where the name may hold anything, and the
// 22nd field is the start time.
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

// lifeline is a pipe; the program and what it starts hold one end. When this process ends, however it does, the
// system closes the other end and sends SIGKILL to the program's process group, as set up for this end. That can
// only be done once the group is there: a process that is killed just before leaves the program behind.
type lifeline struct{ here, there *os.File }

// lifelineNumber is the program's file for its end; scripts don't use this number.
const (
	lifelineNumber = 97
	lifelineText   = "97"
)

// newLifeline makes it before the program is started; nil if that isn't possible.
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

// close releases the program, which lives on if it hasn't ended.
func (l *lifeline) close() {
	if l == nil {
		return
	}
	control(l.there.Fd(), syscall.F_SETFL, 0)
	closeAll([]*os.File{l.there, l.here})
}

// control calls fcntl. If it fails the program lives on when this process is killed.
func control(fd uintptr, command, value int) {
	_, _, _ = syscall.Syscall(syscall.SYS_FCNTL, fd, uintptr(command), uintptr(value))
}
