package luabind_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/compile"
)

// TestDifferential runs generated programs here and in Lua as its authors have made it, and
// compares what they trace: Lua 5.1, and for programs with goto, which 5.1 hasn't, Lua 5.2.
// LUAHOOK_DIFFERENTIAL is how many programs, and after a comma the first one's number: a
// program is made of its number alone.
func TestDifferential(t *testing.T) {
	count, first := 300, 0
	if testing.Short() {
		count = 50
	}
	if s := os.Getenv("LUAHOOK_DIFFERENTIAL"); s != "" {
		n, from, _ := strings.Cut(s, ",")
		count, _ = strconv.Atoi(n)
		if first, _ = strconv.Atoi(from); count <= 0 {
			t.Fatalf("LUAHOOK_DIFFERENTIAL=%s, want a number of programs", s)
		}
	}
	for _, reference := range []string{"lua5.1", "lua5.2"} {
		jumps := reference == "lua5.2"
		t.Run(reference, func(t *testing.T) {
			path, err := exec.LookPath(reference)
			if err != nil {
				t.Skipf("%s isn't there: nothing to compare with", reference)
			}
			different, traced, refused := 0, 0, 0
			for from := first; from < first+count; from += 100 {
				var programs []*node
				var sources []string
				for seed := from; seed < min(from+100, first+count); seed++ {
					program := generate(uint64(seed), jumps)
					programs = append(programs, program)
					sources = append(sources, program.source())
				}
				want := runReference(t, path, time.Minute, sources...)
				if len(want) < len(sources) {
					t.Fatalf("one of the programs from %d on doesn't end", from)
				}
				for i, source := range sources {
					traced += strings.Count(want[i], "\n")
					if strings.Contains(want[i], "REFUSED") {
						refused++
						t.Logf("program %d: %s", from+i, want[i])
					}
					got := runTraced(source)
					if got == want[i] {
						continue
					}
					if different++; different <= 5 {
						small := shrink(t, path, programs[i])
						t.Errorf("program %d differs; shrunk:\n%s\n%s", from+i, strings.TrimPrefix(small, prelude), firstDifference(runTraced(small), runReference(t, path, time.Minute, small)[0]))
					}
				}
			}
			t.Logf("%d programs, %d traced lines, %d differences", count, traced, different)
			if different > 0 || refused > 0 || traced < 5*count {
				t.Errorf("%d of %d programs differ, %d don't compile, and %d lines were traced", different, count, refused, traced)
			}
		})
	}
}

// runTraced runs a program in the sandbox.
func runTraced(source string) string {
	var trace strings.Builder
	p, err := compile.Script("p", source)
	if err != nil {
		return "REFUSED " + err.Error() + "\n"
	}
	main, err := compile.Script("main.lua", `probe.run()`)
	if err != nil {
		return err.Error()
	}
	module := luabind.Module{Name: "probe", Functions: []luabind.Function{
		{Name: "trace", Go: func(L *lua.LState) int { trace.WriteString(L.CheckString(1) + "\n"); return 0 }},
		{Name: "run", Go: func(L *lua.LState) int {
			L.Push(luabind.FunctionOf(L, p))
			L.Call(0, 0)
			return 0
		}},
	}}
	_, err = luabind.NewState(context.Background(), main, luabind.Environment{Modules: []luabind.Module{module}, Libraries: map[string]*luabind.Library{"p": {Program: p}}, Limits: luabind.Limits{Instructions: 50_000_000, Timeout: time.Minute}})
	if err != nil {
		e := hooks.AsError(err, "")
		if e.Kind == hooks.KindLimit || e.Limit != "" {
			return trace.String() + e.Message + "\n"
		}
		if _, line, ok := strings.Cut(e.Source, "p:"); ok && !strings.Contains(e.Message, "boom") {
			return trace.String() + "ended by an error in line " + line + "\n"
		}
		return trace.String() + "ended by " + e.Message + "\n"
	}
	return trace.String()
}

// runReference runs programs in a stock Lua, each in an environment of its own.
func runReference(t *testing.T, path string, wait time.Duration, sources ...string) []string {
	t.Helper()
	var in bytes.Buffer
	for _, source := range sources {
		fmt.Fprintf(&in, "%d\n%s", len(source), source)
	}
	ctx, cancel := context.WithTimeout(t.Context(), wait)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "-e", `
local unpack = unpack or table.unpack
while true do
  local n = io.read("*n")
  if not n then break end
  io.read(1)
  local source, out = io.read(n), {}
  local env = setmetatable({ probe = { trace = function(s) out[#out + 1] = s .. "\n" end }, unpack = unpack }, { __index = _G })
  local f, e
  if setfenv then f, e = loadstring(source, "=p") if f then setfenv(f, env) end
  else f, e = load(source, "=p", "t", env) end
  if f then
    local ok, e = pcall(f)
    if not ok then
      e = tostring(type(e) == "table" and "error object: a table" or e)
      local line, message = e:match("^p:(%d+): (.*)")
      if line and not e:find("boom", 1, true) then out[#out + 1] = "ended by an error in line " .. line .. "\n"
      else out[#out + 1] = "ended by " .. (message or e) .. "\n" end
    end
  else out[#out + 1] = "REFUSED " .. e .. "\n" end
  out = table.concat(out)
  io.write(#out, "\n", out)
end`)
	cmd.Stdin = &in
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if ctx.Err() != nil {
		return []string{"it doesn't end"}
	}
	if err != nil {
		t.Fatal(err)
	}
	out := bufio.NewReader(bytes.NewReader(text))
	results := make([]string, len(sources))
	for i := range results {
		line, _ := out.ReadString('\n')
		n, err := strconv.Atoi(strings.TrimSpace(line))
		if err != nil {
			t.Fatalf("program %d: %v", i, err)
		}
		trace := make([]byte, n)
		if _, err := io.ReadFull(out, trace); err != nil {
			t.Fatal(err)
		}
		results[i] = string(trace)
	}
	return results
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		a, b := "nothing", "nothing"
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			return fmt.Sprintf("line %d of the trace: %s\nin Lua: %s", i+1, a, b)
		}
	}
	return "no difference"
}

// shrink leaves out what the difference doesn't need.
func shrink(t *testing.T, path string, program *node) string {
	ends := strings.Contains(runReference(t, path, time.Minute, program.source())[0], "ended by")
	tries := 0
	differs := func() bool {
		if tries++; tries > 300 {
			return false
		}
		source := program.source()
		want := runReference(t, path, time.Second/5, source)[0]
		if want == "it doesn't end" {
			return false
		}
		got := runTraced(source)
		return !strings.Contains(want+got, "REFUSED") && strings.Contains(want, "ended by") == ends && got != want
	}
	for again := true; again; {
		again = false
		program.lists(func(list *[]*node) {
			for i := 0; i < len(*list); i++ {
				was := *list
				without := append(append([]*node{}, was[:i]...), was[i+1:]...)
				var inner []*node
				was[i].lists(func(l *[]*node) { inner = append(inner, *l...) })
				instead := append(append(append([]*node{}, was[:i]...), inner...), was[i+1:]...)
				for _, try := range [][]*node{without, instead} {
					if *list = try; len(try) != len(was) && differs() {
						again = true
						i--
						break
					}
					*list = was
				}
			}
		})
	}
	return program.source()
}
