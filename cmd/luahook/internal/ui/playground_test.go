package ui

import (
	"context"
	"errors"
	"html"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/cmd/luahook/internal/replay"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/redact"
)

// guard is the hook of the project that the tests play with.
const guard = `on("pre_tool_call", { name = "guard", match = "bash" }, function(ev)
  local c = ev.tool_call.command
  if c:find("rm ", 1, true) then return deny("nothing is removed") end
  if c:find("deploy", 1, true) then return ask("is it announced?") end
end)
`

// played is a server over a project with hooks, and a log of what they have decided.
type played struct {
	*Server
	root  string // of the project
	guard string // key of its guard.lua
}

// newPlayed makes one. Nothing but the log may have changed in its folders when the test ends.
func newPlayed(t *testing.T, commands ...string) *played {
	t.Helper()
	top := t.TempDir()
	for name, text := range map[string]string{
		"shop/.hooks/guard.lua":     guard,
		"shop/.hooks/lib/words.lua": `return { no = "no" }`,
		"shop/.hooks/hooks.yaml":    "hooks: {grant: {exec: [touch], fs.read: true, fs.write: true, http: [example.org]}}\n",
		"shop/README.md":            "read me\n",
		"managed/hooks.yaml":        "hooks: {pre_tool_call: [{name: managed, script: managed.lua}]}\n",
		"managed/managed.lua":       `on("pre_tool_call", function(ev) if ev.tool_call.command == "sudo su" then return deny("not on this machine") end end)`,
		"tmp/.keep":                 "", "home/.keep": "",
	} {
		path := filepath.Join(top, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644), os.Chmod(filepath.Dir(path), 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("TMPDIR", filepath.Join(top, "tmp"))
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"} {
		t.Setenv(name, filepath.Join(top, "home"))
	}
	root, dir := filepath.Join(top, "shop"), filepath.Join(top, "shop", ".hooks")
	open := func(options ...engine.Option) *engine.Engine {
		e, err := engine.New(append(options, engine.WithoutBuiltins(), engine.WithManaged(filepath.Join(top, "managed", "hooks.yaml")), engine.WithHooksDir(dir, root))...)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	log := filepath.Join(t.TempDir(), "log")
	decisions, err := audit.Open(log, audit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e := open(engine.WithAudit(decisions, engine.RecordDecisions))
	if len(commands) == 0 {
		commands = []string{"ls"}
	}
	for _, command := range commands {
		if _, err := e.Fire(context.Background(), &hooks.Context{Event: hooks.PreToolCall, SessionID: "s", CWD: root, ToolCall: &hooks.ToolCall{Name: "bash", Command: command}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(e.Close(context.Background()), decisions.Close()); err != nil {
		t.Fatal(err)
	}
	s := newServer(t, log, "")
	inForce := open()
	t.Cleanup(func() { inForce.Close(context.Background()) })
	s.Hooks = Hooks{Engine: inForce, Root: root, Folder: dir, Rehearse: func(o Rehearsal) (*engine.Engine, *replay.Judge, error) {
		j := &replay.Judge{Refusals: &replay.Refusals{}, Listens: map[hooks.Event]bool{hooks.PreToolCall: true}, Redactor: redact.New(nil)}
		options := []engine.Option{engine.WithReplay(engine.Replay{Refused: j.Refusals.Add}), engine.WithStore(store.NewMemory(0)), engine.WithEdited(o.Edited)}
		if o.Observer != nil {
			options = append(options, engine.WithObserver(o.Observer))
		}
		if o.Printed != nil {
			options = append(options, engine.WithLogger(slog.New(lines{o.Printed})))
		}
		e := open(options...)
		j.Engine = e
		return e, j, nil
	}}
	before := contents(t, top)
	t.Cleanup(func() {
		if after := contents(t, top); after != before {
			t.Errorf("something was written: before\n%s\nafter\n%s", before, after)
		}
	})
	return &played{s, root, fileKey(filepath.Join(dir, "guard.lua"))}
}

// contents is all that lies in a folder.
func contents(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		b.WriteString(path + "\n")
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		b.WriteString(string(text) + "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// post sends a form; pairs are its names and values. The answer is a whole page, as it is without a script.
func (s *played) post(t *testing.T, path string, pairs ...string) string {
	t.Helper()
	form := url.Values{"of": {s.guard}}
	for i := 0; i+1 < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	r := ask(s.Server, http.MethodPost, "/"+testToken+"/"+path, form.Encode(), "Origin", "http://127.0.0.1:7879")
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	if r.StatusCode != http.StatusOK {
		t.Fatalf("%s: status %d: %s", path, r.StatusCode, body)
	}
	return string(body)
}

// call fires a command at the guard with another text.
func (s *played) call(t *testing.T, text, command string) string {
	t.Helper()
	return s.post(t, "playground/fire", "fill", "call", "tool", "bash", "about", command, "text", text)
}

// answerOf is the part of a page that says what came of an event, as text.
func answerOf(t *testing.T, page string) string {
	t.Helper()
	_, rest, found := strings.Cut(page, `<h2>Answer</h2>`)
	answer, _, ended := strings.Cut(rest, `<section id="what-would-have-been">`)
	if !found || !ended {
		t.Fatalf("there is no answer: %s", page)
	}
	return readable(answer)
}

var tags = regexp.MustCompile(`<[^>]*>`)

// readable is what people read of HTML.
func readable(page string) string {
	return strings.Join(strings.Fields(html.UnescapeString(tags.ReplaceAllString(page, " "))), " ")
}

func TestPlaygroundPage(t *testing.T) {
	s := newPlayed(t, "rm -rf old")
	page := get(t, s.Server, "playground")
	contains(t, page, "git push --force origin main", "nothing is removed", `<option value="`+s.guard+`" selected>project: `, "playground.lua (new)")
	v := s.Index.View()
	page = get(t, s.Server, "playground?ref="+string(v.Ref(0)))
	contains(t, page, "&#34;command&#34;: &#34;rm -rf old&#34;", "&#34;event&#34;: &#34;pre_tool_call&#34;", `value="rm -rf old"`)
	contains(t, get(t, s.Server, "record?ref="+string(v.Ref(0))), "playground?ref="+string(v.Ref(0)))
	page = get(t, s.Server, "playground?file="+fileKey(filepath.Join(s.root, ".hooks", "lib", "words.lua")))
	contains(t, page, "return { no = &#34;no&#34; }")
	for _, path := range []string{"playground?file=nope", "playground?ref=nope", "playground?file=" + url.QueryEscape(s.root+"/.hooks/guard.lua"), "playground?file=" + fileKey(filepath.Join(s.root, ".hooks", "hooks.yaml"))} {
		if r := ask(s.Server, http.MethodGet, "/"+testToken+"/"+path, ""); r.StatusCode != http.StatusNotFound {
			t.Errorf("%s: status %d", path, r.StatusCode)
		}
	}
}

func TestPlaygroundFires(t *testing.T) {
	s := newPlayed(t)
	const edit = `on("pre_tool_call", { name = "mine" }, function(ev)
  print("saw", ev.tool_call.command)
  if ev.tool_call.command == "ls" then return deny("no </textarea><script>alert(1)</script> here") end
  return context("all the same")
end)`
	page := s.call(t, edit, "ls")
	contains(t, page, "print(&#34;saw&#34;, ev.tool_call.command)", "&#34;command&#34;: &#34;ls&#34;") // what was typed comes back
	if strings.Contains(page, "<script>alert") {
		t.Error("a text is more than a text")
	}
	for command, want := range map[string][]string{
		"ls":      {"deny no </textarea><script>alert(1)</script> here", "With .hooks/guard.lua as it stands above, not saved", "saw ls", "denied mine"},
		"pwd":     {"no objection", "context all the same"},
		"sudo su": {"deny not on this machine", "not run mine", "a hook before it has denied"},
	} {
		answer := answerOf(t, s.call(t, edit, command))
		for _, text := range want {
			if !strings.Contains(strings.ReplaceAll(answer, "✕ ", ""), text) {
				t.Errorf("%s: the answer doesn't have %q: %s", command, text, answer)
			}
		}
	}
	// As it is in force, also as browsers send it.
	for _, text := range []string{guard, strings.ReplaceAll(guard, "\n", "\r\n")} {
		if answer := answerOf(t, s.call(t, text, "rm x")); !strings.Contains(answer, "nothing is removed With the hooks as they are in force") {
			t.Errorf("the answer is %s", answer)
		}
	}
	// A new script beside the others, and a library.
	fresh := fileKey(filepath.Join(s.root, ".hooks", freshName))
	if answer := answerOf(t, s.post(t, "playground/fire", "fill", "call", "about", "x --force", "of", fresh, "text", freshText)); !strings.Contains(answer, "no force here") || !strings.Contains(answer, "guard") {
		t.Errorf("the answer is %s", answer)
	}
	page = s.post(t, "playground/fire", "fill", "file", "file", fresh, "event", `{"kept": true}`)
	contains(t, page, "no force here", `name="of" value="`+fresh, "{&#34;kept&#34;: true}")
	if page = s.post(t, "playground/fire", "fill", "again", "text", "typed"); strings.Contains(page, "typed") {
		t.Error("to start again keeps what was typed")
	}
	contains(t, page, "nothing is removed")
	part := s.post(t, "playground/fire", "fill", "", "event", `{"event":"pre_tool_call","tool_call":{"name":"bash","command":"rm y"}}`, "text", guard, "part", "answer")
	contains(t, part, `id="answer"`, `id="event"`, "nothing is removed")
	if strings.Contains(part, "<html") {
		t.Error("a part is a whole page")
	}
}

// Whatever an edit does, the page comes back and says what it was.
func TestPlaygroundBadEdits(t *testing.T) {
	s := newPlayed(t)
	on := func(body string) string {
		return "on('pre_tool_call', { name = 'mine', match = 'bash' }, function(ev)\n  " + body + "\nend)"
	}
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"no Lua":          {"on(\n'stop',\n\n)", []string{"deny", "line 4", "syntax error", "4 |"}},
		"a Lua error":     {on("return ev.tool_call.nope.x"), []string{"deny", "line 2", "nope", "2 |"}},
		"an endless loop": {on("while true do end"), []string{"deny", "line 2", "limit"}},
		"while it loads":  {"while true do end", []string{"deny", "can't be loaded", "instructions"}},
		"memory":          {on("local t = {} for i = 1, 1e9 do t[i] = ('x'):rep(30000000) .. i end"), []string{"deny", "line 2", "memory"}},
		"printing":        {on("for i = 1, 1e9 do print(('x'):rep(1000)) end"), []string{"deny", "line 2", "more, left out or cut"}},
		"a long reason":   {on("return deny(('x'):rep(30000))"), []string{"deny", "…"}},
		"programs":        {on("exec.run('touch', { 'written' })"), []string{"deny", "line 2", "exec.run: not granted: capabilities are off where a text is edited and not saved"}},
		"files":           {on("fs.write('written', 'x')"), []string{"fs.write: not granted: capabilities are off"}},
		"reading":         {on("return deny(fs.read('README.md'))"), []string{"fs.read: not granted: capabilities are off"}},
		"requests":        {on("http.get('https://example.org/')"), []string{"http.get: not granted: capabilities are off"}},
	} {
		t.Run(name, func(t *testing.T) {
			page := s.call(t, test.text, "ls")
			if len(page) > 300_000 {
				t.Errorf("the page has %d bytes", len(page))
			}
			answer := answerOf(t, page)
			for _, text := range test.want {
				if !strings.Contains(answer, text) {
					t.Errorf("the answer doesn't have %q: %.3000s", text, answer)
				}
			}
		})
	}
}

// Each event of the catalogue can be fired as it is, and what is no event is said to be none.
func TestPlaygroundEvents(t *testing.T) {
	s := newPlayed(t)
	for _, info := range hooks.Events() {
		page := s.post(t, "playground/fire", "fill", "sample", "sample", string(info.Name), "text", guard)
		if answer := answerOf(t, page); !strings.Contains(answer, "With the hooks as they are in force") {
			t.Errorf("%s: %s", info.Name, answer)
		}
		contains(t, page, "&#34;event&#34;: &#34;"+string(info.Name)+"&#34;")
	}
	for tool, want := range map[string]string{"read": "a.txt", "write": "a.txt", "edit": "a.txt", "bash": "a.txt", "nope": "a.txt"} {
		if answer := answerOf(t, s.post(t, "playground/fire", "fill", "call", "tool", tool, "about", "a.txt", "text", `on("pre_tool_call", function(ev) return deny(ev.tool_call.command or ev.tool_call.paths[1]) end)`)); !strings.Contains(answer, "deny "+want) {
			t.Errorf("%s: %s", tool, answer)
		}
	}
	for event, want := range map[string]string{
		"": "There is no event", "  ": "There is no event", "{": "can't be fired", `{"event":"nope"}`: "can't be fired", `[]`: "can't be fired",
		`{"event":"pre_tool_call"}`: "can't be fired", strings.Repeat("[", 100_000): "can't be fired", `{"event":"stop","loop_count":"<b>"}`: "can't be fired",
	} {
		if answer := answerOf(t, s.post(t, "playground/fire", "event", event, "text", guard)); !strings.Contains(answer, want) {
			t.Errorf("%.100q: %s", event, answer)
		}
	}
}

// What isn't sent by the page's own form is refused, in words.
func TestPlaygroundRefuses(t *testing.T) {
	s := newPlayed(t)
	own := url.Values{"of": {s.guard}, "text": {guard}, "fill": {"call"}, "about": {"ls"}}.Encode()
	for _, test := range []struct {
		name, path, body string
		headers          []string
		want             int
	}{
		{"its own", "fire", own, []string{"Origin", "http://127.0.0.1:7879", "Sec-Fetch-Site", "same-origin"}, 200},
		{"a stranger's", "fire", own, []string{"Origin", "https://evil.example"}, 403},
		{"a stranger's that says nothing of itself", "fire", own, []string{"Origin", "null"}, 403},
		{"another port's", "replay", own, []string{"Origin", "http://127.0.0.1:1234"}, 403},
		{"of another site", "replay", own, []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"plain text", "fire", own, []string{"Content-Type", "text/plain"}, 415},
		{"JSON", "fire", "{}", []string{"Content-Type", "application/json"}, 415},
		{"no form", "fire", "%zz", nil, 400},
		{"too long", "fire", "text=" + strings.Repeat("x", maxBody), nil, 413},
		{"no such file", "fire", "of=nope", nil, 404},
		{"no such button", "fire", "fill=nope&of=" + s.guard, nil, 400},
		{"no such sample", "fire", "fill=sample&sample=nope&of=" + s.guard, nil, 400},
		{"no such number", "replay", "past_last=1000000&of=" + s.guard, nil, 400},
		{"no such range", "replay", "past_span=year&of=" + s.guard, nil, 400},
		{"no such decision", "replay", "past_decision=maybe&of=" + s.guard, nil, 400},
		{"nothing at all", "replay", "", nil, 200},
	} {
		if r := ask(s.Server, http.MethodPost, "/"+testToken+"/playground/"+test.path, test.body, test.headers...); r.StatusCode != test.want {
			body, _ := io.ReadAll(r.Body)
			t.Errorf("%s: status %d, want %d: %.300s", test.name, r.StatusCode, test.want, body)
		}
	}
}

// The page shows whatever was recorded, and nothing of it is more than a text.
func TestPlaygroundHostile(t *testing.T) {
	s := newServer(t, "hostile", "")
	v := s.Index.View()
	for i := range v.Len() {
		page := get(t, s, "playground?ref="+string(v.Ref(i)))
		if strings.Contains(page, "<script>") || strings.Contains(page, "<img src=x") || strings.Count(page, "</textarea>") > 2 {
			t.Fatalf("record %d is more than a text", i)
		}
	}
}

// What was recorded is judged anew, and exactly what differs is listed, by what is to blame for it.
func TestWhatWouldHaveBeen(t *testing.T) {
	s := newPlayed(t, "ls", "rm -rf old", "deploy eu", "rm -rf old", "pwd", "deploy us")
	replayed := func(text string, pairs ...string) string {
		page := s.post(t, "playground/replay", append([]string{"text", text, "part", "answer"}, pairs...)...)
		return strings.NewReplacer("✕ ", "", " ? ", " ", "✓ ", "", "– ", "").Replace(readable(page))
	}
	check := func(name, got string, want ...string) {
		t.Helper()
		for _, text := range want {
			if !strings.Contains(got, text) {
				t.Errorf("%s: it doesn't have %q: %s", name, text, got)
			}
		}
	}
	got := replayed(guard)
	check("unedited", got, "0 of 6 decisions differ.")
	if strings.Contains(got, "was") && strings.Contains(got, "is now") {
		t.Errorf("a difference is listed: %s", got)
	}
	// Removing is fine now, deploying to the US is not, and listing is asked about.
	edit := strings.ReplaceAll(guard, `return deny("nothing is removed")`, `return`)
	edit = strings.ReplaceAll(edit, `return ask("is it announced?")`, `return c:find("us") and deny("not to the US") or ask("is it announced?")`)
	edit = strings.ReplaceAll(edit, "  if c:find(\"rm", "  if c == 'ls' then return ask('why?') end\n  if c:find(\"rm")
	got = replayed(edit)
	check("edited", got, "4 of 6 decisions differ.", "By the edit: 4 records",
		"By the edit: the hooks in force decide in another way (4 records)",
		"bash: rm -rf old", ", and 1 more record alike was deny guard: nothing is removed is now no objection",
		"bash: deploy us", "was ask guard: is it announced? is now deny guard: not to the US",
		"bash: ls", "was no objection is now ask guard: why?")
	if n := strings.Count(got, "is now"); n != 3 || strings.Contains(got, "deploy eu") || strings.Contains(got, "pwd") {
		t.Errorf("%d differences are listed: %s", n, got)
	}
	v := s.Index.View()
	page := s.post(t, "playground/replay", "text", edit)
	contains(t, page, "record?ref="+string(v.Ref(0)), "record?ref="+string(v.Ref(1)), "record?ref="+string(v.Ref(5)), "c == &#39;ls&#39;")
	// Filters.
	check("by decision", replayed(edit, "past_decision", "deny"), "2 of 2 decisions differ.")
	check("by hook", replayed(edit, "past_hook", "nope"), "No decision could be compared", "has no such decision")
	check("by session", replayed(edit, "past_session", "s", "past_last", "100", "past_span", "hour", "past_event", "pre_tool_call"), "4 of 6")
	check("of another project", replayed(edit, "past_project", "/elsewhere"), "No decision could be compared")
	check("broken", replayed("on("), "Nothing was compared", "line 1")
	check("capabilities", replayed(`on("pre_tool_call", { name = "guard" }, function(ev) if fs.read("x") then return deny("x") end end)`), "decisions differ", "capabilities are off")
}

// Where the policy has changed since, that isn't blamed on the edit.
func TestWhatWouldHaveBeenToday(t *testing.T) {
	s := newPlayed(t, "ls", "rm a", "deploy eu")
	rehearse := s.Hooks.Rehearse
	s.Hooks.Rehearse = func(o Rehearsal) (*engine.Engine, *replay.Judge, error) { // as if the guard in force said less than it did
		if o.Edited == nil {
			o.Edited = map[string]string{filepath.Join(s.root, ".hooks", "guard.lua"): `on("pre_tool_call", function() end)`}
		}
		return rehearse(o)
	}
	edit := strings.ReplaceAll(guard, `return deny("nothing is removed")`, `return`)
	got := readable(s.post(t, "playground/replay", "text", edit, "part", "answer"))
	for _, want := range []string{"1 of 3 decisions differ.", "By the edit: 0 records", "otherwise without it: 1 record", "Not by the edit: the hooks in force differ from the record in the same way (1 record)"} {
		if !strings.Contains(got, want) {
			t.Errorf("it doesn't have %q: %s", want, got)
		}
	}
}

// firer stands before an engine.
type firer func(ctx context.Context, c *hooks.Context) (*hooks.Result, error)

func (f firer) Fire(ctx context.Context, c *hooks.Context) (*hooks.Result, error) { return f(ctx, c) }

// before has something happen before an event is fired of recorded ones.
func (s *played) before(do func(ctx context.Context, n int)) (fired *int) {
	rehearse, fired := s.Hooks.Rehearse, new(int)
	s.Hooks.Rehearse = func(o Rehearsal) (*engine.Engine, *replay.Judge, error) {
		e, j, err := rehearse(o)
		if err == nil {
			j.Engine = firer(func(ctx context.Context, c *hooks.Context) (*hooks.Result, error) {
				*fired++
				do(ctx, *fired)
				return e.Fire(ctx, c)
			})
		}
		return e, j, err
	}
	return fired
}

// Who goes away ends the comparison, and the next one has its turn.
func TestWhatWouldHaveBeenIsCancelled(t *testing.T) {
	s := newPlayed(t, "a", "b", "c", "d", "e")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	fired := s.before(func(_ context.Context, n int) {
		if n == 3 {
			cancel()
		}
	})
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/"+testToken+"/playground/replay", strings.NewReader(url.Values{"of": {s.guard}, "text": {guard}}.Encode()))
	r.Host = "127.0.0.1:7879"
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if *fired != 3 || w.Body.Len() > 0 {
		t.Errorf("%d events were fired, and the answer is %q", *fired, w.Body)
	}
	contains(t, s.post(t, "playground/replay", "text", guard), "0 of 5 decisions differ.")
}

// What the time isn't enough for is said.
func TestWhatWouldHaveBeenTakesLong(t *testing.T) {
	s := newPlayed(t, "rm a", "b", "c", "d", "e")
	s.before(func(ctx context.Context, n int) {
		if n > 2 {
			<-ctx.Done()
		}
	})
	d := s.newDraft()
	d.past = pastQuery{last: 100, project: s.root}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	p, err := s.judgePast(ctx, d)
	if err != nil {
		t.Fatal(err)
	}
	if text := readable(s.pastNode(d, p).String()); !strings.Contains(text, "was over before the newest 3 records") {
		t.Errorf("it says %s", text)
	}
}

// Hooks that take too long together are stopped, and that is said.
func TestPlaygroundTakesLong(t *testing.T) {
	s := newPlayed(t)
	d := s.newDraft()
	if err := d.choose(s.guard); err != nil {
		t.Fatal(err)
	}
	d.text = `on("pre_tool_call", function() while true do end end)`
	ctx, cancel := context.WithDeadline(context.Background(), time.Now())
	defer cancel()
	f, err := s.fire(ctx, d)
	if err != nil || !strings.Contains(readable(s.answerNode(d, f).String()), "It was stopped") {
		t.Errorf("%+v, %v", f, err)
	}
}

// One thing is done at a time: who goes away while waiting is done with.
func TestPlaygroundTurns(t *testing.T) {
	s := newPlayed(t)
	s.turn <- struct{}{}
	ctx, cancel := context.WithCancel(context.Background())
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/"+testToken+"/playground/fire", strings.NewReader(url.Values{"of": {s.guard}, "fill": {"call"}}.Encode()))
	r.Host = "127.0.0.1:7879"
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	done := make(chan struct{})
	go func() { defer close(done); s.ServeHTTP(w, r) }()
	cancel()
	<-done
	if w.Body.Len() > 0 {
		t.Errorf("the answer is %s", w.Body)
	}
	<-s.turn
	contains(t, s.call(t, guard, "ls"), "no objection")
}

// lines writes what hooks print, a line each, as the command does.
type lines struct{ w io.Writer }

func (l lines) Enabled(context.Context, slog.Level) bool { return true }
func (l lines) WithAttrs([]slog.Attr) slog.Handler       { return l }
func (l lines) WithGroup(string) slog.Handler            { return l }
func (l lines) Handle(_ context.Context, r slog.Record) error {
	own := true
	r.Attrs(func(a slog.Attr) bool { own = own && a.Key != "event"; return own })
	if !own { // the engine's account
		return nil
	}
	_, err := io.WriteString(l.w, r.Message+"\n")
	return err
}
