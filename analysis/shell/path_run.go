package shell

// runUse is about the programs that run a script, and those that name no files.
func runUse(name string) (use, bool) {
	switch name {
	case "cd", "pushd":
		return use{first: Read}, true
	case "popd":
		return use{}, true
	case "chdir":
		return use{first: Read}, true
	case "source", ".":
		return use{more: (*pathReader).script}, true
	case "perl", "ruby":
		return use{more: (*pathReader).inPlace}, true
	case "chroot":
		return use{first: Read}, true
	case "xargs":
		return use{reads: "-a --arg-file"}, true
	case "strace", "time":
		return use{writes: "-o --output"}, true
	case "script":
		return use{first: Write}, true
	case "sqlite3":
		return use{first: Write, reads: "-init"}, true
	case "openssl":
		return use{reads: "-in -inkey -key -CAfile -cert -config", writes: "-out -keyout"}, true
	case "ffmpeg":
		return use{each: Write, reads: "-i"}, true
	case "crontab":
		return use{each: Read}, true
	case "at":
		return use{reads: "-f"}, true
	case "visudo":
		return use{writes: "-f --file"}, true
	case "sysctl":
		return use{reads: "-p --load"}, true
	case "pip":
		return use{guess: Read, reads: "-r --requirement -c --constraint", writes: "-t --target --root --prefix --src -d --dest --wheel-dir --log --report", more: (*pathReader).editable}, true
	case "apt", "apt-get":
		return use{guess: Read}, true
	case "go":
		return use{guess: Read, writes: "-o", reads: "-modfile -overlay"}, true
	case "cargo":
		return use{guess: Read, reads: "--manifest-path", writes: "--target-dir"}, true
	case "uv":
		return use{guess: Read}, true
	case "minikube":
		return use{}, true
	case "python3", "node", "deno", "php", "lua", "Rscript", "java":
		return use{more: (*pathReader).script}, true
	case "psql":
		return use{reads: "-f --file", writes: "-o --output -L --log-file"}, true
	}
	if isShell(name) {
		return use{more: (*pathReader).script}, true
	}
	return use{}, namesNoPath(name)
}

// inlineText are the options with which an interpreter has its program among
// the arguments, and no script.
const inlineText = "-c -m -e -E -p -r --eval --print --run -jar"

// script adds the script that an interpreter or a shell runs, and what looks
// like a path among the script's arguments.
func (r *pathReader) script() {
	words := r.operands()
	switch {
	case len(words) == 0:
		return
	case isShell(r.command.Name):
		if r.holds("-c") {
			words = words[1:] // the text
		} else if !r.holds("-s") {
			r.file(words[0], Read)
			words = words[1:]
		}
		r.values("--rcfile --init-file", Read)
	case !r.holds(inlineText) && words[0].Text != "run" && words[0].Text != "eval":
		r.file(words[0], Read)
		words = words[1:]
	}
	for _, word := range words {
		if looksLikePath(&word) {
			r.add(word, Read)
		}
	}
	r.values("-jar", Read)
}

// inPlace adds the files of perl and ruby, which -i has changed.
func (r *pathReader) inPlace() {
	access := Access("")
	switch {
	case r.holds("-i"):
		access = Write
	case r.holds("-n -p"):
		access = Read
	}
	words := r.operands()
	if len(words) > 0 && !r.holds("-e -E") {
		r.file(words[0], Read)
		words = words[1:]
	}
	for _, word := range words {
		switch {
		case access != "":
			r.file(word, access)
		case looksLikePath(&word):
			r.add(word, Read)
		}
	}
}

// editable adds the folders that pip installs from.
func (r *pathReader) editable() {
	for _, word := range r.valuesOf("-e --editable") {
		if looksLikePath(&word) {
			r.add(word, Read)
		}
	}
}
