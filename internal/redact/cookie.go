package redact

import "strings"

const cookie = "cookie"

func isCookie(name string) bool {
	return strings.EqualFold(name, "cookie") || strings.EqualFold(name, "set-cookie")
}

// maxCookies bounds a line of cookies, in bytes.
const maxCookies = 8 << 10

// openCookies notes that cookies stand at i, up to the end of the line or of the quotation;
// before is what stands before the name of the header.
func (x *scan) openCookies(i int, before string) {
	s := x.s
	i = skipBlanks(s, i)
	end := byte('\n')
	if before == "\"" || before == "'" {
		end = before[0]
	}
	if i < len(s) && (s[i] == '"' || s[i] == '\'') {
		end = s[i]
		i++
	}
	if i <= x.cookies {
		return
	}
	x.cookies = i
	for x.cookies < len(s) && x.cookies-i < maxCookies && s[x.cookies] != end && s[x.cookies] != '\n' {
		x.cookies++
	}
}

// crumb is the value of one cookie, whose = is at i.
func (x *scan) crumb(i int) (secret, bool) {
	name, _, _ := x.word(i)
	lower := strings.ToLower(name)
	from := i + 1
	to := min(x.run(crumbs, from), x.cookies)
	value := strings.TrimRight(x.s[from:to], ".,")
	to = from + len(value)
	if lower == "" || harmlessCookies()[lower] || strings.HasPrefix(lower, "_ga") || strings.HasPrefix(lower, "__utm") || stands(value) || markAt(x.s[to:]) > 0 || strings.Contains(value, opening) {
		return secret{}, false
	}
	long := len(value) >= 16 && (isRandom(value) || hasDigit(value) && hasLetter(value))
	named := len(value) >= 4 && (kindOfName(name) != "" || namesSession(lower))
	if !long && !named {
		return secret{}, false
	}
	if hit, ok := x.formatAt(from); ok && hit.to == to {
		return hit, true
	}
	return secret{from, to, cookie}, true
}

var harmlessCookies = words(`path domain expires max-age samesite priority version secure httponly partitioned comment port lang language locale theme timezone tz currency country region consent cookieconsent cookie_consent _gid _fbp _gcl_au ajs_anonymous_id`)

func namesSession(lower string) bool {
	for _, part := range [...]string{"sess", "sid", "auth", "csrf", "xsrf", "remember", "login"} {
		if strings.Contains(lower, part) {
			return true
		}
	}
	return false
}
