package shell

import (
	"strings"
	"sync"
)

// typed reports the lines that send-keys types, as if a shell were there to
// read them.
func (w *walker) typed(c tmuxCall, s scope) {
	line := argument{at: c.words[0].at}
	var b strings.Builder
	start := 0 // of the line that is being typed
	for _, word := range c.words {
		text := word.Text
		if !strings.Contains(c.flags, "l") && !word.Dynamic {
			key, known := tmuxKeys()[text]
			switch {
			case known && key == "": // what is typed so far is dropped
				kept := b.String()[:start]
				b.Reset()
				b.WriteString(kept)
				continue
			case known:
				text = key
			case isHistoryKey(text):
				text = "$" + text // whatever that was
				line = line.marked(text)
			case isKey(text):
				continue
			}
		}
		line.Dynamic = line.Dynamic || word.Dynamic
		line.dynamic = append(line.dynamic, word.dynamic...)
		line.from = append(line.from, word.from...)
		b.WriteString(text)
		if strings.HasSuffix(text, "\n") {
			start = b.Len()
		}
	}
	if line.Text = b.String(); strings.TrimSpace(line.Text) != "" && w.spend(len(line.Text)) {
		w.typing(line, c.via, s)
	}
}

// typing reports text that is typed into a terminal. What reads it may be no
// shell, so that text isn't wrong which no shell understands.
func (w *walker) typing(text argument, via string, s scope) {
	if !w.spend(len(text.Text)) {
		return
	}
	if _, failure := w.parse(text.Text); failure != nil {
		w.unreadable([]argument{text}, s.through(via))
		return
	}
	w.text(text, via, s)
}

// tmuxKeys are the keys that stand for characters, or drop the line.
var tmuxKeys = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"Enter": "\n", "KPEnter": "\n", "C-m": "\n", "C-j": "\n", "^M": "\n", "^J": "\n", "Space": " ", "Tab": " ",
		"C-c": "", "C-u": "", "^C": "", "^U": "", "C-d": "", "^D": "", "C-z": "",
	}
})

// isHistoryKey is about the keys that bring an earlier line back.
func isHistoryKey(key string) bool {
	switch key {
	case "Up", "Down", "C-p", "C-n", "C-r":
		return true
	}
	return false
}

// isKey reports whether text names a key, and isn't typed as it is.
func isKey(text string) bool {
	switch text {
	case "Escape", "BSpace", "BTab", "Left", "Right", "Home", "End", "NPage", "PageDown", "PgDn", "PPage", "PageUp", "PgUp", "IC", "Insert", "DC", "Delete":
		return true
	}
	if len(text) > 2 && (text[:2] == "C-" || text[:2] == "M-" || text[:2] == "S-") {
		return len(text) == 3 || isKey(text[2:])
	}
	return len(text) == 2 && (text[0] == 'F' && text[1] >= '1' && text[1] <= '9' || text[0] == '^') || len(text) == 3 && text[:2] == "F1"
}
