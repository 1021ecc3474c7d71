-- The lines of an output that matter, by kind, as patterns for text.snippets. They are tried on single lines,
-- and only on those with a text that the pattern requires, so there may be many.

local crashes, failures, summaries, errors = {}, {}, {}, {}

-- The summaries that test runners, builds and installations print at the end.
summaries.patterns = {
  -- go test, gotestsum, golangci-lint
  [[^FAIL\s]], [[^FAIL$]], [[^DONE \d+ tests]], [[^\d+ issues?:$]],
  -- pytest, unittest, mypy, ruff, coverage, tox
  [[^=+ .*\d+ (?:passed|failed|errors?|skipped|deselected).* =+$]], [[^\d+ (?:passed|failed|errors?)\b.* in [\d.]+s]], [[^FAILED \S+::]], [[^ERROR \S+\.py]],
  [[^Ran \d+ tests? in ]], [[^FAILED \((?:failures|errors)=]], [[^Found \d+ errors?\b]], [[^TOTAL\s+\d+]], [[^Required test coverage of ]],
  -- jest, vitest, mocha, node --test, playwright, cypress, karma
  [[^\s*Tests:?\s+.*\d+ (?:failed|passed|total)\b]], [[^\s*Test (?:Suites|Files):?\s+.*\d+ (?:failed|passed|total)\b]], [[^Snapshots: ]],
  [[^\s+\d+ passing\b]], [[^\s+\d+ failing\b]], [[^\s+\d+ passed \(]], [[^\s+\d+ failed$]], [[^[#ℹ] (?:pass|fail) \d]], [[^Executed \d+ of \d+]],
  -- cargo, rustc
  [[^test result: ]], [[^error: could not compile]], [[^error: aborting due to]], [[^error: test failed]], [[^warning: .* generated \d+ warnings?]],
  -- gradle, maven, ant, sbt
  [[^BUILD (?:SUCCESSFUL|FAILED)\b]], [[^\d+ tests completed, ]], [[^> Task .* FAILED$]], [[^FAILURE: Build failed]], [[\bBUILD (?:SUCCESS|FAILURE)\b]],
  [[Tests run: \d+, Failures: \d+]], [[^\[ERROR\] Failed to execute goal]], [[^\[error\] \(.*\) .*failed]],
  -- compilers, linkers, make, ninja, cmake, ctest, bazel
  [[^\d+ (?:errors?|warnings?)(?: and \d+ \w+)? generated]], [[^compilation terminated]], [[ld returned \d+ exit status]], [[^collect2: error]],
  [[^\S*make\S*: \*\*\* ]], [[^ninja: build stopped]], [[^-- Configuring incomplete]], [[\d+% tests passed, \d+ tests? failed]], [[^Executed \d+ out of \d+ tests?]], [[^//\S+ .*\b(?:FAILED|TIMEOUT)\b]],
  -- tsc, eslint, webpack, vite
  [[^Found \d+ errors? in ]], [[✖ \d+ problems?]], [[^webpack .*compiled with]], [[^ERROR in ]],
  -- rspec, minitest, phpunit, pest
  [[^\d+ examples?, \d+ failures?]], [[^rspec \./]], [[^\d+ (?:runs|tests), \d+ (?:assertions|failures)]], [[^Tests: \d+, Assertions: ]], [[^OK \(\d+ tests?]], [[^(?:FAILURES|ERRORS)!$]],
  -- dotnet, swift, xcodebuild, gtest, dart, elixir
  [[^\s*(?:Passed|Failed)!\s+- Failed: ]], [[^Build (?:succeeded|FAILED)\.]], [[^\s+\d+ Error\(s\)]], [[^Total tests: ]], [[^\s*Executed \d+ tests?, with]], [[\*\* (?:BUILD|TEST) \w+ \*\*]],
  [=[^\[  (?:PASSED|FAILED)  \]]=], [[^Some tests failed]], [[^All tests passed]],
  -- npm, pip, terraform, docker, git
  [[^added \d+ packages]], [[^\d+ (?:\w+ severity )?vulnerabilit]], [[^Successfully installed ]], [[^Plan: \d+ to add]], [[^Apply complete!]],
  [[did not complete successfully: exit code]], [[exited with (?:code|status)]], [=[\bexit (?:code|status)[: ]+[1-9]]=], [[^Automatic merge failed]],
}

-- A crash or an exception, and the stack trace that follows.
crashes.patterns = {
  -- Go
  [[^panic: ]], [[^fatal error: ]], [=[^goroutine \d+ \[running\]]=], [[WARNING: DATA RACE]],
  -- Python, Ruby, PHP, Elixir
  [[Traceback \(most recent call last\)]], [[:in [`'].*\(\w+Error\)$]], [[PHP Fatal error: ]], [[^\*\* \(\w+]],
  -- Java, Kotlin, Scala, C#
  [[Exception in thread "]], [[^\s*Caused by: ]], [[^(?:[a-z_]\w*\.)+[A-Z]\w*(?:Exception|Error)\b]], [[Unhandled exception]], [[unhandled exception]],
  -- JavaScript
  [[^(?:Uncaught )?(?:[A-Z]\w*)?Error: ]], [[UnhandledPromiseRejection]], [[^Uncaught ]],
  -- Rust
  [[^thread '.*' .*panicked at]], [[\bpanicked at\b]],
  -- C, C++, the kernel
  [[(?i)segmentation fault]], [[core dumped]], [[Sanitizer: ]], [[^terminate called]], [[Assertion .* failed]], [[\bSIG(?:SEGV|ABRT|BUS|ILL|FPE|KILL)\b]],
  [[received signal]], [[stack smashing detected]], [[free\(\): ]], [[double free]], [[(?i)out of memory]], [[OOMKilled]], [[^Killed$]], [[runtime error: ]],
}
crashes.before = 1
crashes.after = 40
crashes.through = [[^\s|^$|^goroutine \d|^created by |^[\w./*()-]+\(.*\)$|^Caused by: |^\.\.\. \d+ more|^[\w.]*(?:Error|Exception|Warning|Exit|Interrupt|Failure)\b|^exit status|^During handling|^The above exception|^Traceback|^note: |^stack backtrace|^#\d+ |^=+\d+=+|^\[signal |^  at |^ +\||^-{3,}|^Previous (?:read|write)|^SUMMARY: |^Node\.js v]]

-- A test that failed, and how.
failures.patterns = {
  [[--- FAIL: ]], [[^_{3,} .* _{3,}$]], [[^E\s{2,}]], [[^(?:FAIL|ERROR): ]], [[^\s*● ]], [[^\s*(?:✕|✗|✘|×|✖) ]], [[^\s*not ok \d]], [[ \.\.\. FAILED$]], [[^---- .* stdout ----]],
  [[AssertionError]], [[assertion failed]], [[assertion .*failed]], [[^\s+Failure/Error: ]], [[^\s+Error Trace:]], [[^Failed asserting]], [[: Failure$]], [[^\[  FAILED  \] ]], [[^\s+Failed \S]], [=[\[FAIL\]]=],
  [[<<< (?:FAILURE|ERROR)!]], [[\*\*\*Failed]], [[ FAILED$]], [[^FAIL  ?\S]], [[^CONFLICT \(]], [[^\s+\S+_test\.go:\d+: ]],
}
failures.after = 8

-- Anything that calls itself an error.
errors.patterns = {
  [[(?i)\berror\b]], [[(?i)\berrors\b]], [[\w(?:Error|Exception)\b]], [[(?i)\bfatal\b]], [[(?i)\bexception\b]], [[(?i)\bfailed\b]], [[(?i)\bfailure\b]], [[(?i)\bcritical\b]], [[(?i)\bpanic\b]], [[(?i)\babort(?:ed|ing)\b]],
  [[^npm ERR! ]], [[\berr=]], [[^[EF]\d{4} ]], [[\bERR\b]], [[error\[E\d]], [[\berror TS\d]],
  [[(?i)permission denied]], [[(?i)access denied]], [[(?i)no such file or directory]], [[command not found]], [[(?i)undefined reference]], [[(?i)unresolved (?:import|reference|external)]], [[(?i)cannot find]], [[(?i)could not]], [[(?i)not found:]],
  [[(?i)timed out]], [[(?i)connection refused]], [[(?i)syntax error]], [[(?i)\brejected\b]], [[(?i)no space left]], [[(?i)\bundefined:]],
}
errors.except = {
  [[(?i)\b(?:0|no|zero|without) (?:errors?|failures?|failed|exceptions?)\b]], [[(?i)\b(?:errors?|failures?|failed|exceptions?)["']?\s*[:=]\s*["']?(?:0|none|null|nil|false)\b]],
  [[^\s*(?:ok|PASS|--- PASS|✓|✔|√|=== RUN|=== PAUSE|=== CONT)(?:[:\s]|$)]], [[\bPASSED\b]], [[ \.\.\. ok$]], [[^\[[ \d/%]+\] (?:Building|Linking|Compiling|CC|CXX|LD) ]], [[^\s*(?:Compiling|Downloading|Downloaded|Installing|Collecting|Unpacking|CC|CXX) ]],
}
errors.before = 1
errors.after = 2

summaries.name, crashes.name, failures.name, errors.name = "summaries", "crashes", "failures", "errors"

return { summaries, crashes, failures, errors }
