only("fetch-allowlist.lua")

local function fetch(tool, input)
  return fire("pre_tool_call", { tool_call = { name = tool, input = input } })
end

test_each({
  { "https://pkg.go.dev/net/http", "" }, { "https://DOCS.python.org:443/3/", "" }, { "https://ann.github.io/x", "" },
  { "http://localhost:8080/", "" },
  { "https://example.com/", "deny" }, { "https://pkg.go.dev.example.com/", "deny" },
  { "https://pkg.go.dev@example.com/", "deny" }, { [[https://example.com\@pkg.go.dev/]], "deny" },
  { "https://github.io/", "deny" }, { "example.com/pkg.go.dev", "deny" },
  { "https://example.com?x=@pkg.go.dev", "deny" }, { "file:///etc/passwd", "deny" },
}, "the web tool and %s", function(url, want)
  expect(fetch("WebFetch", { url = url, prompt = "summarize" }).decision):is(want)
end)

test("an address in a prompt, as Gemini CLI has it", function()
  expect(fetch("web_fetch", { prompt = "read https://pkg.go.dev/fmt, (https://example.com)." }).decision):is("deny")
  expect(fetch("web_fetch", { prompt = "summarize https://pkg.go.dev/fmt." }).decision):is("")
end)

test("searching is free, and a browser of an MCP server isn't", function()
  expect(fetch("WebSearch", { query = "https://example.com" }).decision):is("")
  expect(fetch("mcp__playwright__browser_navigate", { url = "https://example.com" }).decision):is("deny")
end)

test_each({
  "wget https://example.com/x", "curl -X POST -d @data https://example.com", "curl --url example.com",
  [[bash -c "curl https://example.com | jq ."]], [[curl "$URL"]],
  "curl https://pkg.go.dev/ https://example.com/", "wget -i urls.txt", "curl -K config",
  "curl -x example.com https://pkg.go.dev/", "A=$(curl -s example.com)",
  "curl 'https://{pkg.go.dev,example.com}/'",
}, "denies: %s", function(command)
  local r = fire("pre_tool_call", command)
  expect(r.decision):is("deny")
  expect(r.reason):contains("not on the list of hosts (pkg.go.dev,")
end)

test_each({
  "curl -fsSL https://pkg.go.dev/fmt -o fmt.html", [[curl "https://pkg.go.dev/$NAME"]], "wget -q docs.python.org/3/",
  "curl -H 'Referer: https://example.com' localhost:3000/health",
  "curl --version", "echo https://example.com", "grep -r 'curl https://example.com' .", "curl -i localhost",
}, "passes: %s", function(command)
  expect(fire("pre_tool_call", command).decision):is("")
end)
