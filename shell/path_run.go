package shell

import "strings"

var runUses = runTable()

// runTable lists the programs that run a script, and those that name no files.
func runTable() map[string]use {
	table := map[string]use{
		"cd": {first: Read}, "pushd": {first: Read}, "popd": {}, "chdir": {first: Read},
		"source": {more: (*pathReader).script}, ".": {more: (*pathReader).script},
		"perl": {more: (*pathReader).inPlace}, "ruby": {more: (*pathReader).inPlace},
		"chroot": {first: Read}, "xargs": {reads: "-a --arg-file"}, "strace": {writes: "-o --output"}, "time": {writes: "-o --output"},
		"script":   {first: Write},
		"sqlite3":  {first: Write, reads: "-init"},
		"openssl":  {reads: "-in -inkey -key -CAfile -cert -config", writes: "-out -keyout"},
		"ffmpeg":   {each: Write, reads: "-i"},
		"crontab":  {each: Read},
		"at":       {reads: "-f"},
		"visudo":   {writes: "-f --file"},
		"sysctl":   {reads: "-p --load"},
		"pip":      {guess: Read, reads: "-r --requirement -c --constraint", writes: "-t --target --root --prefix --src -d --dest --wheel-dir --log --report", more: (*pathReader).editable},
		"apt":      {guess: Read},
		"apt-get":  {guess: Read},
		"go":       {guess: Read, writes: "-o", reads: "-C -modfile -overlay"},
		"cargo":    {guess: Read, reads: "--manifest-path -C", writes: "--target-dir"},
		"uv":       {guess: Read},
		"minikube": {},
	}
	for name := range shells {
		table[name] = use{more: (*pathReader).script}
	}
	for name := range strings.FieldsSeq("python3 node deno php lua Rscript java") {
		table[name] = use{more: (*pathReader).script}
	}
	for name := range strings.FieldsSeq(textOnly) {
		if _, ok := table[name]; !ok {
			table[name] = use{}
		}
	}
	table["psql"] = use{reads: "-f --file", writes: "-o --output -L --log-file"}
	return table
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
	case shells[r.command.Name]:
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
