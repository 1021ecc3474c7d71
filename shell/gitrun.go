package shell

// git reports what a git command runs in turn: aliases, hooks and programs
// that its options and configuration name. It returns whether c is git.
func (w *walker) git(c *Command, args []argument, s scope) bool { return false }
