package windows

import "strings"

const maxWritten = 64 // files whose contents are remembered

func writtenKey(file Word) string {
	return strings.TrimPrefix(strings.ToLower(file.Text), "./")
}

// noted remembers what acts write into files. Where a program that was looked for is written, the acts say so.
func (w *walker) noted(acts []Act) []Act {
	for i := 0; i < len(acts); i++ {
		file := acts[i].File
		if file == nil {
			continue
		}
		if w.located[strings.ToLower(file.Text)] {
			acts = append(acts, Act{Words: append(texts("tee", "--"), *file)})
		}
		key := writtenKey(*file)
		text := acts[i].Text
		if acts[i].Add && text != nil && !text.Dynamic {
			line := *text
			line.Text = "\n" + line.Text // it begins a line of its own
			text, acts[i].Text = &line, &line
		}
		old, had := w.env.written[key]
		switch {
		case file.Dynamic || text == nil || text.Dynamic || len(w.env.written) >= maxWritten && !had || acts[i].Add && had && len(old.Text)+len(text.Text) > maxText:
			delete(w.env.written, key)
		case !w.spend(len(text.Text) / 8):
		default:
			if w.env.written == nil {
				w.env.written = map[string]Word{}
			}
			content := *text
			if acts[i].Add && had {
				content = joinWords([]Word{old, content}, "")
			}
			w.env.written[key] = content
		}
	}
	return acts
}

// content is what is in a file that the text, or the line around it, has written.
func (w *walker) content(file Word) (Word, bool) {
	if file.Text == "" || file.Dynamic {
		return Word{}, false
	}
	if text, ok := w.env.written[writtenKey(file)]; ok {
		return text, w.spend(len(text.Text) / 8)
	}
	if w.options.File != nil {
		return w.options.File(file)
	}
	return Word{}, false
}

// contents is what Get-Content writes, line by line or raw.
func (w *walker) contents(files []Word, raw bool) (value, bool) {
	out := value{form: listForm}
	for _, file := range files {
		text, ok := w.content(file)
		if !ok || text.Dynamic {
			return value{}, false
		}
		text.Quoted, text.Glob, text.Home = true, false, false
		if raw || strings.Count(text.Text, "\n") > maxItems {
			out.push(wordValue(text))
			continue
		}
		for line := range strings.SplitSeq(strings.TrimRight(text.Text, "\r\n"), "\n") {
			text.Text = strings.TrimSuffix(line, "\r")
			out.push(wordValue(text))
		}
	}
	return out, len(files) > 0
}

// sourced walks the script in a file that was written here.
func (w *walker) sourced(file Word, s scope) bool {
	text, ok := w.content(file)
	if !ok || text.Dynamic {
		return false
	}
	w.script(text.Text, s)
	return true
}

func (w *walker) importModule(b *bound) value {
	w.runBlocks(b)
	w.sourced(path(b.word("name")), b.scope.through(b.Name, b.Call))
	return nothing
}

func (w *walker) newService(b *bound) value {
	if line := b.word("binarypathname"); line.Text != "" {
		b.Acts = append(b.Acts, Act{Words: split(line)})
	}
	return nothing
}

// locate notes that a program was looked for: its name stands for its file from then on.
func (w *walker) locate(name string) {
	if w.located == nil {
		w.located = map[string]bool{}
	}
	if len(w.located) < maxItems {
		w.located[strings.ToLower(name)] = true
	}
}

// whereIs is what where.exe writes: the file of a program, which stands here under the program's name.
func (w *walker) whereIs(call *Call) (Word, bool) {
	switch strings.ToLower(call.Words[0].Text) {
	case "where.exe", "where", "which", "which.exe":
	default:
		return Word{}, false
	}
	if len(call.Words) != 2 || call.Words[1].Dynamic || strings.ContainsAny(call.Words[1].Text, "*?/\\$") {
		return Word{}, false
	}
	call.Words[0].Text = "which"
	found := call.Words[1]
	found.Text = strings.TrimSuffix(found.Text, ".exe")
	w.locate(found.Text)
	return found, true
}
