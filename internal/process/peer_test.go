package process

import (
	"bufio"
	"context"
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// startPeer starts a shell's script that is talked to.
func startPeer(t *testing.T, script string) *Peer {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the scripts are for sh")
	}
	p, err := Start(context.Background(), Spec{Path: Shell(), Args: []string{"-c", script}, Dir: t.TempDir(), Env: os.Environ()}, os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPeerIsTalkedTo(t *testing.T) {
	p := startPeer(t, `while read -r line; do echo "got $line"; done; exit 3`)
	out := bufio.NewReader(p.Out)
	for _, word := range []string{"one", "two"} {
		if _, err := p.In.WriteString(word + "\n"); err != nil {
			t.Fatal(err)
		}
		if line, err := out.ReadString('\n'); err != nil || line != "got "+word+"\n" {
			t.Fatalf("the answer to %s is %q, %v", word, line, err)
		}
	}
	if code := p.End(20 * time.Second); code != 3 {
		t.Errorf("it ended with %d", code)
	}
}

// A program that doesn't end when its input does is ended, with what it has started.
func TestPeerIsEnded(t *testing.T) {
	p := startPeer(t, `trap '' TERM; sleep 1000 & echo $!; while :; do sleep 1000; done`)
	line, err := bufio.NewReader(p.Out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if code := p.End(0); code != -1 {
		t.Errorf("it ended with %d", code)
	}
	select {
	case <-p.Exited():
	default:
		t.Error("it runs on")
	}
	// The child is gone, or nobody has waited for it yet.
	state, err := os.ReadFile("/proc/" + strings.TrimSpace(line) + "/stat")
	if err == nil && !strings.Contains(string(state), ") Z ") {
		t.Errorf("what it has started runs on: %s", state)
	}
}

func TestPeerIsNotStarted(t *testing.T) {
	over, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		ctx    context.Context
		path   string
		reason Reason
	}{{context.Background(), "no-such-program", NotFound}, {over, Shell(), ContextOver}} {
		_, err := Start(c.ctx, Spec{Path: c.path, Dir: t.TempDir(), Env: os.Environ()}, os.Stderr)
		var started *StartError
		if !errors.As(err, &started) || started.Reason != c.reason {
			t.Errorf("%s: %v", c.path, err)
		}
	}
}
