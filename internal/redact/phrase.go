package redact

import "strings"

// phrases are words of commands and files that a secret follows without a sign.
var phrases = []format{
	{prefix: "vault login ", what: "token"},
	{prefix: "cargo login ", what: "token"},
	{prefix: "setapikey ", what: "key"},
	{prefix: "setApiKey ", what: "key"},
	{prefix: "config ", what: "config"},
	{prefix: "configure set ", what: "config"},
	{prefix: "npm set ", what: "config"},
	{prefix: "aws_secret_access_key ", what: "key"},
	{prefix: "aws_session_token ", what: "token"},
	{prefix: "requirepass ", what: password},
	{prefix: "masterauth ", what: password},
	{prefix: "primaryauth ", what: password},
	{prefix: "AUTH ", what: "AUTH"},
	{prefix: "IDENTIFIED BY ", what: password},
	{prefix: "identified by '", what: "quoted"},
	{prefix: "IDENTIFIED BY PASSWORD ", what: password},
	{prefix: "IDENTIFIED WITH mysql_native_password BY ", what: password},
	{prefix: "IDENTIFIED WITH caching_sha2_password BY ", what: password},
	{prefix: "PASSWORD ", what: "quoted"},
	{prefix: "password ", what: "netrc"},
	{prefix: "passwd ", what: "netrc"},
	{prefix: "password is ", what: "said"},
	{prefix: "Password is ", what: "said"},
	{prefix: "password to ", what: "said"},
	{prefix: "user_pw ", what: password},
	{prefix: "owner_pw ", what: password},
	{prefix: "input_pw ", what: password},
	{prefix: "set-initial-password ", what: password},
	{prefix: "add-authtoken ", what: "token"},
	{prefix: "authtoken ", what: "token"},
	{prefix: "wpa_passphrase ", what: "second"},
	{prefix: "/user:", what: "second"},
	{prefix: "alias set ", what: "fourth"},
	{prefix: "sqlplus ", what: "slash"},
	{prefix: "expdp ", what: "slash"},
	{prefix: "impdp ", what: "slash"},
	{prefix: "define(", what: "call"},
	{prefix: "auth=(", what: "pair"},
	{prefix: "<<< ", what: "herestring"},
	{prefix: "add_user ", what: "second"},
	{prefix: "change_password ", what: "second"},
	{prefix: "net user ", what: "second"},
	{prefix: "echo ", what: "echoed"},
	{prefix: "printf ", what: "echoed"},
	{prefix: "pypi-token.", what: "rest"},
	{prefix: "http-basic.", what: "rest second"},
	{prefix: "github-oauth.", what: "rest"},
	{prefix: "gitlab-token.", what: "rest"},
}

