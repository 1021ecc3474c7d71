package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/luahook/luahook/internal/wordlist"
)

// container is where a command runs that has files of this machine at places of its own.
type container struct {
	mounts    []mount
	home      string // what "~" was expanded to: the home folder of this machine
	processes bool   // it sees those of this machine
}

// mount is a part of a container's files that isn't the image's.
type mount struct {
	there    string // the place in the container, cleaned
	here     Word   // the file or folder of this machine; its Text is "" for a volume
	readOnly bool
}

// maxMounts bounds what one container is given.
const maxMounts = 32

// mount takes in an option of docker run and the like that gives the container files, devices or processes of this
// machine.
func (w *walker) mount(name string, value argument, s scope, in *container) {
	if !w.spend(wordCost + len(value.Text)/16) {
		return
	}
	text := value.Text
	m := mount{}
	source := "" // as it is named
	switch name {
	case "--privileged":
		if text == "" || text == "true" {
			w.addMount(in, mount{there: "/dev", here: Word{Text: "/dev"}})
		}
		return
	case "--pid":
		if in.processes = text == "host"; in.processes {
			w.addMount(in, mount{there: "/proc/1/root", here: Word{Text: "/"}})
		}
		return
	case "--tmpfs":
		m.there, _, _ = strings.Cut(text, ":")
	case "--device":
		there, access := "", ""
		source, there, _ = strings.Cut(text, ":")
		there, access, _ = strings.Cut(there, ":")
		if there != "" && there[0] != '/' {
			there, access = "", there
		}
		if m.there = there; there == "" {
			m.there = source
		}
		m.readOnly = access != "" && !strings.Contains(access, "w")
	case "--mount":
		var kind string
		for field := range strings.SplitSeq(text, ",") {
			switch key, value, _ := strings.Cut(strings.TrimSpace(field), "="); key {
			case "type":
				kind = value
			case "source", "src":
				source = value
			case "target", "dst", "destination":
				m.there = value
			case "readonly", "ro":
				m.readOnly = value == "" || value == "true" || value == "1"
			}
		}
		if kind == "tmpfs" || kind == "image" {
			source = ""
		}
	default:
		var options string
		source, m.there, options = splitVolume(text)
		for option := range strings.SplitSeq(options, ",") {
			m.readOnly = m.readOnly || option == "ro" || option == "O" // podman's overlay keeps what is written for itself
		}
	}
	if m.there == "" || m.there[0] != '/' {
		return
	}
	word := value.Word
	word.Text = source
	if word.Home = value.Home && strings.HasPrefix(value.Text, source); begins(&word) || source != "" && value.Dynamic {
		m.here = resolveFrom(w.dir(&s), argument{Word: word, at: value.at}).Word
		m.here.Glob = false // docker expands no pattern
	}
	if len(m.here.Text) > maxPath || len(m.there) > maxPath {
		w.line.TooComplex = true
		return
	}
	m.there = path.Clean(m.there)
	w.addMount(in, m)
}

// splitVolume takes HOST:PLACE:OPTIONS apart, of which only PLACE must be there. It begins with a slash, behind which
// no colon stands.
func splitVolume(text string) (source, there, options string) {
	at := strings.LastIndex(text, ":/")
	if at < 0 {
		there, options, _ = strings.Cut(text, ":")
		return "", there, options
	}
	there, options, _ = strings.Cut(text[at+1:], ":")
	return text[:at], there, options
}

// addMount adds a mount, which hides one at the same place.
func (w *walker) addMount(in *container, m mount) {
	in.mounts = slices.DeleteFunc(in.mounts, func(other mount) bool { return other.there == m.there })
	if len(in.mounts) == maxMounts {
		w.line.TooComplex = true
		return
	}
	in.mounts = append(in.mounts, m)
}

// image is what a container of an image runs with the words behind its name.
type image struct {
	name    string
	program string
	folder  string // that it starts in, "" where that isn't known
}

