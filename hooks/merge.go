package hooks

// Merge folds the answer of one hook into the result of those before it:
//
//   - the stronger decision wins with its reason, deny > ask > allow > none; of two
//     equal ones the first that gives a reason keeps it
//   - a nil answer and every empty key of one change nothing
//   - Input and Output are replaced by the later one (each hook saw the one before)
//   - contexts append, tagged with the hook; texts are joined by newlines
//   - data merges key by key, the later value wins
//   - halt stays, with the reason of the first
//
// Merge takes what Check has accepted and can't fail. into.Summary is left alone.
func Merge(into *Result, hook string, answer *Result) {
	if answer == nil {
		return
	}
	switch a, b := answer.Decision.rank(), into.Decision.rank(); {
	case a > b, a == b && a > 0 && into.Reason == "": // without a decision a reason says nothing
		into.Decision, into.Reason = answer.Decision, answer.Reason
	}
	into.Block = into.Decision == Deny
	into.Modified = into.Modified || answer.Modified || answer.Input != nil || answer.Output != nil
	if answer.Input != nil {
		into.Input = answer.Input
	}
	if answer.Output != nil {
		into.Output = answer.Output
	}
	switch {
	case len(answer.Contexts) > 0:
		for _, c := range answer.Contexts {
			if c.Hook == "" {
				c.Hook = hook
			}
			into.addContext(c)
		}
	case answer.NewContext != "":
		into.addContext(ContextEntry{Hook: hook, Text: answer.NewContext})
	}
	if answer.Halt && !into.Halt {
		into.Halt, into.StopReason = true, answer.StopReason
	}
	into.SystemMessage = joinLines(into.SystemMessage, answer.SystemMessage)
	into.SuppressOutput = into.SuppressOutput || answer.SuppressOutput
	for k, v := range answer.Data {
		if into.Data == nil {
			into.Data = make(map[string]any, len(answer.Data))
		}
		into.Data[k] = v
	}
	into.Warnings = append(into.Warnings, answer.Warnings...)
}

func (r *Result) addContext(c ContextEntry) {
	r.Contexts = append(r.Contexts, c)
	r.NewContext = joinLines(r.NewContext, c.Text)
}

func joinLines(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}
