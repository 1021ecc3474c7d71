package shell

import (
	"strings"
	"sync"
)

// hook is a program that runs what some of its options say, beside its work.
type hook struct {
	grammar
	text    string // options whose value is text for a shell
	program string // options whose value is a program and its arguments, without a shell
	input   bool   // the program talks to whom c is connected to
}

func hookOf(name string) (hook, bool) {
	switch name {
	case "tar", "gtar":
		return tarHook, true
	case "bsdtar":
		return hook{grammar: tarHook.grammar, text: "--use-compress-program"}, true
	case "man":
		return hook{grammar: grammar{short: "P:C:R:L:m:M:S:s:e:r:p:E:H::T::X::Z", long: "pager= config-file= recode= locale= systems= manpath= sections= extension= prompt= preprocessor= encoding="}, text: "-P --pager -H --html"}, true
	case "sort":
		return hook{grammar: grammar{short: "k:o:S:t:T:", long: "key= output= buffer-size= field-separator= temporary-directory= compress-program= random-source= sort= batch-size= parallel= files0-from="}, program: "--compress-program"}, true
	case "split":
		return hook{grammar: grammar{short: "a:b:C:l:n:t:", long: "suffix-length= additional-suffix= bytes= line-bytes= lines= number= separator= filter="}, text: "--filter"}, true
	case "rg":
		return hook{grammar: grammar{short: "A:B:C:d:E:e:f:g:j:M:m:r:T:t:", long: "pre= pre-glob= hostname-bin= after-context= before-context= color= colors= context= encoding= engine= regexp= file= glob= iglob= ignore-file= threads= max-columns= max-count= max-depth= max-filesize= path-separator= replace= sort= sortr= type= type-add= type-clear= type-not="}, program: "--pre --hostname-bin"}, true
	case "nodemon":
		return hook{grammar: grammar{first: true, short: "e:i:w:d:x:", long: "ext= ignore= watch= delay= exec= signal= config= cwd="}, text: "-x --exec"}, true
	case "nix-shell":
		return hook{grammar: grammar{short: "p:A:I:E:j:Q", long: "run= command= attr= packages= argstr= arg= option= keep= exclude= max-jobs="}, text: "--run --command"}, true
	case "tcpdump":
		return hook{grammar: grammar{short: "B:c:C:D:E:F:G:i:j:m:M:Q:r:s:T:V:w:W:y:z:Z:", long: "postrotate-command="}, program: "-z"}, true
	case "wget":
		return hook{grammar: grammar{short: "a:B:D:e:i:I:l:o:O:P:Q:R:t:T:U:w:X:A:", long: "use-askpass="}, program: "--use-askpass"}, true
	case "bat":
		return hook{grammar: grammar{short: "l:H:r:m:", long: "pager= language= highlight-line= file-name= theme= style= tabs= wrap= line-range= map-syntax="}, text: "--pager"}, true
	case "delta":
		return hook{grammar: grammar{long: "pager="}, text: "--pager"}, true
	case "ag":
		return hook{grammar: grammar{short: "A:B:C:G:m:p:W:", long: "pager= ignore= ignore-dir= depth="}, text: "--pager"}, true
	case "ack":
		return hook{grammar: grammar{short: "A:B:C:g:m:", long: "pager= ignore-dir= type= output="}, text: "--pager"}, true
	case "cpio":
		return hook{grammar: grammar{short: "C:E:F:H:I:M:O:R:", long: "rsh-command= file= format= owner="}, program: "--rsh-command"}, true
	case "apt", "apt-get", "aptitude":
		return aptHook, true
	case "nc",
		"netcat",
		"nc.traditional":
		return hook{grammar: ncGrammar, text: "-c", program: "-e", input: true}, true
	case "ncat":
		return hook{grammar: grammar{short: "c:d:e:g:G:i:m:o:p:s:w:x:", long: "sh-exec= exec= lua-exec= delay= max-conns= output= hex-dump= append-output source-port= source= wait= idle-timeout= proxy= proxy-type= proxy-auth= proxy-dns= allow= allowfile= deny= denyfile= ssl-cert= ssl-key= ssl-trustfile= ssl-ciphers= ssl-alpn= ssl-servername="},
			text: "-c --sh-exec", program: "-e --exec", input: true}, true
	case "zip":
		return hook{grammar: grammar{whole: true, long: "TT= unzip-command= b= n= t= tt= O= out= x= i= s= sp="}, text: "-TT --unzip-command"}, true
	}
	return hook{}, false
}

