-- Publishing packages for the whole world, and installing for a whole machine.

local verbs = require("verbs")

local PUBLISHERS = {}
local function add(names, words)
  for _, name in ipairs(text.split(names, " ")) do
    PUBLISHERS[name] = patterns.later("^(?:" .. words .. ")(?: |$)")
  end
end

add("npm", [[publ?i?s?h?|stage publish]])
add("pnpm", [[publish|(-r |recursive )?publish|release]])
add("yarn", [[(npm )?publish|workspaces? (\S+ )?(npm )?publish]])
add("bun", [[publish]])
add("lerna", [[publish]])
add("changeset", [[publish]])
add("nx", [[release( publish)?]])
add("cargo", [[(\+\S+ )?(publish|release|(workspaces|ws) publish)]])
add("twine", [[upload]])
add("corepack", [[(npm|pnpm|yarn)(@\S+)? (npm )?publish]])
add("poetry uv flit pdm hatch rye", [[publish]])
add("maturin", [[publish|upload]])
add("gem", [[push]])
add("mvn mvnw", [[(\S+ )*(deploy|release:perform|release:prepare|nexus-staging:release|deploy:deploy-file)]])
add("gradle gradlew", [[(\S+ )*(:?\S*:)?(publish\w*|uploadArchives|closeAndRelease\w*|release)]])
add("sbt", [[(\S+ )*(publish(Signed)?|sonatype\w*Release\w*|release|\+publish\w*)]])
add("nuget", [[push|delete]])
add("dotnet", [[nuget (push|delete)]])
add("vsce ovsx", [[publish|unpublish]])
add("jsr deno", [[publish]])
add("dart flutter pub", [[(pub )?publish|lish]])
add("mix", [[hex\.(publish|retire)]])
add("cabal stack", [[upload]])
add("luarocks", [[upload]])
add("conan", [[upload]])
add("pod", [[trunk (push|delete|deprecate)]])
add("snapcraft", [[upload|push|release]])
add("goreleaser", [[release]])
add("semantic-release release-it np", [[]])
add("fastlane", [[((ios|android|mac) )?(deliver|supply|release|upload_to_\S+|pilot)]])
add("eas", [[submit]])
add("clj clojure lein", [[deploy]])
add("charmcraft rockcraft", [[upload|release]])
add("elm elm-package apm wapm nimble opam jspm quarto", [[publish]])
add("anaconda", [[upload]])
add("ansible-galaxy", [[(collection|role) (publish|import)]])
add("pdk", [[release publish|release]])
add("knife", [[supermarket share]])
add("gh-pages", [[]])
add("mike", [[deploy|delete|set-default]])
add("mkdocs", [[gh-deploy]])
add("crane gcrane oras", [[push]])
add("helm", [[push]])
add("rake", [[release]])

-- Commands that withdraw something that others have installed, or change who may publish.
local TAKES_BACK = {}
for names, words in pairs({
  ["npm pnpm"] = [[unpu?b?l?i?s?h?|depr?e?c?a?t?e?|dist-tag (add|rm|set)|dist-tags? (add|rm)|tag add|(owne?r?|author) (add|rm)|access (grant|revoke|set|public|restricted|edit)|team (add|rm|create|destroy)|org (set|rm)|token (create|revoke|delete)|profile set|hook (add|rm)]],
  ["yarn"] = [[npm tag (add|remove)|(tag|owner|team|access) (add|remove|rm|grant|revoke|create|destroy)]],
  ["cargo"] = [[(\+\S+ )?(yank|owner)]],
  ["gem"] = [[yank|owner]],
  ["vsce"] = [[delete-publisher]],
  ["composer"] = [[global (require|remove)]],
  ["apm"] = [[unpublish]],
  ["anaconda"] = [[remove]],
  ["ansible-galaxy"] = [[role delete]],
  ["conan"] = [[remove]],
  ["snapcraft"] = [[close|revert]],
  ["bower"] = [[unregister]],
}) do
  for _, name in ipairs(text.split(names, " ")) do
    TAKES_BACK[name] = patterns.later("^(?:" .. words .. ")(?: |$)")
  end
end

-- Their options are known, and behind some of them stands the name of a script.
local SCRIPTS = { npm = true, pnpm = true, yarn = true, bun = true, corepack = true, cargo = true, mvn = true, mvnw = true, gradle = true, gradlew = true }

