package redact

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// maxDepth bounds how deep a value is searched; deeper parts are replaced by a mark.
const maxDepth = 200

// authorization is a kind: a scheme and credentials.
const authorization = "authorization"

const tooDeep = "[too deep]"

// Value redacts a JSON-like value (what encoding/json decodes to, and []string and map[string]string). Each text
// is redacted as by Text. The value of a key with the name of a secret is redacted as a whole: texts, numbers of
// a password, and all texts in a list or an object. Value returns v itself if nothing was found, else a copy; v
// isn't changed.
func (r *Redactor) Value(v any) (value any, found int) {
	w := &walk{r: r}
	value = w.value(v, "", 0)
	if w.found == 0 {
		return v, 0
	}
	return value, w.found
}

type walk struct {
	r      *Redactor
	found  int
	values int
}

// valueBytes is the cost of a value apart from its text, in bytes of text.
const valueBytes = 8

// value redacts the value of a key of the given kind; "" is any.
func (w *walk) value(v any, kind string, depth int) any {
	if w.values++; w.values%1024 == 0 && w.r.pay != nil {
		w.r.pay(1024 * valueBytes)
	}
	if depth > maxDepth {
		switch v.(type) {
		case map[string]any, []any, map[string]string, []string:
			w.found++
			return tooDeep
		}
	}
	switch v := v.(type) {
	case string:
		return w.text(v, kind)
	case map[string]any:
		return walkMap(w, v, kind, depth)
	case map[string]string:
		return walkMap(w, v, kind, depth)
	case []any:
		return walkList(w, v, kind, depth)
	case []string:
		return walkList(w, v, kind, depth)
	case int, int64, float64, json.Number:
		if kind == password && !w.r.keeps(fmt.Sprint(v)) {
			w.found++
			return mark(kind)
		}
	}
	return v
}

func walkMap[V any](w *walk, m map[string]V, kind string, depth int) any {
	before := w.found
	fresh := make(map[string]any, len(m))
	named, same := nameInside(m), map[string]int{}
	for name, v := range m {
		under := kind
		if named != "" && strings.EqualFold(name, "value") {
			under = named
		}
		if k := kindOfName(name); k != "" {
			under = k
		} else if isAuthorization(name) {
			under = authorization
		} else if isCookie(name) {
			under = cookie
		}
		key, n := w.r.Text(name)
		w.found += n
		if n > 0 { // two keys may look the same now
			key = numbered(key, fresh, same)
		}
		fresh[key] = w.value(v, under, depth+1)
	}
	if w.found == before {
		return m
	}
	return fresh
}

// numbered returns a key that isn't taken: key itself, or with the next number appended. same counts the numbers
// used.
func numbered(key string, taken map[string]any, same map[string]int) string {
	fresh := key
	for _, is := taken[fresh]; is; _, is = taken[fresh] {
		same[key]++
		fresh = key + " " + strconv.Itoa(same[key]+1)
	}
	return fresh
}

// nameInside returns the kind of value that {"name": "DB_PASSWORD", "value": ...} declares.
func nameInside[V any](m map[string]V) string {
	if len(m) < 2 {
		return ""
	}
	for _, field := range [...]string{"name", "Name", "key", "Key"} {
		if v, ok := m[field]; ok {
			if name, ok := any(v).(string); ok {
				return kindOfName(name)
			}
		}
	}
	return ""
}

// Bounds of a list that may be the words of a command.
const (
	maxWords     = 256
	maxWordBytes = 64 << 10
)

// commandOf returns the list, read as the words of a command, redacted: there a flag says what the next word is.
// ok is false if it isn't one, and if nothing was found.
func commandOf[V any](w *walk, list []V) (words []string, ok bool) {
	const between = `", "`
	if len(list) < 2 || len(list) > maxWords {
		return nil, false
	}
	size, flags := 0, false
	words = make([]string, len(list))
	for i, v := range list {
		word, text := any(v).(string)
		if size += len(word); !text || size > maxWordBytes || strings.ContainsAny(word, "\"\\\n") {
			return nil, false
		}
		words[i], flags = word, flags || strings.HasPrefix(word, "-")
	}
	if !flags {
		return nil, false
	}
	line, found := w.r.Text(`["` + strings.Join(words, between) + `"]`)
	words = strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, `["`), `"]`), between)
	if found == 0 || len(words) != len(list) {
		return nil, false
	}
	w.found += found
	return words, true
}