var tarHook = hook{
	grammar: grammar{short: "f:C:T:X:b:g:H:I:K:N:V:F:L:", long: "file= directory= files-from= exclude-from= blocking-factor= listed-incremental= format= use-compress-program= label= exclude= transform= xform= owner= group= mode= mtime= to-command= checkpoint-action= checkpoint? info-script= new-volume-script= rmt-command= rsh-command= starting-file= newer= newer-mtime= after-date= tape-length= strip-components= suffix= volno-file= sort= record-size= level= index-file= quoting-style= warning= add-file= owner-map= group-map= clamp-mtime"},
	text:    "-I -F --use-compress-program --to-command --checkpoint-action --info-script --new-volume-script --rmt-command --rsh-command",
}

var aptHook = hook{grammar: grammar{short: "o:c:t:a:", long: "option= config-file= target-release= default-release="}, text: "-o --option"}

// ncGrammar is that of the traditional nc, where -c is text for a shell.
var ncGrammar = grammar{short: "c:e:g:G:i:o:p:q:s:T:w:x:X:I:O:V:P:m:M:"}

// hooked reports what the options of c run.
func (w *walker) hooked(c *Command, args []argument, s scope) {
	h, ok := hookOf(c.Name)
	if !ok || h.text+h.program == "" {
		return
	}
	if strings.HasSuffix(c.Name, "tar") && len(args) > 0 {
		args = dashedBundle(&h.grammar, args)
	}
	items, _ := h.scan(wordsOf(args), "")
	for _, o := range items {
		if o.name == "" || !o.valued {
			continue
		}
		name := o.name
		if h.whole && name == "--TT" {
			name = "-TT"
		}
		value := valueFrom(args, o.source, o.value)
		inner := s
		if inner.input = nil; h.input {
			inner.input = &argument{Word: Word{Dynamic: true}, at: value.at, from: []*Command{c}}
		}
		switch {
		case h.has(h.text, name):
			if text, ok := hookText(name, value); ok {
				w.text(text, c.Name+" "+o.name, inner)
			}
		case h.has(h.program, name):
			inner = inner.through(c.Name + " " + o.name)
			inner.external, inner.shared = true, nil
			w.runSplit(value, inner)
		}
	}
}

// has is listed, also for a long name that is shortened.
func (h *hook) has(names, name string) bool {
	if listed(names, name) {
		return true
	}
	if len(name) < len("--xxx") || name[:2] != "--" {
		return false
	}
	if _, full := h.word(name[2:]); full == name[2:] {
		return false // another option
	}
	for candidate := range strings.FieldsSeq(names) {
		if strings.HasPrefix(candidate, name) {
			return true
		}
	}
	return false
}

// hookText is the text in the value of an option that doesn't have to be one.
func hookText(name string, value argument) (argument, bool) {
	switch name {
	case "--checkpoint-action":
		text, ok := strings.CutPrefix(value.Text, "exec=")
		value.Text = text
		return value, ok
	case "-o", "--option": // of apt
		key, text, ok := strings.Cut(value.Text, "=")
		key = strings.TrimRight(strings.ToLower(key), ":")
		value.Text = text
		return value, ok && (strings.HasSuffix(key, "-invoke") || strings.HasSuffix(key, "pre-install-pkgs"))
	}
	return value, true
}

