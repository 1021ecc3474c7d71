package lib

import (
	"fmt"
	"sync"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/internal/redact"
	"github.com/luahook/luahook/luabind"
)

// maxKeep is how many patterns each secret may be compared with.
const maxKeep = 100

// maxRedacted bounds what redact.text and redact.value look at in one go, in bytes.
const maxRedacted = 16 << 20

func redactModule() luabind.Module {
	return module("redact", "replaces secrets with marks such as [redacted: github token]: tokens of known formats, private keys, passwords in addresses, values given to a name that says secret; up to 16 MiB at once",
		function{
			"text", "(text: string, options?: {keep: Pattern[]}): string",
			"the text with each secret replaced. " +
				"Redacted text stays as it is, and so does a secret that one of keep matches (at most 100 patterns, made by re.compile)",
			`assert(redact.text("mysql --password hunter2") == "mysql --password [redacted: password]")`,
			redactText,
		},
		function{
			"value", "(value: any, options?: {keep: Pattern[]}): any",
			"a copy of the value with the secrets in its texts replaced, and all texts under a key that says secret",
			`assert(redact.value({ user = "kim", password = "correct horse" }).password == "[redacted: password]")`,
			redactValue,
		},
		function{
			"report", "(value: any, options?: {keep: Pattern[]}): any, integer",
			"the result of redact.text for a text, or of redact.value for any other value, and how many secrets were replaced",
			`local clean, found = redact.report({ user = "kim", password = "correct horse" })
assert(clean.password == "[redacted: password]" and found == 1)`,
			redactReport,
		})
}

// formats knows no environment: a script that could ask about that would have an oracle
// for what it wasn't granted.
var formats = sync.OnceValue(func() *redact.Redactor { return redact.New(nil) })

func (c call) redactor() *redact.Redactor {
	r := formats()
	if of := c.services().Redactor; of != nil {
		r = of()
	}
	r = r.Paying(func(bytes int) { c.charge(4 * bytes) }) // the rules look more often than other functions
	keep := c.keep(2)
	if len(keep) == 0 {
		return r
	}
	return r.Keep(func(secret string) bool {
		for _, p := range keep {
			if p.matches(c, secret) {
				return true
			}
		}
		return false
	})
}

// keep are the patterns in the options at argument n.
func (c call) keep(n int) (patterns []*program) {
	o := c.options(n, "keep")
	list := o.get("keep")
	if list == lua.LNil {
		return nil
	}
	t, ok := list.(*lua.LTable)
	if !ok {
		o.wrong("keep", "list of patterns", list)
	}
	count := luabind.Length(c.LState, t)
	if count > maxKeep {
		c.bad(n, fmt.Sprintf("keep: at most %d patterns expected, got %d", maxKeep, count))
	}
	for i := 1; i <= count; i++ {
		u, _ := t.RawGetInt(i).(*lua.LUserData)
		if u == nil {
			c.bad(n, "keep: pattern of re.compile expected, got "+t.RawGetInt(i).Type().String())
		}
		p, ok := u.Value.(*program)
		if !ok {
			c.bad(n, "keep: pattern of re.compile expected")
		}
		patterns = append(patterns, p)
	}
	return patterns
}

// redactable bounds and pays for what is built; the redactor pays for its work as it goes.
func (c call) redactable(bytes int) {
	if bytes > maxRedacted {
		c.bad(1, fmt.Sprintf("at most %d bytes expected, got %d", maxRedacted, bytes))
	}
	c.allocate(bytes)
}

func redactText(c call) int {
	text, _ := c.withoutSecrets(c.text(1))
	return c.give(text)
}

func redactValue(c call) int {
	v, _ := c.valueWithoutSecrets()
	return c.give(v)
}

func redactReport(c call) int {
	var clean lua.LValue
	var found int
	if text, ok := c.Get(1).(lua.LString); ok {
		clean, found = c.withoutSecrets(string(text))
	} else {
		clean, found = c.valueWithoutSecrets()
	}
	c.Push(clean)
	c.Push(lua.LNumber(found))
	return 2
}

func (c call) withoutSecrets(text string) (lua.LString, int) {
	c.redactable(len(text))
	text, found := c.redactor().Text(text)
	if found > 0 {
		c.allocate(len(text))
	}
	return lua.LString(text), found
}

// valueWithoutSecrets makes a copy of the first argument.
func (c call) valueWithoutSecrets() (lua.LValue, int) {
	if c.GetTop() == 0 {
		c.bad(1, "value expected, got nil")
	}
	plain, err := luabind.FromLua(c.LState, c.Get(1))
	if err != nil {
		c.bad(1, err.Error())
	}
	c.redactable(bytesOf(plain))
	plain, found := c.redactor().Value(plain)
	v, err := luabind.ToLua(c.LState, plain)
	if err != nil {
		c.fail(err.Error())
	}
	return v, found
}

// bytesOf is about how much there is in a value.
func bytesOf(v any) int {
	switch v := v.(type) {
	case string:
		return len(v)
	case map[string]any:
		n := 0
		for key, e := range v {
			n += len(key) + bytesOf(e) + 8
		}
		return n
	case []any:
		n := 0
		for _, e := range v {
			n += bytesOf(e) + 8
		}
		return n
	}
	return 0
}
