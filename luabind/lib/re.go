package lib

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/internal/spelling"
	"github.com/luahook/luahook/luabind"
)

// operations are what can be done with a pattern, as functions re.match(s,
// pattern, ...) and as methods r:match(s, ...): in both the arguments after these
// two begin with the third.
var operations = []struct {
	function
	run func(c call, p *program, s string) int
}{
	{function{
		"match", "(s: string, pattern: string): boolean",
		"whether the pattern (RE2) matches anywhere in s",
		`assert(re.match("git push --force", [[^git\s+push\b]]))`, nil,
	}, matchRE},
	{function{
		"find", "(s: string, pattern: string): string?, ...string?",
		"the first match, then its groups (nil for one that took no part); nil without a match",
		`local all, user, host = re.find("mail to ann@example.org", [[(\w+)@([\w.]+)]])
assert(all == "ann@example.org" and user == "ann" and host == "example.org")`, nil,
	}, findRE},
	{function{
		"find_all", "(s: string, pattern: string, n?: integer): string[]",
		"all matches that don't overlap, or the first n",
		`assert(table.concat(re.find_all("a1 b22 c333", "[0-9]+"), ",") == "1,22,333")`, nil,
	}, findAllRE},
	{function{
		"captures", "(s: string, pattern: string): table?",
		"the groups of the first match by number and by name, the whole match as 0; nil without a match",
		`local c = re.captures("v1.20", [[v(?P<major>\d+)\.(?P<minor>\d+)]])
assert(c.major == "1" and c.minor == "20" and c[1] == "1" and c[0] == "v1.20")`, nil,
	}, capturesRE},
	{function{
		"replace", "(s: string, pattern: string, replacement: string): string",
		"s with every match replaced; $1, ${1} and ${name} stand for groups, $$ for a dollar",
		`assert(re.replace("key=secret", [[(key)=\S+]], "$1=***") == "key=***")`, nil,
	}, replaceRE},
	{function{
		"split", "(s: string, pattern: string): string[]",
		"the parts of s between the matches",
		`assert(#re.split("a, b ;c", [[\s*[,;]\s*]]) == 3)`, nil,
	}, splitRE},
}

// reModule makes the module over a cache of compiled patterns, which all states
// that get the module share.
func reModule(programs *cache[*program]) luabind.Module {
	pattern := func(c call, n int) *program { return known(c, programs, n, c.text(n)) }
	var functions []function
	for _, o := range operations {
		f := o.function
		f.run = func(c call) int {
			s := c.text(1)
			return o.run(c, pattern(c, 2), s)
		}
		functions = append(functions, f)
	}
	functions = append(functions,
		function{
			"quote", "(s: string): string",
			"a pattern that matches s and nothing else",
			`assert(re.match("a.go", "^" .. re.quote("a.go") .. "$") and not re.match("a-go", re.quote("a.go")))`,
			func(c call) int {
				s := c.text(1)
				c.charge(2 * len(s))
				c.allocate(2 * len(s))
				c.allocate(2 * len(s)) // package regexp makes bytes first
				return c.giveText(regexp.QuoteMeta(s))
			},
		},
		function{
			"compile", "(pattern: string): Pattern",
			"the pattern as an object with the methods match, find, find_all, captures, replace and split, which take the same arguments without the pattern",
			`local number = re.compile("[0-9]+")
assert(number:match("a1") and number:find("a12b") == "12" and number:replace("a1", "#") == "a#")`,
			func(c call) int {
				c.allocate(64)
				return c.give(&lua.LUserData{Value: pattern(c, 1), Metatable: patternMeta(c.LState)})
			},
		})
	return module("re", "regular expressions as RE2 and Go have them, in time linear to the text; patterns up to 10,000 bytes", functions...)
}

// known takes a pattern, argument n of the call, from the cache, or compiles it and puts
// it there.
func known(c call, programs *cache[*program], n int, source string) *program {
	if len(source) <= maxPattern { // else finding it takes long, too
		if p, ok := programs.get(source); ok {
			return p
		}
	}
	p, err := compileRegexp(source, func(work int) { luabind.Spend(c.LState, work) }, func(size int) { chargeProgram(c, size) })
	if err != nil {
		c.bad(n, "pattern "+shorten(source)+": "+err.Error())
	}
	programs.put(source, p, p.size)
	return p
}

