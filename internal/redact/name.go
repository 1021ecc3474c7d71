package redact

import (
	"strings"
	"sync"
)

// SecretName says whether what has this name, a key of JSON, an environment variable or
// a flag, is a secret by its name: DB_PASSWORD, clientSecret, api-key. Names of what is
// only about a secret are none: password_file, token_type, max_tokens.
func SecretName(name string) bool { return kindOfName(name) != "" }

// kinds are the names of what is found by its name, and by which words.
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

// keyWords make a secret of the "key" behind them.
var keyWords = words("api secret private access auth account encryption signing shared master storage app session jwt hmac cipher decryption service deploy license webhook subscription aes rsa ssh preshared instrumentation nonce in")

// patWords make a personal access token of the "pat" behind them.
var patWords = words("github gh gitlab gl azure ado devops git access api token bitbucket jira")

// tokenWords make no secret of the "token" behind them.
var tokenWords = words("next page continuation sync cancel cancellation stop eos bos pad unk mask sep special start end max min current last first prev previous lookahead parse lexer")

// words is the set of the words in a list, made when it is first asked for.
func words(list string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		set := map[string]bool{}
		for _, w := range strings.Fields(list) {
			set[w] = true
		}
		return set
	})
}

// kindOfName is what a name says that its value is, "" for nothing secret. It is the
// last word that says it: token_count is a count.
func kindOfName(name string) string {
	if kind := exactKind(name); kind != "" || name == "" || kindOf(name[len(name)-1]) != 1 {
		return kind
	}
	return exactKind(strings.TrimRight(name, "0123456789")) // password02
}

// exactKind is kindOfName but for numbers at the end.
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
	case "pass", "pw", "auth", "jwt": // words of other matters, too
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

// maySaySecret sorts out most names cheaply.
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

// lastWords are the last two words of a name in small letters: of dbPassword, DB_PASSWORD,
// db-password and db.password.
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

// wordFrom is where the word begins that ends a name.
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
