package redact

import (
	"slices"
	"sort"
	"strings"
	"sync"
)

// argument says how a program takes a secret after a flag.
type argument uint8

const (
	apart    argument = 1 << iota // as the next word
	joined                        // in the same word
	ofUser                        // after a user and a :
	sambaOf                       // after a user and a %
	lftpOf                        // after a user and a comma
	source                        // after pass: as in openssl
	position                      // after a file and a user, as in htpasswd
)

// program takes a secret after a flag whose name doesn't say so.
type program struct {
	needs string // a word that must precede the flag
	flags map[string]argument
}

// freerdp has its password after /p:
var freerdp = &program{}

// programs maps the programs' names.
var programs = sync.OnceValue(func() map[string]*program {
	table := map[string]*program{}
	add := func(names, needs string, flags map[string]argument) {
		p := &program{needs, flags}
		for _, name := range strings.Fields(names) {
			table[name] = p
		}
	}
	add("mysql mysqldump mysqladmin mysqlimport mysqlpump mysqlshow mysqlcheck mariadb mariadb-dump mariadb-admin", "", map[string]argument{"p": joined})
	add("sshpass", "", map[string]argument{"p": apart | joined})
	add("docker podman nerdctl buildah skopeo helm oras crane az oc cf ibmcloud", "login", map[string]argument{"p": apart | joined, "t": apart})
	add("redis-cli redis-benchmark valkey-cli", "", map[string]argument{"a": apart})
	add("ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldapcompare ldapmodrdn ldapexop", "", map[string]argument{"w": apart | joined})
	add("ldappasswd", "", map[string]argument{"w": apart | joined, "s": apart, "a": apart})
	add("slappasswd", "", map[string]argument{"s": apart})
	add("unzip zip zipcloak funzip", "", map[string]argument{"P": apart | joined})
	add("unar lsar", "", map[string]argument{"p": apart | joined})
	add("7z 7za 7zr 7zz 7zzs p7zip", "", map[string]argument{"p": joined})
	add("rar unrar", "", map[string]argument{"p": joined, "hp": joined})
	add("curl wget", "", map[string]argument{"u": apart | joined | ofUser, "U": apart | joined | ofUser, "E": apart | ofUser})
	add("http https xh ab siege wrk", "", map[string]argument{"a": apart | ofUser, "A": apart | ofUser})
	add("openssl", "", map[string]argument{"passin": apart | source, "passout": apart | source, "pass": apart | source, "password": apart | source, "k": apart, "K": apart, "psk": apart})
	add("mongo mongosh mongodump mongorestore mongoimport mongoexport mongostat mongotop mongofiles", "", map[string]argument{"p": apart | joined})
	add("sqlcmd bcp isql tsql osql fisql mosquitto_pub mosquitto_sub ipmitool", "", map[string]argument{"P": apart | joined})
	add("cqlsh rabbitmqadmin clickhouse-client influx rdesktop twine impala-shell cypher-shell arangosh couchbase-cli cbq nats amqp-publish sshfs", "", map[string]argument{"p": apart | joined})
	add("snmpwalk snmpget snmpset snmpbulkwalk snmpbulkget snmptrap", "", map[string]argument{"A": apart, "X": apart})
	add("ssh-keygen", "", map[string]argument{"N": apart, "P": apart})
	add("htpasswd", "", map[string]argument{"b": position})
	add("smbclient smbget rpcclient smbcacls winexe wmic net nmblookup smbmap", "", map[string]argument{"U": apart | sambaOf, "p": apart})
	add("impacket-psexec crackmapexec netexec nxc evil-winrm", "", map[string]argument{"p": apart})
	add("lftp ncftp", "", map[string]argument{"u": apart | lftpOf, "p": apart})
	add("dotnet nuget", "push", map[string]argument{"k": apart})
	add("net-snmp-create-v3-user", "", map[string]argument{"A": apart, "X": apart})
	add("psexec psexec64 net.exe", "", map[string]argument{"p": apart})
	add("vncviewer x11vnc", "", map[string]argument{"passwd": apart})
	add("mailx swaks sendemail", "", map[string]argument{"ap": apart, "xp": apart})
	for _, name := range [...]string{"xfreerdp", "xfreerdp3", "wlfreerdp", "sdl-freerdp", "wfreerdp"} {
		table[name] = freerdp
	}
	return table
})