func walkList[V any](w *walk, list []V, kind string, depth int) any {
	before := w.found
	fresh := make([]any, len(list))
	if kind == "" {
		if words, ok := commandOf(w, list); ok {
			for i, word := range words {
				fresh[i] = w.value(word, kind, depth+1)
			}
			return fresh
		}
	}
	for i, v := range list {
		fresh[i] = w.value(v, kind, depth+1)
	}
	if w.found == before {
		return list
	}
	return fresh
}

func (w *walk) text(s, kind string) string {
	if kind == cookie {
		text, n := w.r.Text(cookie + ": " + s)
		w.found += n
		return strings.TrimPrefix(text, cookie+": ")
	}
	text, n := w.r.Text(s)
	if kind == "" || stands(s) || w.r.keeps(s) || n > 0 && markAt(text) == len(text) {
		w.found += n
		return text
	}
	if kind == authorization {
		scheme, rest, ok := strings.Cut(s, " ")
		switch {
		case n > 0 || ok && stands(rest):
			w.found += n
			return text
		case ok && w.r.keeps(rest):
			return text
		case ok:
			w.found++
			return scheme + " " + mark("credentials")
		}
		kind = "credentials"
	}
	if len(s) < 4 || strings.ContainsAny(s, " \t") && mentionsSecret(s) || wordsOfSecrets(s) || strings.Contains(s, opening) {
		w.found += n
		return text
	}
	w.found++
	return mark(kind)
}

// SecretName reports whether a key of JSON, an environment variable or a flag with this name holds a secret:
// DB_PASSWORD, clientSecret, api-key. A name of something that only concerns a secret doesn't count:
// password_file, token_type, max_tokens.
func SecretName(name string) bool { return kindOfName(name) != "" }

// kinds are the kinds of secrets that are found by name, and the words for them.
var kinds = []string{password, "secret", "token", "key", "credentials", "signature"}

const (
	password = "password"
	maxName  = 64
)

func kindOfWord(word string) string {
	switch word {
	case "password", "passwd", "passphrase", "passcode", "pwd", "pass", "pw",
		"storepass", "keypass", "srcstorepass", "deststorepass", "srckeypass", "destkeypass", "bindpw", "rootpw", "psk", "presharedkey", "requirepass", "masterauth",
		"sshpass", "adminpass", "adminpassword", "sqlpassword", "rpcpassword", "ftppassword", "smtppass", "smtppassword", "mailpassword", "rootpassword", "userpassword", "loginpassword", "newpassword", "oldpassword", "mdp", "passwort", "vncpasswd",
		"userpass", "dbpass", "dbpassword", "rootpass", "pgpassword", "mypassword":
		return password
	case "secret", "secrets", "clientsecret", "appsecret", "apisecret", "consumersecret", "sharedsecret", "signingsecret", "webhooksecret", "secretaccesskey":
		return "secret"
	case "token", "authtoken", "accesstoken", "bearertoken", "apitoken", "refreshtoken", "bearer", "sessiontoken", "idtoken", "usertoken", "bottoken",
		"pat", "jwt":
		return "token"
	case "apikey", "secretkey", "privatekey", "accesskey", "authkey", "accountkey", "encryptionkey",
		"sharedkey", "masterkey", "appkey", "instrumentationkey", "licensekey", "deploykey":
		return "key"
	case "credential", "credentials", "creds", "auth":
		return "credentials"
	}
	if len(word) >= 8 {
		for _, end := range [...]string{password, "passwd", "passphrase"} { // tlspassword
			if strings.HasSuffix(word, end) {
				return password
			}
		}
		for _, end := range [...]string{"apikey", "secretkey", "accesskey", "authtoken", "accesstoken", "apitoken"} {
			if strings.HasSuffix(word, end) {
				return "key"
			}
		}
	}
	return ""
}

// keyWords make a following "key" a secret.
var keyWords = words("api secret private access auth account encryption signing shared master storage app session jwt hmac cipher decryption service deploy license webhook subscription aes rsa ssh preshared instrumentation nonce in")

