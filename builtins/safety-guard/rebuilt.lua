-- What is built or fetched again: the one list of it, for everything that is deleted, by whatever program.
--
-- There are three lists, by what a name or a place says:
--   surely    nobody keeps anything else under such a name, wherever it is: node_modules, __pycache__, *.pyc
--   in a project a name that tools give to what they make, and that could mean something else elsewhere: build, dist, *.log
--   caches    folders of the machine and of home folders in which tools keep what they fetch or make again

local rebuilt = {}

local function list(words)
  local members = {}
  for word in words:gmatch("%S+") do
    members[word] = true
  end
  return members
end

-- Names of files and folders, and patterns as find's -name and a shell have them.
local SURELY = list([[
  node_modules bower_components jspm_packages .pnpm-store .pnp .yarn-cache __pycache__ .pytest_cache .mypy_cache .ruff_cache .hypothesis .tox .nox
  .eggs *.egg-info .ipynb_checkpoints .nyc_output .next .nuxt .output .svelte-kit .turbo .parcel-cache .sass-cache .angular .vite .vitest .docusaurus
  .rollup.cache .eslintcache .stylelintcache .dart_tool .stack-work dist-newstyle cmake-build-debug cmake-build-release CMakeFiles
  CMakeCache.txt DerivedData .DS_Store Thumbs.db desktop.ini playwright-report .scannerwork cdk.out .terragrunt-cache zig-cache
  .zig-cache zig-out _build .elixir_ls .bloop .metals .scala-build .ccls-cache .clangd .pyre .pytype .jekyll-cache .ropeproject .coverage htmlcov
  *.pyc *.pyo *.py[co] *.py[cod] *.pyd *.o *.obj *.class *.gcda *.gcno *.gcov *.tsbuildinfo *.swp *.swo *.swn *.d.ts.map *.js.map *.profraw *.stackdump
  *.whl *.lastUpdated ._* *~ npm-debug.log* yarn-debug.log* yarn-error.log* pnpm-debug.log* vgcore.* *.orig *.rej]])

local IN_PROJECT = list([[
  .yarn .npm .gradle .kotlin .nx .astro .expo .serverless .aws-sam .cache .cached coverage core.* dist build target out obj bin-debug .terraform .bundle .venv venv virtualenv test-results allure-results test-reports
  tmp temp .tmp .temp logs log __snapshots__ Pods vendor-cache public/build storybook-static .vercel .netlify .firebase .wrangler
  *.log *.log.* *.prof *.pid *.lock-tmp *.a *.so *.dylib *.dll *.elf *.map *.coverage *.cover *.lcov *.gem
  *.crdownload *.part *.cache *.dSYM *.xcuserstate *.mo *.aux *.toc *.bbl *.blg *.fls *.fdb_latexmk *.synctex.gz *.out .coverage.* *.stamp *.d *.hi *.beam
  pyc pyo egg-info class orig rej swp tmp log
  generated __generated__ .generated *_mock.go mock_*.go *_mocks.go *.pb.go *_pb2.py *_pb2_grpc.py *.pb.cc *.pb.h *_generated.go *.gen.go *.gen.ts *.generated.*
  zz_generated.* *.coverprofile *.g.dart *.freezed.dart *.golden *.snap]])

-- Files that are only there for the moment, and the programs that go test makes: of folders with such names nothing is known.
local PASSING_FILES = list("*.tmp *.temp *.tmp.* .tmp_* .#* *.test")

-- The same as parts of names: tmp-a, x_tmp, foo.temp.
local PASSING = patterns.later([[^(\.?te?mp[-_.][\w.-]+|[\w.-]+[-_.]te?mp|[\w.-]+-cache|cmake-build-[\w-]+)$]])

-- sure reports whether a name, or a pattern of names, is made again wherever it is.
function rebuilt.sure(name)
  return SURELY[name] or false
end

-- name is the same for what lies in a project.
function rebuilt.name(name)
  return SURELY[name] or IN_PROJECT[name] or PASSING:match(name) or false
end

-- file is the same for what is no folder.
function rebuilt.file(name)
  return PASSING_FILES[name] or rebuilt.name(name)
end

-- below reports whether a path is, or lies in, something whose name is_made says is made again.
local function below(target, is_made)
  for part in target:gmatch("[^/]+") do
    if is_made(part) then
      return true
    end
  end
  return false
end

-- surely_below is about paths anywhere, inside about those in a project, relative to it or to a folder in it.
function rebuilt.surely_below(target)
  return below(target, rebuilt.sure)
end

function rebuilt.inside(target)
  return below(target, rebuilt.name)
end

-- Folders of the machine that package managers fill again.
local FETCHED = { "/var/lib/apt/lists", "/var/cache", "/var/lib/dnf", "/opt/homebrew/cache", "/opt/homebrew/var/cache", "/usr/local/var/homebrew/cache" }

