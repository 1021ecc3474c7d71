package luabind

import (
	"encoding/json"
	"fmt"
	"hash/maphash"
	"math"
	"strconv"
	"strings"
	"sync/atomic"

	lua "github.com/yuin/gopher-lua"
)

// Bounds of one value that crosses between Go and Lua.
const (
	MaxDepth = 100
	MaxNodes = 100_000
)

const maxExact = 1<<53 - 1 // up to here a Lua number stands for one whole number alone

// null is what JSON's null is in Lua: a value of its own, because a table can't
// hold nil.
type null struct{}

// wholeNumber is a number, as a rule a whole one, that a Lua number can't hold
// exactly. It prints and crosses back as it came.
type wholeNumber struct{ text json.Number }

// listMark is the key by which a list's metatable is known.
const listMark = "\x00list"

func isList(t *lua.LTable) bool {
	meta, ok := t.Metatable.(*lua.LTable)
	return ok && meta.RawGetString(listMark) == lua.LTrue
}

// typeName names a value's type for messages, with what scripts know of userdata.
func typeName(v lua.LValue) string {
	if u, ok := v.(*lua.LUserData); ok {
		if named, ok := u.Value.(interface{ typeName() string }); ok {
			return named.typeName()
		}
	}
	return v.Type().String()
}

func (null) typeName() string        { return "json.null" }
func (wholeNumber) typeName() string { return "number" }

// plainText is a string or a number as text.
func plainText(v lua.LValue) (string, bool) {
	switch v := v.(type) {
	case lua.LString:
		return string(v), true
	case lua.LNumber:
		return numberText(v), true
	case *lua.LUserData:
		if w, ok := v.Value.(wholeNumber); ok {
			return w.text.String(), true
		}
	}
	return "", false
}

// The values that scripts get most often, each kept once it was given, so that it
// needn't be allocated again. They are shared by all states.
var (
	smallNumbers [1024]atomic.Pointer[lua.LValue]
	shortTexts   [256]atomic.Pointer[lua.LValue]

	emptyText lua.LValue = lua.LString("")
)

// numberValue is i as Lua has it.
func numberValue(i int) lua.LValue {
	if i < 0 || i >= len(smallNumbers) {
		return lua.LNumber(i)
	}
	if kept := smallNumbers[i].Load(); kept != nil {
		return *kept
	}
	v := lua.LValue(lua.LNumber(i))
	smallNumbers[i].Store(&v)
	return v
}

// textValue is s as Lua has it.
func textValue(s string) lua.LValue {
	switch len(s) {
	case 0:
		return emptyText
	case 1:
		if kept := shortTexts[s[0]].Load(); kept != nil {
			return *kept
		}
		v := lua.LValue(lua.LString(strings.Clone(s))) // which may be a part of a long text
		shortTexts[s[0]].Store(&v)
		return v
	}
	return lua.LString(s)
}

// numberText is how Lua prints a number, the same as where the VM makes text of one.
func numberText(n lua.LNumber) string {
	if i := int64(n); lua.LNumber(i) == n {
		return strconv.FormatInt(i, 10)
	}
	var scratch [32]byte
	return string(appendNumber(scratch[:0], n))
}

// maxNumberText is how long the text of a number can be.
const maxNumberText = 24

func appendNumber(to []byte, n lua.LNumber) []byte {
	if i := int64(n); lua.LNumber(i) == n {
		return strconv.AppendInt(to, i, 10)
	}
	if math.IsInf(float64(n), 1) {
		return append(to, "+Inf"...)
	}
	return strconv.AppendFloat(to, float64(n), 'g', -1, 64)
}

// RawText is a value as text, whatever its metatable says. Tables, functions,
// userdata and threads get a name that stays theirs and tells nothing of where they
// are in memory.
func RawText(v lua.LValue) string {
	switch v := v.(type) {
	case lua.LString:
		return string(v)
	case lua.LNumber:
		return numberText(v)
	case *lua.LNilType, lua.LBool:
		return v.String()
	}
	return fmt.Sprintf("%s: 0x%012x", v.Type(), maphash.Comparable(identities, v)&(1<<48-1))
}

// identities keys the names of objects, anew in each process.
var identities = maphash.MakeSeed()

// Bounds of the texts in an error, which scripts can make as long as they like.
const (
	maxName      = 100 // of a key or a name, as messages quote it
	maxMessage   = 4 << 10
	maxTraceback = 8 << 10
)

// shorten cuts text to so many bytes.
func shorten(text string, bytes int) string {
	if len(text) <= bytes {
		return text
	}
	return strings.ToValidUTF8(text[:bytes], "") + "..."
}

// grouped writes 5000000 as 5,000,000.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// size writes 67108864 as 64 MiB.
func size(bytes int64) string {
	for _, unit := range []struct {
		name  string
		bytes int64
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}} {
		if bytes >= unit.bytes && bytes%unit.bytes == 0 {
			return grouped(bytes/unit.bytes) + " " + unit.name
		}
	}
	return grouped(bytes) + " bytes"
}
