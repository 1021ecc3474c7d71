package shell

// language reports what a program in another language, which c is given, runs,
// deletes and overwrites. It returns whether c is an interpreter of one.
func (w *walker) language(c *Command, args []argument, s scope) bool { return false }
