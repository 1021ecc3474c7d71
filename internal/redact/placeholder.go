package redact

import "strings"

// stands is true for what only stands for a secret: a variable, a blank to fill in, a
// word of documentation, a text that was hidden already.
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

// begins is true for the signs that variables, templates and marks begin with.
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

// standsFor knows how placeholders and references to a store of secrets are written.
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

// mentionsSecret is true for a sentence about secrets: "Enter your password".
func mentionsSecret(text string) bool {
	lower := strings.ToLower(text[:min(len(text), looked)])
	for _, word := range []string{"passw", "secret", "token", "api key", "apikey", "credential", "passphrase", "must ", "please", "enter ", "invalid", "required"} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return false
}

// wordsOfSecrets is true for names such as my-secret and db_password, which refer to one.
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