// patternMeta is the metatable of compiled patterns in a state. It hangs in the
// registry, which scripts can't reach.
func patternMeta(L *lua.LState) *lua.LTable {
	meta := L.NewTypeMetatable("luahook.pattern")
	if meta.RawGetString("__index") != lua.LNil {
		return meta
	}
	methods := L.CreateTable(0, len(operations))
	for _, o := range operations {
		methods.RawSetString(o.name, L.NewFunction(func(L *lua.LState) int {
			c := call{LState: L, module: "re", name: o.name, method: true}
			u, _ := L.Get(1).(*lua.LUserData)
			if u != nil {
				if late, ok := u.Value.(*latePattern); ok {
					u.Value = known(c, late.programs, 1, late.source)
				}
				if p, ok := u.Value.(*program); ok {
					return o.run(c, p, c.text(2))
				}
			}
			c.RaiseError("call %s of a compiled pattern with a colon: pattern:%s(s)", o.name, o.name)
			return 0
		}))
	}
	meta.RawSetString("__index", methods)
	meta.RawSetString("__newindex", L.NewFunction(func(L *lua.LState) int {
		L.RaiseError("a compiled pattern is read-only")
		return 0
	}))
	meta.RawSetString("__tostring", L.NewFunction(func(L *lua.LState) int {
		if u, ok := L.Get(1).(*lua.LUserData); ok {
			switch p := u.Value.(type) {
			case *program:
				L.Push(lua.LString(p.source))
				return 1
			case *latePattern:
				L.Push(lua.LString(p.source))
				return 1
			}
		}
		return 0
	}))
	meta.RawSetString("__metatable", lua.LString("pattern"))
	return meta
}

func matchRE(c call, p *program, s string) int { return c.give(lua.LBool(p.matches(c, s))) }

func findRE(c call, p *program, s string) int {
	at := p.scan(c, s).next()
	if at == nil {
		return c.give(lua.LNil)
	}
	luabind.Spend(c.LState, len(at)/2)
	// The registry of a state is small, so many groups can't be many results.
	if len(at)/2 > maxResults {
		c.fail(fmt.Sprintf("the pattern has more than %d groups; use captures", maxResults-1))
	}
	for i := 0; i < len(at); i += 2 {
		c.Push(group(s, at, i/2))
	}
	return len(at) / 2
}

// maxResults is how many results find may return.
const maxResults = 100

// group is a group of a match, nil where it took no part in it.
func group(s string, at []int, n int) lua.LValue {
	if at[2*n] < 0 {
		return lua.LNil
	}
	return lua.LString(s[at[2*n]:at[2*n+1]])
}

func findAllRE(c call, p *program, s string) int {
	n := -1
	if c.Get(3) != lua.LNil {
		n = c.whole(3, 0)
	}
	found := c.list(0)
	if n == 0 {
		return c.give(found)
	}
	for m := p.scan(c, s); ; {
		at := m.next()
		if at == nil {
			break
		}
		luabind.AllocateItem(c.LState, itemBytes)
		found.Append(group(s, at, 0))
		if n--; n == 0 {
			break
		}
	}
	return c.give(found)
}

func capturesRE(c call, p *program, s string) int {
	at := p.scan(c, s).next()
	if at == nil {
		return c.give(lua.LNil)
	}
	luabind.Spend(c.LState, 2*len(at))
	// At worst each group has a name, and the whole stands at 0.
	c.allocate(luabind.TableBytes(len(at)/2, len(at)/2) + 300 + 16*len(at))
	t := c.CreateTable(len(at)/2, 0)
	for i, name := range p.first().SubexpNames() {
		t.RawSetInt(i, group(s, at, i))
		if name != "" {
			t.RawSetString(name, group(s, at, i))
		}
	}
	return c.give(t)
}

func splitRE(c call, p *program, s string) int {
	if s == "" && p.source != "" {
		return c.giveTexts([]string{""})
	}
	parts := c.list(0)
	add := func(part string) {
		luabind.AllocateItem(c.LState, itemBytes)
		parts.Append(lua.LString(part))
	}
	begin, end := 0, 0
	for m := p.scan(c, s); ; {
		at := m.next()
		if at == nil {
			break
		}
		end = at[0]
		if at[1] != 0 {
			add(s[begin:end])
		}
		begin = at[1]
	}
	if end != len(s) {
		add(s[begin:])
	}
	return c.give(parts)
}

// maxReplaced bounds what re.replace makes.
const maxReplaced = 8 << 20

// maxReplacement bounds a replacement that has to be taken apart.
const maxReplacement = 64 << 10

