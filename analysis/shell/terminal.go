package shell

import (
	"strings"
	"sync"

	"github.com/luahook/luahook/analysis/shell/programs"
	"github.com/luahook/luahook/internal/wordlist"
)

// behindOption reports the command behind the first of the options.
func (w *walker) behindOption(a *programs.Behind, via string, args []argument, s scope) {
	for i, arg := range args {
		name, value, attached := strings.Cut(arg.Text, "=")
		switch {
		case arg.Dynamic && !arg.Quoted:
		case wordlist.Has(a.Words, arg.Text) && i+2 == len(args):
			w.text(args[i+1], via, s) // a single word may be a whole line
			return
		case wordlist.Has(a.Words, arg.Text) && i+1 < len(args):
			inner := s.through(via)
			inner.external = true
			w.run(args[i+1:], inner)
			return
		case wordlist.Has(a.Text, name) && attached && strings.HasPrefix(name, "--"):
			w.text(valueFrom(args, i, value), via+" "+name, s)
			return
		case wordlist.Has(a.Text, arg.Text) && i+1 < len(args):
			w.text(args[i+1], via+" "+name, s)
			return
		}
	}
}

// recorded reports what script(1) records: the text of -c, as util-linux has
// it, or the words behind the file, as the BSDs have it.
func (w *walker) recorded(c *Command, args []argument, s scope) {
	g := (*wrapper)(programs.Of(c.Name).Runs)
	anywhere := grammar(g.Options)
	anywhere.First = false
	items, _ := anywhere.scan(c.Args, "")
	operands := 0
	for _, o := range items {
		switch {
		case o.name == "":
			operands++
		case operands == 1 && wordlist.Has(g.Text, o.name) && o.valued: // only util-linux takes options there
			w.text(valueFrom(args, o.source, o.value), c.Name+" "+o.name, s)
			return
		}
	}
	w.wrapped(g, c, c.Name, args, s)
}

// screen reports the command that screen(1) starts, or what -X types.
func (w *walker) screen(c *Command, args []argument, s scope) {
	const valued = "cehpsStT" // the letters that take a word
	detached, attaches := false, false
	for i := 0; i < len(args); i++ {
		text := args[i].Text
		switch {
		case text == "-X":
			w.screenCommand(c, args[i+1:], s)
			return
		case text == "-Logfile":
			i++
			continue
		case text == "-ls" || text == "-list" || text == "-wipe" || text == "-v" || text == "-help" || text == "--help" || text == "--version":
			return
		case len(text) > 1 && text[0] == '-' && text != "--":
			detached = detached || strings.ContainsAny(text, "m")
			attaches = attaches || strings.ContainsAny(text, "rRx")
			if strings.IndexByte(valued, text[len(text)-1]) >= 0 {
				i++
			}
			continue
		case text == "--":
			i++
		}
		if attaches && !detached {
			return // the word is the session
		}
		if i < len(args) {
			inner := s.through(c.Name)
			inner.external, inner.input, inner.redirects = true, nil, nil
			w.run(args[i:], inner)
		}
		return
	}
}

// screenCommand reports what a command of screen's own does that -X sends.
func (w *walker) screenCommand(c *Command, words []argument, s scope) {
	if len(words) < 2 {
		return
	}
	s.input = nil
	switch words[0].Text {
	case "stuff":
		typed, _ := joinWords(words[1:])
		typed.Text = screenEscapes.Replace(typed.Text)
		w.typedText(typed, c.Name+" -X stuff", s)
	case "exec", "screen":
		words = words[1:]
		for len(words) > 0 && (strings.HasPrefix(words[0].Text, "-") || strings.Trim(words[0].Text, ".!:|") == "") {
			words = words[1:]
		}
		if len(words) > 0 {
			inner := s.through(c.Name + " -X")
			inner.external = true
			w.run(words, inner)
		}
	case "eval":
		for _, word := range words[1:] {
			if parts, err := Split(word.Text); err == nil && !word.Dynamic && w.spend(len(word.Text)) {
				w.screenCommand(c, literals(parts, word.at), s)
			}
		}
	}
}

// screenEscapes are ways to write the end of a line for screen.
var screenEscapes = strings.NewReplacer("^M", "\n", "^m", "\n", "^J", "\n", `\015`, "\n", `\012`, "\n", `\r`, "\n", `\n`, "\n", "\r", "\n")

func literals(words []string, at place) []argument {
	args := make([]argument, len(words))
	for i, word := range words {
		args[i] = literal(word, at)
	}
	return args
}

