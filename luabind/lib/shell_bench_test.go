package lib

import (
	"context"
	"strings"
	"testing"

	"github.com/luahook/luahook/analysis/shell"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// BenchmarkShell measures a guard as people write it, from the event to the answer, and
// beside it what reading the same text takes in Go.
func BenchmarkShell(b *testing.B) {
	const guard = `on("pre_tool_call", function(ev)
  local line = shell.parse(ev.tool_call.command)
  if line.too_complex then return ask("too complex") end
  for _, cmd in ipairs(line.commands) do
    if cmd.name_dynamic then return ask("unknown") end
    if cmd.name == "git" and cmd:subcommand() == "push" and cmd:flag("-f", "--force") then return deny("no") end
    if cmd.name == "kubectl" and cmd:flag("--context") == "prod" then return deny("no") end
    if cmd.name == "rm" and cmd:flag("-r", "-R", "--recursive") then
      for _, operand in ipairs(cmd:operands()) do
        if operand == "/" then return deny("no") end
      end
    end
  end
end)`
	for _, tt := range []struct{ name, text string }{
		{"typical", `cd /srv/app && sudo git -C repo add -A && git commit -m "a message of some words" && git push origin feature/login 2>&1 | tail -n 3`},
		{"short", "go test ./..."},
		{"64KiB", strings.Repeat("cp -r src/app/main.go build/out && rm -rf build/tmp/cache\n", 64<<10/58)},
		{"64KiB_one_command", "rm -f " + strings.Repeat("file.o ", (64<<10-6)/7)},
	} {
		b.Run(tt.name, func(b *testing.B) {
			s, err := load(b, luabind.Environment{Modules: Modules()}, guard)
			if err != nil {
				b.Fatal(err)
			}
			c, err := (&hooks.Context{Event: hooks.PreToolCall, ToolCall: &hooks.ToolCall{Name: "bash", Input: map[string]any{"command": tt.text}}}).Complete()
			if err != nil {
				b.Fatal(err)
			}
			b.Run("guard", func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if out := s.Call(context.Background(), 0, c, luabind.Limits{}); out.Err != nil || out.Result != nil {
						b.Fatal(out.Err, out.Result)
					}
				}
			})
			b.Run("parse", func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if line := shell.Parse(tt.text, shell.Options{}); line.TooComplex || line.Err != nil {
						b.Fatal("it can't be read")
					}
				}
			})
		})
	}
}
