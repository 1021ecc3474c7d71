// Package hostgrant says which hosts and addresses requests of scripts may go to, by what they are granted.
package hostgrant

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/luahook/luahook/internal/excerpt"
)

// reach is which addresses a granted host may lead to.
type reach int

const (
	reachPublic   reach = iota // "host", "*.host": what the internet routes
	reachPrivate               // "host:port": private networks, too
	reachLoopback              // "localhost": this machine only
	reachOne                   // an address: that one only
)

// Target is where a request goes, as the grants allow it.
type Target struct {
	host  string // in small letters; an address without brackets
	port  string
	reach reach
	addr  netip.Addr // of reachOne
}

// Of finds the grant that covers an address. Of several the widest counts.
func Of(granted []string, u *url.URL) (Target, error) {
	t := Target{host: strings.ToLower(strings.TrimSuffix(u.Hostname(), ".")), port: u.Port()}
	standard := map[string]string{"http": "80", "https": "443"}[u.Scheme]
	if t.port == "" {
		t.port = standard
	}
	addr, err := netip.ParseAddr(t.host)
	isAddr := err == nil
	if isAddr {
		t.host = addr.String() // one spelling
	}
	covered := false
	for _, g := range granted {
		host, port, hasPort := splitGrant(strings.ToLower(g))
		if hasPort && port != t.port || !hasPort && t.port != standard {
			continue
		}
		under, wild := strings.CutPrefix(host, "*.")
		var r reach
		switch {
		case wild && !isAddr && under != "" && strings.HasSuffix(t.host, "."+under):
		case host != t.host:
			continue
		case isAddr:
			r, t.addr = reachOne, addr
		case host == "localhost":
			r = reachLoopback
		case hasPort:
			r = reachPrivate
		}
		covered, t.reach = true, max(t.reach, r)
	}
	if !covered {
		shown := t.host
		if strings.Contains(shown, ":") {
			shown = "[" + shown + "]"
		}
		if t.port != standard {
			shown += ":" + t.port
		}
		return t, NotGranted(excerpt.Beginning(shown, 200))
	}
	return t, nil
}

// NotGranted is a host that no grant covers.
type NotGranted string

func (e NotGranted) Error() string { return string(e) + " is not granted" }

// splitGrant reads "host", "host:port", "[::1]:port" and "::1".
func splitGrant(g string) (host, port string, hasPort bool) {
	host = g
	if h, p, err := net.SplitHostPort(g); err == nil {
		if _, err := strconv.ParseUint(p, 10, 16); err == nil {
			host, port, hasPort = h, p, true
		}
	}
	host = strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"), ".")
	if addr, err := netip.ParseAddr(host); err == nil {
		host = addr.String()
	}
	return host, port, hasPort
}

// CheckAddress is asked for the very address that is about to be dialled, so that no
// answer of the domain system gets around it.
func (t Target) CheckAddress(address string) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%q is no address", address)
	}
	addr := at.Addr()
	if strconv.Itoa(int(at.Port())) != t.port {
		return fmt.Errorf("port %d is not %s", at.Port(), t.port)
	}
	kind := kindOf(addr)
	switch {
	case t.reach == reachOne && addr.Unmap() == t.addr.Unmap() && !addr.IsUnspecified() && !addr.IsMulticast():
		return nil
	case t.reach == reachOne:
		return fmt.Errorf("%s is not the address that is granted", addr)
	case t.reach == reachLoopback && kind == kindLoopback:
		return nil
	case t.reach == reachLoopback:
		return fmt.Errorf("localhost leads to %s, which is not this machine", addr)
	case kind == kindPublic, kind == kindPrivate && t.reach == reachPrivate:
		return nil
	case kind == kindPrivate:
		return fmt.Errorf("%s leads to %s, an address of a private network; grant it with its port, %s:%s, if that is meant", t.host, addr, t.host, t.port)
	}
	return fmt.Errorf("%s leads to %s, which is no public address; only that address itself, or localhost, could be granted", t.host, addr)
}

type addressKind int

const (
	kindOther    addressKind = iota // link-local, multicast, reserved ...
	kindPublic                      // routed in the internet
	kindPrivate                     // RFC 1918, RFC 6598, RFC 4193
	kindLoopback                    // this machine
)

var (
	privateNets = prefixes("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7")

	// What the registries of special addresses (RFC 6890 and after) hold beside those.
	specialNets = prefixes("0.0.0.0/8", "169.254.0.0/16", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
		"224.0.0.0/4", "240.0.0.0/4", "2001::/23", "2001:db8::/32", "3fff::/20")

	publicIPv6 = netip.MustParsePrefix("2000::/3")
	nat64      = netip.MustParsePrefix("64:ff9b::/96")
	sixToFour  = netip.MustParsePrefix("2002::/16")
	cloudFacts = netip.MustParseAddr("fd00:ec2::254") // where a cloud's machine asks for its credentials
)

func prefixes(list ...string) []netip.Prefix {
	var all []netip.Prefix
	for _, p := range list {
		all = append(all, netip.MustParsePrefix(p))
	}
	return all
}

// kindOf looks through the ways to write an IPv4 address in one of IPv6.
func kindOf(a netip.Addr) addressKind {
	a = a.Unmap().WithZone("")
	b := a.As16()
	switch {
	case nat64.Contains(a):
		return kindOf(netip.AddrFrom4([4]byte(b[12:])))
	case sixToFour.Contains(a):
		if kindOf(netip.AddrFrom4([4]byte(b[2:6]))) != kindPublic {
			return kindOther
		}
		return kindPublic
	case a.IsLoopback():
		return kindLoopback
	case a == cloudFacts, slices.ContainsFunc(specialNets, func(p netip.Prefix) bool { return p.Contains(a) }):
		return kindOther
	case slices.ContainsFunc(privateNets, func(p netip.Prefix) bool { return p.Contains(a) }):
		return kindPrivate
	case a.Is4(), publicIPv6.Contains(a):
		return kindPublic
	}
	return kindOther
}