// phrase finds the secret after one of the phrases, which begins at i.
func (x *scan) phrase(i int, f *format) (secret, bool) {
	from := i + len(f.prefix)
	a := assignment{kind: password, name: "p", sure: true}
	switch f.what {
	case "config":
		return x.configured(from)
	case "AUTH":
		if strings.HasPrefix(x.s[from:], "LOGIN ") || strings.HasPrefix(x.s[from:], "PLAIN ") {
			from += len("LOGIN ")
		}
		a.sure = false
	case "quoted": // CREATE USER kim WITH PASSWORD '...'
		if x.s[from-1] == '\'' {
			from--
		}
		if from >= len(x.s) || x.s[from] != '\'' && x.s[from] != '"' {
			return secret{}, false
		}
	case "netrc":
		return x.netrc(i, from)
	case "said":
		to := x.run(plain, from)
		if value := strings.TrimRight(x.s[from:to], ".,:!?"); len(value) >= 6 && (to == len(x.s) || !isBlank(x.s[to]) || len(value) < to-from) && hasDigit(value) && hasLetter(value) && !reference(value) && !stands(value) {
			return secret{from, from + len(value), password}, markAt(x.s[to:]) == 0
		}
		return secret{}, false
	case "second":
		if f.prefix[0] == '/' && (i == x.last || !isBlank(x.s[i-1])) { // an address
			return secret{}, false
		}
		var ok bool
		if from, ok = x.nextWord(x.wordEnd(from)); !ok || from < len(x.s) && (x.s[from] == '/' || x.s[from] == '-') {
			return secret{}, false
		}
	case "rest", "rest second", "fourth":
		more := map[string]int{"rest": 1, "rest second": 2, "fourth": 3}[f.what]
		for ; more > 0; more-- {
			var ok bool
			if from, ok = x.nextWord(x.wordEnd(from)); !ok {
				return secret{}, false
			}
		}
	case "slash": // user/password@host
		to := x.run(plain, from)
		slash := strings.IndexByte(x.s[from:to], '/')
		at := strings.LastIndex(x.s[from:to], "@")
		if slash <= 0 || at < slash+4 {
			return secret{}, false
		}
		value := x.s[from+slash+1 : from+at]
		return secret{from + slash + 1, from + at, password}, !stands(value) && !strings.Contains(value, "/")
	case "call":
		name, next, ok := x.firstQuoted(from)
		if !ok || kindOfName(name) == "" {
			return secret{}, false
		}
		return x.value(assignment{kind: kindOfName(name), name: name}, next)
	case "pair":
		_, next, ok := x.firstQuoted(from)
		if !ok || next >= len(x.s) || !isQuote(x.s[next]) {
			return secret{}, false
		}
		from = next
	case "herestring":
		line := x.s[max(x.last, i-200):i]
		line = line[strings.LastIndexByte(line, '\n')+1:]
		for _, r := range readers {
			if strings.Contains(line, r) {
				return x.value(a, from)
			}
		}
		return secret{}, false
	case "echoed":
		return x.echoed(from)
	default:
		a.kind = f.what
		if from < len(x.s) && strings.IndexByte("-:@?", x.s[from]) >= 0 { // vault login -method=oidc, or a parameter of SQL
			return secret{}, false
		}
	}
	return x.value(a, from)
}

// firstQuoted returns the first of two quoted texts with a comma between them, which begin at i, and where the
// second begins.
func (x *scan) firstQuoted(i int) (text string, next int, ok bool) {
	i = skipBlanks(x.s, i)
	from, to, ok := x.quoted(i)
	if !ok || to-from > maxName || strings.IndexByte("\"'", x.s[i]) < 0 {
		return "", 0, false
	}
	next = skipBlanks(x.s, to+1)
	if next >= len(x.s) || x.s[next] != ',' {
		return "", 0, false
	}
	next++
	for n := 0; n < 16 && next < len(x.s) && isBlank(x.s[next]); n++ { // in columns
		next++
	}
	return x.s[from:to], next, true
}

// configured looks at NAME VALUE after "config set": npm, aws, git, composer.
func (x *scan) configured(i int) (secret, bool) {
	from := i
	for range 4 {
		end := x.wordEnd(from)
		word := x.s[from:end]
		if word == "" {
			return secret{}, false
		}
		next, ok := x.nextWord(end)
		if !ok {
			return secret{}, false
		}
		name := strings.Trim(word, "'\"")
		if at := strings.LastIndexByte(name, ':'); at >= 0 {
			name = name[at+1:]
		}
		switch {
		case strings.HasPrefix(word, "http-basic.") || strings.HasPrefix(word, "pypi-token.") || strings.HasSuffix(word, "-oauth.github.com"):
			return secret{}, false // they have phrases of their own
		case isAuthName(name) || len(name) <= maxName && kindOfName(name) != "":
			kind := kindOfName(name)
			if kind == "" {
				kind = "credentials"
			}
			return x.value(assignment{kind: kind, name: name, sure: true}, next)
		}
		from = next
	}
	return secret{}, false
}

// isAuthName reports whether the name is the _auth of an .npmrc.
func isAuthName(name string) bool { return name == "_auth" }

