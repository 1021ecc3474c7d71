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

// CheckGrants says what of grants can't be granted, as hooks.yaml refuses it, and gives them as they count: hosts are in
// small letters.
func CheckGrants(g hooks.Grants) (hooks.Grants, error) {
	for _, name := range g.Env {
		if err := checkVariable("Env", name); err != nil {
			return g, err
		}
	}
	for _, name := range g.Exec {
		if err := checkProgram("Exec", name); err != nil {
			return g, err
		}
	}
	hosts := make([]string, 0, len(g.HTTP))
	for _, name := range g.HTTP {
		lower, err := checkHost("HTTP", name)
		if err != nil {
			return g, err
		}
		hosts = append(hosts, lower)
	}
	g.HTTP = hosts
	return g, nil
}

// readVariable reads the name of an environment variable, or a glob of * and ?.
func readVariable(d *decoder, path string, n ast.Node) (variable, error) {
	s, err := readText(d, path, n)
	if err == nil {
		err = checkVariable(path, string(s))
	}
	if err != nil {
		return "", err
	}
	return variable(s), nil
}

func checkVariable(path, name string) error {
	switch {
	case name == "" || strings.ContainsFunc(name, func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsPrint(r) || strings.ContainsRune(" =$[]{}/\\\"'", r)
	}):
		return fmt.Errorf("%s: %q is neither the name of a variable nor a glob such as \"GITHUB_*\"", path, name)
	case strings.Trim(name, "*?") == "":
		return fmt.Errorf("%s: %q would grant all variables; name them, or begin the glob as in \"GITHUB_*\"", path, name)
	}
	return nil
}

// readProgram reads the name of a program, which is searched for in PATH, or its path.
func readProgram(d *decoder, path string, n ast.Node) (program, error) {
	s, err := readText(d, path, n)
	if err == nil {
		err = checkProgram(path, string(s))
	}
	if err != nil {
		return "", err
	}
	return program(s), nil
}

func checkProgram(what, name string) error {
	absolute := path.IsAbs(name) || filepath.IsAbs(name)
	switch {
	case strings.ContainsAny(name, "*?[]"):
		return fmt.Errorf("%s: %q: programs are granted one by one, without * and ?", what, name)
	case name == "", strings.ContainsFunc(name, unicode.IsControl), name != strings.TrimSpace(name), name == ".", name == "..":
		return fmt.Errorf("%s: %q is not the name of a program", what, name)
	case !absolute && strings.ContainsFunc(name, unicode.IsSpace):
		return fmt.Errorf("%s: %q: name the program alone; its arguments can't be granted", what, name)
	case !absolute && strings.ContainsAny(name, `/\`):
		return fmt.Errorf("%s: %q is relative; want a name such as \"make\" or an absolute path", what, name)
	case absolute && path.Clean(name) != name && filepath.Clean(name) != name:
		return fmt.Errorf("%s: %q: write the path without . and .. and doubled slashes", what, name)
	}
	return nil
}

// readHost reads a host, in small letters.
func readHost(d *decoder, path string, n ast.Node) (host, error) {
	s, err := readText(d, path, n)
	if err != nil {
		return "", err
	}
	lower, err := checkHost(path, string(s))
	return host(lower), err
}

// checkHost gives a host in small letters.
func checkHost(path, s string) (lower string, err error) {
	lower = strings.ToLower(s)
	switch name, port := cutPort(lower); {
	case strings.Contains(lower, "://"):
		return "", fmt.Errorf("%s: %q: write the host without %q", path, s, lower[:strings.Index(lower, "://")+3])
	case strings.ContainsAny(lower, "/?#@"):
		return "", fmt.Errorf("%s: %q: write the host alone, without path and user", path, s)
	case lower != "" && strings.Trim(lower, "*.") == "":
		return "", fmt.Errorf("%s: %q would grant all hosts; name them, as in \"api.github.com\" or \"*.example.com\"", path, s)
	case strings.HasPrefix(name, "*.") && port == "" && isDomain(name[2:]):
	case (isDomain(name) || isIPv6(name)) && (port == "" || isPort(port)):
	default:
		return "", fmt.Errorf("%s: %q is not a host; want host, host:port or *.host", path, s)
	}
	return lower, nil
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
