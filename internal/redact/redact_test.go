package redact_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/luahook/luahook/internal/redact"
)

func real(s string) string { return strings.ReplaceAll(s, "~|", "") }

func TestSecretsAreReplaced(t *testing.T) {
	r := redact.New(nil)
	for _, c := range hits {
		text, want := real(c.text), real(c.want)
		got, found := r.Text(text)
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
		if n := strings.Count(want, "[redacted: "); found != n {
			t.Errorf("%s: says %d, want %d", text, found, n)
		}
		if again, n := r.Text(got); again != got || n != 0 {
			t.Errorf("%s\n      became %s\nand then   %s", text, got, again)
		}
		surrounded := "Some text before, 100% harmless.\n" + text + "\nand some more: the end\n"
		if got, _ := r.Text(surrounded); !strings.Contains(got, want) {
			t.Errorf("%q\n got %q\nwant in it %q", surrounded, got, want)
		}
	}
}

// Colours that programs give a part of a secret, or each character, don't hide it.
func TestColoursHideNothing(t *testing.T) {
	r := redact.New([]string{"DB_PASSWORD=Winter-is-c0ming"})
	for _, escape := range []string{"\x1b[0m", "\x1b[01;31m\x1b[K", "\x1b]8;;http://x\x1b\\", `\u001b[31m`, `\\u001B[0m`, `\x1b[1;38;5;10m`, `\033[0m`, `\e[K`, "^[[0m", "␛[0m", `\u{1b}[m`} {
		for _, c := range hits {
			text, want := real(c.text), real(c.want)
			coloured := strings.Join(strings.Split(text, ""), escape)
			if got, _ := r.Text(coloured); got != want && want != text && (escape[0] == '\x1b' || !strings.Contains(text, `\`)) {
				t.Errorf("%s, in colours\n got %q\nwant %q", text, got, want)
			}
		}
		for _, text := range stays {
			coloured := strings.Join(strings.Split(real(text), ""), escape)
			if got, found := r.Text(coloured); got != coloured || found != 0 {
				t.Errorf("%s, in colours, became %q (%d)", text, got, found)
			}
		}
	}
	for text, want := range map[string]string{
		"\x1b[31mtoken\x1b[0m=\x1b[32mabcd1234efgh\x1b[0m": "token=[redacted: token]",
		"\x1b[31mred\x1b[0m token=abcd1234efgh":            "\x1b[31mred\x1b[0m token=[redacted: token]",
	} {
		if got, _ := r.Text(text); got != want {
			t.Errorf("%q\n got %q\nwant %q", text, got, want)
		}
	}
}

func TestNearMissesStay(t *testing.T) {
	r := redact.New(nil)
	for _, text := range stays {
		text = real(text)
		if got, found := r.Text(text); got != text || found != 0 {
			t.Errorf("%s\nbecame %s (%d)", text, got, found)
		}
	}
}

func TestTablesAreLarge(t *testing.T) {
	if len(hits) < 150 || len(stays) < 210 {
		t.Errorf("%d hits, %d near misses", len(hits), len(stays))
	}
}

func TestEnvironment(t *testing.T) {
	r := redact.New([]string{
		"DB_PASSWORD=Winter-is-c0ming", "GITHUB_TOKEN=gh" + "p_" + mix36, "SIGNING_KEY=abcdefgh12", "MAIL_PASS=Winter-is-c0ming-again",
		"HOME_PASSWORD=password", "SOCK_TOKEN=/run/user/1000/sock", "APP_SECRET=development", "PIN_SECRET=12345678", "SHORT_TOKEN=a1b2c3", "EDITOR=vim-is-nice-12",
		"A_TOKEN=$OTHER_TOKEN", "NO", "=C:=x", "EMPTY_TOKEN=",
	})
	for text, want := range map[string]string{
		"psql said Winter-is-c0ming.":  "psql said [redacted: environment: DB_PASSWORD].",
		"Winter-is-c0ming-again":       "[redacted: environment: MAIL_PASS]",
		"xxabcdefgh12yy":               "xx[redacted: environment: SIGNING_KEY]yy",
		"gh" + "p_" + mix36:            "[redacted: environment: GITHUB_TOKEN]",
		"DB_PASSWORD=Winter-is-c0ming": "DB_PASSWORD=[redacted: environment: DB_PASSWORD]",
		"a word: password":             "a word: password",
		"/run/user/1000/sock":          "/run/user/1000/sock",
		"for development 12345678":     "for development 12345678",
		"a1b2c3 vim-is-nice-12":        "a1b2c3 vim-is-nice-12",
		"[redacted: environment: DB_PASSWORD] [redacted: environment: X]": "[redacted: environment: DB_PASSWORD] [redacted: environment: X]",
	} {
		got, _ := r.Text(text)
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
		if again, n := r.Text(got); again != got || n != 0 {
			t.Errorf("%s\nthen %s", got, again)
		}
	}
}

// A text that only looks like a mark hides nothing.
func TestNoSecretHidesInABracket(t *testing.T) {
	r := redact.New([]string{"DB_PASSWORD=Winter-is-c0ming"})
	for _, text := range []string{"[redacted: gh" + "p_" + mix36 + "]", "[redacted: Winter-is-c0ming]", "[redacted: environment: gh" + "p_" + mix36 + "]"} {
		if got, n := r.Text(text); n != 1 {
			t.Errorf("%s became %s", text, got)
		}
	}
}

func TestValue(t *testing.T) {
	r := redact.New(nil)
	for _, c := range []struct {
		in, want string
		found    int
	}{
		{`{"command":"mysql --password hunter2","n":1}`, `{"command":"mysql --password [redacted: password]","n":1}`, 1},
		{`{"password":"correct horse","user":"me"}`, `{"password":"[redacted: password]","user":"me"}`, 1},
		{`{"password":12345678,"token":12345678}`, `{"password":"[redacted: password]","token":12345678}`, 1},
		{`{"credentials":{"user":"someone","key":["abcd"]}}`, `{"credentials":{"user":"[redacted: credentials]","key":["[redacted: credentials]"]}}`, 2},
		{`{"env":{"API_KEY":"$API_KEY","SECRET":"<secret>","TOKEN":""}}`, `{"env":{"API_KEY":"$API_KEY","SECRET":"<secret>","TOKEN":""}}`, 0},
		{`{"GITHUB_TOKEN":"gh` + `p_` + mix36 + `"}`, `{"GITHUB_TOKEN":"[redacted: github token]"}`, 1},
		{`{"headers":{"Authorization":"Bearer ` + mix36 + `"}}`, `{"headers":{"Authorization":"Bearer [redacted: bearer token]"}}`, 1},
		{`{"Authorization":"` + hex32 + `"}`, `{"Authorization":"[redacted: credentials]"}`, 1},
		{`["gh` + `p_` + mix36 + `",true,null,1.5]`, `["[redacted: github token]",true,null,1.5]`, 1},
		{`{"gh` + `p_` + mix36 + `":1}`, `{"[redacted: github token]":1}`, 1},
		{`{"password":true,"max_tokens":4096,"token":"word"}`, `{"password":true,"max_tokens":4096,"token":"[redacted: token]"}`, 1},
		{`{"env":[{"name":"DB_PASSWORD","value":"correct-horse"},{"name":"DB_HOST","value":"db.example"}]}`, `{"env":[{"name":"DB_PASSWORD","value":"[redacted: password]"},{"name":"DB_HOST","value":"db.example"}]}`, 1},
		{`{"Key":"apiKey","Value":"abcd1234efgh"}`, `{"Key":"apiKey","Value":"[redacted: key]"}`, 1},
		{`["deploy","--token","Ab3dE6gH9jK2","-v"]`, `["deploy","--token","[redacted: token]","-v"]`, 1},
		{`{"argv":["mysql","-uroot","-pcorrecthorse"]}`, `{"argv":["mysql","-uroot","-p[redacted: password]"]}`, 1},
		{`["curl","-u","kim:hunter22","https://x"]`, `["curl","-u","kim:[redacted: password]","https://x"]`, 1},
		{`["ls","-p","hunter22",3]`, `["ls","-p","hunter22",3]`, 0},
		{`{"Cookie":"sid=Ab3dE6gH9jK2; lang=en"}`, `{"Cookie":"sid=[redacted: cookie]; lang=en"}`, 1},
		{`"plain"`, `"plain"`, 0},
	} {
		var v, want any
		if err := json.Unmarshal([]byte(c.in), &v); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(c.want), &want); err != nil {
			t.Fatal(err)
		}
		got, found := r.Value(v)
		if diff := cmp.Diff(want, got); diff != "" || found != c.found {
			t.Errorf("%s: found %d, want %d; (-want +got)\n%s", c.in, found, c.found, diff)
		}
		if again, n := r.Value(got); n != 0 {
			t.Errorf("%s: then %v (%d)", c.in, again, n)
		}
		var same any
		if err := json.Unmarshal([]byte(c.in), &same); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(same, v); diff != "" {
			t.Errorf("%s was changed:\n%s", c.in, diff)
		}
	}
}

func TestKeysThatLookTheSameAreKept(t *testing.T) {
	got, n := redact.New(nil).Value(map[string]any{"gh" + "p_" + mix36: 1, "gh" + "p_" + strings.ToUpper(mix36): 2, "gh" + "o_" + mix36: 3})
	if m := got.(map[string]any); len(m) != 3 || n != 3 {
		t.Errorf("%v, %d", m, n)
	}
}

func TestSecretName(t *testing.T) {
	for _, name := range []string{"password", "DB_PASSWORD", "dbPassword", "client_secret", "clientSecret", "GITHUB_TOKEN", "x-api-key", "apiKey", "APIKey", "aws_secret_access_key", "SecretAccessKey", "PGPASSWORD", "MYSQL_PWD", "spring.datasource.password", "_authToken", "privateKey", "credentials", "GITLAB_PAT"} {
		if !redact.SecretName(name) {
			t.Errorf("%s is one", name)
		}
	}
	for _, name := range []string{"", "PATH", "PWD", "OLDPWD", "key", "public_key", "primaryKey", "password_file", "token_type", "tokens", "max_tokens", "nextPageToken", "secretName", "author", "keyboard", "compass", "monkey", "bypass", "tokenizer", "auth", "passed"} {
		if redact.SecretName(name) {
			t.Errorf("%s is none", name)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, c := range hits {
		f.Add(real(c.text))
	}
	for _, text := range stays {
		f.Add(real(text))
	}
	r := redact.New([]string{"DB_PASSWORD=Winter-is-c0ming", "SIGNING_KEY=abcdefgh12", "OTHER_TOKEN=gh" + "p_" + mix36})
	f.Fuzz(func(t *testing.T, text string) {
		once, found := r.Text(text)
		if found == 0 && once != text {
			t.Errorf("nothing found, and changed: %q to %q", text, once)
		}
		if twice, n := r.Text(once); twice != once || n != 0 {
			t.Errorf("%q\nonce  %q\ntwice %q", text, once, twice)
		}
	})
}

// Keep is called with each secret, and no other text; secrets that it doesn't keep are replaced as usual.
func TestKeep(t *testing.T) {
	var asked []string
	r := redact.New([]string{"DB_PASSWORD=Winter-is-c0ming"}).Keep(func(secret string) bool {
		asked = append(asked, secret)
		return secret == "hunter2" || secret == "Winter-is-c0ming"
	})
	text := "password=hunter2 Winter-is-c0ming password=hunter3"
	if got, n := r.Text(text); got != "password=hunter2 Winter-is-c0ming password=[redacted: password]" || n != 1 {
		t.Errorf("got %q (%d)", got, n)
	}
	if diff := cmp.Diff([]string{"Winter-is-c0ming", "hunter2", "hunter3"}, asked); diff != "" {
		t.Error(diff)
	}
	v := map[string]any{"password": "hunter2", "pin": 4.0, "authorization": "Basic hunter2", "list": []any{"token=abcd1234efgh"}}
	want := map[string]any{"password": "hunter2", "pin": 4.0, "authorization": "Basic hunter2", "list": []any{"token=[redacted: token]"}}
	got, n := r.Value(v)
	if diff := cmp.Diff(want, got); diff != "" || n != 1 {
		t.Errorf("%d\n%s", n, diff)
	}
}