// dashedBundle writes the old form of tar's options, tar xf FILE, in the new
// one: the values of the letters follow the word in their order.
func dashedBundle(g *grammar, args []argument) []argument {
	first := args[0]
	if first.Text == "" || first.Text[0] == '-' || first.Dynamic {
		return args
	}
	rest := args[1:]
	var written []argument
	for i := range len(first.Text) {
		letter := first
		letter.Text = "-" + first.Text[i:i+1]
		written = append(written, letter)
		if g.letter(first.Text[i]) == required && len(rest) > 0 {
			written, rest = append(written, rest[0]), rest[1:]
		}
	}
	return append(written, rest...)
}

// counted says how many words the options of a program take, where some take
// two or more.
type counted map[string]int

// bwrapOptions are those of bwrap(1) that take words.
var bwrapOptions = sync.OnceValue(func() counted {
	return counted{
		"--args": 1, "--argv0": 1, "--userns": 1, "--userns2": 1, "--pidns": 1, "--uid": 1, "--gid": 1, "--hostname": 1, "--chdir": 1, "--setenv": 2, "--unsetenv": 1,
		"--lock-file": 1, "--sync-fd": 1, "--perms": 1, "--size": 1, "--bind": 2, "--bind-try": 2, "--bind-fd": 2, "--dev-bind": 2, "--dev-bind-try": 2, "--ro-bind": 2,
		"--ro-bind-try": 2, "--ro-bind-fd": 2, "--remount-ro": 1, "--overlay-src": 1, "--overlay": 3, "--tmp-overlay": 1, "--ro-overlay": 1, "--proc": 1, "--dev": 1, "--tmpfs": 1,
		"--mqueue": 1, "--dir": 1, "--file": 2, "--bind-data": 2, "--ro-bind-data": 2, "--symlink": 2, "--chmod": 2, "--seccomp": 1, "--add-seccomp-fd": 1, "--exec-label": 1,
		"--file-label": 1, "--block-fd": 1, "--userns-block-fd": 1, "--info-fd": 1, "--json-status-fd": 1, "--cap-add": 1, "--cap-drop": 1,
		"--unshare-user": 0, "--unshare-user-try": 0, "--unshare-ipc": 0, "--unshare-pid": 0, "--unshare-net": 0, "--unshare-uts": 0, "--unshare-cgroup": 0, "--unshare-cgroup-try": 0,
		"--unshare-all": 0, "--share-net": 0, "--disable-userns": 0, "--assert-userns-disabled": 0, "--clearenv": 0, "--new-session": 0, "--die-with-parent": 0, "--as-pid-1": 0,
	}
})

// bwrap reports the command behind the options of bwrap.
func (w *walker) bwrap(c *Command, args []argument, s scope) {
	inner := s.through(c.Name)
	inner.external = true
	var sets []argument
	for i := 0; i < len(args); {
		text := args[i].Text
		if len(text) < 2 || text[0] != '-' || text == "--" {
			if text == "--" {
				i++
			}
			if i < len(args) {
				inner.set(sets)
				w.run(args[i:], inner)
			}
			return
		}
		if text == "--help" || text == "--version" {
			return
		}
		words, ok := bwrapOptions()[text]
		if !ok || text == "--args" { // those are options from elsewhere
			w.unreadable(args[i+1:], inner)
			return
		}
		switch {
		case text == "--chdir" && i+1 < len(args):
			inner.chdir(args[i+1])
		case text == "--setenv" && i+2 < len(args):
			assignment := args[i+2]
			assignment.Text = args[i+1].Text + "=" + assignment.Text
			sets = append(sets, assignment)
		}
		i += 1 + words
	}
}

