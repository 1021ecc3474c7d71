package redact

import (
	"strings"
	"sync"
)

// format is a kind of token that is known by how it begins.
type format struct {
	prefix string
	body   class  // what follows the prefix
	least  int    // bytes of it
	what   string // the token is
	check  check
	form   form
}

// form is what more there is to a token than a prefix and a body.
type form uint8

const (
	simple form = iota
	amazonID
	webhook
	exact // the body has just so many bytes
	sendgrid
	jwt
	afterBearer
	afterBasic
)

var known = []format{
	{prefix: "ghp_", body: letters, least: 20, what: "github token"},
	{prefix: "gho_", body: letters, least: 20, what: "github token"},
	{prefix: "ghu_", body: letters, least: 20, what: "github token"},
	{prefix: "ghs_", body: letters, least: 20, what: "github token"},
	{prefix: "ghr_", body: letters, least: 20, what: "github token"},
	{prefix: "github_pat_", body: wordly, least: 20, what: "github token"},
	{prefix: "glpat-", body: url64, least: 16, what: "gitlab token", check: random},
	{prefix: "gldt-", body: url64, least: 16, what: "gitlab token", check: random},
	{prefix: "glrt-", body: url64, least: 16, what: "gitlab token", check: random},
	{prefix: "glptt-", body: url64, least: 16, what: "gitlab token", check: random},
	{prefix: "glcbt-", body: url64, least: 16, what: "gitlab token", check: random},
	{prefix: "glsoat-", body: url64, least: 16, what: "gitlab token", check: random},

	{prefix: "AKIA", body: capitals, least: 16, form: amazonID},
	{prefix: "ASIA", body: capitals, least: 16, form: amazonID},
	{prefix: "AIza", body: url64, least: 35, what: "google key"},
	{prefix: "ya29.", body: url64, least: 20, what: "google token"},
	{prefix: "GOCSPX-", body: url64, least: 20, what: "google secret"},

	{prefix: "xoxb-", body: url64, least: 10, what: "slack token", check: digital},
	{prefix: "xoxa-", body: url64, least: 10, what: "slack token", check: digital},
	{prefix: "xoxp-", body: url64, least: 10, what: "slack token", check: digital},
	{prefix: "xoxr-", body: url64, least: 10, what: "slack token", check: digital},
	{prefix: "xoxs-", body: url64, least: 10, what: "slack token", check: digital},
	{prefix: "xoxo-", body: url64, least: 10, what: "slack token", check: digital},
	{prefix: "xoxe-", body: url64, least: 10, what: "slack token", check: digital},
	{prefix: "xoxe.", body: bearer, least: 10, what: "slack token", check: digital},
	{prefix: "xoxc-", body: url64, least: 10, what: "slack token", check: digital},
	{prefix: "xoxd-", body: bearer, least: 10, what: "slack token", check: digital},
	{prefix: "xapp-", body: url64, least: 20, what: "slack token", check: digital},
	{prefix: "hooks.slack.com/", body: bearer, least: 20, what: "slack webhook", check: digital, form: webhook},
	{prefix: "discord.com/api/webhooks/", body: bearer, least: 40, what: "discord webhook", check: digital, form: webhook},
	{prefix: "discordapp.com/api/webhooks/", body: bearer, least: 40, what: "discord webhook", check: digital, form: webhook},

	{prefix: "sk_live_", body: letters, least: 10, what: "stripe key"},
	{prefix: "rk_live_", body: letters, least: 10, what: "stripe key"},
	{prefix: "sk_test_", body: letters, least: 10, what: "stripe key"},
	{prefix: "rk_test_", body: letters, least: 10, what: "stripe key"},
	{prefix: "whsec_", body: base64s, least: 24, what: "webhook secret"},

	{prefix: "sk-ant-", body: url64, least: 20, what: "anthropic key", check: random},
	{prefix: "sk-proj-", body: url64, least: 20, what: "openai key", check: random},
	{prefix: "sk-svcacct-", body: url64, least: 20, what: "openai key", check: random},
	{prefix: "sk-admin-", body: url64, least: 20, what: "openai key", check: random},
	{prefix: "sk-or-v1-", body: hexadecimal, least: 32, what: "openrouter key"},
	{prefix: "sk-", body: url64, least: 20, what: "openai key", check: longRandom},

	{prefix: "npm_", body: letters, least: 30, what: "npm token", check: digital},
	{prefix: "pypi-", body: url64, least: 32, what: "pypi token", check: random},
	{prefix: "rubygems_", body: hexadecimal, least: 32, what: "rubygems key"},
	{prefix: "hf_", body: letters, least: 24, what: "hugging face token"},
	{prefix: "dop_v1_", body: hexadecimal, least: 32, what: "digitalocean token"},
	{prefix: "doo_v1_", body: hexadecimal, least: 32, what: "digitalocean token"},
	{prefix: "dor_v1_", body: hexadecimal, least: 32, what: "digitalocean token"},
	{prefix: "SK", body: hexadecimal, least: 32, what: "twilio key", form: exact},
	{prefix: "SG.", body: url64, least: 16, what: "sendgrid key", form: sendgrid},
	{prefix: "hvs.", body: url64, least: 24, what: "vault token", check: digital},
	{prefix: "hvb.", body: url64, least: 24, what: "vault token", check: digital},
	{prefix: "dapi", body: hexadecimal, least: 32, what: "databricks token"},
	{prefix: "shpat_", body: letters, least: 32, what: "shopify token"},
	{prefix: "shpss_", body: letters, least: 32, what: "shopify token"},
	{prefix: "shpca_", body: letters, least: 32, what: "shopify token"},
	{prefix: "shppa_", body: letters, least: 32, what: "shopify token"},
	{prefix: "sq0csp-", body: url64, least: 20, what: "square token"},
	{prefix: "sq0atp-", body: url64, least: 20, what: "square token"},
	{prefix: "lin_api_", body: letters, least: 32, what: "linear key"},
	{prefix: "ntn_", body: letters, least: 32, what: "notion token", check: digital},
	{prefix: "ATATT3", body: bearer, least: 32, what: "atlassian token"},
	{prefix: "PMAK-", body: url64, least: 32, what: "postman key"},
	{prefix: "NRAK-", body: capitals, least: 24, what: "new relic key"},
	{prefix: "glsa_", body: wordly, least: 32, what: "grafana token"},
	{prefix: "dckr_pat_", body: url64, least: 20, what: "docker token"},
	{prefix: "tskey-", body: url64, least: 20, what: "tailscale key", check: digital},
	{prefix: "gsk_", body: letters, least: 32, what: "groq key", check: digital},
	{prefix: "xai-", body: letters, least: 32, what: "xai key", check: digital},
	{prefix: "pplx-", body: letters, least: 32, what: "perplexity key", check: digital},
	{prefix: "sbp_", body: hexadecimal, least: 32, what: "supabase token"},
	{prefix: "figd_", body: url64, least: 32, what: "figma token"},
	{prefix: "AGE-SECRET-KEY-1", body: capitals, least: 40, what: "age key"},

	{prefix: "eyJ", body: url64, least: 12, what: "jwt", form: jwt},
	{prefix: "Bearer ", body: bearer, least: 16, what: "bearer token", form: afterBearer},
	{prefix: "bearer ", body: bearer, least: 16, what: "bearer token", form: afterBearer},
	{prefix: "BEARER ", body: bearer, least: 16, what: "bearer token", form: afterBearer},
	{prefix: "Basic ", body: base64s, least: 12, what: "basic credentials", form: afterBasic},
	{prefix: "basic ", body: base64s, least: 12, what: "basic credentials", form: afterBasic},
	{prefix: "BASIC ", body: base64s, least: 12, what: "basic credentials", form: afterBasic},
}

