package config

import (
	"fmt"
	"net/netip"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"github.com/goccy/go-yaml/ast"

	"github.com/luahook/luahook/hooks"
)

func (g *grant) grants() hooks.Grants {
	return hooks.Grants{
		FSRead: g.FSRead, FSWrite: g.FSWrite, Git: g.Git, Tasks: g.Tasks,
		Env: texts(g.Env), Exec: texts(g.Exec), HTTP: texts(g.HTTP),
	}
}

func texts[T ~string](list []T) []string {
	var all []string
	for _, s := range list {
		all = append(all, string(s))
	}
	return all
}

// readVariable reads the name of an environment variable, or a glob of * and ?.
func readVariable(d *decoder, path string, n ast.Node) (variable, error) {
	s, err := readText(d, path, n)
	switch name := string(s); {
	case err != nil:
		return "", err
	case strings.ContainsFunc(name, func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsPrint(r) || strings.ContainsRune(" =$[]{}/\\\"'", r)
	}):
		return "", fmt.Errorf("%s: %q is neither the name of a variable nor a glob such as \"GITHUB_*\"", path, name)
	case strings.Trim(name, "*?") == "":
		return "", fmt.Errorf("%s: %q would grant all variables; name them, or begin the glob as in \"GITHUB_*\"", path, name)
	}
	return variable(s), nil
}

// readProgram reads the name of a program, which is searched for in PATH, or its path.
func readProgram(d *decoder, what string, n ast.Node) (program, error) {
	s, err := readText(d, what, n)
	name := string(s)
	if err != nil {
		return "", err
	}
	absolute := path.IsAbs(name) || filepath.IsAbs(name)
	switch {
	case strings.ContainsAny(name, "*?[]"):
		return "", fmt.Errorf("%s: %q: programs are granted one by one, without * and ?", what, name)
	case strings.ContainsFunc(name, unicode.IsControl), name != strings.TrimSpace(name), name == ".", name == "..":
		return "", fmt.Errorf("%s: %q is not the name of a program", what, name)
	case !absolute && strings.ContainsFunc(name, unicode.IsSpace):
		return "", fmt.Errorf("%s: %q: name the program alone; its arguments can't be granted", what, name)
	case !absolute && strings.ContainsAny(name, `/\`):
		return "", fmt.Errorf("%s: %q is relative; want a name such as \"make\" or an absolute path", what, name)
	case absolute && path.Clean(name) != name && filepath.Clean(name) != name:
		return "", fmt.Errorf("%s: %q: write the path without . and .. and doubled slashes", what, name)
	}
	return program(s), nil
}

// readHost reads a host, in small letters.
func readHost(d *decoder, path string, n ast.Node) (host, error) {
	s, err := readText(d, path, n)
	if err != nil {
		return "", err
	}
	lower := strings.ToLower(string(s))
	switch name, port := cutPort(lower); {
	case strings.Contains(lower, "://"):
		return "", fmt.Errorf("%s: %q: write the host without %q", path, s, lower[:strings.Index(lower, "://")+3])
	case strings.ContainsAny(lower, "/?#@"):
		return "", fmt.Errorf("%s: %q: write the host alone, without path and user", path, s)
	case strings.Trim(lower, "*.") == "":
		return "", fmt.Errorf("%s: %q would grant all hosts; name them, as in \"api.github.com\" or \"*.example.com\"", path, s)
	case strings.HasPrefix(name, "*.") && port == "" && isDomain(name[2:]):
	case (isDomain(name) || isIPv6(name)) && (port == "" || isPort(port)):
	default:
		return "", fmt.Errorf("%s: %q is not a host; want host, host:port or *.host", path, s)
	}
	return host(lower), nil
}

// cutPort splits off the text after the last colon, except within the brackets of an IPv6 address. A colon
// without a port leaves a name that isn't valid.
func cutPort(s string) (name, port string) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 || i < strings.LastIndexByte(s, ']') || i == len(s)-1 {
		return s, ""
	}
	return s[:i], s[i+1:]
}

func isPort(s string) bool {
	n, err := strconv.ParseUint(s, 10, 16)
	return err == nil && n > 0 && s[0] != '0'
}

// isIPv6 reports whether s is an IPv6 address in brackets.
func isIPv6(s string) bool {
	inner, ok := strings.CutPrefix(s, "[")
	inner, ended := strings.CutSuffix(inner, "]")
	a, err := netip.ParseAddr(inner)
	return ok && ended && err == nil && a.Is6() && a.Zone() == ""
}

// isDomain reports whether s is a domain name or an IPv4 address.
func isDomain(s string) bool {
	if len(s) > 253 {
		return false
	}
	for label := range strings.SplitSeq(s, ".") {
		if label == "" || len(label) > 63 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" ||
			label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
	}
	return true
}
