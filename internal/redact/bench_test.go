package redact_test

import (
	"strings"
	"testing"

	"github.com/luahook/luahook/internal/redact"
)

// The texts are 1 MiB each. To repeat: go test ./redact -bench .
func BenchmarkText(b *testing.B) {
	fill := func(part string) string { return strings.Repeat(part, 1<<20/len(part)+1)[:1<<20] }
	r := redact.New([]string{"DB_PASSWORD=Winter-is-c0ming", "SIGNING_KEY=abcdefgh12"})
	for _, c := range []struct{ name, text string }{
		{"prose", fill("The quick brown fox jumps over the lazy dog, and begins to do something else: it sleeps.\n")},
		{"go", fill("func (x *scan) run(c class, i int) int {\n\tif x.starts[c] <= i && i < x.ends[c] {\n\t\treturn x.ends[c]\n\t}\n\tend := i\n")},
		{"json", fill(`{"id":12345,"name":"a name","tags":["a","b"],"key":"value","nested":{"ok":true,"size":12}},`)},
		{"base64", fill("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk")},
		{"names", fill("password = x, token: y, --secret z ")},
		{"secrets", fill("password=hunter2 gh" + "p_" + mix36 + "\n")},
		{"begins", fill("-----BEGIN PRIVATE KEY-----\n")},
		{"dashes", fill("-")}, {"colons", fill(":")}, {"equals", fill("=")}, {"brackets", fill("[redacted: ")},
		{"jwts", fill("eyJa-")}, {"addresses", fill("a://b:c")}, {"quotes", fill(`token="\`)}, {"bearers", fill("Bearer a.")}, {"keys", fill("AK" + "IAY34FZKBOKMUTVV7A,")},
		{"blanks", fill("-----BEGIN PRIVATE KEY-----" + strings.Repeat("A", 500) + strings.Repeat("  b", 5000))},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			for b.Loop() {
				r.Text(c.text)
			}
		})
	}
}
