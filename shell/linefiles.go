package shell

import "slices"

// Files returns the files and folders that the commands of a line name and that are
// known as they stand: absolute, where [Options] said where the line starts. Beside
// those of [Command.Paths] that's the paths that git is given, seen from the folder
// that git works in. A pattern is there as it is written.
func (l *Line) Files() []string {
	var files []string
	add := func(paths []Path) {
		for _, p := range paths {
			if !p.Dynamic && !slices.Contains(files, p.Text) && len(files) < maxFiles {
				files = append(files, p.Text)
			}
		}
	}
	for _, c := range l.Commands {
		add(c.Paths())
		add(c.gitPaths())
	}
	return files
}

// maxFiles bounds what a line is asked for; nobody writes a line of more.
const maxFiles = 1000

// gitPaths returns what can only be paths among the arguments of git, seen from where
// git works.
func (c *Command) gitPaths() []Path {
	if c.Remote {
		return nil
	}
	g := c.Git()
	if g == nil || len(g.Paths) == 0 {
		return nil
	}
	dir := c.Dir
	if g.Dir.Text != "" {
		p := located(dir, g.Dir, Read)
		dir = Word{Text: p.Text, Dynamic: p.Dynamic, Glob: p.Glob, Home: p.Home}
	}
	access := Write
	switch g.Subcommand {
	case "rm", "clean", "mv":
		access = Delete
	case "add", "stage", "status", "diff", "log", "show", "blame", "grep", "ls-files":
		access = Read
	}
	var paths []Path
	for _, word := range g.Paths {
		if word.Text != "" {
			paths = append(paths, located(dir, word, access))
		}
	}
	return paths
}