// before finds the latest program of the same command whose words precede a place. It reads no byte twice.
func (x *scan) before(i int) *program {
	s := x.s
	if x.p < x.last {
		x.p = x.last
	}
	for x.p < i {
		switch c := s[x.p]; {
		case c == ';' || c == '|' || c == '&':
			x.program, x.needed = nil, false
			x.p++
		case c == '\n':
			if !x.goesOn(x.p) {
				x.program, x.needed = nil, false
			}
			x.p++
		case isName(c) || c == '/':
			from := x.p
			for x.p < i && (isName(s[x.p]) || s[x.p] == '/') {
				x.p++
			}
			x.commandWord(s[from:x.p])
		default:
			x.p++
		}
	}
	if x.program == nil || x.program.needs != "" && !x.needed {
		return nil
	}
	return x.program
}

// commandWord looks at a word of a command.
func (x *scan) commandWord(word string) {
	if slash := strings.LastIndexByte(word, '/'); slash >= 0 {
		word = word[slash+1:]
	}
	word = strings.TrimSuffix(word, ".exe")
	if len(word) == 0 || len(word) > 24 {
		return
	}
	if p := programs()[word]; p != nil {
		x.program, x.needed = p, false
	} else if x.program != nil && word == x.program.needs {
		x.needed = true
	}
}

// goesOn reports whether a command continues after the end of the line at i: after a backslash, in a list, and
// among the items of a YAML list.
func (x *scan) goesOn(i int) bool {
	s := x.s
	for at := i - 1; at >= 0 && i-at < 8; at-- {
		switch s[at] {
		case ' ', '\t', '\r':
			continue
		case '\\', ',', '[', '(':
			return true
		}
		break
	}
	at := i + 1
	for at < len(s) && at-i < 40 && (s[at] == ' ' || s[at] == '\t') {
		at++
	}
	if at+2 >= len(s) || s[at] != '-' || s[at+1] != ' ' {
		return false
	}
	for at += 2; at < len(s) && at-i < 300 && s[at] != '\n'; at++ { // one word, or a flag
		if s[at] == ' ' && s[at-1] != ':' {
			return false
		}
	}
	return true
}

// startsWord reports whether a word of a command may begin at i.
func (x *scan) startsWord(i int) bool {
	if i == x.last {
		return true
	}
	switch x.s[i-1] {
	case ' ', '\t', '\n', '"', '\'', '`', ',', '[', '(', '=':
		return true
	}
	return false
}

// short looks at a flag with one dash at i, whose program takes a secret there, and at -password.
func (x *scan) short(i int) (secret, bool) {
	if !x.startsWord(i) {
		return secret{}, false
	}
	s, end := x.s, i+1
	for end < len(s) && end-i <= maxName && isName(s[end]) {
		end++
	}
	name := s[i+1 : end]
	if name == "" {
		return secret{}, false
	}
	if p := x.before(i); p != nil {
		if how, ok := p.flags[name]; ok && how&apart != 0 {
			return x.given(how, end)
		}
		if strings.HasPrefix(name, "b") || len(name) < 6 && strings.Contains(name, "b") {
			if how := p.flags["b"]; how&position != 0 {
				return x.htpasswd(name, end)
			}
		}
		for n := min(len(name), 2); n > 0; n-- {
			if how := p.flags[name[:n]]; how&joined != 0 {
				return x.given(how, i+1+n)
			}
		}
		if how := p.flags[string(name[0])]; how&joined == 0 && how != 0 {
			return secret{}, false
		}
	}
	if len(name) < 5 || end == len(s) {
		return secret{}, false
	}
	kind := kindOfName(name)
	if kind == "" {
		return secret{}, false
	}
	from, ok := x.nextWord(end)
	if !ok {
		return secret{}, false
	}
	return x.value(assignment{kind: kind, name: name, spaced: true, flag: true}, from)
}