// formats are the known ones by the first two bytes, in the order of the list.
var formats = sync.OnceValue(func() map[[2]byte][]*format {
	table := map[[2]byte][]*format{}
	for i := range known {
		f := &known[i]
		key := [2]byte{f.prefix[0], f.prefix[1]}
		table[key] = append(table[key], f)
	}
	return table
})

// labels are the names of what is found, other than of the environment.
var labels = sync.OnceValue(func() map[string]bool {
	table := map[string]bool{privateKey: true, awsKey: true, awsSecret: true}
	for _, what := range kinds {
		table[what] = true
	}
	for _, f := range known {
		table[f.what] = true
	}
	delete(table, "")
	return table
})

// format finds a token at i, which begins a word.
func (x *scan) format(i int) (secret, bool) {
	for _, f := range formats()[[2]byte{x.s[i], x.s[i+1]}] {
		if !strings.HasPrefix(x.s[i:], f.prefix) {
			continue
		}
		switch f.form {
		case amazonID:
			return x.amazonID(i, f)
		case webhook:
			hit, ok := f.token(x, i)
			hit.from += len(f.prefix) // the host stays
			return hit, ok
		case exact:
			return x.exact(i, f)
		case sendgrid:
			return x.sendgrid(i, f)
		case jwt:
			return x.jwt(i, f)
		case afterBearer:
			return x.bearer(i, f)
		case afterBasic:
			return x.basic(i, f)
		}
		return f.token(x, i)
	}
	return secret{}, false
}