// tmuxNames are the names of all commands of tmux(1), which may be shortened
// to what no other begins with.
const tmuxNames = "attach-session bind-key break-pane capture-pane choose-buffer choose-client choose-tree clear-history clear-prompt-history clock-mode command-prompt confirm-before copy-mode " +
	"customize-mode delete-buffer detach-client display-menu display-message display-panes display-popup find-window has-session if-shell join-pane kill-pane kill-server kill-session kill-window " +
	"last-pane last-window link-window list-buffers list-clients list-commands list-keys list-panes list-sessions list-windows load-buffer lock-client lock-server lock-session move-pane move-window " +
	"new-session new-window next-layout next-window paste-buffer pipe-pane previous-layout previous-window refresh-client rename-session rename-window resize-pane resize-window respawn-pane " +
	"respawn-window rotate-window run-shell save-buffer select-layout select-pane select-window send-keys send-prefix server-access set-buffer set-environment set-hook set-option set-window-option " +
	"show-buffer show-environment show-hooks show-messages show-options show-prompt-history show-window-options source-file split-window start-server suspend-client swap-pane swap-window " +
	"switch-client unbind-key unlink-window wait-for"

// tmuxAliases are the short names of those commands that matter here, and of
// others of which one is the beginning.
var tmuxAliases = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"new": "new-session", "neww": "new-window", "splitw": "split-window", "respawnp": "respawn-pane", "respawnw": "respawn-window", "run": "run-shell", "if": "if-shell",
		"send": "send-keys", "pipep": "pipe-pane", "popup": "display-popup", "menu": "display-menu", "bind": "bind-key", "confirm": "confirm-before", "set": "set-option",
		"setw": "set-window-option", "a": "attach-session", "at": "attach-session", "attach": "attach-session", "ls": "list-sessions", "has": "has-session", "display": "display-message",
		"info": "show-messages", "detach": "detach-client", "source": "source-file", "start": "start-server", "show": "show-options", "showw": "show-window-options",
		"next": "next-window", "prev": "previous-window", "last": "last-window", "rename": "rename-session", "switchc": "switch-client", "wait": "wait-for", "lock": "lock-server",
		"setb": "set-buffer", "setenv": "set-environment", "lsk": "list-keys", "lscm": "list-commands", "lsc": "list-clients", "lsb": "list-buffers", "lsp": "list-panes", "lsw": "list-windows",
		"killw": "kill-window", "killp": "kill-pane", "selectw": "select-window", "selectp": "select-pane", "selectl": "select-layout", "capturep": "capture-pane", "renamew": "rename-window",
		"resizep": "resize-pane", "resizew": "resize-window", "swapp": "swap-pane", "swapw": "swap-window", "movep": "move-pane", "movew": "move-window", "joinp": "join-pane", "breakp": "break-pane",
		"linkw": "link-window", "unlinkw": "unlink-window", "rotatew": "rotate-window", "lastp": "last-pane", "nextl": "next-layout", "prevl": "previous-layout", "findw": "find-window",
		"loadb": "load-buffer", "saveb": "save-buffer", "pasteb": "paste-buffer", "deleteb": "delete-buffer", "showb": "show-buffer", "clearhist": "clear-history", "clearphist": "clear-prompt-history",
		"displayp": "display-panes", "refresh": "refresh-client", "suspendc": "suspend-client", "showenv": "show-environment", "showmsgs": "show-messages", "showphist": "show-prompt-history",
		"unbind": "unbind-key", "lockc": "lock-client", "locks": "lock-session",
	}
})

// tmuxOptions are the options of the commands that run something.
var tmuxOptions = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"new-session": "AdDEPXc:e:f:F:n:s:t:x:y:", "new-window": "abdkPSc:e:F:n:t:", "split-window": "bdfhIvPZc:e:l:p:t:F:s:S:", "respawn-pane": "kc:e:t:", "respawn-window": "kc:e:t:",
		"display-popup": "BCEkNb:c:d:e:h:s:S:t:T:w:x:y:", "run-shell": "bCEc:d:t:", "if-shell": "bFt:", "pipe-pane": "IOot:", "send-keys": "FHKlMRXc:N:t:",
		"bind-key": "nrN:T:", "confirm-before": "byc:p:t:", "set-hook": "agpRuwt:", "set-option": "aFgopqsuUwt:", "set-window-option": "aFgoqut:",
	}
})

