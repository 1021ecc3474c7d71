//go:build linux

package agents

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// installTime is how long one package may take to install.
const installTime = 5 * time.Minute

// packageDir is where a package is, or will be, in the cache.
func packageDir(cache, pkg string) string {
	return filepath.Join(cache, strings.NewReplacer("/", "+", "@", "_").Replace(pkg))
}

// install installs an agent's packages in the cache, those that aren't there. None of their install scripts runs.
func install(cache string, a *agent) error {
	for _, pkg := range a.packages {
		dir := packageDir(cache, pkg)
		if _, err := os.Stat(dir); err == nil {
			continue
		}
		if err := installPackage(dir, pkg); err != nil {
			return fmt.Errorf("%s: %w", pkg, err)
		}
	}
	return nil
}

// installPackage installs one package beside dir, which comes into being when it's whole.
func installPackage(dir, pkg string) error {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return errors.New("there is no npm in the PATH to install it with")
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	part, err := os.MkdirTemp(filepath.Dir(dir), ".part-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(part)
	ctx, cancel := context.WithTimeout(context.Background(), installTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, npm, "install", "--prefix", part, "--ignore-scripts", "--no-audit", "--no-fund", pkg)
	cmd.Dir = part
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("npm install: %w: %s", errors.Join(err, ctx.Err()), tail(out))
	}
	if err := os.Chmod(part, 0o755); err != nil {
		return err
	}
	return os.Rename(part, dir)
}

// find returns the one file of an installed package that fits a pattern below node_modules.
func (s *session) find(pkg, pattern string) (string, error) {
	pattern = filepath.Join(packageDir(s.cache, pkg), "node_modules", pattern)
	found, err := filepath.Glob(pattern)
	if err != nil {
		return "", err
	}
	if len(found) != 1 {
		return "", fmt.Errorf("%s: want one such file, found %d; has another platform other names?", pattern, len(found))
	}
	return found[0], nil
}

// npmArch is what npm calls this machine's processor.
func npmArch() string {
	if runtime.GOARCH == "amd64" {
		return "x64"
	}
	return runtime.GOARCH
}

// tail is the end of an output, for a message.
func tail(out []byte) string {
	const most = 4 << 10
	if len(out) > most {
		return "[...] " + string(out[len(out)-most:])
	}
	return strings.TrimSpace(string(out))
}