// images are those whose words aren't the command, but its arguments.
var images = [...]image{
	{"alpine/git", "git", "/git"},
	{"bitnami/git", "git", "/git"},
	{"curlimages/curl", "curl", ""},
	{"alpine/curl", "curl", ""},
	{"byrnedo/alpine-curl", "curl", ""},
	{"rclone/rclone", "rclone", "/data"},
	{"restic/restic", "restic", ""},
	{"amazon/aws-cli", "aws", "/aws"},
	{"aws-cli/aws-cli", "aws", "/aws"},
	{"hashicorp/terraform", "terraform", ""},
	{"ghcr.io/opentofu/opentofu", "tofu", ""},
	{"pulumi/pulumi", "pulumi", ""},
	{"bitnami/kubectl", "kubectl", ""},
	{"rancher/kubectl", "kubectl", ""},
	{"alpine/kubectl", "kubectl", ""},
	{"alpine/helm", "helm", ""},
	{"mikefarah/yq", "yq", "/workdir"},
	{"minio/mc", "mc", ""},
	{"alpine/socat", "socat", ""},
}

// imageOf returns the image that a word names, without a program for any other.
func imageOf(word Word) image {
	name := strings.TrimPrefix(strings.TrimPrefix(word.Text, "docker.io/"), "public.ecr.aws/")
	if !word.Glob { // a class may have a colon
		if at := strings.IndexAny(name, "@:"); at >= 0 {
			name = name[:at]
		}
	}
	for _, known := range images {
		may := known.name == name
		if !may && word.Glob {
			may, _ = standsForPath(name, known.name)
		}
		if may {
			return known
		}
	}
	return image{}
}

// started is the command that a wrapper runs with words: in a container of the image that it names, or in a folder of it.
func (w *walker) started(g *wrapper, c *Command, name argument, words []argument, s *scope) []argument {
	switch {
	case g.Mounts != "":
	case c.Name == "chroot" && s.in != nil:
		s.in = s.in.below(name.Word)
		s.chdir(literal("/", name.at))
		return words
	default:
		return words
	}
	of := imageOf(name.Word)
	program, folder := of.program, of.folder
	if program == "" || name.Dynamic || len(words) == 0 || words[0].Text == program || words[0].Text == "sh" {
		return words
	}
	if folder != "" { // behind where nothing is known, and before a --workdir
		at := slices.IndexFunc(s.chdirs, func(dir argument) bool { return dir.Dynamic && dir.Text == "" })
		s.chdirs = slices.Insert(slices.Clone(s.chdirs), at+1, literal(folder, name.at))
	}
	return append([]argument{literal(program, name.at)}, words...)
}

// leaves reports whether a program in a container runs what it is told on this machine: an nsenter that enters the
// files of the first process.
func (in *container) leaves(c *Command) bool {
	if in == nil || !in.processes || c.Name != "nsenter" {
		return false
	}
	_, files := c.Flag("-m", "--mount", "-a", "--all")
	target, _ := c.Flag("-t", "--target")
	return files && target == "1"
}

// below is the container as it is seen by what chroot runs in a folder of it.
func (in *container) below(root Word) *container {
	if in == nil || root.Dynamic || root.Text == "" || root.Text[0] != '/' {
		return nil
	}
	inner := &container{home: in.home, processes: in.processes}
	top := path.Clean(root.Text)
	for _, m := range in.mounts {
		if rest, ok := inside(top, m.there); ok {
			m.there = path.Clean("/" + rest)
			inner.mounts = append(inner.mounts, m)
		}
	}
	if m, rest := in.at(top); m != nil && rest != "" && m.here.Text != "" {
		p := newPath(m.here, Word{Text: rest}, Read)
		m := mount{there: "/", here: Word{Text: p.Text, Dynamic: p.Dynamic, Home: p.Home}, readOnly: m.readOnly}
		inner.mounts = append(inner.mounts, m)
	}
	return inner
}

// inside returns where a cleaned path lies in a folder, "" for the folder itself.
func inside(folder, path string) (rest string, ok bool) {
	if folder == path {
		return "", true
	}
	rest, ok = strings.CutPrefix(path, strings.TrimSuffix(folder, "/")+"/")
	return rest, ok
}