// tmux reports what the commands among the arguments of tmux run.
func (w *walker) tmux(c *Command, args []argument, s scope) {
	items, rest := runsBy(c.Name).scan(c.Args, "")
	s.input = nil
	for _, o := range items {
		switch {
		case o.name == "":
		case o.kind == unknown:
			w.unreadable(args[min(o.index+1, len(args)):], s.through(c.Name))
			return
		case o.name == "-V" || o.name == "-h":
			return
		case o.name == "-c" && o.valued:
			w.text(valueFrom(args, o.source, o.value), c.Name+" -c", s)
		}
	}
	w.tmuxCommands(c.Name, args[min(rest, len(args)):], s, 0)
}

// tmuxCommands reports the commands that semicolons separate.
func (w *walker) tmuxCommands(via string, args []argument, s scope, depth int) {
	if depth > maxDepth || !w.spend(len(args)) {
		w.line.TooComplex = true
		return
	}
	var command []argument
	for _, arg := range args {
		end := strings.HasSuffix(arg.Text, ";") && !strings.HasSuffix(arg.Text, `\;`)
		if end {
			arg.Text = arg.Text[:len(arg.Text)-1]
		}
		if arg.Text != "" || !end {
			command = append(command, arg)
		}
		if end {
			w.tmuxCommand(via, command, s, depth)
			command = nil
		}
	}
	w.tmuxCommand(via, command, s, depth)
}

func (w *walker) tmuxCommand(via string, words []argument, s scope, depth int) {
	if len(words) == 0 {
		return
	}
	name, ok := tmuxName(words[0].Text)
	if words[0].Dynamic || !ok { // it may be an alias of the user's
		w.unreadable(words, s.through(via))
		return
	}
	w.tmuxFormats(via, words[1:], s)
	options, ok := tmuxOptions()[name]
	if !ok {
		return
	}
	args := words[1:]
	g := wraps(options, "")
	items, rest := g.scan(wordsOf(args), "")
	flags := ""
	var sets []argument
	for _, o := range items {
		switch {
		case o.name == "":
		case o.kind == unknown:
			w.unreadable(args[min(o.index+1, len(args)):], s.through(via+" "+name))
			return
		case o.valued && (o.name == "-c" && name != "send-keys" && name != "run-shell" && name != "display-popup" && name != "confirm-before" || o.name == "-d" && name == "display-popup"):
			s.chdir(valueFrom(args, o.source, o.value))
		case o.name == "-e" && o.valued:
			sets = append(sets, valueFrom(args, o.source, o.value))
		default:
			flags += o.name[1:]
		}
	}
	s.set(sets)
	w.tmuxRun(tmuxCall{via + " " + name, name, flags, args[min(rest, len(args)):]}, s, depth)
}

// tmuxCall is one command of tmux: its flags, and the words behind them.
type tmuxCall struct {
	via, name, flags string
	words            []argument
}

func (w *walker) tmuxRun(c tmuxCall, s scope, depth int) {
	if len(c.words) == 0 {
		return
	}
	has := func(flag string) bool { return strings.Contains(c.flags, flag) }
	switch c.name {
	case "send-keys":
		if !has("X") {
			w.typedKeys(c, s)
		}
	case "run-shell", "if-shell", "pipe-pane":
		if c.name == "run-shell" && has("C") {
			w.tmuxText(c.via, c.words[0], s, depth)
			return
		}
		if !(c.name == "if-shell" && has("F")) {
			w.text(c.words[0], c.via, s)
		}
		if c.name == "if-shell" {
			for _, text := range c.words[1:] {
				w.tmuxText(c.via, text, s, depth)
			}
		}
	case "bind-key":
		w.tmuxNested(c.via, c.words[1:], s, depth)
	case "confirm-before":
		w.tmuxNested(c.via, c.words, s, depth)
	case "set-hook":
		w.tmuxNested(c.via, c.words[1:], s, depth)
	case "set-option", "set-window-option":
		if option := c.words[0].Text; len(c.words) > 1 && (option == "default-command" || option == "default-shell") {
			w.text(c.words[1], c.via+" "+option, s)
		}
	default:
		if len(c.words) == 1 {
			w.text(c.words[0], c.via, s)
			return
		}
		inner := s.through(c.via)
		inner.external, inner.redirects = true, nil
		w.run(c.words, inner)
	}
}

// tmuxNested is for commands that stand as one word or as several.
func (w *walker) tmuxNested(via string, words []argument, s scope, depth int) {
	if len(words) == 1 {
		w.tmuxText(via, words[0], s, depth)
		return
	}
	w.tmuxCommands(via, words, s, depth+1)
}

