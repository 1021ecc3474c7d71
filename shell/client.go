package shell

// client reports what a database client is told to run by the shell. It
// returns whether c is such a client.
func (w *walker) client(c *Command, args []argument, s scope) bool { return false }