// at returns the mount that a place of the container is in, nil for none, and where in it.
func (in *container) at(place string) (found *mount, rest string) {
	for i := range in.mounts {
		m := &in.mounts[i]
		if below, ok := inside(m.there, place); ok && (found == nil || len(m.there) > len(found.there)) {
			found, rest = m, below
		}
	}
	return found, rest
}

// here adds the files of this machine that are meant by a path in the container, and where it is searched all that
// lie below it. What isn't mounted is the container's own, and what is mounted to be read isn't changed.
func (in *container) here(p Path, searched bool, paths []Path) []Path {
	switch {
	case p.Home && p.Text[0] == '~':
		p.Text, p.Home = "/root"+p.Text[1:], false
	case in.home != "" && in.home != "/":
		if rest, ok := inside(in.home, p.Text); ok {
			if m, _ := in.at(p.Text); m == nil {
				p.Text = path.Join("/root", rest)
			}
		}
	}
	if p.Dynamic {
		return in.dynamicHere(p, paths)
	}
	if p.Text == "" || p.Text[0] != '/' {
		return paths
	}
	if !p.Glob {
		if m, rest := in.at(p.Text); m != nil {
			paths = m.add(p, rest, paths)
		}
	}
	for i := range in.mounts {
		m := &in.mounts[i]
		rest, above, ok := p.passes(m.there)
		switch {
		case !ok:
		case !above:
			if p.Glob {
				paths = m.add(p, rest, paths)
			}
		case searched || p.Access == Delete && p.below != "" || p.Access == Write && p.below == "/":
			whole := p
			whole.Glob = false
			if p.below == "/" {
				whole.below = "/"
			}
			paths = m.add(whole, "", paths)
		}
	}
	return paths
}

// passes compares a path with a place in the container, name by name. rest is what of the path lies below the place;
// above is set where the path ends before that.
func (p *Path) passes(place string) (rest string, above, ok bool) {
	names, places := strings.Split(p.Text, "/"), strings.Split(place, "/")
	if p.Text == "/" {
		return "", place != "/", true
	}
	if place == "/" {
		return p.Text[1:], false, true
	}
	for i, name := range names {
		if i == len(places) {
			return strings.Join(names[i:], "/"), false, true
		}
		if name == places[i] {
			continue
		}
		if may, _ := StandsFor(name, places[i]); !p.Glob || !may {
			return "", false, false
		}
	}
	return "", len(names) < len(places), true
}

// add adds what a path means that is in the mount, at rest.
func (m *mount) add(p Path, rest string, paths []Path) []Path {
	if m.here.Text == "" || m.readOnly && p.Access != Read {
		return paths
	}
	if rest == "" {
		rest = "."
	}
	found := newPath(m.here, Word{Text: rest, Glob: p.Glob && isPattern(rest)}, p.Access)
	found.Redirected, found.below = p.Redirected, p.below
	return append(paths, found)
}

// dynamicHere is as here, for a path that isn't known as a whole.
func (in *container) dynamicHere(p Path, paths []Path) []Path {
	if p.Under == "" && !strings.HasPrefix(p.Text, "{}") {
		return paths
	}
	if p.Under == "" { // its places are those of the command that has found it
		if p.places != "" {
			paths = append(paths, p)
		}
		return paths
	}
	m, rest := in.at(path.Clean(p.Under))
	if m == nil || m.here.Text == "" || m.readOnly && p.Access != Read {
		return paths
	}
	under := newPath(m.here, Word{Text: rest + "/."}, p.Access)
	if rest == "" {
		under = newPath(m.here, Word{Text: "."}, p.Access)
	}
	behind := strings.TrimPrefix(p.Text, strings.TrimSuffix(p.Under, "/"))
	p.Text, p.Home, p.Under = under.Text+behind, under.Home, under.Text
	if under.Dynamic {
		p.Under = under.Under
	}
	if p.places != "" {
		p.places = strings.TrimSuffix(under.Text, "/") + "/**/?*"
	}
	return append(paths, p)
}