// patWords make a following "pat" a personal access token.
var patWords = words("github gh gitlab gl azure ado devops git access api token bitbucket jira")

// tokenWords make a following "token" harmless.
var tokenWords = words("next page continuation sync cancel cancellation stop eos bos pad unk mask sep special start end max min current last first prev previous lookahead parse lexer")

// words returns the set of the words in a list, made on first use.
func words(list string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		set := map[string]bool{}
		for _, w := range strings.Fields(list) {
			set[w] = true
		}
		return set
	})
}

// kindOfName returns the kind of secret that a name declares, "" for none. The last word decides: token_count is
// a count.
func kindOfName(name string) string {
	if kind := exactKind(name); kind != "" || name == "" || kindOf(name[len(name)-1]) != 1 {
		return kind
	}
	return exactKind(strings.TrimRight(name, "0123456789")) // password02
}

// exactKind is kindOfName for a name as it is, without dropping numbers at its end.
func exactKind(name string) string {
	if len(name) < 2 || len(name) > maxName || !maySaySecret(name) {
		return ""
	}
	if strings.HasSuffix(name, "PWD") && (name == "PWD" || name == "OLDPWD") {
		return ""
	}
	before, last := lastWords(name)
	switch last {
	case "pat":
		if !patWords()[before] {
			return ""
		}
	case "key":
		if keyWords()[before] {
			return "key"
		}
		return ""
	case "token":
		if tokenWords()[before] {
			return ""
		}
	case "pass", "pw", "auth", "jwt": // these words have other meanings, too
		if before == "" && last != "jwt" || before == "no" || before == "is" || before == "first" || before == "by" || before == "render" {
			return ""
		}
	case "salt", "pepper":
		if before == "auth" || before == "nonce" || before == "in" || before == "hash" || before == "password" || before == "secret" || before == "cookie" {
			return "key"
		}
		return ""
	case "base": // of Rails
		if before == "key" && strings.Contains(strings.ToLower(name), "secret") {
			return "key"
		}
		return ""
	case "base64", "b64", "value", "text", "plain", "plaintext", "old", "new", "1", "2": // password_base64
		if before != "" {
			return kindOfWord(before)
		}
	}
	return kindOfWord(last)
}

// maySaySecret rules out most names cheaply.
func maySaySecret(name string) bool {
	for i := 0; i+1 < len(name); i++ {
		switch name[i] | 0x20 {
		case 'p':
			if c := name[i+1] | 0x20; c == 'a' || c == 'w' || c == 's' {
				return true
			}
		case 's', 'k', 'j', 'b':
			if c := name[i+1] | 0x20; c == 'e' || c == 'w' || c == 'a' && name[i]|0x20 == 's' {
				return true
			}
		case 'm':
			if name[i+1]|0x20 == 'd' || name[i+1]|0x20 == 'a' {
				return true
			}
		case 't':
			if name[i+1]|0x20 == 'o' {
				return true
			}
		case 'c':
			if name[i+1]|0x20 == 'r' {
				return true
			}
		case 'a':
			if name[i+1]|0x20 == 'u' {
				return true
			}
		}
	}
	return false
}

// lastWords returns the last two words of a name in small letters: of dbPassword, DB_PASSWORD, db-password and
// db.password.
func lastWords(name string) (before, last string) {
	end := len(name)
	for end > 0 && !isLetterOrDigit(name[end-1]) {
		end--
	}
	from := wordFrom(name[:end])
	last = strings.ToLower(name[from:end])
	for from > 0 && !isLetterOrDigit(name[from-1]) {
		from--
	}
	return strings.ToLower(name[wordFrom(name[:from]):from]), last
}

// wordFrom returns where the last word of a name begins.
func wordFrom(name string) int {
	i := len(name)
	for i > 0 && isLetterOrDigit(name[i-1]) {
		i--
		if i > 0 && i < len(name) && isUpper(name[i]) && (!isUpper(name[i-1]) || i+1 < len(name) && !isUpper(name[i+1]) && kindOf(name[i+1]) == 2) && isLetterOrDigit(name[i-1]) {
			return i
		}
	}
	return i
}

func isUpper(b byte) bool { return b >= 'A' && b <= 'Z' }

func isLetterOrDigit(b byte) bool { return classOf[b]&(1<<letters) != 0 }
