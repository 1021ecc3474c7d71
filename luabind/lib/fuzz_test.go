package lib

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/lib/internal/hostgrant"
)

// hook loads a script with one hook of notification and returns what calls it with
// a message and gives back the text that it answers with context(...).
func hook(f *testing.F, source string) func(t *testing.T, message string, fields map[string]any) string {
	s, err := load(f, luabind.Environment{Modules: Modules(), Limits: wide}, source)
	if err != nil {
		f.Fatal(err)
	}
	return func(t *testing.T, message string, fields map[string]any) string {
		t.Helper()
		c, err := (&hooks.Context{Event: hooks.Notification, Fields: map[string]any{"message": message}, Metadata: fields}).Complete()
		if err != nil {
			t.Fatal(err)
		}
		out := s.Call(context.Background(), 0, c, luabind.Limits{})
		if out.Err != nil {
			t.Fatalf("%v, of %q", out.Err, message)
		}
		return out.Result.SystemMessage
	}
}

// sameNumber lets a whole number be written with a fraction or without.
var sameNumber = cmp.FilterValues(func(x, y any) bool {
	_, wholeX := x.(int64)
	_, wholeY := y.(int64)
	_, floatX := x.(float64)
	_, floatY := y.(float64)
	return (wholeX && floatY) || (floatX && wholeY)
}, cmp.Comparer(func(x, y any) bool {
	if i, ok := x.(int64); ok {
		return float64(i) == y.(float64)
	}
	return x.(float64) == float64(y.(int64))
}))

// floats makes numbers of those that are written with a fraction or an exponent and
// that DecodeJSON keeps as text because another writing of them is shorter: 1e300 is
// a Lua number like any other. What is too large for one stays text.
func floats(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			v[k] = floats(e)
		}
	case []any:
		for i, e := range v {
			v[i] = floats(e)
		}
	case json.Number:
		if f, err := v.Float64(); err == nil && strings.ContainsAny(v.String(), ".eE") {
			return f
		}
	}
	return v
}

// FuzzJSON: what decodes encodes to the same value, and again to the same text.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{
		"null", "[]", "{}", `{"a":[1,-2.5,1e300,9007199254740993],"b":{"c":null}}`, `"ä\u0000\ud83d\ude00"`, "[[[[]]]]", "1e400", "-0", "0.1e-7", `{"1":2}`, `[null,{}]`, "1e20", "123456789012345678901", "x", "[1,", `{"":""}`,
		"\ufeff[]", `"\ud83d\ud83d\ude00\udc00x"`, "\"\xff\xc3\"", "\"\x01\"", `"\x"`, `"\u12"`, "-", "-01", "1.", "1e+", "01", "tru", "nul1", `{"a":1,"\u0061":2}`, `{"a":1,}`, "[1,]", "1 1", "  ", `"a`, `"\`, "9223372036854775808", "-9223372036854775808", "1e-400", "100000000000000000000", "12345678901234567", "2.50",
	} {
		f.Add(s)
	}
	call := hook(f, `on("notification", function(ev)
		local ok, value = pcall(json.decode, ev.message)
		if not ok then return message("error") end
		local s = json.encode(value)
		assert(json.encode(json.decode(s)) == s)
		assert(json.encode(json.decode(json.encode(value, { indent = true }))) == s)
		return message(s)
	end)`)
	f.Fuzz(func(t *testing.T, s string) {
		got := call(t, s, nil)
		want, err := hooks.DecodeJSON([]byte(s))
		if got == "error" {
			// Refused though valid: only past the bounds, which short texts aren't.
			if err == nil && len(s) < 100 {
				t.Errorf("%q is refused", s)
			}
			return
		}
		if err != nil {
			t.Fatalf("%q decodes to %s", s, got)
		}
		value, err := hooks.DecodeJSON([]byte(got))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(floats(want), floats(value), sameNumber); d != "" {
			t.Errorf("%q: -want +got\n%s", s, d)
		}
	})
}

// FuzzShellParse: no text makes shell.parse or the methods of its commands fail.
func FuzzShellParse(f *testing.F) {
	for _, s := range []string{
		"", "ls", "a | b && c", "sudo -u x rm -rf /", "echo $(cat <<EOF\nx\nEOF\n)", "for i in *; do x $i; done", "a 'b", "((((", "x() { y; }", "bash -c 'a; b'", "A=1 B+=2", "${x:-$(y)}", "a >b 2>&1 <c", "\x00", "git -C x --", "find . -exec rm {} +", "é\u2028",
	} {
		f.Add(s)
	}
	call := hook(f, `on("notification", function(ev)
		local line = shell.parse(ev.message)
		for _, c in ipairs(line.commands) do
			local _ = c.name, c:flag("-f", "--force"), c:subcommand()
			assert(#c:operands() <= #c.args and #c.args == #c.words)
			json.encode(c)
		end
		assert(type(line.too_complex) == "boolean" and (line.error == nil or not line.error:find("\n")))
		return message("done")
	end)`)
	f.Fuzz(func(t *testing.T, s string) {
		if utf8.ValidString(s) {
			call(t, s, nil)
		}
	})
}

// FuzzTruncate: never longer than allowed, never longer than before, and valid UTF-8
// stays valid.
func FuzzTruncate(f *testing.F) {
	f.Add("hello world", 8, "...")
	f.Add("€€€", 4, "")
	f.Add("😀", 3, "…")
	f.Add("\xff\xfe\x80\x80\x80\x80", 3, "")
	call := hook(f, `on("notification", function(ev)
		return message("=" .. text.truncate(ev.message, ev.metadata.max, ev.metadata.marker))
	end)`)
	f.Fuzz(func(t *testing.T, s string, limit int, marker string) {
		if limit < 0 || limit > 1<<30 || s == "" {
			return
		}
		got := call(t, s, map[string]any{"max": limit, "marker": marker})[1:]
		if len(got) > limit || len(got) > len(s) {
			t.Errorf("truncate(%q, %d, %q) = %q", s, limit, marker, got)
		}
		if utf8.ValidString(s) && utf8.ValidString(marker) && !utf8.ValidString(got) {
			t.Errorf("truncate(%q, %d, %q) = %q, no UTF-8", s, limit, marker, got)
		}
		if len(s) <= limit && got != s {
			t.Errorf("truncate(%q, %d, %q) = %q, want it as it was", s, limit, marker, got)
		}
	})
}

func FuzzURL(f *testing.F) {
	for _, s := range []string{"https://api.example.com/x", "http://[::1]:80/", "https://a@b", "http://api.example.com:", "https:opaque", "http://\x00", "https://api.example.com%2f@evil.org/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		u, err := url.Parse(s)
		if err != nil || checkURL(u) != nil {
			return
		}
		if _, err := hostgrant.Of([]string{"api.example.com"}, u); err == nil {
			// What is granted is what would be dialled.
			r, err := http.NewRequest("GET", u.String(), nil)
			if err != nil {
				return
			}
			if h := strings.TrimSuffix(strings.ToLower(r.URL.Hostname()), "."); h != "api.example.com" {
				t.Errorf("%q is let through for %q", s, h)
			}
		}
	})
}
