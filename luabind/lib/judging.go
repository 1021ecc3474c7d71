package lib

import (
	"crypto/sha256"
	"encoding/binary"
	"reflect"
	"sync"

	"github.com/luahook/luahook/luabind"
)

// Bounds of what is kept of one event, in bytes.
const (
	maxEffects     = 32 << 20
	maxHookEffects = 8 << 20 // of one hook
)

// EffectsKey is the key under which the context of a run has the *[Effects] of its event;
// where there are none, no run of it is repeated.
type EffectsKey struct{}

// Effects are what the hooks of one event have done beside answering, and what came of it.
// A hook that judges the event again gets the same answers to the same questions, and does
// nothing twice. What is more than it may hold is left out. The zero value is empty. Several
// goroutines may use it, also calls that have outlasted their run.
type Effects struct {
	mu     sync.Mutex
	size   int
	sizes  map[hookID]int
	answer map[effect][]any
}

// hookID is one hook of one script.
type hookID struct {
	script *Services
	number int
}

// effect is something that a hook did: the function and a hash of what it was given.
type effect struct {
	hookID
	what  string
	given [sha256.Size]byte
}

func (e *Effects) note(what effect, came any, size int) {
	size += 200
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.size+size > maxEffects || e.sizes[what.hookID]+size > maxHookEffects {
		return
	}
	if e.answer == nil {
		e.answer, e.sizes = map[effect][]any{}, map[hookID]int{}
	}
	e.size += size
	e.sizes[what.hookID] += size
	e.answer[what] = append(e.answer[what], came)
}

// at is what came of it the n-th time.
func (e *Effects) at(what effect, n int) (came any, ok bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if list := e.answer[what]; n < len(list) {
		return list[n], true
	}
	return nil, false
}

// Judging is a run that judges an event again; see [luabind.JudgingKey]. It belongs to that run.
type Judging struct {
	Effects *Effects

	asked   map[effect]int    // how often
	written map[string][]byte // what the store would hold had it been written to, by scope, name and key; nil: nothing
}

// judging is the run as one that judges again; nil: it is the first.
func (c call) judging() *Judging {
	a, _ := luabind.JudgingOf(c.LState).(*Judging)
	return a
}

// effect names what the function does with what it is given.
func (c call) effect(given ...string) effect {
	size := 0
	for _, part := range given {
		size += len(part)
	}
	c.charge(4 * size) // to hash it
	h, length := sha256.New(), [8]byte{}
	for _, part := range given {
		binary.LittleEndian.PutUint64(length[:], uint64(len(part)))
		h.Write(length[:])
		h.Write([]byte(part))
	}
	e := effect{hookID: hookID{number: luabind.HookOf(c.LState)}, what: c.function()}
	e.script, _ = luabind.ServicesOf(c.LState).(*Services)
	h.Sum(e.given[:0])
	return e
}

// noteEffect keeps what came of something for the run that judges again, if there is one.
func (c call) noteEffect(what effect, came any, size int) {
	if e, _ := luabind.ValueOf(c.LState, EffectsKey{}).(*Effects); e != nil {
		e.note(what, came, size)
	}
}

// notesEffects reports whether what the run does is of interest to one that judges again.
func (c call) notesEffects() bool {
	e, _ := luabind.ValueOf(c.LState, EffectsKey{}).(*Effects)
	return e != nil
}

// earlier is what came of it in the run before, the first time for the first call, and so on.
func (a *Judging) earlier(what effect) (came any, ok bool) {
	if a.Effects == nil {
		return nil, false
	}
	if a.asked == nil {
		a.asked = map[effect]int{}
	}
	n := a.asked[what]
	a.asked[what]++
	return a.Effects.at(what, n)
}

// ReplayKey is the key under which the context of a run has its [Replay], where nothing is to be felt outside
// of the run.
type ReplayKey struct{}

// Replay is told of the functions whose result a hook wants and doesn't get. Several goroutines may use it.
type Replay interface {
	Refuse(function string)
}

// doOnce does something that is felt outside of the run, unless that is a replay: then a call whose result is
// wanted and isn't known raises an error. Where the run judges again it gives
// what came of it before, and where it wasn't done before what dropped gives instead: ok is
// false where it is to be done all the same.
func doOnce[T any](c call, given []string, size func(T) int, dropped func() (came T, ok bool), do func() T) T {
	if r, _ := luabind.ValueOf(c.LState, ReplayKey{}).(Replay); r != nil {
		if none, ok := dropped(); ok {
			return none
		}
		r.Refuse(c.function())
		c.RaiseError("%s: not done, as this is a replay in which hooks judge and do nothing else", c.function())
	}
	a := c.judging()
	if a == nil && !c.notesEffects() {
		return do()
	}
	what := c.effect(given...)
	if a == nil {
		came := do()
		c.noteEffect(what, came, size(came))
		return came
	}
	if came, ok := a.earlier(what); ok {
		if came, ok := came.(T); ok {
			return came
		}
	}
	if came, ok := dropped(); ok {
		return came
	}
	return do()
}

// usesResult reports whether the script looks at what the function gives. A call that stands by
// itself, as a statement, is there for its effect alone.
func (c call) usesResult() bool {
	frame := reflect.ValueOf(c.LState).Elem().FieldByName("currentFrame")
	if frame.Kind() != reflect.Pointer || frame.IsNil() {
		return true
	}
	results := frame.Elem().FieldByName("NRet")
	return !results.IsValid() || !results.CanInt() || results.Int() != 0
}

// noSize is the size of what takes next to nothing.
func noSize[T any](T) int { return 0 }
