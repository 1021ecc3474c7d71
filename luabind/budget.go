package luabind

import (
	"context"
	"fmt"
	"runtime/metrics"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
)

// budget is what one run may use up. It is the context.Context that a state runs
// under: the VM asks Done before every instruction, and that call is the count. Done
// answers nil, which never fires, until something is used up, and a closed channel
// for ever after: pcall and coroutines can't swallow it. A budget belongs to the
// goroutine that runs its state.
type budget struct {
	state   *State
	parent  context.Context
	limits  Limits
	clock   clock
	used    int64 // instructions
	next    int64 // the count of instructions at which to look closer
	bytes   int64 // charged
	stored  int64 // of them, those for storing in tables, which may all be the same one
	large   int64 // bytes of large values: built in this run or an earlier one, or come with the event
	copied  int64 // bytes of strings that took the place of shorter ones
	longest int   // of these, to within a half
	logged  int   // bytes written to the log
	escaped bool  // the context of the run was given to something that may outlast it
	heap    heapWatch
	cover   *Coverage // nil: nobody wants to know which lines run
	at      place     // where it is; for cover
	spent   error     // nil until something is used up
	limit   hooks.Limit
}

var closed = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// start begins a run. The clock starts here.
func (b *budget) start(parent context.Context, limits Limits, now time.Time) {
	limits = limits.orDefault()
	*b = budget{state: b.state, cover: b.cover, parent: parent, limits: limits, clock: clock{began: now, timeout: limits.Timeout}, large: b.large}
	b.plan()
}

// Done counts one instruction; see [budget].
func (b *budget) Done() <-chan struct{} {
	b.used++
	if b.used >= b.next {
		return b.look()
	}
	return nil
}

// look is the closer look, for which Done has no time.
func (b *budget) look() <-chan struct{} {
	if b.cover != nil {
		b.cover.note(b.state.running, &b.at)
	}
	switch {
	case b.spent != nil:
	case b.used > b.limits.Instructions:
		b.stop(hooks.LimitInstructions, fmt.Errorf("it used up its %s instructions (raise limits.instructions to give it more); is there a loop that doesn't end?", grouped(b.limits.Instructions)))
	default:
		b.checkClock()
		if growth := b.heap.growth(b.used); growth > b.limits.Memory {
			b.stop(hooks.LimitMemory, fmt.Errorf("the heap grew by more than its %s of memory while it ran (raise limits.memory to give it more)", size(b.limits.Memory)))
		}
	}
	if b.spent != nil {
		return closed
	}
	b.plan()
	return nil
}

// plan sets the count at which the next closer look is due.
func (b *budget) plan() { b.next = min(b.limits.Instructions+1, b.used+b.interval()) }

// interval is how many instructions may pass between two closer looks. Where a script
// holds a large value, a single one can take long: comparing long strings, the length of a
// table that was emptied. What is built beside that is many small values, as a rule.
func (b *budget) interval() int64 {
	switch held := max(b.stored, b.large, b.bytes/16); {
	case b.cover != nil: // each line counts
		return 1
	case held > 16<<20:
		return 1
	case held > 8<<20:
		return 4
	case held > 1<<20:
		return 16
	}
	return 128
}

// stop ends the run for good, by the first limit that is reached; none ("") where it
// is a panic that no script may live on after.
func (b *budget) stop(limit hooks.Limit, cause error) {
	if b.spent == nil {
		b.limit, b.spent, b.next = limit, cause, 0
	}
}

// finish looks at the clock once more when a run is over: a library function may
// have waited until the time was up, and the script may have caught its error. It gives
// how long the run has taken.
func (b *budget) finish() time.Duration {
	b.checkClock()
	return b.clock.charged()
}

// checkClock ends a run whose time is over.
func (b *budget) checkClock() {
	over := b.clock.look(b.used)
	if b.spent != nil {
		return
	}
	if err := b.parent.Err(); err != nil {
		b.stop(hooks.LimitTime, fmt.Errorf("the caller gave up: %w", err))
	} else if over {
		b.stop(hooks.LimitTime, fmt.Errorf("it ran longer than its %s (raise its timeout, or limits.timeout, to give it more)", b.limits.Timeout))
	}
}

// Spend charges work that a library function does by itself, in units of about
// one VM instruction, and raises the limit's error where it is used up. Functions
// call it before they do the work, and often enough that no more than some thousand
// units pass between two calls.
func Spend(L *lua.LState, work int) {
	if b, ok := L.Context().(*budget); ok {
		b.spend(L, work)
	}
}