local function names(patterns)
  local list = {}
  for name in pairs(patterns) do
    list[#list + 1] = name
  end
  table.sort(list)
  return list
end

-- For these -n is --dry-run.
local DRY_N = { cargo = true, dart = true, flutter = true, pub = true, rake = true, fastlane = true, bun = true }

local SKIPS = patterns.later([[^-Dmaven\.deploy\.skip(?:=true)?$]])

local function pretends(cmd)
  local dry = cmd:flag("--dry-run", "--snapshot", "--dryRun")
  if dry ~= false and dry ~= "false" or cmd:flag("--help", "-h") or cmd.name == "cargo" and cmd:flag("--list", "-l")
    or DRY_N[cmd.name] and cmd:flag("-n") then
    return true
  end
  for _, word in ipairs((cmd.name == "mvn" or cmd.name == "mvnw") and cmd.args or {}) do
    if SKIPS:match(word) then
      return true
    end
  end
  return false
end

local function says(patterns)
  return function(cmd)
    local found = patterns[cmd.name]:find(table.concat(cmd:operands(), " ")) or not SCRIPTS[cmd.name] and patterns[cmd.name]:find(verbs.behind(cmd) or "")
    if (found == "owner" or found == "owner ") and not cmd:flag("--add", "-a", "--remove", "-r") then
      return nil -- it lists them
    end
    if found and not pretends(cmd) and not text.contains(found, "ToMavenLocal") and not text.contains(found, "publishLocal") then
      return cmd.name .. " " .. text.trim(found)
    end
  end
end

local INSTALLS = patterns.later([[^(install|i|in|ins|add|isntall|uninstall|un|unlink|remove|rm|r|update|up|upgrade|link|ln|ci)(?: |$)]])

-- Node's programs install for the whole machine with -g.
local function global(cmd)
  local line = table.concat(cmd:operands(), " ")
  if cmd:flag("--help", "--dry-run") then
    return nil
  elseif cmd.name ~= "npm" and re.match(line, "^global (add|remove|rm|upgrade|install|uninstall|update)( |$)") then
    return cmd.name .. " " .. line
  end
  if (cmd:flag("-g", "--global") or cmd:flag("--location") == "global") and INSTALLS:match(line) and cmd.name ~= "yarn" then
    return cmd.name .. " " .. line
  end
end

local function elevated(cmd)
  for _, how in ipairs(cmd.via) do
    if how == "sudo" or how == "doas" then
      return true
    end
  end
end

local function outside_of_environment(cmd)
  if cmd.name == "uv" then
    local operands = cmd:operands()
    return operands[1] == "pip" and re.match(operands[2] or "", "^(un)?install$|^sync$") and cmd:flag("--system", "--break-system-packages", "--target") and not cmd:flag("--dry-run") and "uv pip --system" or nil
  end
  if cmd:subcommand() ~= "install" and cmd:subcommand() ~= "uninstall" or cmd:flag("--dry-run", "--help", "-h") then
    return nil
  end
  if cmd.name == "gem" then
    return elevated(cmd) and "sudo gem"
  end
  for _, name in ipairs({ "--target", "-t", "--prefix", "--root", "--break-system-packages", "--user" }) do
    if cmd:flag(name) then
      return "pip " .. name
    end
  end
  return elevated(cmd) and "sudo pip"
end

return { class = "publishing", title = "Publishing and installing", rules = {
  {
    id = "publishing.publish",
    severity = "medium",
    remote = true,
    programs = names(PUBLISHERS),
    looks_at = "the operands of npm, cargo, twine, gem and the like",
    when = says(PUBLISHERS),
    reason = "{detail} puts a version out for everyone; it can't be taken back.",
    advice = "Try it with --dry-run, and let the user do it.",
    suggestion = "npm publish --dry-run",
    blocked = { "npm publish --access public", "cargo publish", "twine upload dist/*", "poetry publish --build", "gem push shop-1.0.gem", "yarn npm publish", "goreleaser release --clean", "dotnet nuget push a.nupkg", "mvn clean deploy" },
    passes = { "npm publish --dry-run", "npm pack", "cargo publish --dry-run", "npm run publish-docs", "goreleaser release --snapshot", "mvn clean package", "gradle publishToMavenLocal", "twine check dist/*" },
  },
  {
    id = "publishing.take-back",
    severity = "high",
    remote = true,
    programs = names(TAKES_BACK),
    looks_at = "the operands of npm, cargo and gem",
    when = says(TAKES_BACK),
    always = function(cmd) -- a version that is taken back can't be put out again
      return re.match(cmd:operands()[1] or "", "^(?:unpublish|yank)$")
    end,
    always_for = { "npm unpublish", "pnpm unpublish", "gem yank" },
    reason = "{detail} changes what those who have installed this get, or who may publish it.",
    advice = "Ask the user to do it.",
    suggestion = "npm view shop versions",
    blocked = { "npm unpublish shop --force", "npm deprecate shop@1 old", "cargo yank --version 1.0.0", "npm owner add kim shop", "gem yank shop -v 1.0" },
    passes = { "npm view shop versions", "npm owner ls shop", "cargo search shop", "npm dist-tag ls shop" },
  },
  {
    id = "publishing.global",
    severity = "medium",
    programs = { "npm", "pnpm", "yarn", "bun" },
    looks_at = "npm install -g, yarn global add",
    when = global,
    reason = "{detail} changes what runs everywhere on this machine.",
    advice = "Add it to the project, or run it once with npx.",
    suggestion = "npm install --save-dev typescript",
    blocked = { "npm install -g typescript", "npm i --location=global typescript", "pnpm add --global typescript", "yarn global add typescript", "bun add -g typescript" },
    passes = { "npm install typescript", "npm ls -g", "yarn global list", "pnpm add typescript", "npm root -g" },
  },
  {
    id = "publishing.pip",
    severity = "medium",
    programs = { "pip", "pip3", "pip2", "gem", "uv" },
    looks_at = "pip install with sudo, --target, --prefix, --root, --user or --break-system-packages",
    when = outside_of_environment,
    reason = "{detail} installs outside of the project's environment.",
    advice = "Use a virtual environment.",
    suggestion = "python3 -m venv .venv",
    blocked = { "pip install --break-system-packages requests", "pip3 install --target=/tmp/x requests", "sudo pip install requests", "sudo gem install rails" },
    passes = { "pip install requests", "pip install -r requirements.txt", "pip install -e .", "gem install rails" },
  },
} }
