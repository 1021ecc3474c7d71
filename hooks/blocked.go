package hooks

// BlockedCall is a tool call that a built-in hook is about to block, as a store of
// people's words needs to know it.
type BlockedCall struct {
	Event     Event
	SessionID string
	CallID    string // of the tool call; "" where the host gives none
	Firing    string // tells this firing of the event from every other, also of other processes

	// Identity is a hash of the tool, its whole input and the folder: calls that have
	// the same one do the same.
	Identity string
	Tool     string
	Kind     Kind
	CWD      string
	Asked    string // the command, or the paths, or the input; the beginning, where it is long
	Length   int    // bytes of what Asked is the beginning of

	Decision Decision // Deny or Ask
	Rule     string
	Reason   string
	Final    bool // nobody's word lifts it
}
