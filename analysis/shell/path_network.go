package shell

import "strings"

func networkUse(name string) (use, bool) {
	switch name {
	case "curl":
		return use{more: (*pathReader).curl,
			reads:  "-T --upload-file -K --config --cacert --capath -E --cert --key --netrc-file --etag-compare --proxy-cacert --proxy-cert --proxy-key --crlfile --pubkey",
			writes: "-c --cookie-jar -D --dump-header --trace --trace-ascii --stderr --libcurl --etag-save --hsts --alt-svc"}, true
	case "wget":
		return use{more: (*pathReader).wget,
			reads:  "-i --input-file --post-file --body-file --load-cookies --ca-certificate --ca-directory --certificate --private-key --config",
			writes: "-o --output-file -a --append-output -O --output-document -P --directory-prefix --save-cookies --warc-file --rejected-log --hsts-file"}, true
	case "aria2c":
		return use{tree: "*", fills: true, reads: "-i --input-file --load-cookies", writes: "-d --dir -o --out -l --log --save-session", more: func(r *pathReader) { r.unpacked("-d --dir -o --out", "--dry-run") }}, true
	case "scp":
		return use{each: Read, last: Write, away: true, reads: "-i -F", tree: "-r"}, true
	case "ssh":
		return use{reads: "-i -F", writes: "-E"}, true
	case "sftp":
		return use{reads: "-i -F -b"}, true
	case "ssh-keygen":
		return use{writes: "-f"}, true
	case "docker", "podman", "nerdctl":
		return use{more: (*pathReader).docker}, true
	case "docker-compose":
		return use{reads: "-f --file --env-file --project-directory"}, true
	case "kubectl":
		return use{more: (*pathReader).kubectl, reads: "-f --filename -k --kustomize --kubeconfig --patch-file"}, true
	case "helm":
		return use{guess: Read, reads: "-f --values --kubeconfig --ca-file --cert-file --key-file --set-file", writes: "--destination"}, true
	}
	return use{}, false
}

// curl adds the files that curl writes, and those that "@" has it read.
func (r *pathReader) curl() {
	start := r.dir
	for _, o := range r.options("-d --data --data-ascii --data-binary --data-urlencode --json -H --header --proxy-header -w --write-out --url-query --variable") {
		if _, name, ok := strings.Cut(o.value, "@"); ok && (o.value[0] == '@' || o.name == "--data-urlencode" || o.name == "--variable") {
			r.file(r.value(o).rest(name), Read)
		}
	}
	for _, o := range r.options("-F --form") {
		if _, value, ok := strings.Cut(o.value, "="); ok && len(value) > 1 && (value[0] == '@' || value[0] == '<') {
			name, _, _ := strings.Cut(value[1:], ";")
			r.file(r.value(o).rest(name), Read)
		}
	}
	for _, o := range r.options("-b --cookie") {
		if !strings.Contains(o.value, "=") {
			r.file(r.value(o), Read)
		}
	}
	if dirs := r.valuesOf("--output-dir"); len(dirs) > 0 {
		r.add(dirs[len(dirs)-1], Write)
		r.chdir(dirs[len(dirs)-1])
	}
	r.values("-o --output", Write)
	named := r.holds("-O --remote-name --remote-name-all")
	if named && r.holds("-J --remote-header-name") {
		r.here(Write) // the server says what it's called
		r.reaches(&r.paths[len(r.paths)-1], "*")
	}
	for _, url := range r.operands() {
		if name := lastPart(withoutQuery(url.Text)); named && !strings.HasSuffix(url.Text, "/") {
			r.add(url.rest(name), Write)
		}
	}
	r.dir = start
	for _, url := range append(r.operands(), r.valuesOf("--url")...) {
		if path, ok := strings.CutPrefix(url.Text, "file://"); ok {
			r.add(url.rest(path), Read)
		}
	}
}