// netrc looks at the word after password: in a file of logins, in quotes, or as a setting on a line of its own.
func (x *scan) netrc(i, from int) (secret, bool) {
	s := x.s
	a := assignment{kind: password, name: "password", sure: true}
	begin := max(x.last, i-300)
	before := s[begin:i]
	if line := strings.LastIndexByte(before, '\n'); line >= 0 && strings.TrimSpace(before[line:]) == "" {
		before = strings.TrimSpace(before)
		if cut := strings.LastIndexByte(before, '\n'); cut >= 0 && !strings.Contains(before[cut:], "login ") && !strings.Contains(before[cut:], "account ") && !strings.Contains(before[cut:], "machine ") {
			before = ""
		}
	} else if line >= 0 {
		before = before[line:]
	}
	if strings.Contains(before, "nmcli ") {
		return x.value(a, from)
	}
	if strings.Contains(before, "login ") {
		if hit, ok := x.value(a, from); ok && s[hit.to-1] != '@' { // the password of an anonymous login is an address
			return hit, true
		}
		return secret{}, false
	}
	if from < len(s) && (s[from] == '\'' || s[from] == '"') {
		_, to, ok := x.quoted(from)
		if ok && to-from > 5 && (hasDigit(s[from:to]) || x.lineBegins(i)) && !strings.Contains(s[from:to], " ") {
			return x.value(a, from)
		}
		return secret{}, false
	}
	if !x.lineBegins(i) {
		return secret{}, false
	}
	to := x.run(plain, from)
	if end := to; end < len(s) && s[end] != '\n' && s[end] != '\r' { // cisco: password 7 0822455D0A16
		if to-from != 1 || !isBlank(s[to]) {
			return secret{}, false
		}
		from, to = to+1, x.run(plain, to+1)
	}
	if value := s[from:to]; len(value) < 6 || !hasDigit(value) || !hasLetter(value) || reference(value) {
		return secret{}, false
	}
	return x.value(a, from)
}

// Programs that read a secret from their standard input.
var readers = [...]string{"--password-stdin", "--stdin", "--with-token", "chpasswd", "sudo -S", "--token-stdin", "passwd -s", "add-generic-password", "pass insert", "secret put", "secrets set", "login -p -", "ansible-vault encrypt_string"}

// echoed looks at text that is printed for a program that reads a secret.
func (x *scan) echoed(i int) (secret, bool) {
	s := x.s
	end := strings.IndexByte(s[i:min(len(s), i+400)], '\n')
	if end < 0 {
		end = min(len(s), i+400) - i
	}
	line := s[i : i+end]
	pipe := strings.IndexByte(line, '|')
	if pipe < 0 {
		return secret{}, false
	}
	reader := ""
	for _, r := range readers {
		if strings.Contains(line[pipe:], r) {
			reader = r
			break
		}
	}
	if reader == "" {
		return secret{}, false
	}
	from := i
	for from < i+pipe && (s[from] == '-' || strings.HasPrefix(s[from:], "'%s") || strings.HasPrefix(s[from:], "\"%s") || strings.HasPrefix(s[from:], "%s")) {
		next, ok := x.nextWord(x.wordEnd(from))
		if !ok {
			return secret{}, false
		}
		from = next
	}
	if reader == "chpasswd" {
		return x.userPassword(from, ":")
	}
	return x.value(assignment{kind: password, name: "p", sure: true}, from)
}

// lineBegins reports whether there are only blanks before i in its line.
func (x *scan) lineBegins(i int) bool {
	from := i
	for from > x.last && i-from < 40 && isBlank(x.s[from-1]) {
		from--
	}
	return from == 0 || x.s[from-1] == '\n'
}

// setters are words that a name and a value follow in files.
var setters = words(`ENV ARG set setenv SetEnv env proxy_set_header fastcgi_param uwsgi_param Environment`)

// line looks at a line that begins at i and is a name and a value without a sign, as in a Dockerfile and in
// files with settings.
func (x *scan) line(i int) (secret, bool) {
	s, at := x.s, i
	for at < len(s) && at-i < 40 && isBlank(s[at]) {
		at++
	}
	setter := false
	for {
		from := at
		if at < len(s) && s[at] == '$' {
			at, from = at+1, from+1
		}
		for at < len(s) && at-from <= maxName && isName(s[at]) {
			at++
		}
		name := s[from:at]
		if name == "" || at >= len(s) || !isBlank(s[at]) {
			return secret{}, false
		}
		behind := skipBlanks(s, at)
		if !setter && setters()[name] {
			setter, at = true, behind
			continue
		}
		kind := kindOfName(name)
		if kind == "" || strings.EqualFold(name, "bearer") { // it has a rule of its own
			return secret{}, false
		}
		a := assignment{kind: kind, name: name, flag: setter, spaced: true}
		hit, ok := x.value(a, behind)
		if !ok || strings.IndexByte("*&[(=", s[behind]) >= 0 { // the type of a field
			return secret{}, false
		}
		end := hit.to
		for end < len(s) && end-hit.to < 8 && (isBlank(s[end]) || strings.IndexByte("\"';,\r", s[end]) >= 0) {
			end++
		}
		quoted := isQuote(s[behind])
		if end < len(s) && s[end] != '\n' || !setter && !quoted && !(hasDigit(s[hit.from:hit.to]) && hasLetter(s[hit.from:hit.to])) {
			return secret{}, false
		}
		return hit, true
	}
}

