package check

// rule is a kind of mistake.
type rule struct {
	code string
	help string
	find func(f *file)
}

// rules are what is looked for in a script. Kinds that take more than one script are in more.
var rules = []rule{
	{"unknown-event", "on is given a name that is no event", (*file).unknownEvents},
	{"unknown-option", "on is given an option that it doesn't have, or a value that means nothing", (*file).options},
	{"long-timeout", "a timeout longer than the limits let a run take", (*file).longTimeouts},
	{"bad-match", "a match that can't be used: a bad pattern, a field that the event hasn't", (*file).matches},
	{"never-matches", "a hook that no event can match", (*file).neverMatches},
	{"host-name", "a tool matched by the name that some agents have for it", (*file).hostNames},
	{"unknown-field", "a field that the event hasn't", (*file).unknownFields},
	{"read-only", "an assignment to a field of the event", (*file).eventWrites},
	{"foreign-field", "tool_call, error or usage of an event that isn't about one", (*file).foreignFields},
	{"no-command", "tool_call.command in a hook that isn't for shells alone", (*file).commandsOfOthers},
	{"never-equal", "the tool's name, its kind or the event compared with what it never is", (*file).neverEqual},
	{"unlikely-tool", "a match for tools that looks like a file's, or like a misspelt tool", (*file).unlikelyTools},
	{"not-equal", "not a == b, which Lua reads as (not a) == b", (*file).notEqual},
	{"unknown-global", "a global that isn't there: misspelt, or not declared", (*file).unknownGlobals},
	{"not-in-sandbox", "a function of Lua that scripts don't have", (*file).notInSandbox},
	{"unknown-function", "a module has no function of that name", (*file).unknownMembers},
	{"unknown-member", "a field or method that what a module made hasn't, or a dot for a colon", (*file).unknownParts},
	{"not-a-list", "a loop over what is no list, or a list that is used as a text or from 0", (*file).notLists},
	{"perhaps-nil", "a field of cmd.git, which is nil for other commands, and nothing asks", (*file).perhapsNil},
	{"global-write", "a hook assigns to a global that is probably meant local", (*file).globalWrites},
	{"shared-state", "a hook changes a local of the file, which other Lua states don't see", (*file).sharedState},
	{"not-granted", "a capability that hooks.yaml doesn't grant", (*file).notGranted},
	{"bad-pattern", "a pattern that can't be read", (*file).badPatterns},
	{"regex-in-pattern", "a Lua pattern with the syntax of regular expressions, or the reverse", (*file).regexInPatterns},
	{"swapped-arguments", "a function of re that is given the pattern before the text", (*file).swappedArguments},
	{"not-formatted", "an answer with %s and values for it, which only string.format fills in", (*file).notFormatted},
	{"dropped-answer", "an answer that is made and not returned", (*file).droppedAnswers},
	{"bad-answer", "an answer that the event doesn't take, or a key that answers don't have", (*file).badAnswers},
	{"unknown-key", "a key that the tool's input doesn't have", (*file).unknownKeys},
}

// more are the kinds of problems that rules don't find.
var more = []rule{
	{code: "syntax", help: "not Lua 5.1"},
	{code: "load", help: "a file that can't be used, as the engine says"},
	{code: "same-name", help: "two hooks of one event with one name"},
	{code: "not-loaded", help: "a file that is there and that nothing loads"},
	{code: "hook-in-test", help: "a hook in a file of tests, where nothing fires it"},
	{code: "no-hooks", help: "a script that registers nothing"},
	{code: "foreign-program", help: "a command that reads an event as an agent sends it"},
}

// Kind is a kind of problem.
type Kind struct{ Code, Help string }

// Kinds lists all kinds of problems.
func Kinds() (list []Kind) {
	for _, r := range append(append([]rule(nil), more...), rules...) {
		list = append(list, Kind{r.code, r.help})
	}
	return list
}
