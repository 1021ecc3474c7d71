package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const (
	mainModule  = "github.com/luahook/luahook"
	benchModule = mainModule + "/bench"
)

// build builds a program in its module as for a release, and returns its path in dir. The file is a copy of the
// linker's output, as an installed one is: the kernel keeps the linker's own file in smaller pages, and starts
// it more slowly.
func build(dir, module, command string) (string, error) {
	where, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		return "", fmt.Errorf("finding %s (run this in bench/): %w", module, err)
	}
	file := filepath.Join(dir, command)
	linked := file + ".linked"
	defer os.Remove(linked)
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", linked, "./cmd/"+command)
	cmd.Dir = strings.TrimSpace(string(where))
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building %s: %w: %s", command, err, out)
	}
	program, err := os.ReadFile(linked)
	if err != nil {
		return "", err
	}
	return file, os.WriteFile(file, program, 0o755)
}

// compile compiles a program in C, and returns its path in dir. The error is [exec.ErrNotFound] where there is no
// compiler.
func compile(dir, name string, source []byte) (string, error) {
	compiler, err := exec.LookPath("cc")
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, name)
	cmd := exec.Command(compiler, "-O2", "-o", file, "-x", "c", "-")
	cmd.Stdin = bytes.NewReader(source)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("compiling %s.c: %w: %s", name, err, out)
	}
	return file, nil
}

// bare returns an environment without any personal settings.
func bare(home string) []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "TMPDIR=" + home,
		"XDG_CONFIG_HOME=" + home + "/config", "XDG_STATE_HOME=" + home + "/state", "XDG_CACHE_HOME=" + home + "/cache",
	}
}
