package ui

import (
	"cmp"
	"context"
	"errors"
	"mime"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/luahook/luahook/cmd/luahook/internal/logindex"
	. "github.com/luahook/luahook/cmd/luahook/internal/markup"
	"github.com/luahook/luahook/cmd/luahook/internal/replay"
	"github.com/luahook/luahook/hooks"
)

// draft is what somebody tries in the playground: an event, and a file of hooks with another text. Nothing of it is
// kept: it goes to the page and comes back with its form.
type draft struct {
	tool, about string // the call of a tool that an event is made of
	sample      string // the event whose sample is taken
	event       string // JSON, which is what is fired
	note        string // what is worth knowing of it
	files       []playFile
	file        playFile // that is edited
	text        string   // that it has here
	past        pastQuery
}

// playFile is a file that can be edited in the playground.
type playFile struct {
	key, name, path, scope string
	text                   string // that is in force
	fresh                  bool   // it isn't there
}

// freshName is the name of a script that isn't there.
const freshName = "playground.lua"

// freshText is what a script that isn't there begins with.
const freshText = `on("pre_tool_call", { name = "playground", match = "bash" }, function(ev)
  if ev.tool_call.command:find("--force", 1, true) then
    return deny("no force here")
  end
end)
`

// tools are those that an event can be made for with one text, and the key of it in their input.
var tools = []struct{ name, key, about string }{
	{"bash", "command", "command"}, {"read", "file_path", "file"}, {"write", "file_path", "file"}, {"edit", "file_path", "file"},
}

// playFiles are the files that hooks are read from, but for hooks.yaml, and one that isn't there.
func (s *Server) playFiles() []playFile {
	var list []playFile
	seen := map[string]bool{}
	for _, f := range s.Hooks.Engine.Files() {
		switch filepath.Ext(f.Path) {
		case ".yaml", ".yml", ".json":
			continue
		}
		if f.Path == "" || seen[f.Path] {
			continue
		}
		seen[f.Path] = true
		list = append(list, playFile{key: fileKey(f.Path), name: f.Name, path: f.Path, scope: string(f.Scope), text: asSent(f.Text)})
	}
	if path := filepath.Join(s.Hooks.Folder, freshName); s.Hooks.Folder != "" && !seen[path] {
		list = append(list, playFile{key: fileKey(path), name: freshName, path: path, scope: string(hooks.ScopeProject), fresh: true})
	}
	slices.SortStableFunc(list, func(a, b playFile) int { // the project's first: they are what is edited most
		fresh := map[bool]int{true: 1}
		return cmp.Or(hooks.Scope(b.scope).Rank()-hooks.Scope(a.scope).Rank(), fresh[a.fresh]-fresh[b.fresh], cmp.Compare(a.name, b.name))
	})
	return list
}

// asSent is a text as a browser sends it back that had it in a form.
func asSent(text string) string {
	text = strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", "\ufffd"), "\ufffd")
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}

// choose takes a file by its key; "": the first one.
func (d *draft) choose(key string) error {
	for _, f := range d.files {
		if f.key == key || key == "" {
			d.file, d.text = f, f.text
			if f.fresh {
				d.text = freshText
			}
			return nil
		}
	}
	if key == "" { // there is nothing to edit
		return nil
	}
	return refuse(http.StatusNotFound, "This file isn't one of those that hooks are read from, or not any more.")
}

// edited are the texts that differ from those in force, by path.
func (d *draft) edited() map[string]string {
	if d.file.path == "" || d.text == d.file.text || d.file.fresh && strings.TrimSpace(d.text) == "" {
		return nil
	}
	return map[string]string{d.file.path: d.text}
}

// newDraft is what the page begins with.
func (s *Server) newDraft() *draft {
	d := &draft{tool: tools[0].name, about: "git push --force origin main", sample: string(hooks.PreToolCall), files: s.playFiles()}
	d.event = s.callEvent(d.tool, d.about)
	return d
}

// playground shows the page, with an event and a file that the address may name.
func (s *Server) playground(w http.ResponseWriter, r *http.Request) error {
	values := r.URL.Query()
	d := s.newDraft()
	if err := d.choose(values.Get("file")); err != nil {
		return err
	}
	if ref := values.Get("ref"); ref != "" {
		if err := s.fillRecorded(d, logindex.Ref(ref)); err != nil {
			return err
		}
	}
	v := s.Index.View()
	d.past = pastQuery{last: pastDefault, project: s.pastProject(v)}
	return s.writePlayground(w, r, v, d, Node{}, Node{})
}

// fillRecorded takes the event of a record, as far as the log has it.
func (s *Server) fillRecorded(d *draft, ref logindex.Ref) error {
	v := s.Index.View()
	at, ok := v.Find(ref)
	if !ok {
		return refuse(http.StatusNotFound, "This record isn't in the log, or not any more.")
	}
	e, err := v.Read(at)
	if err != nil {
		return err
	}
	_, left, what := replay.EventOf(&e.Record)
	if left != "" {
		text, _ := left.InWords()
		d.note = "The event isn't as it was: " + text
		if what != "" {
			d.note += " (" + what + ")"
		}
		d.note += ". Mend it before you fire it."
	}
	event := map[string]any{"event": string(e.Event)}
	for name, value := range e.Context {
		event[name] = value
	}
	d.event = indented(event)
	if call, _ := e.Context["tool_call"].(map[string]any); call != nil {
		input, _ := call["input"].(map[string]any)
		for _, t := range tools {
			if text, ok := input[t.key].(string); ok && e.Tool == t.name {
				d.tool, d.about = t.name, text
			}
		}
	}
	if hooks.Lookup(e.Event) != nil {
		d.sample = string(e.Event)
	}
	return nil
}