func replaceRE(c call, p *program, s string) int {
	replacement := c.text(3)
	if len(replacement) > maxReplacement && strings.Contains(replacement, "$") {
		c.bad(3, fmt.Sprintf("a replacement with groups of more than %d bytes", maxReplacement))
	}
	luabind.Spend(c.LState, 1+len(replacement)/2)
	c.allocate(64 * (1 + strings.Count(replacement, "$")))
	parts, err := parseReplacement(replacement, p.first().Regexp)
	if err != nil {
		c.bad(3, err.Error())
	}
	var b strings.Builder
	copied := 0
	for m := p.scan(c, s); ; {
		at := m.next()
		if at == nil {
			break
		}
		luabind.Spend(c.LState, len(parts))
		size := at[0] - copied
		for _, part := range parts {
			size += part.size(at)
		}
		c.charge(size)
		c.allocate(size)
		// s itself may be larger than the bound; then it must not grow.
		if b.Len()+size+len(s)-at[1] > max(maxReplaced, len(s)) {
			c.fail(fmt.Sprintf("the result would be larger than %d bytes", maxReplaced))
		}
		if b.Cap() == 0 {
			c.allocate(len(s))
			b.Grow(len(s))
		}
		b.WriteString(s[copied:at[0]])
		for _, part := range parts {
			b.WriteString(part.expand(s, at))
		}
		copied = at[1]
	}
	if copied == 0 && b.Len() == 0 { // nothing has changed
		return c.giveText(s)
	}
	c.charge(len(s) - copied)
	c.allocate(len(s) - copied)
	b.WriteString(s[copied:])
	return c.giveText(b.String())
}

// replacementPart is literal text, or a group.
type replacementPart struct {
	text  string
	group int // -1 for text
}

func (p replacementPart) size(at []int) int {
	switch {
	case p.group < 0:
		return len(p.text)
	case at[2*p.group] < 0:
		return 0
	}
	return at[2*p.group+1] - at[2*p.group]
}

func (p replacementPart) expand(s string, at []int) string {
	switch {
	case p.group < 0:
		return p.text
	case at[2*p.group] < 0:
		return ""
	}
	return s[at[2*p.group]:at[2*p.group+1]]
}

var reference = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$(?:\$|(\w+)|\{(\w+)\})`) })

// parseReplacement reads a replacement as regexp.Expand does, but for a group that
// the pattern doesn't have: that is an error, because $1x is the group 1x and never
// what its author meant. A $ before anything else stands for itself.
func parseReplacement(text string, re *regexp.Regexp) (parts []replacementPart, err error) {
	begin := 0
	literal := func(end int) {
		if end > begin {
			parts = append(parts, replacementPart{text[begin:end], -1})
		}
	}
	for _, at := range reference().FindAllStringSubmatchIndex(text, -1) {
		literal(at[0])
		begin = at[1]
		name := ""
		switch {
		case at[2] >= 0:
			name = text[at[2]:at[3]]
		case at[4] >= 0:
			name = text[at[4]:at[5]]
		default:
			parts = append(parts, replacementPart{"$", -1})
			continue
		}
		n, isNumber := groupNumber(name)
		if !isNumber {
			n = re.SubexpIndex(name)
		}
		if n < 0 || n > re.NumSubexp() {
			return nil, unknownGroup(name, re)
		}
		parts = append(parts, replacementPart{group: n})
	}
	literal(len(text))
	return parts, nil
}

func groupNumber(name string) (n int, ok bool) {
	n, err := strconv.Atoi(name)
	return n, err == nil
}

var leadingDigits = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9]+`) })

func unknownGroup(name string, re *regexp.Regexp) error {
	hint := spelling.DidYouMean(name, re.SubexpNames())
	if digits := leadingDigits().FindString(name); digits != "" && digits != name {
		hint = fmt.Sprintf("; write ${%s}%s for group %s and then %s", digits, name[len(digits):], digits, name[len(digits):])
	}
	return fmt.Errorf("the pattern has no group %s%s", name, hint)
}

// PatternsModule is a module for built-in hooks alone: they have many patterns, of which a
// session needs few, and what is wrong with one their tests say.
func PatternsModule() luabind.Module {
	programs := newCache[*program](maxPrograms, maxProgramsSize)
	return module("patterns", "regular expressions that are read when they are first used, and what patterns of shells stand for; only built-in hooks have them",
		function{
			"later", "(pattern: string): Pattern",
			"what re.compile returns, at no cost until one of its methods is called; what is wrong with the pattern is an error of that call",
			`assert(patterns.later("^[0-9]+$"):match("12"))`,
			func(c call) int {
				c.allocate(64)
				return c.give(&lua.LUserData{Value: &latePattern{c.text(1), programs}, Metatable: patternMeta(c.LState)})
			},
		},
		function{
			"names", "(files: string[], programs?: string[]): Names",
			"names that patterns of shells may stand for: of files, absolute or as the ends of paths, and of programs, of which each text lists some (git:push counts as git). " +
				"As the option names of shell.parse they have each command that may mean one of them there once more, with the name; " +
				"the method meant lists what a path may be, and original gives such a command as the line has it (nil: it is so)",
			`local names = patterns.names({ ".git/config" }, { "shoptool" })
assert(names:meant("src/.g*/conf?g")[1] == "src/.git/config")
local commands = shell.parse("/bin/shopt?ol .g*/config", { names = names }).commands
assert(#commands == 3 and commands[2].name == "shoptool" and commands[3].args[1] == ".git/config")`,
			namesOf,
		})
}

// latePattern stands in a pattern's object until it is first used.
type latePattern struct {
	source   string
	programs *cache[*program]
}
