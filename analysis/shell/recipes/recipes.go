// Package recipes says which commands a build tool would run of a file that is known: those of the targets of a
// Makefile, the recipes of a justfile, the scripts of package.json and the like. It reads texts and runs nothing. What
// it doesn't understand of a file it leaves out.
package recipes

import (
	"encoding/json"
	"strings"
)

// The bounds of one reading.
const (
	maxRules    = 500
	maxCommands = 500
	maxExpanded = 8 << 10 // bytes of one value
	maxValues   = 10_000  // that are put in
	maxDepth    = 8       // of values in values, and of targets behind targets
)

// rule is a target, a recipe or a task.
type rule struct {
	name  string
	needs []string
	lines []string
}

// file is what was read of one.
type file struct {
	rules  []rule
	values map[string]string // by the name of the variable
	first  string            // what is built if nothing is named
	always []string          // commands that run whatever is built
	put    int               // how many values were put in
}

// commands returns what is run for the goals, and for all that they need.
func (f *file) commands(goals []string, write func(r *rule, line string) string) []string {
	if len(goals) == 0 {
		goals = []string{f.first}
	}
	commands := f.always
	done := map[string]bool{}
	var build func(goal string, depth int)
	build = func(goal string, depth int) {
		if done[goal] || depth > maxDepth {
			return
		}
		done[goal] = true
		for i := range f.rules {
			r := &f.rules[i]
			if !matches(r.name, goal) {
				continue
			}
			for _, need := range r.needs {
				build(need, depth+1)
			}
			for _, line := range r.lines {
				if len(commands) < maxCommands {
					commands = append(commands, write(r, line))
				}
			}
		}
	}
	for _, goal := range goals {
		build(goal, 0)
	}
	return commands
}

// matches reports whether a goal is that of a rule, in whose name a "%" stands for anything.
func matches(name, goal string) bool {
	before, after, pattern := strings.Cut(name, "%")
	if !pattern {
		return name == goal
	}
	return len(goal) > len(before)+len(after) && strings.HasPrefix(goal, before) && strings.HasSuffix(goal, after)
}

// Make returns the commands that make runs for goals, those of the first target if there are none. Of the variables of
// the environment, and of functions, "$NAME" is left for the shell.
func Make(text string, goals []string, set map[string]string) []string {
	f := file{values: map[string]string{}}
	var current []int // the rules that the recipe under way is for
	for _, line := range logicalLines(text) {
		if rest, ok := strings.CutPrefix(line, "\t"); ok && len(current) > 0 {
			for _, i := range current {
				f.rules[i].lines = append(f.rules[i].lines, rest)
			}
			continue
		}
		f.shells(line)
		line, _, _ = strings.Cut(strings.TrimSpace(line), "#")
		for _, word := range []string{"export ", "override ", "private "} {
			line = strings.TrimPrefix(line, word)
		}
		if name, value, ok := f.assignment(line); ok {
			f.assign(name, value)
			continue
		}
		targets, rest, ok := strings.Cut(line, ":")
		if !ok || len(f.rules) > maxRules {
			continue
		}
		needs, recipe, inline := strings.Cut(strings.TrimLeft(rest, ":"), ";")
		current = nil
		for _, target := range strings.Fields(f.expand(targets, nil, 0)) {
			if f.first == "" && target[0] != '.' {
				f.first = target
			}
			r := rule{name: target, needs: strings.Fields(f.expand(needs, nil, 0))}
			if inline {
				r.lines = append(r.lines, recipe)
			}
			f.rules = append(f.rules, r)
			current = append(current, len(f.rules)-1)
		}
	}
	for name, value := range set {
		f.values[name] = value
	}
	return f.commands(goals, func(r *rule, line string) string {
		return strings.TrimLeft(f.expand(line, r, 0), "@-+ \t")
	})
}