// tmuxText reports the commands in a text that tmux reads.
func (w *walker) tmuxText(via string, text argument, s scope, depth int) {
	body := strings.Trim(text.Text, "{} \t\n")
	words, err := Split(strings.ReplaceAll(body, "\n", " ; "))
	if err != nil || text.Dynamic || !w.spend(len(body)) {
		w.unreadable([]argument{text}, s.through(via))
		return
	}
	w.tmuxCommands(via, literals(words, text.at), s, depth+1)
}

// tmuxFormats reports the commands in #( ), whose output tmux shows.
func (w *walker) tmuxFormats(via string, words []argument, s scope) {
	for _, word := range words {
		for rest := word.Text; ; {
			_, after, ok := strings.Cut(rest, "#(")
			if !ok {
				break
			}
			end := closing(after)
			text := word
			text.Text, rest = after[:end], after[min(end+1, len(after)):]
			w.text(text, via+" #()", s)
		}
	}
}

// closing is where the bracket is that closes one before text.
func closing(text string) int {
	open := 1
	for i := range len(text) {
		switch text[i] {
		case '(':
			open++
		case ')':
			if open--; open == 0 {
				return i
			}
		}
	}
	return len(text)
}

// tmuxName returns the full name of a command.
func tmuxName(text string) (string, bool) {
	if full, ok := tmuxAliases()[text]; ok {
		return full, true
	}
	found := ""
	for name := range strings.FieldsSeq(tmuxNames) {
		switch {
		case name == text:
			return name, true
		case text == "" || !strings.HasPrefix(name, text):
		case found != "":
			return "", false
		default:
			found = name
		}
	}
	return found, found != ""
}

// typedKeys reports the lines that send-keys types, as if a shell were there to
// read them.
func (w *walker) typedKeys(c tmuxCall, s scope) {
	line := argument{at: c.words[0].at}
	var b strings.Builder
	start := 0 // of the line that is being typed
	for _, word := range c.words {
		text := word.Text
		if !strings.Contains(c.flags, "l") && !word.Dynamic {
			key, known := tmuxKeys()[text]
			switch {
			case known && key == "": // what is typed so far is dropped
				kept := b.String()[:start]
				b.Reset()
				b.WriteString(kept)
				continue
			case known:
				text = key
			case isHistoryKey(text):
				text = "$" + text // whatever that was
				line.Dynamic, line.dynamic = true, append(line.dynamic, text)
			case isKey(text):
				continue
			}
		}
		line.Dynamic = line.Dynamic || word.Dynamic
		line.dynamic = append(line.dynamic, word.dynamic...)
		line.from = append(line.from, word.from...)
		b.WriteString(text)
		if strings.HasSuffix(text, "\n") {
			start = b.Len()
		}
	}
	if line.Text = b.String(); strings.TrimSpace(line.Text) != "" && w.spend(len(line.Text)) {
		w.typedText(line, c.via, s)
	}
}

// typedText reports text that is typed into a terminal. What reads it may be no
// shell, so that text isn't wrong which no shell understands.
func (w *walker) typedText(text argument, via string, s scope) {
	if !w.spend(len(text.Text)) {
		return
	}
	if _, _, failure := w.parse(text.Text, true); failure != nil {
		w.unreadable([]argument{text}, s.through(via))
		return
	}
	w.text(text, via, s)
}

// tmuxKeys are the keys that stand for characters, or drop the line.
var tmuxKeys = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"Enter": "\n", "KPEnter": "\n", "C-m": "\n", "C-j": "\n", "^M": "\n", "^J": "\n", "Space": " ", "Tab": " ",
		"C-c": "", "C-u": "", "^C": "", "^U": "", "C-d": "", "^D": "", "C-z": "",
	}
})

// isHistoryKey is about the keys that bring an earlier line back.
func isHistoryKey(key string) bool {
	switch key {
	case "Up", "Down", "C-p", "C-n", "C-r":
		return true
	}
	return false
}

// isKey reports whether text names a key, and isn't typed as it is.
func isKey(text string) bool {
	switch text {
	case "Escape", "BSpace", "BTab", "Left", "Right", "Home", "End", "NPage", "PageDown", "PgDn", "PPage", "PageUp", "PgUp", "IC", "Insert", "DC", "Delete":
		return true
	}
	if len(text) > 2 && (text[:2] == "C-" || text[:2] == "M-" || text[:2] == "S-") {
		return len(text) == 3 || isKey(text[2:])
	}
	return len(text) == 2 && (text[0] == 'F' && text[1] >= '1' && text[1] <= '9' || text[0] == '^') || len(text) == 3 && text[:2] == "F1"
}
