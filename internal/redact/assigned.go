package redact

import "strings"

// maxValue bounds the value of a name, in bytes; anything longer is a document.
const maxValue = 8 << 10

// maxTries is how many names in one run of bytes may claim the rest of it. The text after a further name is
// replaced unseen: no honest text has so many.
const maxTries = 32

// assignment is a name of a secret, and how it is written.
type assignment struct {
	kind   string
	name   string
	spaced bool // there are blanks around the sign
	sure   bool // certainly not program text: PASSWORD=, --password=, ?token=, ;Password=
	flag   bool // the word after a flag
}

// assigned looks at a = or : that may assign a value to a name of a secret.
func (x *scan) assigned(i int) (secret, bool) {
	s := x.s
	sign, behind := i, i+1
	switch next := s[behind]; {
	case s[i] == ':' && (next == ':' || next == '='):
		return secret{}, false
	case s[i] == ':' && next == '-':
		return x.fallback(i)
	case s[i] == '=' && (next == '=' || next == '~'):
		return secret{}, false
	case s[i] == '=' && next == '>':
		behind++
	}
	if s[i] == '=' && sign > x.last && s[sign-1] == ':' {
		sign--
	}
	if s[i] == ':' && (s[i+1] == '*' || kindOf(s[i+1]) == 1) && x.lineBegins(i-x.hostBefore(i)) {
		if hit, ok := x.pgpass(i); ok {
			return hit, true
		}
	}
	if i < x.cookies && s[i] == '=' {
		return x.crumb(i)
	}
	a, ok := x.nameBefore(sign)
	if !ok {
		return secret{}, false
	}
	if a.kind == cookie {
		x.openCookies(behind, a.name)
		return secret{}, false
	}
	from := skipBlanks(s, behind)
	if from > behind {
		a.spaced, a.sure = true, a.sure && isAuthorization(a.name)
	}
	return x.value(a, from)
}

// hostBefore returns the length of the host name that ends before i.
func (x *scan) hostBefore(i int) int {
	n := 0
	for i-n > x.last && n <= maxName && isName(x.s[i-n-1]) {
		n++
	}
	return n
}

// pgpass finds the password of a line host:port:database:user:password; the first colon is at i.
func (x *scan) pgpass(i int) (secret, bool) {
	line := x.s[i+1 : min(len(x.s), i+looked)]
	if end := strings.IndexByte(line, '\n'); end >= 0 {
		line = line[:end]
	}
	parts := strings.Split(strings.TrimRight(line, "\r"), ":")
	if len(parts) != 4 || x.hostBefore(i) == 0 || parts[0] != "*" && (len(parts[0]) < 4 || !allDigits(parts[0])) || len(parts[2]) < 2 || kindOf(parts[2][0]) < 2 || len(parts[3]) < 4 || strings.ContainsAny(line, " /\"'") || stands(parts[3]) {
		return secret{}, false
	}
	to := i + 1 + len(parts[0]) + len(parts[1]) + len(parts[2]) + 3
	return secret{to, to + len(parts[3]), password}, !strings.Contains(parts[3], opening)
}

// fallback finds the default of a shell variable: ${API_TOKEN:-x}.
func (x *scan) fallback(i int) (secret, bool) {
	name, from, spaced := x.word(i)
	if spaced || from-2 < x.last || x.s[from-2:from] != "${" {
		return secret{}, false
	}
	to := x.run(dotted, i+2)
	value := x.s[i+2 : to]
	if kindOfName(name) == "" || to == len(x.s) || x.s[to] != '}' || len(value) < 8 || !hasDigit(value) || !hasLetter(value) || stands(value) {
		return secret{}, false
	}
	return secret{i + 2, to, kindOfName(name)}, true
}

