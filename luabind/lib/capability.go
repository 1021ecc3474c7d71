package lib

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/spelling"
	"github.com/luahook/luahook/luabind"
)

// What the modules that reach outside of the sandbox (fs, env, git, exec, http, tasks) have in
// common. Their one rule: what isn't granted, what the grant doesn't cover and wrong
// arguments are errors; what the outside world refuses is nil and a message. A function
// that answers with true or false raises there, too: nil would read as no.

// notCovered is an error of something that the grant doesn't cover. It is raised.
type notCovered string

func (e notCovered) Error() string { return string(e) }

// need raises an error unless the capability is granted. example is how hooks.yaml
// would grant it.
func (c call) need(given bool, example string) {
	if given {
		return
	}
	if w := luabind.WithheldOf(c.LState); isAmong(w.Grants, example) {
		c.RaiseError("%s: not granted, though hooks.yaml grants it: %s", c.function(), w.Why)
	} else {
		c.RaiseError(`%s: not granted; give this script "grant: {%s}" in hooks.yaml (a project's grants count once it is trusted)`, c.function(), example)
	}
}

// isAmong tells whether grants are of a capability, by an example of how it is granted.
func isAmong(grants hooks.Grants, example string) bool {
	name, _, _ := strings.Cut(example, ":")
	return slices.ContainsFunc(grants.List(), func(g string) bool {
		own, _, _ := strings.Cut(g, ":")
		return own == name
	})
}

// root is the project's root.
func (c call) root() string {
	root := luabind.RootOf(c.LState)
	if root == "" {
		c.fail("there is no project here")
	}
	return root
}

// failed returns nil and what went wrong outside, or raises what the grant doesn't
// cover.
func (c call) failed(err error) int {
	var e notCovered
	if errors.As(err, &e) {
		c.fail(err.Error())
	}
	problem := oneLine(message(err.Error()))
	c.allocate(len(problem))
	c.Push(lua.LNil)
	c.Push(lua.LString(problem))
	return 2
}

// raised is for functions that answer yes or no: it raises every error.
func (c call) raised(err error) {
	if err != nil {
		c.fail(oneLine(err.Error()))
	}
}

// cause is an error of the file system without the name of the system call and of the
// path, which the message has as the script gave it.
func cause(err error) error {
	var e *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &e):
		return e.Err
	case errors.As(err, &l):
		return l.Err
	}
	return err
}

// options are a table of named values, read strictly.
type options struct {
	c     call
	n     int // the argument
	table *lua.LTable
}

// options reads argument n, which may be absent. A name that isn't among names is an
// error.
func (c call) options(n int, names ...string) options {
	if c.Get(n) == lua.LNil {
		return options{c, n, nil}
	}
	o := options{c, n, c.table(n)}
	for k, _ := luabind.First(c.LState, o.table); k != lua.LNil; k, _ = o.table.Next(k) {
		luabind.Spend(c.LState, 2)
		name := luabind.RawText(k)
		known := false
		for _, want := range names {
			known = known || k == lua.LString(want)
		}
		if !known {
			c.bad(n, "unknown option "+cut(name, 100)+spelling.DidYouMean(cut(name, 100), names))
		}
	}
	return o
}

func (o options) get(name string) lua.LValue {
	if o.table == nil {
		return lua.LNil
	}
	return o.table.RawGetString(name)
}

func (o options) wrong(name, want string, v lua.LValue) {
	o.c.bad(o.n, fmt.Sprintf("%s: %s expected, got %s", name, want, v.Type()))
}

func (o options) text(name string) (s string, given bool) {
	switch v := o.get(name).(type) {
	case *lua.LNilType:
		return "", false
	case lua.LString:
		return string(v), true
	case lua.LNumber:
		return v.String(), true
	default:
		o.wrong(name, "string", v)
		return "", false
	}
}

func (o options) flag(name string) bool {
	switch v := o.get(name).(type) {
	case *lua.LNilType:
		return false
	case lua.LBool:
		return bool(v)
	default:
		o.wrong(name, "boolean", v)
		return false
	}
}

// whole is a whole number from 1 to most.
func (o options) whole(name string, absent, most int) int {
	switch v := o.get(name).(type) {
	case *lua.LNilType:
		return absent
	case lua.LNumber:
		if f := float64(v); f == math.Trunc(f) && f >= 1 && f <= float64(most) {
			return int(f)
		}
		o.c.bad(o.n, fmt.Sprintf("%s: whole number from 1 to %d expected, got %s", name, most, v))
	default:
		o.wrong(name, "number", v)
	}
	return 0
}

// duration is a text such as "200ms", above 0.
func (o options) duration(name string) (d time.Duration, given bool) {
	s, given := o.text(name)
	if !given {
		return 0, false
	}
	d, err := time.ParseDuration(cut(s, 100))
	if err != nil || d <= 0 {
		o.c.bad(o.n, fmt.Sprintf("%s: a time such as \"200ms\" expected, got %q", name, cut(s, 100)))
	}
	return d, true
}

// texts is a table of texts by name.
func (o options) texts(name string) map[string]string {
	v := o.get(name)
	if v == lua.LNil {
		return nil
	}
	t, ok := v.(*lua.LTable)
	if !ok {
		o.wrong(name, "table", v)
	}
	all := map[string]string{}
	for k, v := luabind.First(o.c.LState, t); k != lua.LNil; k, v = t.Next(k) {
		luabind.Spend(o.c.LState, 4)
		o.c.allocateParts(64)
		key, ok := k.(lua.LString)
		if !ok {
			o.c.bad(o.n, name+": a name expected as key, got "+k.Type().String())
		}
		switch v.(type) {
		case lua.LString, lua.LNumber:
		default:
			o.c.bad(o.n, name+"."+cut(string(key), 100)+": string expected, got "+v.Type().String())
		}
		all[string(key)] = v.String()
	}
	return all
}

// textList reads a list of texts.
func (c call) textList(n int) []string {
	t := c.table(n)
	count := luabind.Length(c.LState, t)
	luabind.Spend(c.LState, 1+2*count)
	c.allocateParts(16 * count)
	list := make([]string, 0, count)
	for i := 1; i <= count; i++ {
		switch v := t.RawGetInt(i).(type) {
		case lua.LString, lua.LNumber:
			list = append(list, v.String())
		default:
			c.bad(n, fmt.Sprintf("string expected as item %d, got %s", i, v.Type()))
		}
	}
	return list
}
