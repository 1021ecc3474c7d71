package luabind_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// TestCrossingIsCharged lets values cross as often as it takes to be over a small limit
// of memory.
func TestCrossingIsCharged(t *testing.T) {
	for _, body := range []string{
		`probe.give('[1,2,3]')`, `probe.give('{"a":"b"}')`, `probe.give('["a"]')`, `probe.give('12345678901234567890')`,
		`probe.keep(data)`, `probe.keep(ev)`,
		`deny("x")`, `modify(data)`, `output(data)`, `context("x")`,
	} {
		p := &probe{}
		s := load(t, `local data = { a = { 1, 2 } } on("pre_tool_call", function(ev) for i = 1, 800 do local _ = `+body+` end end)`,
			luabind.Environment{Modules: []luabind.Module{p.module()}, Limits: luabind.Limits{Instructions: 1 << 50, Timeout: 30 * time.Second}})
		out := s.Call(context.Background(), 0, shellCall(t), luabind.Limits{Memory: 64 << 10})
		if out.Err == nil || out.Err.Limit != hooks.LimitMemory || strings.Contains(out.Err.Error(), "the heap grew") {
			t.Errorf("%s: %v, want the limit of memory", body, out.Err)
		}
	}
	s := load(t, `on("stop", function(ev) while pcall(deny, "x") do end return message("lives on") end)`, luabind.Environment{})
	out := s.Call(context.Background(), 0, sample(t, hooks.Stop), luabind.Limits{Memory: 64 << 10})
	if out.Err == nil || out.Err.Limit != hooks.LimitMemory {
		t.Errorf("under pcall: %v, want the limit of memory", out.Err)
	}
}

func TestLargeFieldsCrossWithinTheLimit(t *testing.T) {
	c := event(t, hooks.PreToolCall, `{"tool_call":{"name":"x","input":{"list":[`+strings.Repeat(`{"a":1},`, 20000)+`1]}}}`)
	for body, want := range map[string]string{
		`local _ = ev.tool_call.input`:                       "memory",
		`for k, v in pairs(ev.tool_call) do local _ = v end`: "memory",
		`probe.keep(ev)`:                                     "memory",
		`assert(ev.tool_call.name == "x")`:                   "",
	} {
		p := &probe{}
		s := load(t, `on("pre_tool_call", function(ev) `+body+` end)`, luabind.Environment{Modules: []luabind.Module{p.module()}})
		out := s.Call(context.Background(), 0, c, luabind.Limits{Memory: 1 << 20})
		got := ""
		if out.Err != nil {
			got = string(out.Err.Limit)
		}
		if got != want {
			t.Errorf("%s: %v, want the limit %q", body, out.Err, want)
		}
		if out := s.Call(context.Background(), 0, c, luabind.Limits{}); want == "" && out.Err != nil {
			t.Error(out.Err)
		}
	}
}

// TestWithIsCharged: what with holds may be too much for the limit; that is an
// error like others.
func TestWithIsCharged(t *testing.T) {
	_, err := luabind.NewState(context.Background(), compiled(t, file, ``), luabind.Environment{
		With: map[string]any{"list": make([]any, 50_000)}, Limits: luabind.Limits{Memory: 64 << 10},
	})
	if err == nil || !strings.Contains(err.Error(), "limits.memory") {
		t.Errorf("got %v", err)
	}
}

func TestAnEventIsCountedWhereverItStands(t *testing.T) {
	c := event(t, hooks.PreToolCall, `{"tool_call":{"name":"x","input":{"list":[`+strings.Repeat(`1,`, 5000)+`1]}}}`)
	out, _ := run(t, `local t = {} for i = 1, 100 do t[i] = ev end probe.keep(t)`, c)
	wantError(t, out.Err, hooks.KindScript, "value has more than 100000 parts")
}