// nameBefore reads the name before the sign at i, in quotes or not, and skips a type: password: str = "...".
func (x *scan) nameBefore(i int) (assignment, bool) {
	name, from, spaced := x.word(i)
	kind := kindOfName(name)
	if kind == "" && name != "" && spaced && from-2 >= x.last && x.s[from-1] == ' ' {
		if before := x.s[from-2]; before == ':' {
			name, from, _ = x.word(from - 2)
			kind = kindOfName(name)
		} else if name == "string" && isWord(before) { // const password string = "x"
			name, from, _ = x.word(from - 1)
			kind = kindOfName(name)
		}
	}
	a := assignment{kind: kind, name: name, spaced: spaced}
	before := byte(' ')
	if from > x.last {
		before = x.s[from-1]
	}
	if kind == "" {
		if (before == '?' || before == '&') && len(name) > 2 && (name == "sig" || strings.EqualFold(name, "signature") || strings.EqualFold(name, "x-amz-signature")) {
			a.kind, a.sure = "signature", true
			return a, true
		}
		switch {
		case isAuthorization(name):
			a.kind, a.sure = "credentials", true
			return a, true
		case isCookie(name):
			a.kind, a.name = cookie, string(before)
			return a, true
		case isAuthName(name):
			a.kind, a.sure = "credentials", true
			return a, true
		case strings.EqualFold(name, "value"):
			a.kind = x.namedBefore(from)
			a.name = "value"
			return a, a.kind != ""
		case strings.EqualFold(name, "pass") && from > x.last && from+len(name) < i && isQuote(x.s[from-1]):
			a.kind, a.name = password, quotedPass
			return a, true
		case name == "p" && before == '/' && x.s[i] == ':' && x.before(i) == freerdp:
			a.kind, a.sure = password, true
			return a, true
		case name == "auth" && x.s[i] == ':':
			a.kind = encodedUser
			return a, true
		}
		return a, false
	}
	a.sure = x.s[i] == '=' && !spaced && (before == ':' && name[0] == '_' || strings.HasPrefix(name, "-D") || strings.HasPrefix(name, "-P") || before == '?' || before == '&' || before == ';' || strings.HasPrefix(name, "--") || name == strings.ToUpper(name) || strings.HasSuffix(x.s[max(x.last, from-len(fromLiteral)):from], fromLiteral))
	return a, true
}

// fromLiteral precedes text that kubectl makes a secret of.
const fromLiteral = "--from-literal="

// quotedPass is the name "pass" in quotes, which may also be the opposite of fail.
const quotedPass = `"pass"`

// encodedUser is a kind: user:password in base64.
const encodedUser = "encoded user"

// namedBefore returns the kind of the name in {name: DB_PASSWORD, value: x}; the key of its value begins at i.
func (x *scan) namedBefore(i int) string {
	before := x.s[max(x.last, i-120):i]
	at := -1
	for _, key := range [...]string{"name", "Name", "key", "Key"} {
		at = max(at, strings.LastIndex(before, key))
	}
	if at < 0 {
		return ""
	}
	rest := strings.TrimLeft(before[at+3:], "e\\\"' \t:=yY")
	end := 0
	for end < len(rest) && isName(rest[end]) {
		end++
	}
	if between := rest[end:]; end == 0 || strings.Count(between, "\n") > 1 || strings.ContainsAny(between, "{}[]<>") {
		return ""
	}
	return kindOfName(rest[:end])
}

// word returns the name that ends before i, where it begins, and whether there are blanks between it and i.
func (x *scan) word(i int) (name string, from int, spaced bool) {
	s, end := x.s, i
	for end > x.last && end > i-4 && (s[end-1] == ' ' || s[end-1] == '\t') {
		end--
	}
	spaced = end < i
	if end > x.last && s[end-1] == ']' {
		end--
	}
	if end > x.last && (s[end-1] == '"' || s[end-1] == '\'' || s[end-1] == '`') {
		end--
		for end > x.last && s[end-1] == '\\' {
			end--
		}
	}
	from = end
	for from > x.last && isName(s[from-1]) {
		if from--; end-from > maxName {
			return "", from, spaced
		}
	}
	if from-2 >= x.last && s[from-2] == '\\' { // "...\npassword=": the n doesn't belong to the name
		return s[from:end], from, spaced
	}
	if from-1 >= x.last && s[from-1] == '\\' && end-from > 1 && strings.IndexByte("nrt", s[from]) >= 0 {
		from++
	}
	return s[from:end], from, spaced
}

func isName(b byte) bool { return isWord(b) || b == '-' || b == '.' }