func (b *budget) spend(L *lua.LState, work int) {
	b.used += int64(work)
	if b.used >= b.next && b.look() != nil {
		b.raise(L)
	}
}

// Allocate charges bytes that a library function is about to allocate for a value
// that the script gets, and raises the limit's error where it would be too much. It
// sums up what is built, not what is kept: nothing is ever given back within a run. A
// single value may take a quarter of the limit, because the VM copies it where it
// quotes it in an error.
func Allocate(L *lua.LState, bytes int) {
	if b, ok := L.Context().(*budget); ok {
		b.allocate(L, bytes)
	}
}

func (b *budget) allocate(L *lua.LState, bytes int) {
	before := b.bytes
	b.bytes += int64(bytes)
	switch {
	case int64(bytes) > b.limits.Memory/4:
		b.stop(hooks.LimitMemory, tooLarge(b.limits.Memory/4))
	case b.bytes > b.limits.Memory, b.bytes < before:
		b.stop(hooks.LimitMemory, fmt.Errorf("it would have built more than its %s of memory (raise limits.memory to give it more); what a run builds is summed up, and table.concat builds a long string at once", size(b.limits.Memory)))
	}
	if b.spent != nil {
		b.raise(L)
	}
	b.holds(bytes)
	if b.bytes > 16<<20 {
		b.next = min(b.next, b.used+b.interval())
	}
}

// stores charges bytes that a store into a table is about to take.
func (b *budget) stores(L *lua.LState, bytes int) {
	b.allocate(L, bytes)
	if b.stored += int64(bytes); b.stored > 1<<20 {
		b.next = min(b.next, b.used+b.interval())
	}
}

// holds notes that the script has got hold of a value that may make a single
// instruction slow. It may keep it, so this is for the life of the state.
func (b *budget) holds(bytes int) {
	if bytes > 64<<10 {
		b.large += int64(bytes)
		b.next = min(b.next, b.used+b.interval())
	}
}

// copies charges for a string that takes the place of a shorter one, as in s = s .. x:
// what it adds is built, the rest is copied. What is copied is not summed up against
// the limit. A script that keeps every copy makes the heap grow, which is looked at
// from early on, as copying is work, too.
func (b *budget) copies(L *lua.LState, added, copied int) {
	b.allocate(L, added)
	if length := added + copied; length > 2*b.longest {
		b.longest = length
		b.holds(length)
	}
	if int64(added+copied) > b.limits.Memory/4 {
		b.stop(hooks.LimitMemory, tooLarge(b.limits.Memory/4))
		b.raise(L)
	}
	if b.copied += int64(copied); b.copied > b.limits.Memory*copiedTimes {
		b.stop(hooks.LimitMemory, fmt.Errorf("it built one string over and over, %s in all (raise limits.memory to give it more); table.concat builds it at once", size(b.limits.Memory*copiedTimes)))
		b.raise(L)
	}
}

// copiedTimes is how many times the limit on memory may be copied in all.
const copiedTimes = 16

func tooLarge(most int64) error {
	return fmt.Errorf("a single value would have taken more than %s, a quarter of its memory (raise limits.memory to give it more)", size(most))
}

// raise raises the error of the limit that was reached.
func (b *budget) raise(L *lua.LState) { L.RaiseError("%s", b.spent) }

// Err is nil until the budget is spent, then what was used up.
func (b *budget) Err() error { return b.spent }

// Deadline is when the run's time is over.
func (b *budget) Deadline() (time.Time, bool) { return b.clock.deadline(), true }

// Value asks the caller's context.
func (b *budget) Value(key any) any { return b.parent.Value(key) }

// heapWatch is the backstop for what is not charged: small tables, closures. It
// watches the heap of the whole process, so it begins only when a run has been going
// for a while; an embedder's own allocations don't stop a short hook.
type heapWatch struct {
	at     int64 // the count of instructions at which it last looked
	lowest int64
	sample [1]metrics.Sample
}

const (
	heapArmed = 20_000 // instructions before it begins
	heapEvery = 1024   // instructions between two looks
)

// growth is by how much the heap has grown since the watch began; 0 where it isn't
// due.
func (h *heapWatch) growth(used int64) int64 {
	if used < heapArmed || (h.at > 0 && used < h.at+heapEvery) {
		return 0
	}
	now := h.read()
	if h.at == 0 || now < h.lowest {
		h.lowest = now
	}
	h.at = used
	return now - h.lowest
}

// read is the size of the process's heap: live objects and those not yet collected.
func (h *heapWatch) read() int64 {
	h.sample[0].Name = "/memory/classes/heap/objects:bytes"
	metrics.Read(h.sample[:])
	return int64(h.sample[0].Value.Uint64())
}