func TestAnswersAreBounded(t *testing.T) {
	const large = `local s = ("x"):rep(1000000) local parts = {} for i = 1, 9 do parts[i] = s end local s9 = table.concat(parts) `
	for _, tt := range []struct{ event, body, want string }{
		{"pre_tool_call", large + `return deny(s9)`, "answer: what it holds is larger than 8 MiB"},
		{"pre_tool_call", large + `return s9`, "answer: what it holds is larger than 8 MiB"},
		{"pre_tool_call", large + `return { block = true, reason = s9 }`, "answer: what it holds is larger than 8 MiB"},
		{"pre_tool_call", large + `return modify{ a = parts }`, "answer: what it holds is larger than 8 MiB"},
		{"pre_tool_call", large + `local c = context(s) return c, c, c, c, c, c, c, c, c`, "answer: what it holds is larger than 8 MiB"},
		{"pre_tool_call", `local t = {} for i = 1, 33 do t[i] = modify{ a = i } end return unpack(t)`, "33 values were returned; 32 may be"},
		{"pre_tool_call", large + `return deny(s)`, ""},
		{"pre_tool_call", `local t = {} for i = 1, 32 do t[i] = context("c" .. i) end return unpack(t)`, ""},
	} {
		s := load(t, `on("`+tt.event+`", function(ev) `+tt.body+` end)`, luabind.Environment{})
		out := s.Call(context.Background(), 0, shellCall(t), luabind.Limits{})
		switch {
		case tt.want == "" && out.Err != nil:
			t.Errorf("%s: %v", tt.body, out.Err)
		case tt.want != "" && (out.Err == nil || !strings.Contains(out.Err.Error(), tt.want)):
			t.Errorf("%s: %.300v, want %s", tt.body, out.Err, tt.want)
		}
	}
}

// TestWhatIsReturnedIsChargedToo: a table that is slow to read ends by the run's time
// even though the function has returned.
func TestWhatIsReturnedIsChargedToo(t *testing.T) {
	s := load(t, `on("stop", function(ev)
		local t = {}
		for i = 1, 200000 do t[i] = 1 end
		for i = 200000, 1, -1 do t[i] = nil end
		local all = {}
		for i = 1, 90000 do all[i] = t end
		return { data = { all = all } }
	end)`, luabind.Environment{})
	out := s.Call(context.Background(), 0, sample(t, hooks.Stop), luabind.Limits{Timeout: 100 * time.Millisecond})
	if out.Err == nil || !strings.Contains(out.Err.Error(), "it ran longer than its 100ms") {
		t.Errorf("got %v", out.Err)
	}
}

func TestLongNamesAreQuotedShort(t *testing.T) {
	for _, body := range []string{`local _ = ev[("x"):rep(1000000)]`, `local _ = ev.tool_call[("x"):rep(1000000)]`} {
		out, _ := run(t, body, shellCall(t))
		wantError(t, out.Err, hooks.KindScript, `has no field "xxx`)
		if n := len(out.Err.Error()); n > 1000 {
			t.Errorf("%s: the error has %d bytes", body, n)
		}
	}
	passes(t, `assert(#tostring(deny(("x"):rep(1000000))) < 2000)`, shellCall(t))
}

func TestRegistrationsAreBounded(t *testing.T) {
	for body, want := range map[string]string{
		`for i = 1, 1e9 do on("stop", function() end) end`:                                                        "more than 1000 hooks in one script",
		`for i = 1, 1000 do pcall(on, "stop", { match = ("*|"):rep(1999) .. "*" }, function() end) end`:           "limits.memory",
		`on(("x"):rep(1000000), function() end)`:                                                                  "xxx...",
		`on("pre_tool_call", { match = ("x"):rep(5000) }, function() end)`:                                        "match: a pattern of more than 4000 bytes",
		`on("pre_tool_call", { match = "/" .. ("(x?y?z?){100}"):rep(100) .. "/" }, function() end)`:               "repeats too much",
		`local t = {} for i = 1, 100 do t["metadata.k" .. i] = "*" end on("stop", { match = t }, function() end)`: "more than 50 fields",
		`on("pre_tool_call", { match = "/" .. ("[B-😀]"):rep(200) .. "/" }, function() end)`:                       "takes too long to read",
		`for i = 1, 1000 do pcall(on, "pre_tool_call", { match = "/[B-😀]/" }, function() end) end`:                "limits.instructions",
		`for i = 1, 1000 do pcall(on, "pre_tool_call", { match = "*[B-😀]|*[C-😀]" }, function() end) end`:          "limits.instructions",
		`for i = 1, 1000 do pcall(on, "pre_tool_call", { match = { path = "/(?i)[B-😀]/" } }, function() end) end`: "limits.instructions",
		`on("stop", { name = ("x"):rep(1000000) }, function() end)`:                                               "options: a text of more than 1000 bytes",
		`on("stop", { [("x"):rep(1000000)] = 1 }, function() end)`:                                                "options: a text of more than 1000 bytes",
	} {
		e := loadError(t, body, luabind.Environment{Limits: luabind.Limits{Timeout: time.Minute}})
		if !strings.Contains(e.Error(), want) || len(e.Error()) > 5000 {
			t.Errorf("%s: %.300s, want %s", body, e.Error(), want)
		}
	}
	load(t, `for i = 1, 1000 do on("stop", { name = "h" .. i }, function() end) end
		on = nil`, luabind.Environment{})
}
