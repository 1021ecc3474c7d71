// Package logindextest makes large decision logs for tests.
package logindextest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Needle is a text that stands in a single record of a log, the one in the middle.
const Needle = "grep -rn 'Needle in a haystack'"

// Begin is the time of the first record. Each further one is a second later.
var Begin = time.Date(2026, 5, 4, 8, 0, 0, 0, time.UTC)

// Write writes the current file of a decision log with so many records, as luahook run writes them: some 900 bytes
// with two runs each. The same number gives the same log.
func Write(dir string, records int) (err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(filepath.Join(dir, "decisions.jsonl"), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	out := bufio.NewWriterSize(file, 1<<20)
	var line []byte
	for i := range records {
		line = Line(line[:0], i, i == records/2)
		if _, err := out.Write(line); err != nil {
			return err
		}
	}
	return out.Flush()
}

var (
	agents   = []string{"claude", "codex", "gemini", ""}
	tools    = []string{"bash", "bash", "read", "edit", "bash", "write", "grep", "mcp__tracker__search"}
	commands = []string{"go test ./... 2>&1 | tail -n 20", "git status --short", "cat docs/log.md", "npm run build && npm test", `jq -r '.[] | select(.name == \"cart\")' prices.json`, "git push --force origin main", "rg -n 'func Open' engine", "ls -la src/shop"}
)

// Line appends the line of record i.
func Line(b []byte, i int, needle bool) []byte {
	at := Begin.Add(time.Duration(i) * time.Second)
	session := i / 400
	host, tool, command := agents[session%len(agents)], tools[i/2%len(tools)], commands[i/2%len(commands)]
	if needle {
		command = Needle
	}
	post := i%2 == 1
	denied := !post && command == "git push --force origin main" && i%3 == 0
	event := "pre_tool_call"
	if post {
		event = "post_tool_call"
	}
	b = fmt.Appendf(b, `{"time":"%s","v":1,"luahook":"v0.1.0"`, at.Format("2006-01-02T15:04:05.000Z07:00"))
	if host != "" {
		b = fmt.Appendf(b, `,"host":%q`, host)
	}
	b = fmt.Appendf(b, `,"kind":"decision","event":%q,"session":"7c1f0b5e-3a44-4c0e-9f57-%012x","agent":"main","project":"/home/kim/shop","cwd":"/home/kim/shop/src","tool":%q,"call_id":"toolu_%012x"`, event, session, tool, i/2)
	status := "completed"
	if denied {
		b = append(b, `,"decision":"deny","reason":"git push --force replaces commits on the remote that others may have. Push without --force. (safety-guard: git.push-force)"`...)
		status = "blocked"
	}
	b = fmt.Appendf(b, `,"generation":1,"duration_us":%d,"runs":[{"id":"%d.1","hook":"safety-guard","scope":"user","source":"builtin:safety-guard:56","handler":"lua","order":1,"status":%q`, 400+i%977, i+1, status)
	if denied {
		b = append(b, `,"decision":"deny"`...)
	}
	b = fmt.Appendf(b, `,"duration_us":%d,"instructions":%d`, 300+i%613, 2000+i%4099)
	if denied {
		b = append(b, `,"entries":[{"kind":"feedback","text":"git push --force replaces commits on the remote that others may have. Push without --force. (safety-guard: git.push-force)"}]`...)
	}
	b = fmt.Appendf(b, `},{"id":"%d.2","hook":"conventions","scope":"project","source":".hooks/conventions.lua:12","handler":"lua","order":2,`, i+1)
	if i%701 == 0 {
		b = append(b, `"status":"failed","duration_us":52000,"instructions":100000,"error":{"kind":"limit","limit":"instructions","message":"the hook has run 100000 instructions, more than it may"}}]`...)
	} else {
		b = fmt.Appendf(b, `"status":"completed","duration_us":%d,"instructions":%d}]`, 40+i%89, 90+i%311)
	}
	if post && i%40 == 1 {
		b = fmt.Appendf(b, `,"data":{"cost":{"session_usd":%d.25,"session_tokens":%d}}`, i%400/40, i%400*512)
	}
	b = fmt.Appendf(b, `,"context":{"agent_id":"main","cwd":"/home/kim/shop/src","event":%q,"model":"sonnet-5","tool_call":{"host_name":"Bash","input":{"command":"%s","timeout":120000},"kind":"shell","name":%q`, event, command, tool)
	if post {
		b = fmt.Appendf(b, `,"duration_ms":%d.5,"outcome":"ok","output":{"bytes":%d,"sha256":"544208bb09c0c4b56d78a88258675d8bd59aa2810b0da7c46e414db0c2f4ecbd"}`, 20+i%5003, i%9001)
	}
	return append(bytes.TrimRight(b, " "), "}}}\n"...)
}
