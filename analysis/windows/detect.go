package windows

import "strings"

// Language returns "powershell" or "cmd" for a text that can't be meant for a shell of Unix, and else "". It goes by
// how commands begin, never by what may be an argument or stand in quotes.
func Language(text string) string {
	// Nearly all lines of a shell have nothing of it: a look at each byte is all that they cost.
	switch {
	case len(text) > maxText:
	case isBatch(text):
		return "cmd"
	case mayBe(text) && isPowerShell(text):
		return "powershell"
	}
	return ""
}

// IsLikelyPowerShell reports whether a text that no shell of Unix can read is one of PowerShell: it has the words of
// one, and no mistake as such.
func IsLikelyPowerShell(text string) bool {
	if len(text) > maxText || strings.Contains(text, "<<") {
		return false
	}
	points := 0
	for i, command := range heads(text) {
		n := weigh(command)
		word, _, _ := strings.Cut(command, " ")
		switch lower := strings.ToLower(strings.TrimLeft(word, ")}] \t")); {
		case n < 0:
			return false
		case lower == "try" && i == 0, lower == "catch" && i > 0, lower == "foreach" || lower == "param" || lower == "elseif":
			n = 1
		case n == 0:
			if target, ok := aliasTargets()[lower]; ok && !target.unix && (i > 0 && strings.Contains(text, "| "+lower) || !isEnglish(lower)) {
				n = 1
			}
		}
		points += n
	}
	if points == 0 && !strings.HasPrefix(text, "& ") && !strings.Contains(text, "; & $") && !hasAny(strings.ReplaceAll(text, "\r", ""), ownNames) {
		return false
	}
	_, p := parse(text)
	return p.mistake == "" && !p.deep
}

// isEnglish reports whether an alias is a word that other languages, such as SQL, begin statements with.
func isEnglish(alias string) bool {
	switch alias {
	case "select", "where", "set", "group", "start", "write", "type", "copy", "move", "measure", "foreach", "compare":
		return true
	}
	return false
}

// isBatch reports whether the first command is one that cmd.exe alone has, with a switch of its kind.
func isBatch(text string) bool {
	if len(text) > 5 && strings.EqualFold(text[:5], "for %") && strings.Contains(text, ") do ") {
		return true
	}
	at := strings.IndexByte(text, '/')
	if at < 3 || at+1 >= len(text) || !isLetter(text[at+1]) || at+2 < len(text) && strings.IndexByte(" \t/\"&|\r\n", text[at+2]) < 0 {
		return false
	}
	word := strings.TrimSpace(strings.TrimLeft(text[:at], "@ \t"))
	switch strings.ToLower(word) {
	case "del", "erase", "rd", "rmdir", "deltree", "copy", "move":
		return !strings.Contains(text, "$")
	}
	lower := strings.ToLower(word) + " "
	return strings.HasPrefix(lower, "for ") && strings.Contains(text, " %") && strings.Contains(text, ") do ")
}

func isPowerShell(text string) bool {
	if strings.Contains(text, "<<") { // a here-document may hold anything
		return false
	}
	points := 0
	if strings.Contains(text, "$env:") && hasAny(unquoted(text), environmentNames) {
		points = 2
	}
	for _, command := range heads(text) {
		switch n := weigh(command); {
		case n < 0:
			return false
		default:
			points += n
		}
	}
	return points >= 2
}