// hyperfineOptions are those of hyperfine(1) that take words; -P and -L take
// several words.
var hyperfineOptions = sync.OnceValue(func() counted {
	return counted{
		"-w": 1, "--warmup": 1, "-m": 1, "--min-runs": 1, "-M": 1, "--max-runs": 1, "-r": 1, "--runs": 1, "-s": 1, "--setup": 1, "-p": 1, "--prepare": 1, "-C": 1, "--conclude": 1,
		"-c": 1, "--cleanup": 1, "-P": 3, "--parameter-scan": 3, "-D": 1, "--parameter-step-size": 1, "-L": 2, "--parameter-list": 2, "--style": 1, "-S": 1, "--shell": 1,
		"-u": 1, "--time-unit": 1, "--sort": 1, "--export-asciidoc": 1, "--export-csv": 1, "--export-json": 1, "--export-markdown": 1, "--export-orgmode": 1, "--output": 1,
		"--input": 1, "-n": 1, "--command-name": 1, "--reference": 1, "--reference-name": 1, "--min-benchmarking-time": 1,
	}
})

// concurrentlyOptions are those of concurrently that take a word.
var concurrentlyOptions = sync.OnceValue(func() counted {
	return counted{
		"-n": 1, "--names": 1, "-m": 1, "--max-processes": 1, "--name-separator": 1, "-s": 1, "--success": 1, "--hide": 1, "-P": 0, "-p": 1, "--prefix": 1, "-c": 1,
		"--prefix-colors": 1, "-l": 1, "--prefix-length": 1, "-t": 1, "--timestamp-format": 1, "-k": 0, "--restart-tries": 1, "--restart-after": 1, "--kill-signal": 1,
		"--default-input-target": 1, "--teardown": 1, "--kill-timeout": 1, "--cwd": 1,
	}
})

// texts reports the operands of a program that runs each of them in a shell,
// and the values of the options that are such texts too.
func (w *walker) texts(c *Command, args []argument, options counted, also string, s scope) {
	for i := 0; i < len(args); i++ {
		text := args[i].Text
		name, value, attached := cutOption(text)
		switch {
		case text == "--":
			options = nil
		case options == nil || len(text) < 2 || text[0] != '-':
			w.text(args[i], c.Name, s)
		case text == "--help" || text == "-h" || text == "--version" || text == "-V":
			return
		case listed(also, name):
			if !attached {
				if i++; i == len(args) {
					return
				}
				value = args[i].Text
			}
			w.text(valueFrom(args, i, value), c.Name+" "+name, s)
		case !attached:
			i += options[name]
		}
	}
}

// cutOption cuts --name=value.
func cutOption(text string) (name, value string, attached bool) {
	for i := range len(text) {
		if text[i] == '=' {
			return text[:i], text[i+1:], true
		}
	}
	return text, "", false
}

// sed reports what the e command and the e flag of s run, which only GNU has.
func (w *walker) sed(c *Command, args []argument, s scope) {
	g := grammar{short: "e:f:l:i::nrEsuz", long: "expression= file= line-length= in-place? quiet silent regexp-extended follow-symlinks posix debug sandbox separate unbuffered null-data zero-terminated help version", closed: true}
	items, _ := g.scan(c.Args, "")
	var scripts []argument
	var first *argument
	given := false
	for _, o := range items {
		switch o.name {
		case "":
			if first == nil {
				first = &args[o.index]
			}
		case "-e", "--expression":
			given = true
			scripts = append(scripts, valueFrom(args, o.source, o.value))
		case "-f", "--file":
			given = true
			scripts = append(scripts, w.contents(valueFrom(args, o.source, o.value), &s)...)
		case "--sandbox", "--posix", "--help", "--version":
			return
		}
	}
	if !given && first != nil {
		scripts = append(scripts, *first)
	}
	s.input = nil
	for _, script := range scripts {
		if strings.IndexByte(script.Text, 'e') < 0 || !w.spend(len(script.Text)) {
			continue
		}
		reader := sedReader{text: script.Text}
		for reader.next() {
			switch {
			case reader.run == "": // the line that is edited
				w.text(unknowable("$LINE", script.at), c.Name+" e", s)
			default:
				text := script
				text.Text = reader.run
				w.text(text, c.Name+" e", s)
			}
		}
	}
}