// given finds the secret after a flag whose name ends at i.
func (x *scan) given(how argument, i int) (secret, bool) {
	from := i
	if how&joined == 0 || i == len(x.s) || isBlank(x.s[i]) || how&apart != 0 && x.listEnd(i) {
		var ok bool
		if from, ok = x.nextWord(i); !ok || how&apart == 0 {
			return secret{}, false
		}
	}
	if how&joined != 0 && from == i && from < len(x.s) && x.s[from] == '=' {
		from++
	}
	if how&joined != 0 {
		x.program = nil // a second flag of the same name belongs to another program
	}
	switch {
	case how&ofUser != 0:
		return x.userPassword(from, ":")
	case how&sambaOf != 0:
		return x.userPassword(from, "%")
	case how&lftpOf != 0:
		return x.userPassword(from, ",")
	case how&source != 0:
		const sign = "pass:"
		if first, to, ok := x.quoted(from); ok && strings.HasPrefix(x.s[first:to], sign) {
			return secret{first + len(sign), to, password}, !stands(x.s[first+len(sign):to]) && !strings.Contains(x.s[first:to], opening)
		}
		if strings.HasPrefix(x.s[from:], sign) {
			return x.value(assignment{kind: password, name: "pass", sure: true}, from+len(sign))
		}
		return secret{}, false
	}
	return x.value(assignment{kind: password, name: "p", sure: true}, from)
}

// listEnd reports whether the word that ends at i is a quoted element of a list.
func (x *scan) listEnd(i int) bool {
	for i < len(x.s) && x.s[i] == '\\' {
		i++
	}
	return i+1 < len(x.s) && (x.s[i] == '"' || x.s[i] == '\'') && (x.s[i+1] == ',' || isBlank(x.s[i+1]) || x.s[i+1] == '\n')
}

// htpasswd finds the password after a file and a user; with n there is no file.
func (x *scan) htpasswd(name string, i int) (secret, bool) {
	words := 2
	if strings.Contains(name, "n") {
		words = 1
	}
	from, ok := x.nextWord(i)
	for ok && words > 0 {
		if from < len(x.s) && x.s[from] == '-' { // another flag, or the cost of -C
			if strings.HasPrefix(x.s[from:], "-C ") {
				words++
			}
			words++
		}
		from, ok = x.nextWord(x.wordEnd(from))
		words--
	}
	if !ok {
		return secret{}, false
	}
	return x.value(assignment{kind: password, name: "b", sure: true}, from)
}

// wordEnd returns where the word of a command ends that begins at i.
func (x *scan) wordEnd(i int) int {
	if from, to, ok := x.quoted(i); ok && to >= from {
		return to
	}
	for n := 0; n < looked && i < len(x.s) && !isBlank(x.s[i]) && strings.IndexByte("\n\"'`,;|&", x.s[i]) < 0; n++ {
		i++
	}
	return i
}

