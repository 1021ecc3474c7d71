package redact

import "strings"

// phrases are words of commands and files behind which a secret stands without a sign.
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
	{prefix: "identified by ", what: password},
	{prefix: "IDENTIFIED BY PASSWORD ", what: password},
	{prefix: "IDENTIFIED WITH mysql_native_password BY ", what: password},
	{prefix: "IDENTIFIED WITH caching_sha2_password BY ", what: password},
	{prefix: "PASSWORD ", what: "quoted"},
	{prefix: "password ", what: "netrc"},
	{prefix: "passwd ", what: "netrc"},
	{prefix: "password is ", what: "said"},
	{prefix: "Password is ", what: "said"},
	{prefix: "password to ", what: "said"},
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

// phrase finds the secret behind one of the phrases, which begins at i.
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
		var ok bool
		if from, ok = x.nextWord(x.wordEnd(from)); !ok || from < len(x.s) && (x.s[from] == '/' || x.s[from] == '-') {
			return secret{}, false
		}
	case "rest", "rest second":
		var ok bool
		from, ok = x.nextWord(x.wordEnd(from))
		if ok && f.what == "rest second" {
			from, ok = x.nextWord(x.wordEnd(from))
		}
		if !ok {
			return secret{}, false
		}
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

// configured looks at NAME VALUE behind "config set": npm, aws, git, composer.
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
			return secret{}, false // phrases of their own
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

// isAuthName is true for the _auth of an .npmrc.
func isAuthName(name string) bool { return name == "_auth" }

// netrc looks at the word behind password: in a file of logins, in quotes, or alone on its
// line as a setting.
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
	if strings.Contains(before, "login ") {
		if hit, ok := x.value(a, from); ok && s[hit.to-1] != '@' { // that of an anonymous login is an address
			return hit, true
		}
		return secret{}, false
	}
	if from < len(s) && (s[from] == '\'' || s[from] == '"') {
		_, to, ok := x.quoted(from)
		if ok && to-from > 5 && hasDigit(s[from:to]) && !strings.Contains(s[from:to], " ") {
			return x.value(a, from)
		}
		return secret{}, false
	}
	indent := i
	for indent > x.last && i-indent < 40 && isBlank(s[indent-1]) {
		indent--
	}
	if indent > 0 && s[indent-1] != '\n' {
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
var readers = [...]string{"--password-stdin", "--stdin", "--with-token", "chpasswd", "sudo -S", "--token-stdin", "passwd -s", "add-generic-password", "pass insert", "login -p -", "ansible-vault encrypt_string"}

// echoed looks at what is printed for a program that reads a secret.
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
