package redact_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/luahook/luahook/internal/redact"
)

// hostile are repeated texts that could make a rule read the same bytes many times: its own beginning, near
// misses, names whose values don't end.
var hostile = []string{
	"sk-", "sk-ant-", "sk-proj-", "glpat-", "glpat-word-", "xoxb-", "xoxe.", "xoxd-", "ghp_", "AKIA", "AIza", "ya29.", "hooks.slack.com/", "whsec_+", "npm_", "pypi-", "tskey-", "SG.a", "SG.aaaaaaaaaaaaaaaaaaaa.", "eyJ", "eyJ.", "eyJaaaaaaaaaaa.eyJ", "eyJ-",
	"Bearer ", "Bearer a.", "Basic ", "Basic QUJD", "ATATT3.", "AGE-SECRET-KEY-1", "dapi0", "SK0",
	"-----BEGIN PRIVATE KEY-----\n", "-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----A", "-----BEGIN PRIVATE KEY-----\n\n\n", "-----BEGIN RSA PRIVATE KEY-----AAAAAAAAAAAAAAAAAA b ", "-----END ",
	"-", "--", "-p", " -p", "mysql -p", "sshpass -p'", "curl -u", "curl -u a:", "curl -u 'a:", "--user ", "--password ", "--password '", "--token \"", `--password \\"`,
	"a://", "a://b:", "a://b:c@", "a://b:c@-", "=", ":", "token=", `token="`, `token="\`, "password: ", "password='a", "password = ", "password : str = ", "a.b.c:", "[redacted: ", "[redacted: password]", "password=[redacted: ", `\`, `"`, "%3D", "authorization: ", "Authorization: Bearer ", "&signature=",
	"a", "0", "a-", "ab", "Winter-is-c0min", "AKIAY34FZKBOKMUTVV7A,aB3dE5fG7hJ9kL1mN2pQ",
	strings.Repeat("token=", 1300) + " ", strings.Repeat("token=", 1300) + ",", strings.Repeat("sk-", 80) + "-", "sk-" + strings.Repeat("a", 300) + "-",
	`{"ghp_a":1,`, "\n\t- password:\n", "\x00", "\xff", "é",
}

// environment has secrets that begin alike, and ones that a text can nearly hold everywhere.
func environment() []string {
	list := []string{"DB_PASSWORD=Winter-is-c0ming", "SIGNING_KEY=abcdefgh12"}
	for i := range 200 {
		list = append(list, fmt.Sprintf("T%d_TOKEN=%s%d", i, strings.Repeat("ab", 100+i), i))
	}
	return list
}

// Any text is paid for in pieces, and none is read much more often than an honest text.
func TestWorkGrowsWithTheText(t *testing.T) {
	const size = 1 << 20
	r := redact.New(environment())
	for _, part := range hostile {
		text := strings.Repeat(part, size/len(part)+1)
		paid, most := 0, 0
		r.Paying(func(bytes int) { paid, most = paid+bytes, max(most, bytes) }).Text(text)
		if paid > 64*len(text) {
			t.Errorf("%.40q: %d bytes are looked through as %d are", part, len(text), paid)
		}
		if most > 2*len(text) {
			t.Errorf("%.40q: %d bytes are looked through in one go", part, most)
		}
	}
}

// pay may end the work anywhere.
func TestWorkCanBeEnded(t *testing.T) {
	for _, part := range []string{"sk-", "token=", "x:", "password=hunter2 ", "Winter-is-c0ming"} {
		calls := 0
		func() {
			defer func() { _ = recover() }()
			redact.New(environment()).Paying(func(int) {
				if calls++; calls == 3 {
					panic("the time is over")
				}
			}).Text(strings.Repeat(part, 1<<20/len(part)))
		}()
		if calls != 3 {
			t.Errorf("%q: %d calls", part, calls)
		}
	}
	paid := 0
	redact.New(nil).Paying(func(bytes int) { paid += bytes }).Text(strings.Repeat("x ", 1<<20))
	if paid < 2<<20 {
		t.Errorf("harmless text: %d bytes of %d are paid for", paid, 2<<20)
	}
	calls := 0
	list := make([]any, 50_000)
	redact.New(nil).Paying(func(int) { calls++ }).Value(list)
	if calls < 40 {
		t.Errorf("a list of %d values is paid for %d times", len(list), calls)
	}
}

// Names that all become the same mark are numbered without a search for each.
func TestManyKeysThatLookTheSame(t *testing.T) {
	m := map[string]any{}
	for i := range 50_000 {
		m[fmt.Sprintf("gh"+"p_%s%05d", mix36, i)] = i
	}
	got, n := redact.New(nil).Value(m)
	if kept := got.(map[string]any); len(kept) != len(m) || n != len(m) {
		t.Errorf("%d keys have become %d, %d found", len(m), len(kept), n)
	}
}

// A secret of the environment that was cut short is still found.
func TestBeginningOfALongSecret(t *testing.T) {
	long := "aZ9" + strings.Repeat("k3J-", 200)
	r := redact.New([]string{"LONG_TOKEN=" + long, "SHORT_TOKEN=" + long[:40]})
	for text, want := range map[string]string{
		"<" + long + ">":       "<[redacted: environment: LONG_TOKEN]>",
		"<" + long[:300] + ">": "<[redacted: environment: LONG_TOKEN]>",
		"<" + long[:50] + ">":  "<[redacted: environment: SHORT_TOKEN]" + long[40:50] + ">",
		"<" + long[:39] + ">":  "<" + long[:39] + ">",
	} {
		if got, _ := r.Text(text); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}
