package windows

import "strings"

// startProcess runs a program.
func (w *walker) startProcess(b *bound) value {
	name := b.word("filepath")
	switch b.Name {
	case "Invoke-Item":
		name = b.word("path")
	case "New-ScheduledTaskAction":
		name = b.word("execute")
	}
	if name.Text == "" {
		return nothing
	}
	words := []Word{slashed(name)}
	for _, list := range [...]string{"argumentlist", "args", "argument"} {
		for _, word := range b.words(list) {
			words = append(words, split(word)...)
		}
	}
	act := Act{Words: words, From: name.From}
	if strings.EqualFold(b.text("verb"), "runas") {
		act.Via = "Start-Process -Verb RunAs"
	}
	b.Acts = append(b.Acts, act)
	for _, name := range [...]string{"redirectstandardoutput", "redirectstandarderror"} {
		if file := b.word(name); file.Text != "" {
			b.writes(path(file), false, nil)
		}
	}
	return nothing
}

// split breaks a text into the words that a program of Windows makes of it.
func split(word Word) []Word {
	if word.Dynamic && len(word.Parts) > 0 && word.Text == word.Parts[0] || !strings.ContainsAny(word.Text, " \t\"") {
		return []Word{word}
	}
	var list []Word
	var b strings.Builder
	inQuotes, begun := false, false
	flush := func() {
		if !begun {
			return
		}
		part := Word{Text: b.String(), Quoted: true, From: word.From}
		for _, source := range word.Parts {
			if strings.Contains(part.Text, source) {
				part.Dynamic, part.Parts = true, append(part.Parts, source)
			}
		}
		list = append(list, part)
		b.Reset()
		begun = false
	}
	for i := 0; i < len(word.Text); i++ {
		switch c := word.Text[i]; {
		case c == '\\' && i+1 < len(word.Text) && word.Text[i+1] == '"':
			b.WriteByte('"')
			begun = true
			i++
		case c == '"':
			inQuotes, begun = !inQuotes, true
		case (c == ' ' || c == '\t') && !inQuotes:
			flush()
		default:
			b.WriteByte(c)
			begun = true
		}
	}
	flush()
	return list
}

// start reports a program that a method starts.
func (w *walker) start(n *node, s scope, via string, name Word, args []value) {
	words := []Word{slashed(name)}
	for i := range args {
		for _, word := range args[i].words() {
			words = append(words, split(word)...)
		}
	}
	w.effect(n, s, via, Act{Words: words, From: name.From})
}

func (w *walker) getProcess(b *bound) value {
	v := value{form: processForm, word: b.word("name")}
	if !b.has("name") {
		v.word = Word{Text: "*"}
	}
	if b.has("id") {
		v.word, v.truth = b.word("id"), true
	}
	return v
}

func (w *walker) stopProcess(b *bound) value {
	switch {
	case b.has("name"):
		for _, name := range b.words("name") {
			b.Acts = append(b.Acts, ended(name))
		}
	case b.has("id"):
		v := b.value("id")
		if v.form == processForm {
			b.Acts = append(b.Acts, w.killed(&v)...)
			break
		}
		b.does("kill", v.words()...)
	case b.input != nil || b.has("inputobject"):
		v := b.value("inputobject")
		if b.input != nil {
			v = *b.input
		}
		b.Acts = append(b.Acts, w.killed(&v)...)
	}
	return nothing
}

// ended is the end of the processes of a name.
func ended(name Word) Act {
	text := strings.TrimSuffix(strings.ToLower(name.Text), ".exe")
	switch {
	case !name.Dynamic && strings.Trim(text, "*?") == "":
		return Act{Words: texts("pkill", "-f", ".")}
	case !name.Dynamic:
		name.Text = strings.Trim(text, "*")
	}
	return Act{Words: []Word{{Text: "pkill"}, name}}
}

// killed is the end of processes that were looked for.
func (w *walker) killed(v *value) []Act {
	list := []value{*v}
	if v.form == listForm {
		list = v.list
	}
	var acts []Act
	for i := range list {
		if list[i].form != processForm {
			continue
		}
		if list[i].truth { // some of them
			name := list[i].word
			if name.Text == "*" {
				name = Word{Text: "$_", Dynamic: true, Parts: []string{"$_"}}
			}
			acts = append(acts, Act{Words: []Word{{Text: "kill"}, name}})
			continue
		}
		acts = append(acts, ended(list[i].word))
	}
	return acts
}

func (w *walker) kill(v *value, n *node, s scope, via string) {
	w.effect(n, s, via, w.killed(v)...)
}

func (w *walker) getWMI(b *bound) value {
	class := strings.ToLower(b.text("classname") + b.text("class"))
	if class == "" {
		query := strings.Fields(strings.ToLower(b.text("query")))
		for i, word := range query {
			if word == "from" && i+1 < len(query) {
				class = query[i+1]
			}
		}
	}
	return object("wmi:"+class, b.scope.text(b.node), nil)
}

func (w *walker) removeWMI(b *bound) value {
	v := b.value("inputobject")
	if b.input != nil {
		v = *b.input
	}
	if strings.Contains(v.class, "shadow") || strings.Contains(strings.ToLower(b.text("query")), "shadowcopy") {
		b.Acts = append(b.Acts, Act{Words: texts("vssadmin", "delete", "shadows", "/all")})
	}
	if strings.Contains(v.class, "userprofile") {
		b.Acts = append(b.Acts, Act{Words: texts("rm", "-rf", "C:/Users/*")})
	}
	return nothing
}

func (w *walker) invokeWMI(b *bound) value {
	v := value{form: objectForm, class: "wmi:" + strings.ToLower(b.text("classname")+b.text("class"))}
	if b.input != nil && b.input.form == objectForm {
		v = *b.input
	}
	name := strings.ToLower(b.text("methodname") + b.text("name"))
	args := b.value("argumentlist")
	list := args.list
	if args.form != listForm {
		list = []value{args}
	}
	if table := b.value("arguments"); table.keys != nil {
		if text, ok := table.key("commandline"); ok {
			list = []value{text}
		}
	}
	return w.objectMethod(&v, name, list, b.node, b.scope.through(b.Name, b.Call))
}
