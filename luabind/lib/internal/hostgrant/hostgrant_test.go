package hostgrant

import (
	"net/netip"
	"net/url"
	"testing"
)

// TestTargets holds addresses against grants.
func TestTargets(t *testing.T) {
	for _, tt := range []struct {
		granted, url string
		reach        reach
		refused      string
	}{
		{"api.example.com", "https://api.example.com/x", reachPublic, ""},
		{"api.example.com", "http://api.example.com", reachPublic, ""},
		{"api.example.com", "https://API.Example.COM.:443/", reachPublic, ""},
		{"API.example.com", "https://api.example.com", reachPublic, ""},
		{"api.example.com", "https://api.example.com:8443", 0, "api.example.com:8443"},
		{"api.example.com", "https://api.example.com:80", 0, "api.example.com:80"},
		{"api.example.com", "https://example.com", 0, "example.com"},
		{"api.example.com", "https://xapi.example.com", 0, "xapi.example.com"},
		{"api.example.com", "https://api.example.com.evil.org", 0, "api.example.com.evil.org"},
		{"api.example.com", "https://evil.org/api.example.com", 0, "evil.org"},
		{"api.example.com", "https://evil.org#@api.example.com", 0, "evil.org"},
		{"api.example.com:8443", "https://api.example.com:8443", reachPrivate, ""},
		{"api.example.com:8443", "https://api.example.com", 0, "api.example.com"},
		{"api.example.com:443", "https://api.example.com", reachPrivate, ""},
		{"api.example.com:443", "http://api.example.com:443", reachPrivate, ""},
		{"*.example.com", "https://a.b.example.com", reachPublic, ""},
		{"*.example.com", "https://example.com", 0, "example.com"},
		{"*.example.com", "https://badexample.com", 0, "badexample.com"},
		{"*.example.com:8443", "https://a.example.com:8443", reachPublic, ""},
		{"*", "https://example.com", 0, "example.com"},
		{"*.", "https://example.com", 0, "example.com"},
		{"", "https://example.com", 0, "example.com"},
		{"*.0.0.1", "http://127.0.0.1", 0, "127.0.0.1"},
		{"localhost", "http://localhost", reachLoopback, ""},
		{"localhost:3000", "http://localhost:3000", reachLoopback, ""},
		{"localhost", "http://localhost:3000", 0, "localhost:3000"},
		{"localhost", "http://127.0.0.1", 0, "127.0.0.1"},
		{"*.localhost", "http://a.localhost", reachPublic, ""},
		{"127.0.0.1", "http://127.0.0.1", reachOne, ""},
		{"127.0.0.1:8080", "http://127.0.0.1:8080", reachOne, ""},
		{"127.0.0.1:8080", "http://127.0.0.1", 0, "127.0.0.1"},
		{"127.0.0.1", "http://127.1", 0, "127.1"},
		{"127.0.0.1", "http://2130706433", 0, "2130706433"},
		{"[::1]:8080", "http://[::1]:8080", reachOne, ""},
		{"[::1]", "http://[0:0::1]", reachOne, ""},
		{"::1", "http://[::1]", reachOne, ""},
		{"[::1]", "http://[::2]:80", 0, "[::2]"},
		{"https://example.com", "https://example.com", 0, "example.com"},
	} {
		u, err := url.Parse(tt.url)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Of([]string{"unrelated.org", tt.granted}, u)
		switch {
		case tt.refused != "" && (err == nil || err.Error() != tt.refused+" is not granted"):
			t.Errorf("%s for %s: got %v, want %s refused", tt.granted, tt.url, err, tt.refused)
		case tt.refused == "" && (err != nil || got.reach != tt.reach):
			t.Errorf("%s for %s: got %v %v, want %v", tt.granted, tt.url, got.reach, err, tt.reach)
		}
	}
	u, _ := url.Parse("https://a.example.com:443")
	if got, err := Of([]string{"*.example.com", "a.example.com:443", "a.example.com"}, u); err != nil || got.reach != reachPrivate {
		t.Errorf("of several grants the widest counts: %v %v", got.reach, err)
	}
}

// TestAddresses asks for each kind of address under each kind of grant.
func TestAddresses(t *testing.T) {
	for kind, list := range map[addressKind][]string{
		kindPublic:   {"8.8.8.8", "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1"},
		kindPrivate:  {"10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "100.127.255.255", "fd12:3456::1", "::ffff:10.0.0.1", "64:ff9b::a00:1"},
		kindLoopback: {"127.0.0.1", "127.255.0.1", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1"},
		kindOther: {
			"0.0.0.0", "0.1.2.3", "169.254.169.254", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "192.0.0.1", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1",
			"::", "::10.0.0.1", "fe80::1", "fe80::1%eth0", "ff02::1", "fec0::1", "2001::1", "2001:db8::1", "2002:a00:1::1", "2002:7f00:1::1", "fd00:ec2::254", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "::ffff:169.254.169.254", "100::1", "4000::1",
		},
	} {
		for _, text := range list {
			addr := netip.MustParseAddr(text)
			if got := kindOf(addr); got != kind {
				t.Errorf("%s is of kind %d, want %d", text, got, kind)
			}
			address := netip.AddrPortFrom(addr, 443).String()
			for r, want := range map[reach]bool{reachPublic: kind == kindPublic, reachPrivate: kind == kindPublic || kind == kindPrivate, reachLoopback: kind == kindLoopback} {
				err := Target{host: "h", port: "443", reach: r}.CheckAddress(address)
				if (err == nil) != want {
					t.Errorf("%s under reach %d: %v", text, r, err)
				}
			}
			if err := (Target{host: "h", port: "443", reach: reachOne, addr: netip.MustParseAddr("9.9.9.9")}).CheckAddress(address); err == nil {
				t.Errorf("%s in the place of another address", text)
			}
		}
	}
	one := Target{host: "169.254.169.254", port: "80", reach: reachOne, addr: netip.MustParseAddr("169.254.169.254")}
	if err := one.CheckAddress("169.254.169.254:80"); err != nil {
		t.Error(err)
	}
	if one.CheckAddress("169.254.169.254:81") == nil || one.CheckAddress("garbage") == nil {
		t.Error("another port, or garbage")
	}
	nowhere := Target{host: "0.0.0.0", port: "80", reach: reachOne, addr: netip.MustParseAddr("0.0.0.0")}
	if nowhere.CheckAddress("0.0.0.0:80") == nil {
		t.Error("0.0.0.0 is this machine")
	}
}
