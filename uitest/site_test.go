package uitest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "take the pictures in docs/ui anew")

// fixtures is what the pages are tested with; package ui makes it.
const fixtures = "../cmd/luahook/internal/ui/testdata"

// patience is how long something may take that happens at once on an idle machine.
const patience = 30 * time.Second

// luahook is the command, built from this checkout.
var luahook string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	flag.Parse()
	dir, err := os.MkdirTemp("", "luahook-uitest")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	luahook = filepath.Join(dir, "luahook")
	build := exec.Command("go", "build", "-o", luahook, "./cmd/luahook")
	build.Dir, build.Stderr = "..", os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "luahook can't be built:", err)
		return 1
	}
	defer closeBrowser()
	return m.Run()
}

// site is luahook ui at work, for a user with a home and a project of their own.
type site struct {
	t       *testing.T
	home    string
	project string
	log     string // folder of the decision log
	link    string // ends with a slash
}

// serve starts luahook ui over a log in testdata, or over an empty one for "".
func serve(t *testing.T, log string) *site {
	home := filepath.Join(t.TempDir(), "kim")
	if err := os.Mkdir(home, 0o700); err != nil {
		t.Fatal(err)
	}
	return serveIn(t, home, log)
}

func serveIn(t *testing.T, home, log string) *site {
	s := &site{t: t, home: home, project: filepath.Join(home, "shop"), log: filepath.Join(home, ".local/state/luahook/log")}
	s.furnish(log)
	s.start()
	return s
}

// furnish fills the home.
func (s *site) furnish(log string) {
	t := s.t
	for from, to := range map[string]string{"project": s.project, "user": filepath.Join(s.home, ".config/luahook")} {
		if err := os.CopyFS(to, os.DirFS(filepath.Join(fixtures, from))); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(s.project, ".hooks/format.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(s.log, 0o700); err != nil {
		t.Fatal(err)
	}
	if log != "" {
		files, err := filepath.Glob(filepath.Join(fixtures, log, "*.jsonl"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no log in %s (%v)", log, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			text = bytes.ReplaceAll(text, []byte("/home/kim"), []byte(s.home))
			if err := os.WriteFile(filepath.Join(s.log, filepath.Base(file)), text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if out, err := s.command(t.Context(), "trust", "--yes").CombinedOutput(); err != nil {
		t.Fatalf("luahook trust: %v\n%s", err, out)
	}
}

// command is luahook as the user starts it in the project.
func (s *site) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, luahook, args...)
	cmd.Dir = s.project
	cmd.Env = []string{"HOME=" + s.home, "PATH=" + os.Getenv("PATH"), "TZ=UTC", "LANG=C.UTF-8"}
	return cmd
}

// start starts the page, waits for its link, and ends it with the test.
func (s *site) start() {
	t := s.t
	cmd := s.command(context.Background(), "ui", "--no-browser")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var told lockedBuffer
	cmd.Stderr = &told
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var ended sync.Once
	end := func() {
		ended.Do(func() {
			late := time.AfterFunc(patience, func() { cmd.Process.Kill() })
			cmd.Process.Signal(os.Interrupt)
			err := cmd.Wait()
			late.Stop()
			if err != nil {
				t.Errorf("luahook ui ended with: %v", err)
			}
			if text := strings.ReplaceAll(told.String(), "luahook: hooks read again\n", ""); text != "" {
				t.Errorf("luahook ui said on standard error:\n%s", text)
			}
		})
	}
	t.Cleanup(end)
	late := time.AfterFunc(patience, func() { cmd.Process.Kill() })
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	late.Stop()
	link, ok := strings.CutPrefix(strings.TrimSpace(line), "luahook ui: ")
	if err != nil || !ok {
		end()
		t.Fatalf("luahook ui says %q (%v), want its link", line, err)
	}
	s.link = link
	go io.Copy(io.Discard, lines) // until the process ends
}

// lockedBuffer takes what a process says.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// eval has luahook judge an event and record it.
func (s *site) eval(event string) {
	cmd := s.command(s.t.Context(), "eval", "--record")
	cmd.Stdin = strings.NewReader(event)
	out, err := cmd.CombinedOutput()
	if err, ok := err.(*exec.ExitError); ok && (err.ExitCode() == 2 || err.ExitCode() == 3) {
		return // denied, or asked about
	}
	if err != nil {
		s.t.Fatalf("luahook eval: %v\n%s", err, out)
	}
}

// write appends lines to the log, as luahook does: whole ones, with one write.
func (s *site) write(lines ...string) {
	if err := s.append(lines...); err != nil {
		s.t.Fatal(err)
	}
}

func (s *site) append(lines ...string) error {
	file, err := os.OpenFile(filepath.Join(s.log, "decisions.jsonl"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteString(strings.Join(lines, "\n") + "\n")
	return errors.Join(err, file.Close())
}

// written is a record of a command that was let through.
func written(number int, command string) string {
	at := time.Date(2026, 5, 7, 9, 0, 0, 0, time.UTC).Add(time.Duration(number) * time.Millisecond)
	return fmt.Sprintf(`{"time":%q,"v":1,"host":"claude","kind":"decision","event":"pre_tool_call","session":"live","tool":"bash","call_id":"c-%d","generation":1,"duration_us":400,`+
		`"runs":[{"id":"1.1","hook":"safety-guard","scope":"user","source":"builtin:safety-guard:56","handler":"lua","order":1,"status":"completed","duration_us":210,"instructions":1700}],`+
		`"context":{"event":"pre_tool_call","session_id":"live","tool_call":{"id":"c-%d","name":"bash","kind":"shell","input":{"command":%q}}}}`, at.Format("2006-01-02T15:04:05.000Z"), number, number, command)
}

// get asks for an address without a browser.
func (s *site) get(address string) (status int, text string) {
	client := http.Client{Timeout: patience, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Get(address)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	all, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer.StatusCode, string(all)
}

// hostileLines are those of the hostile log.
func hostileLines(t *testing.T) []string {
	text, err := os.ReadFile(filepath.Join(fixtures, "hostile/decisions.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}