// Limits bound one run of a hook. Zero values mean the defaults.
type Limits struct {
	Instructions int64         // VM instructions, and the work of library functions in such units; default 5,000,000
	Timeout      time.Duration // wall clock; default 1 s
	Memory       int64         // bytes that the run builds in all, and by which the heap may grow; default 64 MiB
}

// DefaultLimits are the limits of a run for which no others are set.
var DefaultLimits = Limits{Instructions: 5_000_000, Timeout: time.Second, Memory: 64 << 20}

// Within returns the tighter of two limits, each on its own.
func (l Limits) Within(outer Limits) Limits {
	return Limits{
		Instructions: tighter(l.Instructions, outer.Instructions),
		Timeout:      tighter(l.Timeout, outer.Timeout),
		Memory:       tighter(l.Memory, outer.Memory),
	}
}

// tighter is the smaller of two limits of which zero says nothing.
func tighter[T int64 | time.Duration](a, b T) T {
	if a <= 0 || (b > 0 && b < a) {
		return b
	}
	return a
}

func (l Limits) orDefault() Limits {
	if l.Instructions <= 0 {
		l.Instructions = DefaultLimits.Instructions
	}
	if l.Timeout <= 0 {
		l.Timeout = DefaultLimits.Timeout
	}
	if l.Memory <= 0 {
		l.Memory = DefaultLimits.Memory
	}
	return l
}

// loadingTime is how long the first loading of a script may take by the clock.
const loadingTime = 5 * time.Second

// forLoading are the limits of loading a script for a run, which has half the time of a run,
// but 500 ms where a run has that: the first event pays for both.
func (l Limits) forLoading() Limits {
	l = l.orDefault()
	l.Timeout = min(l.Timeout, max(l.Timeout/2, 500*time.Millisecond))
	return l
}

// partBytes is about what one part of a value takes: its place in a table and what
// stands behind an interface, without the bytes of a string.
const partBytes = 32

// TableBytes is about what a table takes that is made for so many items and string
// keys, without the strings and what the items take themselves.
func TableBytes(items, keys int) int {
	n := 112 + 16*items
	switch {
	case keys > 8:
		n += 260 * keys
	case keys > 0:
		n += 600 + 64*keys
	}
	return n
}

// Meter sums up work and bytes and charges for them when there is enough of them, so
// that going through a value of many small parts pays at little cost. Flush must follow
// at the end. Errors are raised as by [Spend] and [Allocate].
type Meter struct {
	L           *lua.LState
	work, bytes int
}

// Enough to be charged.
const (
	chargeEvery = 64      // units of work
	chargeBytes = 4 << 10 // bytes
)

// Add notes work and bytes as [Spend] and [Allocate] take them.
func (t *Meter) Add(work, bytes int) {
	t.work += work
	t.bytes += bytes
	if t.work >= chargeEvery || t.bytes >= chargeBytes {
		t.Flush()
	}
}

// AddTable is Add for one table with so many items and string keys; see [AllocateTable].
func (t *Meter) AddTable(work, items, keys int) {
	bytes := TableBytes(items, keys)
	t.Add(work, bytes)
	if b, ok := t.L.Context().(*budget); ok {
		b.holds(bytes)
	}
}

// Flush charges for what has been noted.
func (t *Meter) Flush() {
	work, bytes := t.work, t.bytes
	t.work, t.bytes = 0, 0
	if work > 0 {
		Spend(t.L, work)
	}
	AllocateParts(t.L, bytes)
}

// AllocateParts is [Allocate] for a value of many parts, like a table: it is not
// copied as a whole, so it isn't bounded like a single string.
func AllocateParts(L *lua.LState, bytes int) {
	for ; bytes > 0; bytes -= partsBytes {
		Allocate(L, min(bytes, partsBytes))
	}
}

// AllocateTable is AllocateParts for one table with so many items and string keys. Where it is large,
// asking for its length can take long once it was emptied.
func AllocateTable(L *lua.LState, items, keys int) {
	bytes := TableBytes(items, keys)
	AllocateParts(L, bytes)
	if b, ok := L.Context().(*budget); ok {
		b.holds(bytes)
	}
}

// AllocateItem is Allocate for an item of a table that grows item by item.
func AllocateItem(L *lua.LState, bytes int) {
	if b, ok := L.Context().(*budget); ok {
		b.stores(L, bytes)
	}
}

// partsBytes is how much of such a value is charged at a time.
const partsBytes = 64 << 10

const stringBytes = 32 // of a string beside its text, about
