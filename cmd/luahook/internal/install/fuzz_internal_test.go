package install

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"

	"github.com/luahook/luahook/hooks/wire"
)

func fuzzTarget(name string) *Target {
	return &Target{
		Agent:  &wire.Agent{Name: name, Events: []wire.Event{{Name: "PreToolUse", Can: wire.Deny}, {Name: "Stop"}}},
		Getenv: func(string) string { return "" }, Program: "luahook",
	}
}

func anyEvent(string) bool { return true }

// checkEdits holds for every text that a form takes: install adds our hooks once, loses nothing, and can be told to
// have made what it has made; remove takes them out. meaning is what a text says beside our hooks.
func checkEdits(t *testing.T, target *Target, f form, text []byte, meaning func(text []byte) any) {
	was, err := f.entries(target, text)
	if err != nil {
		return
	}
	events := target.allEvents()
	out, err := f.install(target, text, events)
	if err != nil {
		return
	}
	ours, err := f.entries(target, out)
	if err != nil {
		t.Fatalf("it can't be read any more: %v\n%q", err, out)
	}
	for _, e := range events {
		has := func(e *wire.Event, all []found) int {
			return len(slices.DeleteFunc(slices.Clone(all), func(o found) bool { return o.event != e.Name }))
		}
		if has(e, ours) != max(has(e, was), 1) {
			t.Errorf("%d hooks for %s, there were %d\n%q", has(e, ours), e.Name, has(e, was), out)
		}
	}
	for _, o := range ours {
		if (o.event == "PreToolUse" || o.event == "Stop") && !slices.Equal(o.words, target.words(o.event)) {
			t.Errorf("%v isn't the command line of today", o.words)
		}
	}
	if again, err := f.install(target, out, events); err != nil || !bytes.Equal(again, out) {
		t.Errorf("a second install changes it: %v\n%q\n%q", err, out, again)
	}
	if len(was) == 0 && !target.makes(f, text, ours, out) {
		t.Errorf("it isn't known where it comes from:\n%q\n%q", text, out)
	}
	if diff := cmp.Diff(meaning(text), meaning(out)); diff != "" {
		t.Errorf("install has changed more (-was +is):\n%s\n%q\n%q", diff, text, out)
	}
	left, err := f.remove(target, out, anyEvent)
	if err != nil {
		t.Fatalf("it can't be removed: %v\n%q", err, out)
	}
	if rest, err := f.entries(target, left); err != nil || len(rest) > 0 {
		t.Errorf("%d are left, %v\n%q", len(rest), err, left)
	}
	if diff := cmp.Diff(meaning(text), meaning(left)); diff != "" {
		t.Errorf("uninstall has changed more (-was +is):\n%s\n%q\n%q", diff, text, left)
	}
	for _, name := range []string{"PreToolUse", "Stop"} { // one after the other is the same as both
		if out, err = f.remove(target, out, func(event string) bool { return event == name }); err != nil {
			t.Fatal(err)
		}
	}
	if rest, err := f.remove(target, out, anyEvent); err != nil || !reflect.DeepEqual(meaning(left), meaning(rest)) {
		t.Errorf("%v\n%q\n%q", err, left, rest)
	}
}

func FuzzJSON(f *testing.F) {
	for _, s := range []string{
		"", "{}", "\ufeff{ }\r\n", "// a\n{\n\t\"a\": [1, 2,], // b\n}\n", `{"hooks":{"PreToolUse":[{"matcher":"x","hooks":[{"command":"y"}]}]},"version":1}`,
		`{"hooks": {"PreToolUse": [{"hooks": [{"command": "luahook run --agent claude"}, {"command": "z"}]}, {"command": "/x/luahook run --agent=claude"}], "Stop": []}}`,
		`{"hooks": [{"trigger": "Stop", "action": {"command": "luahook run --agent claude"}}, /* c */ ]}`, `{"Stop": [], "PreToolUse": [ // c` + "\n]}",
		`{"hooks":{"Stop":[{"command":"luahook","args":["run","--agent","claude"]} // c` + "\n , 1]}}", "{\"\\u0061\": \"\\ud800\"}",
		"{\n\"hooks\": { // a\n  \"Stop\": [ // b\n { \"hooks\": [ // c\n {\"command\": \"luahook run --agent claude\"} // d\n ] } // e\n, 1 ] // f\n } }",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 4<<10 {
			t.Skip("too long to be worth it")
		}
		hook := timedHook(wholeSeconds, "timeout")
		for _, form := range []*jsonForm{{nested: true, hook: hook}, {version: 1, hook: cursorHook}, {version: "v1", list: true, hook: kiroHook}, {nested: true, bare: true, hook: hook}} {
			target := fuzzTarget("claude")
			checkEdits(t, target, form, text, func(text []byte) any { return meaningOf(t, target, form, text) })
		}
	})
}

