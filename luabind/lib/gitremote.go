package lib

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

func gitRemote(c call) int {
	c.needGit()
	name := c.textOr(1, "origin")
	if name == "" || len(name) > 200 || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		c.bad(1, "the name of a remote expected")
	}
	out, err := c.git(64<<10, "config", "--null", "--get", "remote."+name+".url")
	if errors.Is(err, errNo) {
		err = fmt.Errorf("there is no remote %s", name)
	}
	if err != nil {
		return c.failed(err)
	}
	return c.giveText(withoutCredentials(strings.TrimSuffix(out, "\x00")))
}

// withoutCredentials takes user, password and parameters out of an address. A user of
// ssh stays: it is a part of the address.
func withoutCredentials(address string) string {
	scheme, rest, is := strings.Cut(address, "://")
	if !is {
		return address // a path, or user@host:path
	}
	u, err := url.Parse(address)
	if err != nil || u.Opaque != "" {
		rest = rest[strings.LastIndex(rest, "@")+1:]
		if end := strings.IndexAny(rest, "?#"); end >= 0 {
			rest = rest[:end]
		}
		return scheme + "://" + rest
	}
	if u.User != nil && strings.Contains(u.Scheme, "ssh") {
		u.User = url.User(u.User.Username())
	} else {
		u.User = nil
	}
	u.RawQuery, u.Fragment, u.ForceQuery = "", "", false
	return u.String()
}