// flag looks at a long flag whose name begins at i: --password x. assigned handles a flag with a =.
func (x *scan) flag(i int) (secret, bool) {
	end := i
	for end < len(x.s) && end-i <= maxName && isName(x.s[end]) {
		end++
	}
	if end == i || end == len(x.s) {
		return secret{to: i}, true
	}
	name := x.s[i:end]
	user := name == "user" || name == "proxy-user"
	kind := kindOfName(name)
	if !user && kind == "" && name != "cookie" && name != "passin" && name != "passout" {
		return secret{to: i}, true
	}
	from, ok := x.nextWord(end)
	if !ok {
		if user && x.s[end] == '=' && x.before(i) != nil {
			return x.userPassword(end+1, ":")
		}
		return secret{to: i}, true
	}
	if user {
		if p := x.before(i); p == nil || p.flags["u"]&ofUser == 0 {
			return secret{to: i}, true
		}
		return x.userPassword(from, ":")
	}
	if kind == "" {
		x.openCookies(from, "")
		return secret{to: i}, true
	}
	if isQuote(x.s[end]) && !isQuote(x.s[from]) && strings.IndexByte(x.s[end:from], ',') >= 0 { // a variable
		return secret{to: i}, true
	}
	return x.value(assignment{kind: kind, name: name, spaced: true, flag: true}, from)
}

func isQuote(b byte) bool { return b == '"' || b == '\'' || b == '`' || b == '\\' }

// isAuthorization reports whether the header's value is a scheme and credentials.
func isAuthorization(name string) bool {
	return strings.EqualFold(name, "authorization") || strings.EqualFold(name, "proxy-authorization")
}

func skipBlanks(s string, i int) int {
	for n := 0; n < 8 && i < len(s) && (s[i] == ' ' || s[i] == '\t'); n++ {
		i++
	}
	return i
}

// value finds the secret that is assigned to a name at i.
func (x *scan) value(a assignment, i int) (secret, bool) {
	s := x.s
	if i+2 < len(s) && (s[i+1] == '"' || s[i+1] == '\'') && strings.IndexByte("bBrRuUf@", s[i]) >= 0 {
		i++ // b"..."
	}
	from, to, quoted := x.quoted(i)
	switch {
	case quoted:
	case i < len(s) && strings.IndexByte("\"'`\\", s[i]) >= 0: // a quotation without an end
		return secret{}, false
	default:
		from, to = i, x.run(plain, i)
		for to > from && strings.IndexByte(".:", s[to-1]) >= 0 {
			to--
		}
	}
	if isAuthorization(a.name) {
		from, to = x.behindScheme(from, to, quoted)
	}
	if to-from > maxValue || to <= from || strings.Contains(s[from:to], opening) || markAt(s[to:]) > 0 {
		return secret{}, false
	}
	value := s[from:to]
	if x.tried == to {
		x.tries++
	} else {
		x.tried, x.tries = to, 1
	}
	x.again += to - from
	if x.tries > maxTries {
		return secret{from, to, a.kind}, true
	}
	if a.kind == encodedUser {
		hit, ok := x.basic(from, &format{body: base64s, least: 12, what: "credentials"})
		return hit, ok && quoted
	}
	if a.name == quotedPass && (!quoted || !hasDigit(value) || strings.Contains(value, " ")) {
		return secret{}, false
	}
	if a.flag && !quoted && !x.commandGoesOn(value, to) {
		return secret{}, false
	}
	if stands(value) || !quoted && !a.unquoted(value, x.behind(to)) || quoted && !a.inQuotes(value) {
		return secret{}, false
	}
	if hit, ok := x.formatAt(from); ok && hit.from == from && hit.to == to {
		return hit, true
	}
	return secret{from, to, a.kind}, true
}

func (x *scan) behind(i int) byte {
	if i < len(x.s) {
		return x.s[i]
	}
	return '\n'
}

// quoted returns the text of the quotation that begins at i; its quotation marks may be escaped.
func (x *scan) quoted(i int) (from, to int, ok bool) {
	s, escapes := x.s, 0
	for i < len(s) && s[i] == '\\' && escapes < 4 {
		i++
		escapes++
	}
	if i >= len(s) || s[i] != '"' && s[i] != '\'' && s[i] != '`' {
		return 0, 0, false
	}
	sign, run := s[i], 0
	from = i + 1
	for at := from; at < len(s) && at-from <= maxValue; at++ {
		switch s[at] {
		case '\n':
			return 0, 0, false
		case '\\':
			run++
			continue
		case sign:
			if escapes == 0 && run%2 == 0 || escapes > 0 && run <= escapes {
				if escapes > 0 {
					return from, at - run, true
				}
				return from, at, true
			}
		}
		run = 0
	}
	return 0, 0, false
}

