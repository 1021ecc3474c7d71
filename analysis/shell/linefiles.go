package shell

// Files returns the files and folders that the commands of a line name and that are
// known as they stand: absolute, where [Options] said where the line starts. A pattern is there
// as it is written. Of what touches files that it doesn't name there is [Path.Reach] as well.
func (l *Line) Files() []string {
	var files []string
	seen := map[string]bool{}
	for _, c := range l.Commands {
		for _, p := range c.Paths() {
			for _, text := range p.Reach() {
				if !seen[text] && len(files) < maxFiles {
					seen[text] = true
					files = append(files, text)
				}
			}
		}
	}
	return files
}

// maxFiles bounds what a line is asked for; nobody writes a line of more.
const maxFiles = 1000
