package guard

patterns := ["mkfs.", ":(){ :|:& };:", "rm -rf /", "dd if=/dev/zero", "> /dev/sda"]

hits := [p | some p in patterns; contains(input.tool_call.command, p)]

answer := {"block": true, "reason": concat("", ["matches ", hits[0]])} if {
	input.event == "pre_tool_call"
	input.tool_call.name == "bash"
}

answer := {"output": concat("\n[...]\n", [substring(out, 0, 4096), substring(out, count(out) - 4096, -1)])} if {
	input.event == "post_tool_call"
	input.tool_call.name == "bash"
	out := input.tool_call.output
	count(out) > 8192
}

answer := {"block": true, "reason": "too long"} if {
	input.event == "post_tool_call"
	input.tool_call.name == "read"
	count(input.tool_call.output) > 67108864
}