// stands reports whether the value is only a placeholder for a secret: a variable, a blank to fill in, a word of
// documentation, or a text that is already redacted.
func stands(value string) bool {
	if begins(value) || oneByte(value) || strings.Trim(value, "*x.X-_#•…") == "" {
		return true
	}
	for _, part := range []string{"...", "…", "****", "xxxx", "XXXX", "<", "{{", "${", "$(", "%s", "%v", "%d"} {
		if strings.Contains(value, part) && !(part == "<" && len(value) >= 48 && isRandom(value)) {
			return true
		}
	}
	return placeholders()[strings.ToLower(value)] || len(value) <= 64 && standsFor(strings.ToLower(value))
}

// begins reports whether a variable, a template or a mark begins here.
func begins(value string) bool {
	if value == "" {
		return true
	}
	switch value[0] {
	case '<', '{', '[', '(':
		return true
	case '$':
		return len(value) < 2 || value[1] == '{' || value[1] == '(' || kindOf(value[1]) > 1 || value[1] == '_'
	case '%':
		return len(value) > 2 && value[len(value)-1] == '%' || len(value) == 2
	}
	return false
}

// standsFor reports whether the text is written like a placeholder or a reference to a store of secrets.
func standsFor(lower string) bool {
	for _, start := range []string{
		"your", "my-", "my_", "example", "sample", "dummy", "fake", "insert", "replace", "enter", "changeme", "change-me", "change_me", "todo", "fixme", "redacted", "not-a-", "some-", "some_",
		"process.env", "os.environ", "os.getenv", "env.", "env:", "env[", "secrets.", "vars.", "var.", "local.", "data.", "self.", "this.", "settings.", "config.", "options.", "opts.", "args.", "params.", "props.", "req.", "request.", "ctx.",
		"op://", "vault:", "vault://", "arn:", "ref+", "!ref", "!vault", "ssm:", "projects/", "secretsmanager:", "keyvault:", "file:", "@microsoft.keyvault",
	} {
		if strings.HasPrefix(lower, start) {
			return !hasDigit(lower) || strings.ContainsAny(start, ".:/[")
		}
	}
	return strings.HasSuffix(lower, "-here") || strings.HasSuffix(lower, "_here")
}

var placeholders = words(`password passwd pass pwd secret token key apikey api_key api-key credentials none null nil undefined true false yes no on off
 required optional string str text char varchar bool boolean int integer number float object any bytes byte void unknown never default empty unset hidden masked
 test testing foo bar baz foobar abc n/a na input prompt stdin env ask value file auto inherit keyring keychain basic bearer oauth oauth2 jwt md5 sha1 sha256 sha512 bcrypt scrypt argon2
 int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 base64 utf8 utf-8 ascii forgot forgotten reset change changed expired invalid wrong incorrect missing correct valid`)

// mentionsSecret reports whether the text is a sentence about secrets: "Enter your password".
func mentionsSecret(text string) bool {
	lower := strings.ToLower(text[:min(len(text), looked)])
	for _, word := range []string{"passw", "secret", "token", "api key", "apikey", "credential", "passphrase", "must ", "please", "enter ", "invalid", "required"} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return false
}

// wordsOfSecrets reports whether the value is a name such as my-secret or db_password, which refers to a secret.
func wordsOfSecrets(value string) bool {
	if hasDigit(value) || len(value) > maxName {
		return false
	}
	for i := range len(value) {
		if !isName(value[i]) {
			return false
		}
	}
	lower := strings.ToLower(value)
	for _, word := range []string{"passw", "secret", "token", "key", "credential", "passphrase", "pwd"} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return false
}
