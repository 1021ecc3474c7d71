-- safety-guard: refuses tool calls that destroy work beyond repair.
--
-- It judges what a call would do, not what its text looks like: a commit message that mentions `rm -rf /` is
-- left alone, and `find . -exec rm -rf {} +` is not. The rules are data, in the files of rules/ and packs/;
-- judge.lua applies them to the parsed call, and this file turns the findings into an answer.
-- docs/safety-guard-rules.md lists all rules.

local settings = require("options").read((...))
local book = require("rulebook").open(settings)
local judge_shell = require("shellcall")
local judge, tools -- loaded when a call needs them

-- The reason for the model, with the rule's id for the user to look up. It doesn't say how to lift a block: only
-- the user should know that.
local function explain(finding)
  local rule = finding.rule
  local text = rule.reason
  if type(finding.detail) == "string" then
    text = text:gsub("{detail}", (finding.detail:gsub("%%", "%%%%")))
  end
  return ("%s %s (safety-guard: %s)"):format(text, rule.advice, rule.id)
end

-- answer ends a call, or lets it continue; in that case an accompanying finding is judged, too.
local function answer(finding)
  local rule, reason = finding.rule, explain(finding)
  if settings.level == "audit" and rule.class ~= "self" then
    return message(("safety-guard would %s: %s"):format(finding.decision, reason)), finding.beside and answer(finding.beside)
  end
  local note = passes and passes.lifts({ rule = rule.id, class = rule.class, decision = finding.decision, reason = reason })
  if note then
    return message("safety-guard: " .. note), finding.beside and answer(finding.beside)
  end
  return finding.decision == "deny" and deny(reason) or ask(reason)
end

local function guard(ev)
  local call = ev.tool_call
  local finding
  if call.kind == "shell" then
    finding = judge_shell(book, call, ev)
  else
    judge, tools = judge or require("judge"), tools or require("tools")
    finding = judge.tool(book, call, ev, tools.does(call))
  end
  if finding then
    return answer(finding)
  end
end

-- Reading is judged only if a rule is about it.
local kinds = "shell|write|edit|mcp|other"
if book.reading then
  kinds = kinds .. "|read|search"
end
on("pre_tool_call", { name = "safety-guard", match = { kind = kinds } }, guard)
on("permission_request", { name = "safety-guard", match = { kind = kinds } }, guard)
