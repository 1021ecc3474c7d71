package shell

import "strings"

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
