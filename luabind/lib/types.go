package lib

import "strings"

// Type is a table or an object that functions of the modules return under a name of its own: ShellCommand, Statement. It is
// there to document it, as a function's signature is.
type Type struct {
	Name   string
	Help   string // one line
	Fields []TypeField
}

// TypeField is a field or a method of a [Type].
type TypeField struct {
	Name string
	// Type is what the field holds, spelled as in signatures: "string?". That of a method begins with a parenthesis:
	// "(name: string, ...: string): string|boolean".
	Type string
	Help string // one line
}

// Types lists the types that signatures of [Modules] name. The slice is the caller's own.
func Types() []Type {
	pattern := Type{Name: "Pattern", Help: "a compiled regular expression"}
	for _, o := range operations {
		pattern.Fields = append(pattern.Fields, TypeField{o.name, strings.Replace(o.params, ", pattern: string", "", 1), o.help})
	}
	return []Type{
		{"ShellLine", "what shell.parse understood of a command line", []TypeField{
			{"commands", "ShellCommand[]", "the commands, also those in loops, substitutions and behind sudo, xargs or bash -c"},
			{"error", "string?", "why the text can't be read to its end; the rest of it is unknown"},
			{"too_complex", "boolean", "it is too long or nested too deeply; the rest of it is unknown"},
		}},
		{"ShellCommand", "a command of a command line", []TypeField{
			{"name", "string?", "the program's name without folder and .exe; nil if there is none, or if it can't be known"},
			{"path", "string", "the word that names it, as in /bin/rm; \"\" if no word does"},
			{"args", "string[]", "the words behind the name"},
			{"words", "ShellWord[]", "the same, with what is known of each"},
			{"env", "table<string, string>", "what is set for it: A=1 cmd, env A=1 cmd"},
			{"assignments", "ShellAssignment[]", "the same in order"},
			{"redirects", "ShellRedirect[]", "where its input and output go"},
			{"context", "string", "pipe, and, or, background, subshell, substitution, branch, loop, function, or \"\""},
			{"pipe", "integer?", "the number of its pipeline; nil outside of one"},
			{"via", "string[]", "how it was reached, outermost first: {\"sudo\", \"bash -c\"}"},
			{"parent", "ShellCommand?", "the command that runs it; nil for the line's own"},
			{"block", "ShellCommand?", "the command that has the redirections of the compound command around it, where they take its output: that of > f for a in { a; b; } > f"},
			{"dynamic", "boolean", "something of it is only known at run time"},
			{"name_dynamic", "boolean", "which program it is, is only known at run time"},
			{"from", "ShellCommand[]", "if the name isn't known: the commands whose output decides it"},
			{"told", "ShellCommand[]", "the commands whose output stands in its arguments, as in curl \"URL?x=$(cat file)\""},
			{"input", "ShellInput?", "its standard input; nil if that is the line's own"},
			{"dir", "string?", "the folder it runs in, as far as cwd and each cd before it say; nil if it can't be known"},
			{"decoded", "boolean", "its name stands in a text that was decoded, as in echo bHM= | base64 -d | sh"},
			{"multiplies", "boolean", "it is started again and again without an end"},
			{"decides", "boolean", "if it fails, the line fails"},
			{"remote", "boolean", "it runs elsewhere: behind ssh, docker exec, kubectl exec"},
			{"mounted", "boolean", "it runs in a container, on files of this machine that the container is given (docker run -v)"},
			{"line", "integer", "the line where it begins"},
			{"column", "integer", "the column where it begins"},
			{"git", "GitCommand?", "what a git command does; nil for others"},
			{"flag", "(name: string, ...: string): string|boolean", "the value of an option, true if it has none, false if it isn't given"},
			{"operands", "(): string[]", "the words that are neither options nor their values"},
			{"subcommand", "(): string?", "the first operand, as in git -C dir push; nil if there is none, or it isn't known"},
			{"paths", "(access?: \"read\"|\"write\"|\"delete\"): string[], boolean", "the files that it is given, and whether one of them isn't known"},
			{"files", "(...: \"read\"|\"write\"|\"delete\"): ShellFile[]", "the files that it is given, with what is known of each"},
			{"remote_files", "(...: \"read\"|\"write\"|\"delete\"): ShellFile[]", "the same for a command that runs elsewhere"},
			{"methods", "(): ShellMethod[]", "the calls of methods in the JavaScript that mongosh or mongo gets"},
			{"git_folders", "(): ShellFile?, ShellFile?", "of git: the folder that it works in, and the one that init, clone and worktree add make"},
			{"before", "(): ShellEarlier[]", "the commands of the line that have run when this one starts, as far as that is sure"},
			{"missing", "(path: string): boolean", "whether it only starts where a test of the line ([ -f path ], [[ -e path ]] ...) has found no file at that path, as cmd:files() has it, and nothing can have made it since"},
			{"replace_name", "(name: string): string|nil, string?", "the whole line in which this command has another name, and those of earlier calls have theirs; nil and why if that can't be done exactly"},
		}},
		{"ShellWord", "a word of a shell command", []TypeField{
			{"text", "string", "the word; what isn't known of it as it is written"},
			{"dynamic", "boolean", "a part of it isn't known"},
			{"quoted", "boolean", "some of it stands in quotes"},
			{"glob", "boolean", "it has a * or another sign of a pattern outside of quotes"},
			{"home", "boolean", "it begins with a ~ that is the home folder"},
		}},
		{"ShellAssignment", "an assignment of a shell command", []TypeField{
			{"name", "string", "the variable"},
			{"value", "string", "its value"},
			{"append", "boolean", "it is added to what the variable has: A+=1"},
			{"dynamic", "boolean", "a part of the value isn't known"},
		}},
		{"ShellRedirect", "a redirection of a shell command", []TypeField{
			{"op", "string", "as it is written, as in >"},
			{"target", "string", "the file, or the end of a here-document"},
			{"fd", "integer?", "the number before it; nil if there is none"},
			{"dynamic", "boolean", "a part of it isn't known"},
			{"body", "string", "the text of a here-document"},
			{"empties", "boolean", "the file is opened anew and nothing but blanks is written to it"},
		}},
		{"ShellInput", "the standard input of a shell command", []TypeField{
			{"text", "string", "what is known of it"},
			{"dynamic", "boolean", "a part of it isn't known"},
			{"from", "ShellCommand[]", "the commands that write it"},
		}},
		{"ShellFile", "a file that a shell command is given", []TypeField{
			{"path", "string", "the file; absolute and cleaned if shell.parse was given cwd"},
			{"access", "\"read\"|\"write\"|\"delete\"", "what the command does with it"},
			{"dynamic", "boolean", "the path isn't known to its end"},
			{"glob", "boolean", "the shell looks for files of this name"},
			{"home", "boolean", "it begins with a ~ that stands for a home folder"},
			{"under", "string", "if the path isn't known, the folder that it is in for sure, else \"\""},
			{"temporary", "boolean", "the path isn't known, and is what the line's own mktemp makes, or below $TMPDIR"},
			{"redirected", "boolean", "it is the file of a redirection, as in 2>/dev/null, and not one of the command's arguments"},
			{"reach", "string[]?", "if the command touches more than that file, all of it, for path.match"},
		}},
		{"ShellMethod", "a call of a method in the JavaScript that mongosh or mongo gets", []TypeField{
			{"name", "string", "the method"},
			{"object", "string", "users in db.users.drop()"},
			{"bare", "boolean", "its first argument is missing or {}"},
			{"key", "string", "drop in db.runCommand({drop: \"users\"})"},
		}},
		{"ShellEarlier", "a command that has run when another one starts", []TypeField{
			{"cmd", "ShellCommand", "the command"},
			{"succeeded", "boolean", "it has succeeded, or else the other one wouldn't start"},
			{"failed", "boolean", "it has failed, or else the other one wouldn't start"},
		}},
		{"GitCommand", "what a git command does, by its words alone", []TypeField{
			{"subcommand", "string?", "push for git push; nil if there is none, or it isn't known"},
			{"dir", "string?", "the folder of -C"},
			{"operands", "string[]", "the words behind the subcommand that are neither options nor values nor paths"},
			{"paths", "string[]", "the words that can only be paths"},
			{"refspecs", "GitRefspec[]", "what push, fetch and pull are told to update"},
			{"pushes", "GitPush[]", "the branches of a remote that git push changes"},
			{"force", "boolean", "it is forced, by an option or by what implies one"},
			{"force_with_lease", "boolean", "push --force-with-lease; force is for the unconditional ones"},
			{"dry_run", "boolean", "it only says what it would do"},
			{"discards_changes", "boolean", "work that isn't committed is lost: reset --hard, checkout -- ., clean -f"},
			{"rewrites_history", "boolean", "commits of a branch are replaced or may become unreachable: push --force, rebase"},
			{"deletes_refs", "boolean", "branches or tags are deleted: branch -D, push origin :old"},
			{"because", "string", "the words that did it"},
			{"dynamic", "boolean", "a word that decides isn't known"},
			{"settings", "GitSetting[]", "what the command itself is configured with, by -c and the like"},
			{"stored", "GitSetting?", "what git config or git remote add keeps for later commands"},
			{"elsewhere", "boolean", "its repository or files aren't those of the folder"},
			{"skips_hooks", "boolean", "hooks that could refuse the command don't run"},
			{"foreign", "boolean", "git has no such subcommand of its own: it is an alias, or a program such as git-lfs"},
		}},
		{"GitRefspec", "a refspec of git", []TypeField{
			{"source", "string", "\"\" for a deletion"},
			{"target", "string", "\"\" where git chooses"},
			{"force", "boolean", "by + or an option"},
			{"delete", "boolean", "of push: the target is deleted"},
		}},
		{"GitPush", "a branch of a remote that git push changes", []TypeField{
			{"remote", "string?", "as it is named; nil if git chooses"},
			{"branch", "string?", "without refs/heads/; nil where the words don't say which"},
			{"current", "boolean", "it is the branch that is checked out, or its upstream"},
			{"any", "boolean", "it may be any branch: --all, --mirror, a pattern, a variable that isn't known"},
			{"force", "boolean", "by +, an option, or with a lease"},
			{"delete", "boolean", "it is deleted"},
		}},
		{"GitSetting", "a setting of git", []TypeField{
			{"key", "string", "core.hookspath"},
			{"value", "string", "what it is set to"},
			{"dynamic", "boolean", "a part of the value isn't known"},
		}},
		{"Statement", "an SQL statement", []TypeField{
			{"verb", "string?", "DROP, DELETE, ...; nil if it isn't understood or, with dynamic, isn't known"},
			{"object", "string?", "TABLE, DATABASE, ..."},
			{"name", "string?", "the first of the names"},
			{"names", "string[]", "what it is about"},
			{"action", "string?", "of ALTER: DROP COLUMN, ..."},
			{"has_where", "boolean", "it has a WHERE"},
			{"where_always", "boolean", "the WHERE holds for all rows, as in WHERE 1=1"},
			{"has_limit", "boolean", "it has a LIMIT"},
			{"if_exists", "boolean", "it has IF EXISTS"},
			{"cascade", "boolean", "it has CASCADE"},
			{"explain", "boolean", "it is explained, not run"},
			{"stored", "boolean", "it stands in a function or trigger that is only defined"},
			{"dynamic", "boolean", "a part isn't known"},
		}},
		pattern,
		{"Snippets", "parts of a text that text.excerpt keeps", nil},
	}
}
