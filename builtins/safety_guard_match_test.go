package builtins_test

import (
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/builtins"
	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/compile"
	"github.com/luahook/luahook/luabind/lib"
)

// The meaning of the conditions of rules; a misspelt one is an error.
func TestConditions(t *testing.T) {
	const chunk = `
local match = require("match")
local function finds(when, line)
  return match.compile(when)(shell.parse(line).commands[1], {})
end
local function equal(got, want)
  if got ~= want then error(("got %s, want %s"):format(tostring(got), tostring(want)), 2) end
end
equal(finds({ words = { "volume rm" } }, "t volume rm a"), "volume rm")
equal(finds({ words = { "volume rm" } }, "t volume rmi a"), nil)
equal(finds({ words = { "volume rm" } }, "t run volume rm"), nil)
equal(finds({ words = { "* delete-*" } }, "t ec2 delete-vpc a"), "ec2 delete-vpc")
equal(finds({ words = { "rm" }, operand = "^r" }, "t rm web"), nil)
equal(finds({ words = { "rm" }, operand = "^w" }, "t rm all web"), "web")
equal(finds({ operand = "^rm$" }, "t rm"), "rm")
equal(finds({ flag = { "-f", "--force" } }, "t -f"), true)
equal(finds({ flag = { "-f", "--force" } }, "t f"), nil)
equal(finds({ flags = { { "-a", "--all" }, { "-f", "--force" } } }, "t --all -f"), true)
equal(finds({ flags = { { "-a", "--all" }, { "-f", "--force" } } }, "t --all"), nil)
equal(finds({ words = { "rm" }, unless = { "--dry-run" } }, "t rm --dry-run"), nil)
equal(finds({ words = { "rm" }, also = function() return "x" end }, "t rm"), "x")
equal(finds({ words = { "rm" }, also = function() end }, "t rm"), nil)
local ok, why = pcall(match.compile, { word = { "rm" } })
equal(ok, false)
equal(why:match("a rule's when has no .*"), 'a rule\'s when has no "word"')
on("session_start", function() end)`
	libraries := map[string]*luabind.Library{}
	for name, source := range builtins.Libraries(builtins.Default) {
		libraries[name] = luabind.LazyLibrary(name, func() (*compile.Program, error) { return compile.Script(name, source) })
	}
	program, err := compile.Script("conditions", strings.TrimSpace(chunk))
	if err != nil {
		t.Fatal(err)
	}
	_, err = luabind.NewState(t.Context(), program, luabind.Environment{
		Modules: append(lib.Modules(), eagerPatterns()), Libraries: libraries, Limits: luabind.Limits{Instructions: 1e8, Memory: 1 << 28, Timeout: time.Minute},
	})
	if err != nil {
		t.Fatal(err)
	}
}