-- The same in a home folder. What lies directly in .cache and Library/Caches belongs to many programs.
local CACHES = patterns.later([[^(\.cache/[^/]+|Library/Caches/[^/]+|AppData/Local/(npm-cache|pip/cache|Yarn/Cache|pnpm/(store|cache)|Temp|NuGet/[\w.-]*[Cc]ache|uv/cache|go-build)|]] ..
  [[\.npm|\.npm-cache|\.yarn/(berry/)?cache|\.yarn-cache|\.pnpm-store|\.local/share/pnpm/store|Library/pnpm/store|\.bun/install/cache|\.deno/(gen|deps|npm)|\.node-gyp|\.electron(-gyp)?|]] ..
  [[go/pkg/mod|go/pkg/sumdb|go/pkg/[a-z]+_[a-z0-9]+|\.cargo/(registry|git)|\.rustup/(downloads|tmp)|\.m2/repository|\.m2/wrapper|\.gradle/(caches|daemon|wrapper|\.tmp|native|notifications|build-scan-data)|]] ..
  [[\.ivy2/(cache|local)|\.sbt/boot|\.coursier|\.konan/(cache|dependencies)|\.android/(cache|build-cache)|\.nuget/packages|\.composer/cache|\.conan2?/(data|p|\.conan)|\.vcpkg/(archives|downloads|buildtrees)|]] ..
  [[\.ccache|\.sccache|\.bazel|\.cocoapods/repos|\.pub-cache|\.expo/[\w-]*cache[\w-]*|\.cabal/packages|\.stack/(indices|pantry)|\.opam/download-cache|\.hex/(cache[\w.]*|packages)|\.gem/specs|\.bundle/cache|]] ..
  [[\.terraform\.d/plugin-cache|\.docker/buildx/(refs|cache)|\.minikube/cache|\.helm/cache|\.kube/(cache|http-cache)|\.vagrant\.d/tmp|\.packer\.d/cache|]] ..
  [[\.ms-playwright|Library/Caches/ms-playwright|\.puppeteer|\.cypress|\.huggingface/hub|\.torch/hub|\.keras/datasets|nltk_data|\.ollama/tmp|\.triton/cache|\.nv/ComputeCache|]] ..
  [[\.eslintcache|\.jupyter/tmp|\.virtualenvs/\.cache|\.pyenv/cache|\.nvm/\.cache|\.asdf/tmp|\.sdkman/(tmp|archives)|\.rbenv/cache|\.parcel-cache|\.turbo|\.nx/cache|\.jest-cache|\.vscode-test|]] ..
  [[\.julia/(compiled|packages|artifacts|registries|clones)|\.swiftpm/cache|(miniconda3|anaconda3|miniforge3|mambaforge|micromamba|\.conda|\.mamba)/pkgs|\.pdm/cache|\.local/share/NuGet/[\w.-]*[Cc]ache|]] ..
  [[\.ansible/(tmp|cp|galaxy_cache)|\.aws/cli/cache|\.vagrant\.d/boxes|\.skaffold/cache|\.platformio/\.cache|\.arduino15/staging|\.espressif/dist|\.sonar/cache|\.wp-cli/cache|\.symfony5?/cache|]] ..
  [[\.cpan/(build|sources)|\.cpanm/work|\.ghcup/(cache|tmp)|\.volta/(cache|tmp)|\.nodenv/cache|\.elm/[\d.]+/packages|\.dub/packages|\.gitlibs|\.boot/cache|\.emacs\.d/eln-cache|\.cupy/kernel_cache|]] ..
  [[\.cargo/\.package-cache[\w-]*|\.zcompdump[^/]*|AppData/Roaming/npm-cache|]] ..
  -- What editors and browsers that are made of Chromium keep.
  [[(\.config|Library/Application Support|AppData/Roaming)/[\w .-]+/(Cache|CachedData|CachedExtensions|CachedExtensionVSIXs|CachedProfilesData|Code Cache|GPUCache|Dawn\w*Cache|ShaderCache|GrShaderCache)|]] ..
  [[\.thumbnails|\.local/share/virtualenv|Library/Developer/Xcode/(DerivedData|iOS DeviceSupport)|Library/Developer/CoreSimulator/Caches|Library/Logs/[^/]+)(/|$)]])

-- cached reports whether an absolute path lies in such a folder.
function rebuilt.cached(target, home)
  for _, folder in ipairs(FETCHED) do
    if path.inside(folder, target) then
      return target ~= "/var/cache"
    end
  end
  return home and target:sub(1, #home + 1) == home .. "/" and rebuilt.cached_at_home(target:sub(#home + 2)) or false
end

-- cached_at_home is the same for a path as it is seen from a home folder.
function rebuilt.cached_at_home(name)
  return CACHES:match(name)
end

-- A regular expression with alternatives, as several without.
local function expanded(regex)
  local before, inner, behind = regex:match("^(.-)[\\]?%(([^()]*)%)(.*)$")
  if not before then
    return { regex }
  end
  local alternatives = {}
  for i, word in ipairs(text.split((inner:gsub("[\\]$", ""):gsub("[\\]|", "|")), "|")) do
    if i > 20 then
      return { regex }
    end
    alternatives[i] = before .. word .. behind
  end
  return alternatives
end

-- regex reports whether a regular expression of find's, which is about whole paths, selects only what is_made
-- says is made again: ".*/\(a\|b\)\.pyc$" is about a.pyc and b.pyc.
function rebuilt.regex(regex, is_made)
  for _, one in ipairs(expanded((regex:gsub("%[%^/%][*+]", ".*")))) do
    one = re.replace(one, [[(/?\.\*|\$)+$]], "")
    one = one:match("[^/]*$"):gsub("\\%.", "."):gsub("^%.%*", "*")
    if not is_made(one) and not is_made(one:match("^%*(.+)$") or "") then
      return false
    end
  end
  return true
end

return rebuilt