// meaningOf is what a JSON file says, without our hooks and what holds nothing.
func meaningOf(t *testing.T, target *Target, form *jsonForm, text []byte) any {
	if isEmpty(text) {
		return map[string]any{}
	}
	root, err := parseJSON(text)
	if err != nil {
		t.Fatalf("%v\n%q", err, text)
	}
	var of func(n *node) any
	of = func(n *node) any {
		switch n.kind {
		case '{':
			all := map[string]any{}
			for _, it := range n.items {
				all[it.name] = of(it.value)
			}
			return all
		case '[':
			all := []any{}
			for _, it := range n.items {
				if it.value.kind == '{' && (target.oursIn(it.value) != nil || target.oursIn(it.value.get("action")) != nil) {
					continue
				}
				value := of(it.value)
				if group, is := value.(map[string]any); is && form.nested { // one without hooks may hold comments
					if list, is := group["hooks"].([]any); is && len(list) == 0 {
						continue
					}
				}
				all = append(all, value)
			}
			return all
		case '"':
			return n.text
		}
		return n.text
	}
	all, is := of(root).(map[string]any)
	if !is {
		return of(root)
	}
	delete(all, "version")
	prune := func(of map[string]any) {
		for name, value := range of {
			if list, is := value.([]any); is && len(list) == 0 {
				delete(of, name)
			}
		}
	}
	switch hooks := all["hooks"].(type) {
	case map[string]any:
		if prune(hooks); len(hooks) == 0 {
			delete(all, "hooks")
		}
	case nil:
		prune(all)
	default:
		prune(all)
	}
	prune(all)
	return all
}

// FuzzJSONSyntax: what JSON is, is read, and nothing else but comments and trailing commas.
func FuzzJSONSyntax(f *testing.F) {
	for _, s := range []string{`{"a":[1,-0.5e+3,true,false,null,"x\n\u0000"]}`, "[1,]", "/**/[]//", "{\"a\":1,\"a\":2}", "01", "[\"\t\"]", "\"\x7f\"", "[1/**/2]", "tru/**/e", "\v1"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		root, err := parseJSON(text)
		if json.Valid(text) && err != nil && !strings.Contains(err.Error(), "remove one") && !strings.Contains(err.Error(), "UTF-8") && !strings.Contains(err.Error(), "nested") {
			t.Errorf("%v: %q", err, text)
		}
		if err == nil && !bytes.Contains(text, []byte("/")) && !bytes.Contains(text, []byte(",")) && !json.Valid(bytes.TrimPrefix(text, []byte(byteOrderMark))) {
			t.Errorf("read, but not JSON: %q", text)
		}
		if err == nil && (root.from > root.to || root.to > len(text)) {
			t.Errorf("%d to %d of %d", root.from, root.to, len(text))
		}
	})
}

func FuzzTOML(f *testing.F) {
	for _, s := range []string{
		"", "a = 1", "\ufeff[[hooks.Stop]]\r\n[[hooks.Stop.hooks]]\r\ncommand = 'x'\r\n", "[hooks]\nStop = []", "hooks = {}", "[hooks.state.a]\nb = 1",
		"[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = \"\"\"luahook run --agent codex\"\"\" # c\n\n# d\n[[hooks.Stop.hooks]]\ncommand = 'y'\n[x]\n",
		"[[hooks.'Stop']]\nmatcher = \"#\"\n[[ hooks . \"Stop\" . hooks ]]\n\"command\" = '/x/luahook run --agent codex'\n# e\n\n# f", "[[hooks.PreToolUse]]\nhooks = [{command = 'x'}]",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 4<<10 {
			t.Skip("too long to be worth it")
		}
		target := fuzzTarget("codex")
		checkEdits(t, target, tomlForm{}, text, func(text []byte) any {
			var all map[string]any
			if err := toml.Unmarshal(bytes.TrimPrefix(text, []byte(byteOrderMark)), &all); err != nil {
				t.Fatalf("%v\n%q", err, text)
			}
			if hooks, is := all["hooks"].(map[string]any); is {
				for name, groups := range hooks {
					if list, is := groups.([]any); is && name != "state" {
						if hooks[name] = withoutOurs(target, list); len(hooks[name].([]any)) == 0 {
							delete(hooks, name)
						}
					}
				}
				if len(hooks) == 0 {
					delete(all, "hooks")
				}
			}
			text, _ = json.Marshal(all) // NaN is no value of its own
			return string(text)
		})
	})
}

// withoutOurs drops our hooks from an event's groups, and groups that had no others.
func withoutOurs(target *Target, groups []any) []any {
	kept := []any{}
	for _, g := range groups {
		group, is := g.(map[string]any)
		list, has := group["hooks"].([]any)
		if is && has {
			others := slices.DeleteFunc(slices.Clone(list), func(h any) bool {
				hook, _ := h.(map[string]any)
				line, _ := hook["command"].(string)
				return target.isOurs(splitLine(line))
			})
			if len(others) == 0 && len(list) > 0 {
				continue
			}
			group["hooks"] = others
		}
		kept = append(kept, g)
	}
	return kept
}
