package command

import (
	"errors"
	"fmt"
	"strings"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/excerpt"
	"github.com/luahook/luahook/internal/process"
)

// run is one call on its way to an outcome.
type run struct {
	call Call
	out  Outcome
}

// started notes what became of the process.
func (r *run) started(done process.Outcome) {
	r.out.Run = &hooks.CommandRun{
		Stdout: shown(clean(done.Stdout), done.StdoutCut), Stderr: shown(clean(done.Stderr), done.StderrCut), ExitCode: done.ExitCode,
	}
	if done.Held {
		r.warn("something that it left running still had its output open, and what that writes later is lost; give it >/dev/null 2>&1")
	}
}

func (r *run) warn(text string) {
	r.out.Entries = append(r.out.Entries, hooks.Entry{Kind: hooks.EntryWarning, Text: text})
}

// maxMessage is the length of an error's message in bytes: keys and values of an
// answer may stand in it.
const maxMessage = 2 << 10

// maxSystemMessage is how much is kept of what an answer that can't be used had to say to
// the user, in bytes.
const maxSystemMessage = 4 << 10

// failed is the outcome of a run that failed; cause may be nil.
func (r *run) failed(cause error, format string, args ...any) Outcome {
	r.out.Result, r.out.Log = nil, ""
	r.out.Err = &hooks.Error{Kind: hooks.KindCommand, Hook: r.call.Hook, Message: oneLine(excerpt.Beginning(fmt.Sprintf(format, args...), maxMessage)), Err: cause}
	return r.out
}

// ended is the outcome of a run whose context was over.
func (r *run) ended(cause error, message string) Outcome {
	r.failed(cause, "%s", message)
	r.out.Err.Limit = hooks.LimitTime
	return r.out
}

// read is the outcome of a process that came to its end by itself.
func (r *run) read(done process.Outcome) Outcome {
	stdout, stderr := strings.TrimSpace(clean(done.Stdout)), strings.TrimSpace(clean(done.Stderr))
	stderr = whole(stderr, done.StderrCut, len(done.Stderr))
	said := "; its stderr ends with: " + lastLines(stderr)
	if stderr == "" {
		said = ", and it wrote nothing to stderr"
	}
	switch {
	case done.Signal != "":
		return r.failed(nil, "a signal ended it (%s)%s", done.Signal, said)
	case done.ExitCode == 0:
		return r.answer(stdout, stderr, done)
	case done.ExitCode == 2:
		return r.denial(stdout, stderr, done)
	case done.ExitCode == 126:
		return r.failed(nil, "exit status 126: the shell found the program but could not execute it; try chmod +x on it%s", said)
	case done.ExitCode == 127:
		return r.failed(nil, "exit status 127: a program was not found; install it or fix its path (a script with a carriage return at the end of its first line isn't found either)%s", said)
	}
	return r.failed(nil, "exit status %d%s", done.ExitCode, said)
}

// denial is exit status 2, with the reason on stderr.
func (r *run) denial(stdout, stderr string, done process.Outcome) Outcome {
	if stderr == "" {
		return r.failed(nil, "exit status 2 without a reason on stderr; to deny, write the reason there, and if this was no deny, a program that can't find its script ends like this")
	}
	result := &hooks.Result{Decision: hooks.Deny, Reason: stderr}
	if err := result.Check(r.call.Event); err != nil {
		return r.failed(err, "exit status 2 is a deny; %s", err)
	}
	r.out.Result, r.out.Log = result, whole(stdout, done.StdoutCut, len(done.Stdout))
	return r.out
}

// answer is exit status 0: JSON or text on stdout, or nothing.
func (r *run) answer(stdout, stderr string, done process.Outcome) Outcome {
	stdout = strings.TrimSpace(strings.TrimPrefix(stdout, "\uFEFF"))
	if isObject := strings.HasPrefix(stdout, "{"); isObject || strings.HasPrefix(stdout, "[") {
		if done.StdoutCut {
			return r.failed(nil, "its stdout looks like JSON and is longer than the %d bytes that an answer may have", maxStdout)
		}
		v, err := hooks.DecodeJSON([]byte(stdout))
		switch object, ok := v.(map[string]any); {
		case isObject && err != nil:
			return r.failed(err, "its stdout begins like a JSON answer and is none: %s; text that is no answer goes to stderr", problem(err))
		case ok:
			return r.object(object, stderr)
		case err == nil:
			return r.failed(nil, "its stdout is a JSON list; an answer is one object, such as {\"decision\": \"deny\", \"reason\": \"...\"}")
		}
	}
	switch key, err := answerIn(stdout); {
	case err != nil:
		return r.failed(err, "%s", err)
	case key != "":
		return r.failed(nil, "there is an answer (%q) in its stdout with other text before it; an answer stands alone, other text goes to stderr", key)
	}
	text := whole(stdout, done.StdoutCut, len(done.Stdout))
	if r.call.InjectOutput && text != "" {
		result := &hooks.Result{NewContext: text}
		if err := result.Check(r.call.Event); err != nil {
			return r.failed(err, "%s", err)
		}
		r.out.Result, text = result, ""
	}
	r.out.Log = joined(text, stderr)
	return r.out
}

func denies(decision any) bool {
	word, ok := decision.(string)
	return ok && hooks.MeansDeny(word)
}

// object is a JSON answer. One that says deny and can't be used as it stands denies
// all the same.
func (r *run) object(object map[string]any, stderr string) Outcome {
	denied := object["block"] == true || denies(object["decision"])
	if specific, ok := object["hookSpecificOutput"].(map[string]any); ok { // as hooks of another agent answer
		denied = denied || denies(specific["permissionDecision"])
	}
	suppress := object["suppress_output"] == true
	result, note, err := hooks.DecodeAnswer(object, r.call.Event)
	if suppress {
		r.out.Run.Stdout = ""
	}
	if err != nil {
		r.failed(err, "its stdout is no answer that can be used: %s", err)
		r.out.Err.Denied = denied
		if message, ok := object["system_message"].(string); ok {
			r.out.Err.SystemMessage = excerpt.Beginning(message, maxSystemMessage)
		}
		return r.out
	}
	if note != "" {
		r.out.Entries = append(r.out.Entries, hooks.Entry{Kind: hooks.EntryFeedback, Text: note})
	}
	r.out.Result, r.out.Log = result, stderr
	return r.out
}

// problem is an error of reading JSON, without the words for an event.
func problem(err error) string {
	var input *hooks.InputError
	if !errors.As(err, &input) {
		return err.Error()
	}
	if input.Offset < 0 {
		return input.Message
	}
	return fmt.Sprintf("%s at byte %d", input.Message, input.Offset)
}

func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}
