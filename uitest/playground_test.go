package uitest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// banning is a hook that somebody writes in the playground.
const banning = `on("pre_tool_call", { name = "no-curl", match = { kind = "shell" } }, function(ev)
  for _, cmd in ipairs(shell.parse(ev.tool_call.command).commands) do
    if cmd.name == "curl" or cmd.name == "git" and cmd:subcommand() == "diff" then
      return deny("ask for what you need: " .. cmd.name)
    end
  end
end)
`

// tries types a command and a hook, and fires it.
func tries(p *tab, command, hook string) {
	p.t.Helper()
	p.the("textbox", "Command, or file").write(command)
	p.the("textbox", edited(p)).write(hook)
	fires(p, "Fire this call")
}

// edited is the name of the file that is edited, which labels its text.
func edited(p *tab) string {
	p.t.Helper()
	return ask[string](p, `document.querySelector("textarea[name=text]").labels[0].innerText`)
}

// fires presses a button that asks for an answer.
func fires(p *tab, button string) {
	p.t.Helper()
	ask[string](p, `(document.documentElement.dataset.left = "soon", document.getElementById("answer").replaceChildren(), "")`)
	p.the("button", button).click()
	p.eventually("an answer", `document.readyState === "complete" && document.getElementById("answer").innerText.trim() !== ""`)
}

// answer is what has come of the last event.
func answer(p *tab) string {
	p.t.Helper()
	return ask[string](p, `document.getElementById("answer").innerText`)
}

// TestPlayground fires a command at a hook that is edited in the page.
func TestPlayground(t *testing.T) {
	s := serve(t, "log")
	before := files(t, s.home)
	p := open(t, s).visit("playground")
	tries(p, "curl https://example.net/list", banning)
	if text := answer(p); !strings.Contains(text, "ask for what you need: curl") || !strings.Contains(text, "deny") || !strings.Contains(text, "no-curl") {
		t.Errorf("want a denial by the edited hook:\n%s", text)
	}
	if at := ask[string](p, "document.documentElement.dataset.left || ''"); at != "soon" {
		t.Error("the answer came with another page, want it on this one")
	}
	tries(p, "ls", banning)
	if text := answer(p); strings.Contains(text, "ask for what you need") {
		t.Errorf("want no denial of ls:\n%s", text)
	}
	tries(p, "ls", "on(\"pre_tool_call\", function(ev)\n  return deny(\nend)\n")
	if text := answer(p); !strings.Contains(text, ":3") {
		t.Errorf("want the line of the mistake, 3:\n%s", text)
	}
	tries(p, "ls", `on("pre_tool_call", function(ev) while true do end end)`)
	if text := answer(p); !strings.Contains(text, "instructions") {
		t.Errorf("want the limit that an endless loop has met:\n%s", text)
	}
	p.the("button", "Start again").click()
	p.eventually("the file's own text", `!document.querySelector("textarea[name=text]").value.includes("while true")`)
	p.the("combobox", "Sample of").choose("subagent_start")
	fires(p, "Fire the sample")
	if text := ask[string](p, `document.querySelector("textarea[name=event]").value`); !strings.Contains(text, `"subagent_start"`) {
		t.Errorf("the event that is fired isn't the sample:\n%s", text)
	}
	for name, was := range before {
		if is := files(t, s.home)[name]; is != was {
			t.Errorf("%s has changed", name)
		}
	}
	for name := range files(t, s.home) {
		if _, was := before[name]; !was {
			t.Errorf("%s has come", name)
		}
	}
}

// files are the texts of all files of a folder but those of the log, in which the index lies.
func files(t *testing.T, dir string) map[string]string {
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(path, "/luahook/log/") {
			return err
		}
		text, err := os.ReadFile(path)
		all[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestPlaygroundByKeyboard fires with Ctrl+Enter, and leaves the field with the tabulator.
func TestPlaygroundByKeyboard(t *testing.T) {
	p := open(t, serve(t, "log")).visit("playground")
	p.the("textbox", "Command, or file").write("rm -rf / --no-preserve-root")
	fires(p, "Fire this call")
	ask[string](p, `(document.getElementById("answer").replaceChildren(), "")`)
	field := p.the("textbox", edited(p))
	field.write(banning)
	p.run("Ctrl+Enter", chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	p.shows("safety-guard")
	p.eventually("an answer", `document.getElementById("answer").innerText.includes("deny")`)
	apply[bool](field, `function() { this.focus(); return true }`)
	p.press(kb.Tab)
	if name := ask[string](p, `document.activeElement.name || ""`); name == "text" {
		t.Error("the tabulator stays in the field")
	}
}

// TestWouldHaveBeen fires what is recorded at an edited hook.
func TestWouldHaveBeen(t *testing.T) {
	for _, scripts := range []string{"with scripts", "without scripts"} {
		t.Run(scripts, func(t *testing.T) {
			p := open(t, serve(t, "log"))
			if scripts == "without scripts" {
				p.withoutScripts()
			}
			p.visit("playground")
			p.the("textbox", edited(p)).write(banning)
			p.the("button", "Compare").click()
			p.eventually("differences", `document.readyState === "complete" && (document.getElementById("past")?.innerText || "").includes("ask for what you need: git")`)
			past := ask[string](p, `document.getElementById("past").innerText`)
			if !strings.Contains(past, "git diff --stat") || strings.Contains(past, "go vet ./cart") {
				t.Errorf("want the commands with git diff among the differences, and those alone:\n%.3000s", past)
			}
			if links := ask[int](p, `document.querySelectorAll("#past a").length`); links == 0 {
				t.Error("no difference has a link to its record")
			}
		})
	}
}

// TestPlaygroundWithoutScripts has the answer on the page that comes.
func TestPlaygroundWithoutScripts(t *testing.T) {
	p := open(t, serve(t, "log")).withoutScripts().visit("playground")
	p.the("textbox", "Command, or file").write("curl https://example.net/list")
	p.the("textbox", edited(p)).write(banning)
	p.follow("Fire this call", p.the("button", "Fire this call").click)
	if text := answer(p); !strings.Contains(text, "ask for what you need: curl") {
		t.Errorf("want a denial by the edited hook:\n%s", text)
	}
	if text := ask[string](p, `document.querySelector("textarea[name=text]").value`); text != banning {
		t.Errorf("the edited hook isn't as it was typed:\n%s", text)
	}
}