func (r *pathReader) valuesOf(names string) (words []Word) {
	for _, o := range r.options(names) {
		if o.valued {
			words = append(words, r.value(o))
		}
	}
	return words
}

func withoutQuery(url string) string {
	if end := strings.IndexAny(url, "?#"); end >= 0 {
		return url[:end]
	}
	return url
}

// wget adds the files that wget makes where no option names one.
func (r *pathReader) wget() {
	if r.holds("-O --output-document --spider") {
		return
	}
	for _, dir := range r.valuesOf("-P --directory-prefix") {
		r.chdir(dir)
	}
	urls := r.operands()
	if len(urls) == 0 && !r.holds("-i --input-file") {
		return
	}
	if len(urls) == 0 || r.holds("-i --input-file -r --recursive -m --mirror -p --page-requisites -x --force-directories --content-disposition") {
		r.here(Write)
		r.unpacks()
		return
	}
	for _, url := range urls {
		_, path, ok := strings.Cut(url.Text, "://")
		if !ok {
			path = url.Text
		}
		if _, file, ok := strings.Cut(path, "/"); ok && file != "" && !strings.HasSuffix(file, "/") {
			r.add(url.rest(lastPart(file)), Write)
		} else {
			r.add(url.rest("index.html"), Write)
		}
	}
}

// docker adds what a container is given of this machine, what is copied and
// what an image is built from.
func (r *pathReader) docker() {
	for _, volume := range r.valuesOf("-v --volume") {
		host, place, ok := strings.Cut(volume.Text, ":")
		word := volume.rest(host)
		word.Home = volume.Home
		if ok && host != "" && (begins(&word) || word.Dynamic) {
			access := Write
			if strings.HasSuffix(place, ":ro") {
				access = Read
			}
			r.add(word, access)
		}
	}
	for _, mount := range r.valuesOf("--mount") {
		r.mountOption(mount)
	}
	r.values("--env-file --label-file --secret", Read)
	r.values("--cidfile --iidfile", Write)
	words := r.operands()
	if len(words) > 0 && words[0].Text == "container" {
		words = words[1:]
	}
	if len(words) == 0 {
		return
	}
	switch words[0].Text {
	case "cp":
		r.copied(words[1:])
	case "build", "buildx", "image":
		r.values("-f --file", Read)
		if last := words[len(words)-1]; len(words) > 1 && (begins(&last) || looksLikePath(&last)) {
			r.add(last, Read)
		}
	case "compose":
		r.values("-f --file --project-directory", Read)
		if len(words) > 1 && words[1].Text == "cp" {
			r.copied(words[2:])
		}
	case "save", "export":
		r.values("-o --output", Write)
	case "load", "import":
		r.values("-i --input", Read)
	}
}

// copied adds what is copied out of a container or into one.
func (r *pathReader) copied(words []Word) {
	for i, word := range words {
		switch {
		case isElsewhere(word.Text), !begins(&word) && strings.Contains(word.Text, ":"):
		case i == 0:
			r.file(word, Read)
		default:
			from := len(r.paths)
			r.file(word, Write)
			r.filled(from, words[:i], true, false)
		}
	}
}

// kubectl adds the files of kubectl cp: what is in a pod has a colon, as in
// namespace/pod:/file.
func (r *pathReader) kubectl() {
	if words := r.operands(); len(words) > 0 && words[0].Text == "cp" {
		r.copied(words[1:])
	}
}

// mountOption adds the folder of --mount type=bind,source=/x,target=/y.
func (r *pathReader) mountOption(option Word) {
	access, source := Write, ""
	for field := range strings.SplitSeq(option.Text, ",") {
		switch key, value, _ := strings.Cut(field, "="); key {
		case "source", "src":
			source = value
		case "readonly", "ro":
			access = Read
		}
	}
	if word := option.rest(source); begins(&word) || word.Dynamic {
		r.add(word, access)
	}
}