// mayBe reports whether a text has something that PowerShell's must have.
func mayBe(text string) bool {
	for i := 1; i+1 < len(text); i++ {
		switch text[i] {
		case '-': // Verb-Noun
			if text[i-1] >= 'a' && text[i-1] <= 'z' && text[i+1] >= 'A' && text[i+1] <= 'Z' {
				return true
			}
			if isLetter(text[i-1]) && isLetter(text[i+1]) && hasCmdlet(text, i) {
				return true
			}
		case ' ':
			if text[i+1] == '-' && i+2 < len(text) && (text[i+2] >= 'A' && text[i+2] <= 'Z' || text[i+2] == 'r') && i+5 < len(text) && isLetter(text[i+3]) && isLetter(text[i+4]) && isLetter(text[i+5]) {
				return true
			}
		case ':':
			if text[i+1] == '\\' && isLetter(text[i-1]) {
				return true
			}
			if text[i+1] == ':' && text[i-1] == ']' || i > 3 && strings.EqualFold(text[i-4:i], "$env") {
				return true
			}
		case '=':
			if strings.IndexByte(" \t$", text[i-1]) >= 0 && text[0] == '$' {
				return true
			}
		}
	}
	return false
}

// hasCmdlet reports whether a - stands in the name of a cmdlet that is written in
// small letters.
func hasCmdlet(text string, at int) bool {
	from, to := at, at+1
	for from > 0 && isLetter(text[from-1]) {
		from--
	}
	for to < len(text) && isLetter(text[to]) {
		to++
	}
	if from > 0 && strings.IndexByte(" \t\n;|({&", text[from-1]) < 0 || at-from > 12 || to-at > 30 || !isVerb(strings.ToLower(text[from:at])) {
		return false
	}
	_, ok := cmdletsByName()[strings.ToLower(text[from:to])]
	return ok
}

// unquoted is a text without what stands in single quotes.
func unquoted(text string) string {
	parts := strings.Split(text, "'")
	if len(parts)%2 == 0 || len(parts) > 200 {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(parts); i += 2 {
		b.WriteString(parts[i])
		b.WriteByte(' ')
	}
	return b.String()
}

// heads returns the beginnings of the commands of a text, each with what follows up to the next separator that
// isn't quoted. Both languages have the quotes and separators that matter here.
func heads(text string) []string {
	var list []string
	start := 0
	var quote byte
	for i := 0; i < len(text) && len(list) < 64; i++ {
		c := text[i]
		switch {
		case quote != 0:
			if c == '`' && quote == '"' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '`':
			i++
		case c == '#' && (i == start || text[i-1] == ' ' || text[i-1] == '\n') && i+1 < len(text):
			for i+1 < len(text) && text[i+1] != '\n' {
				i++
			}
		case c == ';' || c == '\n' || c == '|' || c == '&' || c == '{' || c == '(':
			if head := strings.TrimSpace(text[start:i]); head != "" && head[0] != '#' {
				list = append(list, head)
			}
			start = i + 1
		}
	}
	if head := strings.TrimSpace(text[min(start, len(text)):]); head != "" && head[0] != '#' {
		list = append(list, head)
	}
	return list
}

// weigh says how sure it is that a command is one of PowerShell: 2 is certain, and -1
// that it is one of another shell.
func weigh(command string) int {
	word, rest, _ := strings.Cut(command, " ")
	word = strings.TrimLeft(word, ")}] \t")
	lower := strings.ToLower(word)
	switch {
	case word == "":
		return 0
	case word[0] == '$':
		name := strings.TrimPrefix(lower, "$")
		if strings.HasPrefix(name, "env:") && (strings.Contains(name, "=") || strings.HasPrefix(strings.TrimSpace(rest), "=") || strings.HasPrefix(strings.TrimSpace(rest), "+=")) {
			return 2
		}
		plain := strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyz0123456789_")
		if trimmed := strings.TrimSpace(rest); plain == "" && (strings.HasPrefix(trimmed, "= ") || strings.HasPrefix(trimmed, "+= ")) {
			return 2 // no other shell assigns so
		}
		return 0
	case isAssignment(word), (lower == "for" || lower == "select") && strings.Contains(rest, " in ") && !strings.HasPrefix(rest, "("), lower == "while" && strings.HasPrefix(rest, "read"):
		return -1
	case word[0] == '[' && len(word) > 1 && isLetter(word[1]):
		if end := strings.IndexByte(word, ']'); end > 0 && strings.HasPrefix(word[end:], "]::") {
			return 2
		}
		return 0
	}
	verb, noun, ok := strings.Cut(word, "-")
	if target, isAlias := aliasTargets()[lower]; isAlias && lower != "echo" && lower != "sort" && (namesParameter(rest) || !target.unix && hasWindowsArgument(rest)) {
		return 2
	}
	if !ok || noun == "" {
		switch lower {
		case "fi", "done", "esac", "then", "do", "elif", "export", "local", "sudo", "source", "[", "[[", "test", "set":
			return -1
		}
		return 0
	}
	if !isVerb(strings.ToLower(verb)) || strings.ContainsAny(noun, "-./\\=$\"'") {
		return 0
	}
	_, known := cmdletsByName()[lower]
	capital := word[0] >= 'A' && word[0] <= 'Z' && noun[0] >= 'A' && noun[0] <= 'Z'
	switch {
	case known, capital && hasParameter(rest):
		return 2
	case capital:
		return 1
	}
	return 0
}

// isAssignment reports whether a word is NAME=value, as shells of Unix have it.
func isAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	for i := range len(name) {
		if !isLetter(name[i]) && !isDigit(name[i]) {
			return false
		}
	}
	return ok && name != ""
}