// logicalLines are the lines of a text, those that end with a backslash together with the next one.
func logicalLines(text string) []string {
	var lines []string
	whole := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasSuffix(line, `\`) {
			whole += line + "\n"
			continue
		}
		lines, whole = append(lines, whole+line), ""
	}
	return append(lines, whole)
}

// assignment reads NAME = value, with ":", "?", "+" or "!" before the "=".
func (f *file) assignment(line string) (name, value string, ok bool) {
	name, value, ok = strings.Cut(line, "=")
	if !ok {
		return "", "", false
	}
	if command, runs := strings.CutSuffix(name, "!"); runs {
		f.always = append(f.always, strings.TrimSpace(value))
		name, value = command, ""
	}
	name = strings.TrimSpace(strings.TrimRight(name, ":?+"))
	return name, strings.TrimSpace(value), name != "" && !strings.ContainsAny(name, " :\t$(")
}

func (f *file) assign(name, value string) {
	if len(f.values) < maxRules {
		f.values[name] = value
	}
}

// shells adds what $(shell ...) runs when the line is read.
func (f *file) shells(line string) {
	for len(f.always) < maxCommands {
		_, rest, ok := strings.Cut(line, "$(shell ")
		if !ok {
			return
		}
		line = rest
		depth := 1
		for i := range rest {
			switch rest[i] {
			case '(':
				depth++
			case ')':
				depth--
			}
			if depth == 0 {
				f.always = append(f.always, f.expand(rest[:i], nil, 0))
				break
			}
		}
	}
}

// expand puts in what stands behind a "$".
func (f *file) expand(text string, r *rule, depth int) string {
	if !strings.Contains(text, "$") || depth > maxDepth || f.put > maxValues {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text) && b.Len() < maxExpanded; i++ {
		if text[i] != '$' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		f.put++
		switch c := text[i]; {
		case c == '$':
			b.WriteByte('$')
		case c == '@' && r != nil:
			b.WriteString(r.name)
		case (c == '<' || c == '^' || c == '+') && r != nil && len(r.needs) > 0:
			if c == '<' {
				b.WriteString(r.needs[0])
			} else {
				b.WriteString(strings.Join(r.needs, " "))
			}
		case c == '(' || c == '{':
			end := closing(text, i)
			name := text[i+1 : end]
			if value, ok := f.values[name]; ok {
				b.WriteString(f.expand(value, r, depth+1))
			} else if isName(name) {
				b.WriteString("${" + name + "}")
			} else {
				b.WriteString("${MAKE_FUNCTION}")
			}
			i = end
		default:
			b.WriteString(f.values[string(c)])
		}
	}
	return b.String()
}

// closing is where the bracket at i is closed, the end of text where it isn't.
func closing(text string, i int) int {
	open, depth := text[i], 0
	other := map[byte]byte{'(': ')', '{': '}'}[open]
	for ; i < len(text); i++ {
		switch text[i] {
		case open:
			depth++
		case other:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(text)
}

func isName(text string) bool {
	for i := range len(text) {
		c := text[i]
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return text != ""
}

// Just returns the commands of the recipes of a justfile, those of the first one if none is named.
func Just(text string, names []string) []string {
	f := file{values: map[string]string{}}
	for _, line := range logicalLines(text) {
		body := strings.TrimLeft(line, " \t")
		if body != line && len(f.rules) > 0 {
			r := &f.rules[len(f.rules)-1]
			if n := len(r.lines); n > 0 && strings.HasPrefix(r.lines[0], "#!") {
				r.lines[0] += "\n" + body // a script as a whole
			} else {
				r.lines = append(r.lines, body)
			}
			continue
		}
		if name, value, ok := strings.Cut(line, ":="); ok {
			f.assign(strings.TrimSpace(strings.TrimPrefix(name, "export ")), strings.Trim(strings.TrimSpace(value), `"'`))
			continue
		}
		head, needs, ok := strings.Cut(line, ":")
		words := strings.Fields(strings.TrimPrefix(head, "@"))
		if !ok || len(words) == 0 || strings.HasPrefix(line, "#") || len(f.rules) > maxRules {
			continue
		}
		needs, recipe, inline := strings.Cut(needs, ";")
		r := rule{name: words[0], needs: strings.Fields(needs)}
		if inline {
			r.lines = append(r.lines, strings.TrimSpace(recipe))
		}
		if f.rules = append(f.rules, r); f.first == "" {
			f.first = r.name
		}
	}
	return f.commands(names, func(r *rule, line string) string {
		for range maxDepth {
			before, rest, ok := strings.Cut(line, "{{")
			name, after, closed := strings.Cut(rest, "}}")
			if !ok || !closed {
				break
			}
			value, known := f.values[strings.TrimSpace(name)]
			if !known {
				value = "${JUST_ARGUMENT}"
			}
			line = before + value + after
		}
		return strings.TrimLeft(line, "@-")
	})
}

// Package returns the script of that name in a package.json, with those that run before and behind it.
func Package(text, name string) []string {
	var read struct {
		Scripts map[string]string `json:"scripts"`
	}
	if json.Unmarshal([]byte(text), &read) != nil {
		return nil
	}
	var commands []string
	for _, script := range []string{"pre" + name, name, "post" + name} {
		if command := read.Scripts[script]; command != "" {
			commands = append(commands, command)
		}
	}
	return commands
}

// Tasks returns the commands of the tasks of a Taskfile, of the task "default" if none is named.
func Tasks(text string, names []string) []string {
	f := file{first: "default"}
	inTasks, block := false, -1
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		body := strings.TrimLeft(line, " ")
		indent := len(line) - len(body)
		var r *rule
		if len(f.rules) > 0 {
			r = &f.rules[len(f.rules)-1]
		}
		switch {
		case body == "" || body[0] == '#':
			continue
		case block >= 0 && indent > block:
			r.lines[len(r.lines)-1] += "\n" + body
			continue
		case indent == 0:
			inTasks = body == "tasks:"
			continue
		case !inTasks:
			continue
		case indent <= 2 || r == nil:
			name, rest, _ := strings.Cut(body, ":")
			if len(f.rules) > maxRules {
				return nil
			}
			f.rules = append(f.rules, rule{name: strings.Trim(name, `"'`)})
			if rest = strings.TrimSpace(rest); rest != "" {
				f.rules[len(f.rules)-1].lines = []string{scalar(rest)}
			}
			continue
		}
		block = -1
		for _, mark := range []string{"- cmd:", "cmd:", "cmds:", "- "} {
			rest, ok := strings.CutPrefix(body, mark)
			if rest = strings.TrimSpace(rest); !ok || rest == "" {
				continue
			}
			if rest[0] == '|' || rest[0] == '>' {
				block, rest = indent, ""
			}
			r.lines = append(r.lines, scalar(strings.Trim(rest, "[]")))
			break
		}
	}
	return f.commands(names, func(_ *rule, line string) string { return line })
}

// scalar is the text of a value in YAML on one line.
func scalar(text string) string {
	if n := len(text); n > 1 && (text[0] == '"' || text[0] == '\'') && text[n-1] == text[0] {
		return text[1 : n-1]
	}
	return text
}

// Ninja returns the commands of all rules of a build.ninja.
func Ninja(text string) []string {
	var commands []string
	for line := range strings.Lines(text) {
		name, value, ok := strings.Cut(line, "=")
		if ok && strings.TrimSpace(name) == "command" && len(commands) < maxCommands {
			commands = append(commands, strings.NewReplacer("$$", "$", "$in", "in", "$out", "out").Replace(strings.TrimSpace(value)))
		}
	}
	return commands
}