// sedReader finds what a sed script runs.
type sedReader struct {
	text string
	at   int
	run  string // what is run; "" for the line that sed has in hand

	reads, writes []string // the files of r, R, w and W, so far
}

// next goes to the next command that runs something. It stops at what isn't
// sed: the script isn't run at all then.
func (r *sedReader) next() bool {
	for r.skip(" \t\n;{}"); r.at < len(r.text); r.skip(" \t\n;{}") {
		if !r.address() {
			return false
		}
		if r.at >= len(r.text) {
			return false
		}
		command := r.text[r.at]
		r.at++
		switch command {
		case '#', 'a', 'i', 'c', ':':
			r.lines(strings.IndexByte("aic", command) >= 0)
		case 'r', 'R':
			r.reads = append(r.reads, r.file())
		case 'w', 'W':
			r.writes = append(r.writes, r.file())
		case 'b', 't', 'T', 'l', 'L', 'q', 'Q', 'v', 'F':
			for r.at < len(r.text) && r.text[r.at] != '\n' && r.text[r.at] != ';' && r.text[r.at] != '}' {
				r.at++
			}
		case 's', 'y':
			found, ok := r.substitute(command == 's')
			if !ok {
				return false
			}
			if found {
				r.run = ""
				return true
			}
		case 'e':
			r.run = r.file()
			return true
		case '{', '}', '=', 'd', 'D', 'g', 'G', 'h', 'H', 'n', 'N', 'p', 'P', 'x', 'z':
		default:
			return false
		}
	}
	return false
}

func (r *sedReader) skip(set string) {
	for r.at < len(r.text) && strings.IndexByte(set, r.text[r.at]) >= 0 {
		r.at++
	}
}

// lines goes to the end of the line, or with more, of the first one that
// doesn't end with a backslash.
func (r *sedReader) lines(more bool) {
	for ; r.at < len(r.text) && r.text[r.at] != '\n'; r.at++ {
		if more && r.text[r.at] == '\\' {
			r.at++
		}
	}
	r.at = min(r.at, len(r.text))
}

// file returns the rest of the line.
func (r *sedReader) file() string {
	start := r.at
	r.lines(false)
	return strings.TrimSpace(r.text[start:r.at])
}

// address goes behind the addresses of a command.
func (r *sedReader) address() bool {
	for r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case c == '/':
			r.at++
			if !r.until('/') {
				return false
			}
			r.skip("IM")
		case c == '\\' && r.at+1 < len(r.text):
			end := r.text[r.at+1]
			r.at += 2
			if !r.until(end) {
				return false
			}
			r.skip("IM")
		case c >= '0' && c <= '9', strings.IndexByte("$,~+! \t", c) >= 0:
			r.at++
		default:
			return true
		}
	}
	return true
}

// until goes behind the next end that is neither escaped nor in brackets.
func (r *sedReader) until(end byte) bool {
	for r.at < len(r.text) {
		c := r.text[r.at]
		r.at++
		switch {
		case c == end:
			return true
		case c == '\\':
			r.at++
		}
	}
	return false
}

// substitute goes behind s/x/y/flags and reports whether e is among the flags.
func (r *sedReader) substitute(flags bool) (found, ok bool) {
	if r.at >= len(r.text) {
		return false, false
	}
	end := r.text[r.at]
	r.at++
	for range 2 { // what is looked for, and what is put in its place
		if !r.until(end) {
			return false, false
		}
	}
	for flags && r.at < len(r.text) {
		c := r.text[r.at]
		switch {
		case c == 'e':
			found = true
		case c == 'w':
			r.at++
			r.writes = append(r.writes, r.file())
			return found, true
		case strings.IndexByte("gpiImM0123456789", c) < 0:
			return found, true
		}
		r.at++
	}
	return found, true
}
