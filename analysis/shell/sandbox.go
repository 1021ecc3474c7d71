package shell

import "sync"

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