// token is a prefix and a body that is long enough, and not one that stands for any.
func (f *format) token(x *scan, i int) (secret, bool) {
	from := i + len(f.prefix)
	to := x.run(f.body, from)
	if to-from < f.least || !x.good(f, from, to) {
		return secret{}, false
	}
	return secret{i, to, f.what}, true
}

// looked is how much of a value is looked at where the rest makes no difference.
const looked = 256

// check is what a body must be, beside being long enough. Where a text fails one, so does
// every end of it.
type check uint8

const (
	anything   check = iota
	digital          // has a digit
	random           // is no word and no name
	longRandom       // has a long part that is random
	checks
)

func (c check) holds(body string) bool {
	switch c {
	case digital:
		return hasDigit(body)
	case random:
		return isRandom(body)
	case longRandom:
		return oneLongRandom(body)
	}
	return true
}

// good checks the body of a token, the rest of a run. What has failed isn't looked at
// again, so that many beginnings in one run cost no more than one.
func (x *scan) good(f *format, from, to int) bool {
	if x.failed[f.body][f.check] == to {
		return false
	}
	x.again += to - from
	if body := x.s[from:to]; oneByte(body) || !f.check.holds(body) {
		x.failed[f.body][f.check] = to
		return false
	}
	return true
}

// oneByte is true for xxxxxxxx.
func oneByte(s string) bool {
	return s != "" && s[1:] == s[:len(s)-1]
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

// isRandom is true for what no word and no name is: letters and digits in turns.
func isRandom(s string) bool {
	turns, before, digit := 0, 0, false
	for i := range len(s) {
		kind := kindOf(s[i])
		if kind != before && kind != 0 && before != 0 {
			turns++
		}
		before, digit = kind, digit || kind == 1
		if digit && turns >= 3 {
			return true
		}
	}
	return false
}

func kindOf(b byte) int {
	switch {
	case b >= '0' && b <= '9':
		return 1
	case b >= 'a' && b <= 'z':
		return 2
	case b >= 'A' && b <= 'Z':
		return 3
	}
	return 0
}

// oneLongRandom wants a long part without - and _, as names of many words don't have.
func oneLongRandom(s string) bool {
	for len(s) >= 20 {
		end := strings.IndexAny(s, "-_")
		if end < 0 {
			end = len(s)
		}
		if end >= 20 && isRandom(s[:end]) {
			return true
		}
		s = s[min(end+1, len(s)):]
	}
	return false
}

// formatAt is format for a place that the scan hasn't come to.
func (x *scan) formatAt(i int) (secret, bool) {
	if i+1 >= len(x.s) {
		return secret{}, false
	}
	near := x.near
	hit, ok := x.format(i)
	x.near = near
	return hit, ok
}
