package markup

import (
	"strings"
	"testing"
)

func TestNodes(t *testing.T) {
	for want, n := range map[string]Node{
		``:                                     {},
		`<p></p>`:                              El("p"),
		`<p>a &lt;b&gt; &amp; &#34;c&#34;</p>`: El("p", Text(`a <b> & "c"`)),
		`<a class="x" href="/y?z=1&amp;w=2">l</a>`: El("a", Class("x"), Text("l"), Attr("href", "/y?z=1&w=2")),
		`<input value="&#39;&#34;&gt;" required>`:  El("input", Attr("value", `'">`), Has("required", true), Has("disabled", false)),
		`<br>`:       El("br"),
		`12`:         Each([]int{1, 2}, func(i int) Node { return Textf("%d", i) }),
		`<p>yes</p>`: El("p", If(true, Text("yes")), If(false, Text("no")), If(false, Class("no"))),
		`&lt;U+202E&gt;x&lt;U+0007&gt;&lt;U+200B&gt;` + "\n": Text("\u202ex\a\u200b\n"),
		"\u202ex\u200b&#13;\ufffd":                           Verbatim("\u202ex\u200b\r\x00"),
		"\ufffd":                                             Text("\xff"),
	} {
		if got := n.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// An address that leads elsewhere, or runs something, is none.
func TestAddresses(t *testing.T) {
	for text, want := range map[string]string{
		"/t/now": "/t/now", "#a": "#a", "?a=b": "?a=b", "": "",
		"javascript:alert(1)": "#", "//evil.example": "#", `/\evil.example`: "#", "/\t/evil.example": "#", "https://evil.example": "#", "data:text/html,x": "#", " /x": "#", "x": "#",
	} {
		for _, a := range []Attribute{Attr("href", text), Attr("src", text), Attr("action", text), Attr("formaction", text)} {
			if a.value != want {
				t.Errorf("%s %q is %q, want %q", a.name, text, a.value, want)
			}
		}
	}
}

// Attributes with scripts and styles can't be written.
func TestNoScripts(t *testing.T) {
	for _, name := range []constant{"onclick", "onerror", "style", "srcdoc"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s can be written", name)
				}
			}()
			Attr(name, "")
		}()
	}
}

// FuzzText checks that no text begins an element, ends an attribute, or ends what is around it.
func FuzzText(f *testing.F) {
	for _, text := range []string{"<script>", `"><img src=x onerror=alert(1)>`, "</textarea>", "&#60;", "\x00<", "\xc0<", "\u2028", "javascript:x"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		html := El("a", Attr("href", text), Attr("title", text), Text(text), Verbatim(text)).String()
		inside := strings.TrimSuffix(strings.TrimPrefix(html, "<a "), "</a>")
		if strings.ContainsAny(inside, "<'\x00") || strings.Count(inside, ">") != 1 || strings.Count(inside, `"`) != 4 {
			t.Errorf("%q is written as %s", text, html)
		}
	})
}
