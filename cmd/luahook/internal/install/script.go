package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"strings"

	"github.com/luahook/luahook/hooks/wire"
)

// wholeForm is the form of a file that is all ours: a script for one event, or a plugin. A file in its place that
// luahook hasn't written is left alone.
type wholeForm struct {
	event *wire.Event // which the file is for; nil for all
	mode  fs.FileMode
	write func(t *Target, e *wire.Event) []byte
}

// errTaken is the error where somebody else's file stands in the place of ours.
var errTaken = errors.New("this file is there already, and luahook hasn't written it; call luahook from it, or move it away")

// writtenBy is in the first lines of files that are all ours.
const writtenBy = "`luahook install "

// entries says whether the file is ours.
func (f *wholeForm) entries(t *Target, text []byte) ([]found, error) {
	if !bytes.Contains(text[:min(len(text), 400)], []byte(writtenBy)) {
		return nil, nil
	}
	one := found{words: commandIn(text), stale: !bytes.Equal(text, f.write(t, f.event))}
	if f.event != nil {
		one.event = f.event.Name
	}
	return []found{one}, nil
}

// commandIn is the command in a file of ours; nil if it isn't found.
func commandIn(text []byte) []string {
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if shell, is := strings.CutPrefix(line, "exec "); is {
			return splitLine(shell)
		}
		var words []string
		if list, is := strings.CutPrefix(line, "const command = "); is && json.Unmarshal([]byte(list), &words) == nil {
			return words
		}
	}
	return nil
}

func (f *wholeForm) install(t *Target, text []byte, _ []*wire.Event) ([]byte, error) {
	ours, err := f.entries(t, text)
	if err != nil {
		return nil, err
	}
	if text != nil && len(ours) == 0 {
		return nil, errTaken
	}
	return f.write(t, f.event), nil
}

func (f *wholeForm) remove(t *Target, text []byte, _ func(event string) bool) ([]byte, error) {
	ours, err := f.entries(t, text)
	if err != nil || len(ours) == 0 {
		return text, err
	}
	return nil, nil
}

// clineScript is the file that Cline runs for an event. Where luahook is gone, the events that can be denied are:
// Cline takes a script that fails for one that has nothing to say.
func clineScript(t *Target, e *wire.Event) []byte {
	words := t.words(e.Name)
	var b strings.Builder
	b.WriteString("#!/bin/sh\n# " + writtenBy + "cline` has written this; `luahook install cline --uninstall` takes it away.\n")
	if e.Can&wire.Deny != 0 {
		said, _ := json.Marshal(map[string]any{"cancel": true, "errorMessage": "luahook, which guards this, can't be found"})
		b.WriteString("command -v " + quoteWord(words[0], false) + " >/dev/null || { echo '" + strings.ReplaceAll(string(said), "'", `'\''`) + "'; exit 0; }\n")
	}
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = quoteWord(w, false)
	}
	b.WriteString("exec " + strings.Join(quoted, " ") + "\n")
	return []byte(b.String())
}