// nextWord returns where the next word of the same command begins, after one that ends at i: after blanks, after
// a comma in a list, on the next line after a backslash, and as the next item of a YAML list. ok is false if
// there is none.
func (x *scan) nextWord(i int) (from int, ok bool) {
	s, at, most := x.s, i, i+64
	for at < len(s) && s[at] == '\\' && at+1 < len(s) && s[at+1] != '\n' && s[at+1] != 'n' {
		at++
	}
	quoted := at < len(s) && (s[at] == '"' || s[at] == '\'')
	if quoted {
		at++
	} else {
		at = i
	}
	blank, list := false, false
	for at < len(s) && at < most {
		switch c := s[at]; {
		case isBlank(c) || c == '\r':
			blank = true
		case c == ',' && !list && (quoted || at > i && blank):
			list = true
		case c == '\\' && at+1 < len(s) && s[at+1] == '\n':
			at++
			blank = true
		case c == '\n' && list:
			blank = true
		case c == '\n':
			item := at + 1
			for item < len(s) && item < most && isBlank(s[item]) {
				item++
			}
			if item+2 >= len(s) || s[item] != '-' || s[item+1] != ' ' {
				return 0, false
			}
			at = item + 1
			blank = true
		default:
			return at, blank || list
		}
		at++
	}
	return 0, false
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' }

// Bounds of the values of the environment that are searched for.
const (
	shortestValue = 8
	longestValue  = 8 << 10
	mostValues    = 256
)

// longHead is how much of a long value identifies it: so much can't be equal by chance.
const longHead = 256

// values are the secrets of an environment, sorted.
type values struct {
	gate pairs
	list []variable
}

type variable struct {
	value, what string
	within      *variable // the longest other value that this one begins with
}

func valuesOf(environ []string) *values {
	v := &values{}
	for _, entry := range environ {
		name, value, ok := strings.Cut(entry, "=")
		if !ok || len(v.list) == mostValues || !secretVariable(name) || !unmistakable(value) {
			continue
		}
		what := ofEnvironment + name
		if !nameOfVariable(name) {
			what = "secret"
		}
		v.gate.open(value[0], value[1])
		v.list = append(v.list, variable{value: value, what: what})
	}
	if len(v.list) == 0 {
		return nil
	}
	v.gate.open(opening[0], opening[1])
	slices.SortStableFunc(v.list, func(a, b variable) int { return strings.Compare(a.value, b.value) })
	v.list = slices.CompactFunc(v.list, func(a, b variable) bool { return a.value == b.value })
	for i := range v.list {
		if i == 0 {
			continue
		}
		for w := &v.list[i-1]; w != nil; w = w.within {
			if strings.HasPrefix(v.list[i].value, w.value) {
				v.list[i].within = w
				break
			}
		}
	}
	return v
}

// secretVariable accepts more than SecretName, since an environment has few names.
func secretVariable(name string) bool {
	if SecretName(name) {
		return true
	}
	_, last := lastWords(name)
	return last == "key" || last == "dsn" || last == "sas" || last == "auth" || last == "pat"
}

// nameOfVariable reports whether a mark may have the name.
func nameOfVariable(name string) bool {
	for i := range len(name) {
		if !isWord(name[i]) {
			return false
		}
	}
	return len(name) <= maxName && secretVariable(name)
}

// unmistakable reports whether no other text has the value by chance.
func unmistakable(value string) bool {
	if len(value) < shortestValue || len(value) > longestValue || strings.Contains(value, strings.TrimSpace(opening)) || stands(value) {
		return false
	}
	switch value[0] {
	case '/', '~', '.':
		if !strings.ContainsAny(value, "+=") {
			return false // a path
		}
	}
	if len(value) < 16 && (allDigits(value) || strings.Trim(value, "abcdefghijklmnopqrstuvwxyz-_ ") == "" || strings.Trim(value, "ABCDEFGHIJKLMNOPQRSTUVWXYZ-_ ") == "") {
		return false // a word, a port, a date
	}
	return !strings.HasPrefix(value, "http://") && !strings.HasPrefix(value, "https://") || strings.ContainsAny(value, "@?")
}

// redact replaces the values wherever they occur.
func (v *values) redact(s string, keeps func(secret string) bool, pay func(int)) (text string, found int) {
	var out strings.Builder
	kept, payment := 0, payment{pay: pay}
	for i := v.gate.next(s, 0); i+1 < len(s); i = v.gate.next(s, i) {
		payment.reach(i, len(s))
		if n := markAt(s[i:]); n > 0 {
			i += n
			continue
		}
		length, what := v.at(s[i:])
		if length == 0 {
			i++
			continue
		}
		if keeps(s[i : i+length]) {
			i += length
			continue
		}
		out.WriteString(s[kept:i])
		out.WriteString(mark(what))
		i += length
		kept = i
		found++
	}
	payment.reach(len(s), len(s))
	if found == 0 {
		return s, 0
	}
	out.WriteString(s[kept:])
	return out.String(), found
}

// at finds the longest value that s begins with, or longHead and more bytes of one. Everything that is compared
// beyond a head is replaced, so the work grows only with the text.
func (v *values) at(s string) (length int, what string) {
	head := s[:min(len(s), longHead)]
	behind := sort.Search(len(v.list), func(i int) bool { return v.list[i].value > head })
	var best *variable
	for _, i := range [2]int{behind - 1, behind} { // no other shares as much with the head
		if i < 0 || i == len(v.list) {
			continue
		}
		if n := common(v.list[i].value, s); n > length {
			best, length = &v.list[i], n
		}
	}
	if best == nil {
		return 0, ""
	}
	if length >= longHead {
		return length, best.what
	}
	for ; best != nil; best = best.within {
		if len(best.value) <= length {
			return len(best.value), best.what
		}
	}
	return 0, ""
}

// common returns the length of the two texts' common beginning.
func common(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
