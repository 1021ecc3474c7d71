package main

import (
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// pictured are the commands of README's picture, run in a folder that holds picturedHook.
var pictured = []string{"cat .hooks/push.lua", "luahook test", "luahook explain 'npm test && git push origin HEAD:main'"}

const picturedHook = `-- Changes reach main by a pull request.
-- denies: git push origin HEAD:main
-- passes: git commit -m "git push origin main"
on("pre_tool_call", { match = { kind = "shell" } }, function(ev)
  for _, cmd in ipairs(shell.parse(ev.tool_call.command).commands) do
    for _, push in ipairs(cmd.git and cmd.git.pushes or {}) do
      if push.branch == "main" or push.any then
        return deny("main is protected; push a branch and open a pull request")
      end
    end
  end
end)
`

// onTerminal gives what runs a command in a folder, which is a project with these files and is trusted, with a terminal for
// standard input, output and error.
func onTerminal(t *testing.T, files map[string]string) (run func(command string) string) {
	t.Helper()
	if _, err := exec.LookPath("script"); err != nil || runtime.GOOS != "linux" {
		t.Skip("needs script(1) of Linux, which makes a terminal")
	}
	dir, bin, home, cover := t.TempDir(), t.TempDir(), t.TempDir(), t.TempDir()
	files[".git/HEAD"] = "ref: refs/heads/main\n"
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(bin, "luahook")); err != nil {
		t.Fatal(err)
	}
	run = func(command string) string {
		cmd := exec.CommandContext(t.Context(), "script", "-qec", command, "/dev/null")
		cmd.Dir = dir
		cmd.Env = []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + home, "ACCOUNT_HOME=" + home, "TERM=xterm", "LANG=C.UTF-8", "GOCOVERDIR=" + cover}
		out, _ := cmd.CombinedOutput() // the exit status may be a verdict
		return strings.ReplaceAll(strings.TrimRight(string(out), " \r\n"), "\r\n", "\n")
	}
	run("luahook trust --yes")
	return run
}

// Where the result and standard error are read by one person, the reason stands there once.
func TestReasonIsSaidOnceOnATerminal(t *testing.T) {
	const reason = "main is protected"
	run := onTerminal(t, map[string]string{".hooks/push.lua": picturedHook})
	if got := run("luahook eval -c 'git push origin main'"); strings.Count(got, reason) != 1 {
		t.Errorf("%q is said %d times:\n%s", reason, strings.Count(got, reason), got)
	}
	if got := run("luahook eval -c 'git push origin main' --format json"); strings.Count(got, reason) < 2 {
		t.Errorf("the JSON is the result, standard error what the agent reads:\n%s", got)
	}
}

// TestPicture runs what README's picture shows on a terminal and compares: but for times and counts, the picture shows what the
// command prints today. -update draws it anew.
func TestPicture(t *testing.T) {
	const file = "../../docs/picture.svg"
	run, shown := onTerminal(t, map[string]string{".hooks/push.lua": picturedHook}), ""
	for _, command := range pictured {
		shown += "\x1b[1m$ " + command + "\x1b[0m\n" + run(command) + "\n\n"
	}
	if strings.ContainsRune(shown, '\uFFFD') {
		t.Errorf("what is shown has characters that were taken out:\n%s", shown)
	}
	drawn := picture(shown)
	if *update {
		if err := os.WriteFile(file, []byte(drawn), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	figures := regexp.MustCompile(`[\d.]+( (ms|µs|s)\b)?`)
	if figures.ReplaceAllString(drawn, "0") != figures.ReplaceAllString(string(want), "0") {
		t.Errorf("%s shows something else; run `go test ./cmd/luahook -run TestPicture -update`\n%s", file, shown)
	}
}

// The size of a character and of the picture's edge, in pixels, and the columns of the terminal.
const (
	cellWidth, cellHeight = 8.43, 20
	edge                  = 20
	columns               = 108
)

// picture draws text with a terminal's colours as an SVG.
func picture(text string) string {
	var lines [][]rune
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		lines = append(lines, wrapped([]rune(line))...)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d" role="img" aria-label="a hook against pushes to main, its tests, and luahook explain, which says which hook denies and why">`+"\n",
		2*edge+columns*cellWidth, 2*edge+cellHeight*len(lines))
	b.WriteString(`<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#d6deeb;white-space:pre}` +
		`.b{font-weight:bold;fill:#fff}.d{fill:#8b98a9}.r{fill:#ff7b72}.g{fill:#7ee787}.y{fill:#e3b341}</style>` + "\n" +
		`<rect width="100%" height="100%" rx="8" fill="#161b22"/>` + "\n")
	class := ""
	for i, line := range lines {
		fmt.Fprintf(&b, `<text x="%d" y="%d" xml:space="preserve">`, edge, edge+cellHeight*i+15)
		for _, part := range parts.FindAllStringSubmatch(string(line), -1) {
			if part[1] != "" {
				class = classes[part[1]]
				continue
			}
			if class == "" {
				b.WriteString(html.EscapeString(part[0]))
			} else {
				fmt.Fprintf(&b, `<tspan class="%s">%s</tspan>`, class, html.EscapeString(part[0]))
			}
		}
		b.WriteString("</text>\n")
	}
	b.WriteString("</svg>\n")
	return b.String()
}

var parts = regexp.MustCompile(`\x1b\[(\d+)m|[^\x1b]+`)

var classes = map[string]string{"0": "", "1": "b", "2": "d", "31": "r", "32": "g", "33": "y"}

// wrapped is a line as a terminal shows it that breaks lines between words.
func wrapped(line []rune) [][]rune {
	width, space := 0, -1
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\x1b':
			for line[i] != 'm' {
				i++
			}
			continue
		case line[i] == ' ':
			space = i
		}
		if width++; width > columns && space > 0 {
			indent := []rune(strings.Repeat(" ", len(line)-len([]rune(strings.TrimLeft(string(line), " ")))+2))
			return append([][]rune{line[:space]}, wrapped(append(indent, line[space+1:]...))...)
		}
	}
	return [][]rune{line}
}