// mountedPaths returns those of the paths of a command in a container that are files of this machine.
func (c *Command) mountedPaths() []Path {
	if c.in == nil || len(c.in.mounts) == 0 {
		return nil
	}
	var paths []Path
	for _, p := range c.allPaths() {
		if p.Dynamic && p.Under == "" && !strings.HasPrefix(p.Text, "/") && c.MountedDir().Text != "" {
			paths = append(paths, p)
			continue
		}
		paths = c.in.here(p, isFind(c.Name), paths)
	}
	return paths
}

// MountedDir returns the folder of this machine in which a command of a container (Remote) works, because the
// container has it there. It is "" where there is none.
func (c *Command) MountedDir() Word {
	if c.in == nil || !c.Remote || c.Dir.Dynamic || c.Dir.Text == "" || c.Dir.Text[0] != '/' {
		return Word{}
	}
	m, rest := c.in.at(c.Dir.Text)
	if m == nil || m.here.Text == "" || m.here.Dynamic || m.readOnly {
		return Word{}
	}
	p := newPath(m.here, Word{Text: path.Clean("./" + rest)}, Read)
	return Word{Text: p.Text, Home: p.Home}
}

// Mounted reports whether a command of a container (Remote) works on files of this machine, or on what others there
// have read of them.
func (c *Command) Mounted() bool {
	return c.mounted(3)
}

// mounted is about a command and those whose output it gets, some steps before.
func (c *Command) mounted(steps int) bool {
	if c.Mounts() == 0 || !c.Remote {
		return false
	}
	if c.gitMounted() || len(c.mountedPaths()) > 0 {
		return true
	}
	before := func(sources []*Command) bool {
		return steps > 0 && slices.ContainsFunc(sources, func(source *Command) bool { return source.mounted(steps - 1) })
	}
	return before(c.Told) || c.Input != nil && before(c.Input.From)
}

// Mounts returns how many files and folders the container of a command is given.
func (c *Command) Mounts() int {
	if c.in == nil {
		return 0
	}
	return len(c.in.mounts)
}

// contain sets the container in which inner runs, as the options of a wrapper have it.
func (w *walker) contain(g *wrapper, c *Command, items []item, args []argument, s scope, inner *scope) {
	switch {
	case g.Mounts == "":
		if s.in.leaves(c) {
			inner.remote, inner.in = false, nil
			inner.chdir(literal("/", s.at))
		}
		return
	case s.remote:
		inner.in = nil // it's given files of another machine
		return
	}
	inner.in = &container{home: w.home().Text}
	for _, o := range items {
		if o.name != "" && wordlist.Has(g.Mounts, o.name) && o.kind != unknown {
			w.mount(o.name, valueFrom(args, o.source, o.value), s, inner.in)
		}
	}
}

// meant is the file of this machine that a path in the container means, or as it is where that is the container's own.
func (in *container) meant(file argument) argument {
	if in == nil || file.Dynamic || file.Text == "" {
		return file
	}
	if p := in.one(Path{Text: file.Text, Home: file.Home, Access: Read}); p.Text != "" {
		file.Word = Word{Text: p.Text, Dynamic: p.Dynamic, Home: p.Home}
	}
	return file
}

// one is the file of this machine that a path in the container means, one without a text where there is none or
// several.
func (in *container) one(p Path) Path {
	if p.Text == "" {
		return p
	}
	if paths := in.here(p, false, nil); len(paths) == 1 {
		return paths[0]
	}
	return Path{}
}

// gitMounted reports whether git works in a repository or a work tree of this machine.
func (c *Command) gitMounted() bool {
	call := readGit(c)
	if call == nil {
		return false
	}
	if works, _ := c.GitFolders(); works.Text != "" {
		return true
	}
	folders := []Word{call.folder(c.Dir)}
	for _, o := range call.global {
		if o.name == "--git-dir" {
			folders = append(folders, o.value.Word)
		}
	}
	for _, a := range call.set {
		if a.Name == "GIT_DIR" {
			folders = append(folders, a.Value)
		}
	}
	return slices.ContainsFunc(folders, func(dir Word) bool {
		return dir.Text != "" && c.in.one(newPath(c.Dir, dir, Read)).Text != ""
	})
}
