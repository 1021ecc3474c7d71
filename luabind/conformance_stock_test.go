package luabind_test

import (
	"fmt"
	"regexp"
	"sort"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/parse"

	"github.com/luahook/luahook/luabind"
)

// position is what error puts before a message.
var position = regexp.MustCompile(`^\S+:\d+: `)

// shownValue is a value so that two of different states can be compared.
func shownValue(v lua.LValue, depth int) string {
	switch v := v.(type) {
	case lua.LNumber:
		return fmt.Sprintf("%.14g", float64(v))
	case lua.LString:
		return fmt.Sprintf("%q", string(v))
	case *lua.LTable:
		if depth == 0 {
			return "table"
		}
		var parts []string
		n := 1
		for ; v.RawGetInt(n) != lua.LNil; n++ {
			parts = append(parts, shownValue(v.RawGetInt(n), depth-1))
		}
		var keyed []string
		v.ForEach(func(k, item lua.LValue) {
			if i, ok := k.(lua.LNumber); !ok || i < 1 || i >= lua.LNumber(n) || i != lua.LNumber(int(i)) {
				keyed = append(keyed, "["+shownValue(k, 0)+"]="+shownValue(item, depth-1))
			}
		})
		sort.Strings(keyed)
		return "{" + strings.Join(append(parts, keyed...), ", ") + "}"
	case *lua.LNilType, lua.LBool:
		return v.String()
	}
	return v.Type().String()
}

// outcomeModule has one function, outcome, which takes what pcall returned.
func outcomeModule(got *string) luabind.Module {
	return luabind.Module{Name: "test", Functions: []luabind.Function{{Name: "outcome", Go: func(L *lua.LState) int {
		if L.Get(1) == lua.LFalse {
			message, isText := L.Get(2).(lua.LString)
			if !isText {
				*got = "error: " + shownValue(L.Get(2), 1)
				return 0
			}
			*got = "error: " + position.ReplaceAllString(string(message), "")
			return 0
		}
		var parts []string
		for i := 2; i <= L.GetTop(); i++ {
			parts = append(parts, shownValue(L.Get(i), 3))
		}
		*got = strings.Join(parts, ", ")
		return 0
	}}}}
}

func outcomeOf(snippet string) string {
	if _, err := parse.Parse(strings.NewReader("return "+snippet), ""); err == nil {
		snippet = "return " + snippet
	}
	return "test.outcome(pcall(function() " + snippet + "\nend))"
}

// sandboxOutcome is what a snippet comes to in the sandbox.
func sandboxOutcome(t *testing.T, snippet string) (got string) {
	t.Helper()
	load(t, outcomeOf(snippet), luabind.Environment{Modules: []luabind.Module{outcomeModule(&got)}})
	return got
}

// stockOutcome is what it comes to in gopher-lua as it is.
func stockOutcome(t *testing.T, snippet string) (got string) {
	t.Helper()
	L := lua.NewState()
	defer L.Close()
	test := L.NewTable()
	L.SetFuncs(test, map[string]lua.LGFunction{"outcome": outcomeModule(&got).Functions[0].Go})
	L.SetGlobal("test", test)
	if err := L.DoString(outcomeOf(snippet)); err != nil {
		return "raised: " + err.Error()
	}
	return got
}

// Snippets come to the same in the sandbox as in gopher-lua, and to what Lua 5.1
// says where that is something else.
func TestSnippetsAsInLua(t *testing.T) {
	for _, cases := range [][]stockCase{stringCases, tableCases, baseCases, coroutineCases, languageCases} {
		for _, c := range cases {
			t.Run(c.snippet, func(t *testing.T) { checkSnippet(t, c) })
		}
	}
}

func checkSnippet(t *testing.T, c stockCase) {
	stock := ""
	if c.why != fatal {
		stock = stockOutcome(t, c.snippet)
	}
	want := c.want
	switch want {
	case "":
		want = stock
	case stock:
		t.Error("gopher-lua says the same: the entry needs no want")
	}
	got := sandboxOutcome(t, c.snippet)
	if got != want {
		t.Errorf("\n got        %s\n want       %s\n gopher-lua %s", got, want, stock)
	}
	if c.why != "" {
		t.Logf("\n here       %s\n gopher-lua %s\n because    %s", got, stock, c.why)
	}
}