// callEvent is the event of a tool that is to be called, as JSON.
func (s *Server) callEvent(tool, about string) string {
	var input []string
	for _, t := range tools {
		if t.name == tool {
			input = append(input, member(t.key, about))
		}
	}
	switch tool {
	case "write":
		input = append(input, member("content", ""))
	case "edit":
		input = append(input, member("old_string", ""), member("new_string", ""))
	}
	list := []string{member("event", string(hooks.PreToolCall))}
	if s.Hooks.Root != "" {
		list = append(list, member("cwd", s.Hooks.Root))
	}
	list = append(list, `"tool_call": {`+member("name", tool)+`, "input": {`+strings.Join(input, ", ")+`}}`)
	return indentedText([]byte("{" + strings.Join(list, ", ") + "}"))
}

// member is a pair of JSON.
func member(name, text string) string { return indented(name) + ": " + indented(text) }

// sampleEvent is the sample of an event, as if it were of this project.
func (s *Server) sampleEvent(name string) (string, error) {
	info := hooks.Lookup(hooks.Event(name))
	if info == nil {
		return "", refuse(http.StatusBadRequest, "There is no event of that name.")
	}
	c, err := hooks.DecodeContext(hooks.Sample(info), info.Name)
	if err != nil {
		return "", err
	}
	c.CWD = cmp.Or(s.Hooks.Root, c.CWD)
	text, err := c.MarshalJSON()
	return indentedText(text), err
}

// postedDraft is what a form says.
func (s *Server) postedDraft(r *http.Request) (*draft, error) {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/x-www-form-urlencoded" {
		return nil, refuse(http.StatusUnsupportedMediaType, "Send the page's own form.")
	}
	if err := r.ParseForm(); err != nil {
		if large := new(http.MaxBytesError); errors.As(err, &large) {
			return nil, refuse(http.StatusRequestEntityTooLarge, "The event and the hook are more than %d MiB together.", maxBody>>20)
		}
		return nil, refuse(http.StatusBadRequest, "The form can't be read.")
	}
	form := r.PostForm
	d := &draft{
		tool: form.Get("tool"), about: asSent(form.Get("about")), sample: form.Get("sample"), event: asSent(form.Get("event")), files: s.playFiles(),
	}
	if err := d.choose(form.Get("of")); err != nil {
		return nil, err
	}
	if form.Has("text") {
		d.text = asSent(form.Get("text"))
	}
	if !slices.ContainsFunc(tools, func(t struct{ name, key, about string }) bool { return t.name == d.tool }) {
		d.tool = tools[0].name
	}
	var err error
	d.past, err = pastOf(form)
	d.past.project = cmp.Or(d.past.project, s.Hooks.Root)
	return d, err
}

// playgroundFire answers the buttons of the form: an event is fired, or the page's fields change.
func (s *Server) playgroundFire(w http.ResponseWriter, r *http.Request) error {
	d, err := s.postedDraft(r)
	if err != nil {
		return err
	}
	fires := true
	switch fill := r.PostForm.Get("fill"); fill {
	case "":
	case "call":
		d.event = s.callEvent(d.tool, d.about)
	case "sample":
		if d.event, err = s.sampleEvent(d.sample); err != nil {
			return err
		}
	case "file":
		if err := d.choose(r.PostForm.Get("file")); err != nil {
			return err
		}
		fires = false
	case "again":
		d.text, fires = d.file.text, false
		if d.file.fresh {
			d.text = freshText
		}
	default:
		return refuse(http.StatusBadRequest, "There is no such button.")
	}
	var answer Node
	if fires {
		var f *fired
		if err := s.inTurn(w, r, fireTime, func(ctx context.Context) (err error) {
			f, err = s.fire(ctx, d)
			return err
		}); err != nil {
			return err
		}
		answer = s.answerNode(d, f)
	}
	if r.PostForm.Get("part") == "answer" { // which the page's script puts in the places of what the page has
		return writePart(w, Group(If(fires, Group(eventField(d), answerPart(answer))), If(!fires, hookPart(d))))
	}
	return s.writePlayground(w, r, s.Index.View(), d, answer, Node{})
}

func writePart(w http.ResponseWriter, n Node) error {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write([]byte(n.String())) // an error: nobody reads it any more
	return nil
}

// Bounds of what the playground does, by the clock. The engine's own limits hold within them.
const (
	fireTime = 10 * time.Second
	pastTime = 60 * time.Second
)

// inTurn does one thing of the playground after another, each within a time. It ends with the request, and the server.
func (s *Server) inTurn(w http.ResponseWriter, r *http.Request, within time.Duration, do func(ctx context.Context) error) error {
	c := http.NewResponseController(w)
	_ = c.SetReadDeadline(time.Time{}) // else it would end the request; an error: this isn't a connection
	_ = c.SetWriteDeadline(time.Time{})
	defer func() { _ = c.SetWriteDeadline(time.Now().Add(writeTime)) }()
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(s.ended, cancel)()
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	ctx, done := context.WithTimeout(ctx, within)
	defer done()
	return do(ctx)
}
