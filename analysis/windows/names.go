package windows

import "strings"

// longNames are those that rules are about, which Windows knows by short ones as well: CLAUDE~1.
var longNames = [...]string{
	".hooks", ".claude", ".codex", ".gemini", ".cursor", ".copilot", ".windsurf", ".codeium", ".opencode", ".factory", ".clinerules", ".augment", ".continue", ".github", ".gitconfig", ".gitmodules", ".git",
	"settings.json", "settings.local.json", "hooks.json", "config.toml", "opencode.json", "hooks.yaml", "luahook", "Program Files", "Program Files (x86)", "ProgramData", "Documents", "Downloads", "System32",
}

// longName returns the name that a short one may stand for: its letters before the ~ begin the long one.
func longName(short string) string {
	at := strings.IndexByte(short, '~')
	if at < 1 || at > 6 || at+1 >= len(short) || !isDigit(short[at+1]) {
		return short
	}
	end := at + 1
	for end < len(short) && isDigit(short[end]) {
		end++
	}
	ending := strings.TrimPrefix(short[end:], ".")
	if len(ending) > 3 || end < len(short) && short[end] != '.' {
		return short
	}
	for _, long := range longNames {
		name, suffix := strings.TrimLeft(long, "."), ""
		if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
			name, suffix = name[:dot], name[dot+1:]
		}
		name = strings.NewReplacer(" ", "", ".", "").Replace(name)
		if strings.EqualFold(name[:min(len(name), 6)], short[:at]) && strings.EqualFold(suffix[:min(len(suffix), 3)], ending) {
			return long
		}
	}
	return short
}

// plainNamesIn returns a path with the names that Windows takes for others written as those: short ones, such with
// dots or blanks at the end, and those of a stream (.git::$INDEX_ALLOCATION).
func plainNamesIn(text string) string {
	if at := strings.Index(text, "::$"); at > 0 {
		text = text[:at]
	}
	for _, here := range [...]string{"//localhost/", "//127.0.0.1/"} { // the machine's own drives: //localhost/C$
		if rest, ok := strings.CutPrefix(strings.ToLower(text), here); ok && len(rest) > 1 && rest[1] == '$' {
			text = rest[:1] + ":" + text[len(here)+2:]
		}
	}
	if !strings.ContainsAny(text, "~. ") {
		return text
	}
	names := strings.Split(text, "/")
	for i, name := range names {
		if strings.Contains(name, "~") {
			names[i] = longName(name)
		} else if trimmed := strings.TrimRight(name, ". "); trimmed != "" && trimmed != "~" {
			names[i] = trimmed
		}
	}
	return strings.Join(names, "/")
}

// form is what a request sends of a table: its files, and the texts.
func (b *bound) form() (words []Word) {
	v, ok := b.params["form"]
	if !ok {
		return nil
	}
	if v.keys == nil {
		return []Word{{Text: "-d"}, v.asWord()}
	}
	for i := range v.list {
		for _, word := range v.list[i].words() {
			option := "-d"
			if v.list[i].form == foundForm {
				option = "-T"
				word = path(word)
			}
			words = append(words, Word{Text: option}, word)
		}
	}
	return words
}

// variables are the words behind printenv for what a drive env: is asked: none for all.
func variables(rest string) []Word {
	if strings.Trim(rest, "*") == "" {
		return nil
	}
	return texts(rest)
}