// behindScheme skips Bearer and the like, and whatever isn't a credential.
func (x *scan) behindScheme(from, to int, quoted bool) (int, int) {
	end := from
	for end < to && (isLetterOrDigit(x.s[end]) || x.s[end] == '-') {
		end++
	}
	switch {
	case end == from || end == len(x.s) || x.s[end] != ' ' || end-from >= 16 && isRandom(x.s[from:end]):
		return from, to
	case quoted:
		return min(end+1, to), to
	}
	return end + 1, x.run(plain, end+1)
}

// inQuotes reports whether a quoted text can be what the name says.
func (a *assignment) inQuotes(value string) bool {
	if strings.ContainsAny(value, " \t") && len(value) >= 48 && isRandom(value) && strings.Count(value, " ") < len(value)/12 {
		return true // the salts of WordPress
	}
	if strings.ContainsAny(value, " \t") {
		return a.kind != "token" && a.kind != "key" && len(strings.TrimSpace(value)) >= 8 && !mentionsSecret(value)
	}
	if len(value) < 4 || value == a.name || wordsOfSecrets(value) {
		return false
	}
	if a.flag {
		return !reference(value)
	}
	if a.kind == password || a.kind == "secret" {
		return true
	}
	return len(value) >= 8 && (hasDigit(value) || len(value) >= 20)
}

// unquoted reports whether an unquoted text can be what the name says, and is neither a word of prose nor a
// piece of a program.
func (a *assignment) unquoted(value string, behind byte) bool {
	if behind == '(' || behind == '[' || len(value) < 4 || value == a.name || strings.ContainsAny(value, "{}") || exactKind(value) != "" && !hasDigit(value) || wordsOfSecrets(value) {
		return false
	}
	if a.sure {
		return true
	}
	if a.flag {
		return !reference(value) && (a.kind == password || !allDigits(value)) && !strings.HasPrefix(value, "-") && !strings.HasPrefix(value, "id=") && !strings.HasPrefix(value, "src=") && !strings.HasPrefix(value, "type=")
	}
	if len(value) < 6 || !hasDigit(value) || allDigits(value) || !hasLetter(value) || reference(value) {
		return false
	}
	switch {
	case exactKind(value) != "" && strings.IndexByte(value, '-') < 0: // the name of a variable
		return false
	case a.kind == password:
		return true
	case a.spaced:
		return len(value) >= 16 && isRandom(value)
	}
	return len(value) >= 8
}

// commandGoesOn reports whether the word after a flag, which ends at i, is in a command and not in a sentence
// about it: it doesn't consist of small letters alone, or nothing or another flag follows it.
func (x *scan) commandGoesOn(value string, i int) bool {
	if strings.Trim(value, "abcdefghijklmnopqrstuvwxyz") != "" && strings.Trim(value, "abcdefghijklmnopqrstuvwxyz-'.,:;") != "" {
		return true
	}
	if afterFlags()[value] {
		return false
	}
	rest := x.s[i:min(len(x.s), i+16)]
	rest = strings.TrimLeft(rest, " \t")
	return rest == "" || strings.IndexByte("\n-|&;\"'`\\)<>", rest[0]) >= 0
}

// afterFlags are words that follow the name of a flag in a sentence.
var afterFlags = words(`to is are was and or nor for from with without in on of by at as if when where which that this it its must should can could may will would not no flag flags option options
 argument arguments parameter parameters value values switch instead also only always never file files string required optional auth login prompt here below above either both then else than via using given set used stdin env none`)

// reference reports whether the value is like config.apiKey2 or ./keys/id: it refers to something elsewhere.
func reference(value string) bool {
	if strings.HasPrefix(value, "/") || strings.HasPrefix(value, "./") || strings.HasPrefix(value, "../") || strings.HasPrefix(value, "~/") || strings.Contains(value, "://") {
		return true
	}
	first, rest, dotted := strings.Cut(value, ".")
	if !dotted || first == "" || rest == "" {
		return false
	}
	for i := range len(first) {
		if kindOf(first[i]) == 1 || !isWord(first[i]) {
			return false
		}
	}
	return true
}

func allDigits(s string) bool { return strings.Trim(s, "0123456789.,:-") == "" }

func hasLetter(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' })
}