// hasWindowsArgument reports whether a word is a path with a drive, or -Force or -Recurse cut short.
func hasWindowsArgument(rest string) bool {
	for word := range strings.FieldsSeq(rest) {
		word = strings.Trim(word, `"',`)
		if len(word) > 2 && word[1] == ':' && word[2] == '\\' && isLetter(word[0]) {
			return true
		}
		switch strings.ToLower(word) {
		case "-fo", "-for", "-forc", "-re", "-rec", "-recu", "-recur", "-recurs":
			return true
		}
	}
	return false
}

// environmentNames are variables of Windows' environment, and of PowerShell, that no shell of Unix has.
var environmentNames = []string{"$env:userprofile", "$env:appdata", "$env:localappdata", "$env:temp", "$env:tmp", "$env:systemroot", "$env:windir", "$env:programfiles",
	"$env:programdata", "$env:username", "$env:computername", "$env:path", "$env:systemdrive"}

// ownNames are words that only PowerShell has; they tell in a text that nothing else can read.
var ownNames = []string{"$lastexitcode", "$psversiontable", "$erroractionpreference", "$psscriptroot", "$null", "$true", "$false", "@'\n", "@\"\n", "<#", "if (", "foreach (",
	"switch (", "switch -", "until (", "while (", ".tostring(", "]::", "\" -f ", "' -f "}

func hasAny(text string, names []string) bool {
	lower := strings.ToLower(text)
	for _, name := range names {
		if strings.Contains(lower, name) {
			return true
		}
	}
	return false
}

// namesParameter reports whether one of the words is a parameter that programs of Unix don't have.
func namesParameter(rest string) bool {
	for word := range strings.FieldsSeq(rest) {
		if len(word) < 5 || word[0] != '-' {
			continue
		}
		switch strings.ToLower(word) {
		case "-recurse", "-literalpath", "-erroraction", "-itemtype", "-usebasicparsing", "-expandproperty", "-outfile", "-whatif", "-descending", "-directory":
			return true
		}
		switch word {
		case "-Force", "-Path", "-Filter", "-Include", "-Exclude", "-Destination", "-First", "-Last", "-Uri", "-Method", "-Property", "-Name", "-File", "-Encoding", "-Value":
			return true
		}
	}
	return false
}

// hasParameter reports whether a -Name is among the words.
func hasParameter(rest string) bool {
	for word := range strings.FieldsSeq(rest) {
		if len(word) > 2 && word[0] == '-' && word[1] >= 'A' && word[1] <= 'Z' && word[2] >= 'a' && word[2] <= 'z' {
			return true
		}
	}
	return false
}
