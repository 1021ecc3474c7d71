package lib

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// findProgram looks a name up in PATH. Only absolute entries count, and none that lies
// inside the project, nor a file that a link leads to there: a project must not
// bring its own make.
func findProgram(root, name string) (string, error) {
	var project os.FileInfo
	if root != "" {
		info, err := os.Stat(root)
		if err != nil {
			return "", fmt.Errorf("the project's root can't be looked at: %w", err)
		}
		project = info
	}
	passed := ""
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		file, err := exec.LookPath(filepath.Join(dir, name))
		if err != nil {
			continue
		}
		real, err := filepath.EvalSymlinks(file)
		if err != nil {
			continue
		}
		realDir, err := filepath.EvalSymlinks(dir)
		if err != nil {
			continue
		}
		if project != nil && (isBelow(project, real) || isBelow(project, realDir)) {
			passed = file
			continue
		}
		return file, nil
	}
	if passed != "" {
		return "", fmt.Errorf("%s is found in the project only (%s), where no program is taken from PATH", name, passed)
	}
	return "", fmt.Errorf("%s is in no folder of PATH", name)
}

// isBelow tells whether a real path is the folder or anything below it.
func isBelow(folder os.FileInfo, real string) bool {
	for at := real; ; at = filepath.Dir(at) {
		if info, err := os.Stat(at); err == nil && os.SameFile(info, folder) {
			return true
		}
		if at == filepath.Dir(at) {
			return false
		}
	}
}

// checkVariable refuses environment variables by which a program could be made to load
// or run something else, and those that are luahook's.
func checkVariable(name, value string) error {
	if name == "" || len(name) > 1000 || strings.ContainsAny(name, "=\x00") {
		return errors.New("no name of a variable")
	}
	if strings.ContainsRune(value, 0) {
		return errors.New("a value with a NUL byte")
	}
	upper := name
	if runtime.GOOS == "windows" {
		upper = strings.ToUpper(name)
	}
	for _, prefix := range []string{"LD_", "DYLD_", "_RLD", "LUAHOOK_", "GIT_", "PYTHON", "PERL5", "RUBY", "NODE_", "BASH_FUNC_", "LIBPATH", "SHLIB_PATH"} {
		if strings.HasPrefix(upper, prefix) {
			return errRefusedVariable
		}
	}
	switch upper {
	case "PATH", "PATHEXT", "COMSPEC", "SYSTEMROOT", "HOME", "USERPROFILE", "SHELL", "ENV", "BASH_ENV", "SHELLOPTS", "BASHOPTS", "PS4", "PROMPT_COMMAND", "IFS", "CDPATH", "ZDOTDIR",
		"XDG_CONFIG_HOME", "GCONV_PATH", "GLIBC_TUNABLES", "LOCPATH", "NLSPATH", "HOSTALIASES", "RES_OPTIONS", "TERMINFO",
		"JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "CLASSPATH", "PERLLIB", "PERLIO_DEBUG", "LUA_INIT", "LUA_PATH", "LUA_CPATH", "MAKEFLAGS", "GNUMAKEFLAGS", "MAKEFILES",
		"GOFLAGS", "GOROOT", "CC", "CXX", "RUSTC", "RUSTC_WRAPPER", "RUSTFLAGS", "EDITOR", "VISUAL", "PAGER", "MANPAGER", "LESSOPEN", "LESSCLOSE", "BROWSER", "SSH_ASKPASS",
		"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR":
		return errRefusedVariable
	}
	return nil
}

var errRefusedVariable = errors.New("it could make the program load or run something else")
