package ui_test

import (
	"fmt"
	"maps"
	"strings"
	"time"
)

// session is a session in the making. Its clock goes on with everything that happens in it.
type session struct {
	steps  *[]step
	host   string
	id     string
	agent  map[string]any // who: agent_id, agent_name ...
	model  string
	folder string
	now    time.Time
	calls  *int
	turn   int
}

// names are how hosts name tools.
var names = map[string]map[string]string{
	"claude": {"bash": "Bash", "edit": "Edit", "write": "Write", "read": "Read", "grep": "Grep"},
	"codex":  {"bash": "Bash", "edit": "apply_patch"},
	"gemini": {"bash": "run_shell_command", "edit": "replace", "write": "write_file", "read": "read_file", "grep": "search_file_content"},
}

func begin(steps *[]step, host, id, model, day, clock string) *session {
	now, err := time.Parse(time.DateTime, day+" "+clock)
	if err != nil {
		panic(err)
	}
	s := &session{steps: steps, host: host, id: id, model: model, folder: shop, now: now.Add(time.Duration(number(id)%1000) * time.Millisecond), calls: new(int)}
	if host == "claude" || host == "codex" {
		s.agent = map[string]any{}
	}
	return s
}

// fire adds an event that is decided as wanted, and lets time pass.
func (s *session) fire(event string, fields map[string]any, wants string, then time.Duration) {
	e := map[string]any{"event": event, "cwd": s.folder, "session_id": s.id, "metadata": s.metadata()}
	maps.Copy(e, s.agent)
	maps.Copy(e, fields)
	if s.model != "" && s.host != "claude" {
		e["model"] = s.model
	}
	*s.steps = append(*s.steps, step{at: s.now, host: s.host, event: e, wants: wants})
	jitter := time.Duration(number(fmt.Sprint(s.id, len(*s.steps)))%700) * time.Millisecond
	s.now = s.now.Add(then + jitter)
}

// metadata is what a host says beside the event.
func (s *session) metadata() map[string]any {
	switch s.host {
	case "claude":
		return map[string]any{"transcript_path": "/home/kim/.claude/projects/-home-kim-shop/" + s.id + ".jsonl", "permission_mode": "default", "prompt_id": fmt.Sprintf("p-%d", s.turn)}
	case "codex":
		return map[string]any{"turn_id": fmt.Sprint(s.turn), "permission_mode": "on-request"}
	case "gemini":
		return map[string]any{"transcript_path": "/home/kim/.gemini/tmp/shop/chats/" + s.id + ".jsonl", "timestamp": s.now.Format(time.RFC3339)}
	}
	return map[string]any{"turn_number": s.turn}
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

func (s *session) start(source string) {
	s.fire("session_start", map[string]any{"source": source}, "", seconds(4))
}

func (s *session) prompt(text string) {
	s.turn++
	s.fire("pre_prompt", map[string]any{"prompt": text}, "", seconds(1.5))
}

// asks is a call of the model with the tokens that it has taken.
func (s *session) asks(in, out, cache int, took float64) {
	s.now = s.now.Add(seconds(took))
	s.fire("post_model_call", map[string]any{"usage": map[string]any{"input_tokens": in, "output_tokens": out, "cache_tokens": cache}, "response": strings.Repeat("so ", out/8), "duration": took, "finish_reason": "tool_use"}, "", seconds(0.2))
}

func (s *session) call(tool string, input map[string]any) map[string]any {
	*s.calls++
	name := tool
	if of, ok := names[s.host]; ok && of[tool] != "" {
		name = of[tool]
	}
	prefix := map[string]string{"claude": "toolu_01", "codex": "call_", "gemini": "run-", "": "c"}[s.host]
	return map[string]any{"id": fmt.Sprintf("%s%08x%02d", prefix, number(s.id), *s.calls), "name": name, "input": input}
}

// uses is a call of a tool that is let through and goes well.
func (s *session) uses(tool string, input map[string]any, output string, took float64) {
	s.ends(s.call(tool, input), "", output, "ok", took)
}

func (s *session) ends(call map[string]any, wants, output, outcome string, took float64) {
	s.fire("pre_tool_call", map[string]any{"tool_call": call}, wants, 0)
	if wants == "ask" { // a person thinks about it
		s.now = s.now.Add(seconds(9.4))
	}
	s.now = s.now.Add(seconds(took))
	done := maps.Clone(call)
	done["output"], done["outcome"], done["duration_ms"] = output, outcome, took*1000
	fields := map[string]any{"tool_call": done}
	if outcome == "error" {
		fields["error"] = map[string]any{"message": firstLine(output), "kind": "exit_code"}
	}
	s.fire("post_tool_call", fields, "", seconds(2.2))
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

func command(line string) map[string]any { return map[string]any{"command": line} }

func (s *session) runs(line, output string, took float64) {
	s.uses("bash", command(line), output, took)
}

func (s *session) fails(line, output string, took float64) {
	s.ends(s.call("bash", command(line)), "", output, "error", took)
}

// approved is a command that a person is asked about, and lets through.
func (s *session) approved(line, output string, took float64) {
	s.ends(s.call("bash", command(line)), "ask", output, "ok", took)
}

// refused is a call that is decided as wanted and doesn't run.
func (s *session) refused(wants, tool string, input map[string]any) {
	s.fire("pre_tool_call", map[string]any{"tool_call": s.call(tool, input)}, wants, seconds(3.1))
}

func (s *session) denied(line string) { s.refused("deny", "bash", command(line)) }

func file(path string) map[string]any { return map[string]any{"file_path": shop + "/" + path} }

func (s *session) reads(path, text string) {
	s.uses("read", file(path), text, 0.02)
}

// edits changes one place of a file, in the words of the host.
func (s *session) edits(path, old, fresh string) {
	if s.host == "codex" {
		s.uses("edit", command("*** Begin Patch\n*** Update File: "+path+"\n@@\n-"+old+"\n+"+fresh+"\n*** End Patch"), "Done", 0.06)
		return
	}
	input := file(path)
	input["old_string"], input["new_string"] = old, fresh
	s.uses("edit", input, "The file was updated.", 0.04)
}

func (s *session) writes(path, text string) {
	input := file(path)
	input["content"] = text
	s.uses("write", input, "The file was written.", 0.03)
}

func (s *session) stops(response string) {
	s.fire("stop", map[string]any{"response": response, "loop_count": 0}, "", seconds(40))
}

func (s *session) end(reason string) {
	s.fire("session_end", map[string]any{"reason": reason}, "", 0)
}

// sub is a subagent that starts now; its clock is its own.
func (s *session) sub(id, name, prompt string) *session {
	child := *s
	child.agent = map[string]any{"agent_id": id, "agent_name": name, "agent_depth": 1, "parent_agent_id": "main"}
	if s.agent["agent_id"] == nil {
		delete(child.agent, "parent_agent_id")
	}
	child.fire("subagent_start", map[string]any{"prompt": prompt}, "", seconds(2))
	return &child
}

// returns is the end of a subagent.
func (s *session) returns(wants, response string) {
	s.fire("subagent_stop", map[string]any{"response": response, "loop_count": 0}, wants, seconds(1.2))
}

// joins waits for subagents.
func (s *session) joins(children ...*session) {
	for _, c := range children {
		if c.now.After(s.now) {
			s.now = c.now
		}
	}
	s.now = s.now.Add(seconds(0.8))
}
