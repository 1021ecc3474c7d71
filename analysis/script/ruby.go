package script

import (
	"slices"
	"strings"
	"sync"
)

// Ruby returns what a Ruby program calls.
func Ruby(source string) Program { return analyse(&rubyLanguage, source) }

var rubyLanguage language

func init() {
	rubyLanguage = language{read: rubyRead, global: rubyGlobal, member: rubyMember, call: rubyCall, enter: rubyEnter, flat: true,
		shared: func(name string) bool { return name[0] == '@' || name[0] == '$' || name[0] >= 'A' && name[0] <= 'Z' }}
}

// rubyEffects are the methods of the core and the standard library that change files.
var rubyEffects = sync.OnceValue(func() map[string]effect {
	return map[string]effect{
		"File.delete": {kind: Delete, args: "*"}, "File.unlink": {kind: Delete, args: "*"},
		"File.rename":    {kind: Move, args: "01"},
		"File.write":     {kind: Write, args: "0"},
		"File.binwrite":  {kind: Write, args: "0"},
		"IO.write":       {kind: Write, args: "0"},
		"IO.binwrite":    {kind: Write, args: "0"},
		"File.truncate":  {kind: Write, args: "0"},
		"IO.copy_stream": {kind: Copy, args: "01"},
		"File.chmod":     {kind: Mode, args: "0*"}, "File.lchmod": {kind: Mode, args: "0*"},
		"File.chown": {kind: Owner, args: "01*"}, "File.lchown": {kind: Owner, args: "01*"},
		"File.symlink": {kind: Link, args: "01"},

		"Dir.rmdir": {kind: Delete, args: "0"}, "Dir.delete": {kind: Delete, args: "0"}, "Dir.unlink": {kind: Delete, args: "0"},

		"FileUtils.rm": {kind: Delete, args: "0"}, "FileUtils.remove": {kind: Delete, args: "0"}, "FileUtils.rm_f": {kind: Delete, args: "0"},
		"FileUtils.safe_unlink": {kind: Delete, args: "0"}, "FileUtils.remove_file": {kind: Delete, args: "0"}, "FileUtils.rmdir": {kind: Delete, args: "0"},
		"FileUtils.rm_r": {kind: Delete, args: "0", deep: true}, "FileUtils.rm_rf": {kind: Delete, args: "0", deep: true},
		"FileUtils.rmtree": {kind: Delete, args: "0", deep: true}, "FileUtils.remove_dir": {kind: Delete, args: "0", deep: true},
		"FileUtils.remove_entry": {kind: Delete, args: "0", deep: true}, "FileUtils.remove_entry_secure": {kind: Delete, args: "0", deep: true},
		"FileUtils.mv": {kind: Move, args: "01"}, "FileUtils.move": {kind: Move, args: "01"},
		"FileUtils.cp": {kind: Copy, args: "01"}, "FileUtils.copy": {kind: Copy, args: "01"}, "FileUtils.copy_file": {kind: Copy, args: "01"},
		"FileUtils.install": {kind: Copy, args: "01"},
		"FileUtils.cp_r":    {kind: Copy, args: "01", deep: true}, "FileUtils.copy_entry": {kind: Copy, args: "01", deep: true},
		"FileUtils.chmod": {kind: Mode, args: "0*"}, "FileUtils.chmod_R": {kind: Mode, args: "0*", deep: true},
		"FileUtils.chown": {kind: Owner, args: "01*"}, "FileUtils.chown_R": {kind: Owner, args: "01*", deep: true},
		"FileUtils.ln_s": {kind: Link, args: "01"}, "FileUtils.symlink": {kind: Link, args: "01"}, "FileUtils.ln_sf": {kind: Link, args: "01"},
	}
})

// rubyConstants are the classes and modules that are known.
const rubyConstants = " File FileUtils Dir IO Kernel Process Open3 Pathname PTY Object URI ENV Base64 Shellwords TOPLEVEL_BINDING RubyVM "

func rubyGlobal(name string) (fact, bool) {
	library := func(text string) (fact, bool) { return fact{kind: factLibrary, text: text}, true }
	if strings.Contains(rubyConstants, " "+name+" ") {
		return library(name)
	}
	if name == "rm_rf" || name == "rm_r" || name == "remove_entry_secure" {
		return library("FileUtils." + name) // as in a Rakefile, which includes it
	}
	if rubyFunctions()[name] != nil && !strings.Contains(name, ".") {
		return library(name)
	}
	return fact{}, false
}

func rubyMember(of *fact, name string) (fact, bool) {
	if of.kind != factLibrary {
		return fact{}, false
	}
	text := func(text string) (fact, bool) { return fact{kind: factText, text: text}, true }
	switch of.text + "." + name {
	case "ENV.HOME":
		return text(homeMark)
	case "ENV.PWD":
		return text(".")
	case "File.SEPARATOR", "File.Separator":
		return text("/")
	case "FileUtils.Verbose", "FileUtils.LowLevelMethods":
		return *of, true
	case "FileUtils.DryRun", "FileUtils.NoWrite":
		return fact{text: "FileUtils." + name}, true
	}
	return fact{}, false
}

// rubyEnter notes that the block of Dir.chdir runs in that folder.
func rubyEnter(f *flow, s *site) func() {
	if rubyName(s.name) != "Dir.chdir" && s.name != "FileUtils.cd" && s.name != "FileUtils.chdir" || len(s.args) == 0 {
		return nil
	}
	before := f.dir
	f.chdir(s.args[0])
	return func() { f.dir = before }
}

// rubyName returns the name of a method of Kernel as it is without that.
func rubyName(name string) string { return strings.TrimPrefix(name, "Kernel.") }

// rubyCall reports what a call of the library's does, and returns its value.
func rubyCall(f *flow, s *site) facts {
	// Options stand in a map at the end, and a block behind that.
	for last := len(s.args) - 1; last >= 0; last-- {
		if !s.args[last].hasFunction() {
			break
		}
		s.args, s.block = s.args[:last], s.args[last]
	}
	if s.self != nil {
		return rubyMethod(f, s)
	}
	name := rubyName(s.name)
	if e, ok := rubyEffects()[name]; ok {
		return rubyChange(f, s, &e)
	}
	if read := rubyFunctions()[name]; read != nil {
		return read(f, s)
	}
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		switch name[i+1:] {
		case "send", "public_send", "__send__", "method":
			return rubySend(f, s, name[:i]+".", name[i+1:] == "method")
		case "call", "to_proc":
			return f.applyAt(s, libraryFact(name[:i]), s.args)
		}
	}
	return f.unknown(s.tree)
}

// rubyChange reports a call that changes files.
func rubyChange(f *flow, s *site, e *effect) facts {
	if last := len(s.args) - 1; last > 0 && s.args[last].isMap() {
		options := s.args[last]
		s.args = s.args[:last]
		if noop, ok := options.entry("noop"); ok && len(noop) == 1 && noop[0].kind == factPlain && noop[0].text == "true" {
			return f.unknown(s.tree)
		}
		if mode, ok := options.entry("mode"); ok && e.kind == Write {
			if text, _ := mode.constant(); strings.HasPrefix(text, "a") {
				appends := *e
				appends.kind = Append
				e = &appends
			}
		}
	}
	f.effect(s, e, s.name)
	return f.unknown(s.tree)
}

// rubyFunctions are the methods that start programs, have a value worth knowing,
// or are special.
var rubyFunctions func() map[string]func(*flow, *site) facts

func init() { rubyFunctions = sync.OnceValue(newRubyFunctions) }

func newRubyFunctions() map[string]func(*flow, *site) facts {
	chdir := func(f *flow, s *site) facts {
		if len(s.args) > 0 && len(s.block) == 0 {
			f.chdir(s.args[0])
		}
		return nil
	}
	home := func(*flow, *site) facts { return textFact(homeMark) }
	here := func(*flow, *site) facts { return textFact(".") }
	first := func(f *flow, s *site) facts { return f.argument(s, 0) }
	join := func(f *flow, s *site) facts { return f.concat(slices.Clone(s.args), "/") }
	constant := func(f *flow, s *site) facts {
		if name, ok := f.argument(s, 0).constant(); ok {
			return f.named(&tree{op: treeName, text: name, source: s.tree.source})
		}
		return f.unknown(s.tree)
	}
	evaluate := func(f *flow, s *site) facts {
		if len(s.args) == 0 {
			return f.unknown(s.tree)
		}
		return f.evaluate(s, s.args[0])
	}
	send := func(f *flow, s *site) facts { return rubySend(f, s, "", false) }
	return map[string]func(*flow, *site) facts{
		"system": rubyStart, "exec": rubyStart, "spawn": rubyStart, "Process.spawn": rubyStart, "Process.exec": rubyStart, "PTY.spawn": rubyStart, "PTY.getpty": rubyStart,
		"IO.popen": rubyStart, "Open3.capture2": rubyStart, "Open3.capture2e": rubyStart, "Open3.capture3": rubyStart,
		"Open3.popen2": rubyStart, "Open3.popen2e": rubyStart, "Open3.popen3": rubyStart,
		"Open3.pipeline": rubyPipeline, "Open3.pipeline_r": rubyPipeline, "Open3.pipeline_rw": rubyPipeline, "Open3.pipeline_start": rubyPipeline, "Open3.pipeline_w": rubyPipeline,
		"`":    rubyShell,
		"open": rubyOpen, "File.open": rubyOpen, "File.new": rubyOpen, "URI.open": rubyOpen, "IO.read": rubyOpen, "IO.readlines": rubyOpen, "IO.binread": rubyOpen, "IO.foreach": rubyOpen,
		"Pathname": rubyPath, "Pathname.new": rubyPath,
		"eval": evaluate, "instance_eval": evaluate, "class_eval": evaluate, "TOPLEVEL_BINDING.eval": evaluate, "RubyVM.InstructionSequence.compile": evaluate,
		"send": send, "public_send": send, "__send__": send,
		"method":           func(f *flow, s *site) facts { return rubySend(f, s, "", true) },
		"Object.const_get": constant, "Kernel.const_get": constant, "const_get": constant,
		"Dir.chdir": chdir, "FileUtils.cd": chdir, "FileUtils.chdir": chdir,
		"Dir.home": home, "Dir.pwd": here, "Dir.getwd": here,
		"ENV.fetch": func(f *flow, s *site) facts { return f.environment(s, "ENV.") },
		"File.join": join,
		"File.expand_path": func(f *flow, s *site) facts {
			if len(s.args) > 1 {
				return f.concat([]facts{s.args[1], s.args[0]}, "/")
			}
			return f.mapText(s, func(text string) string {
				if text == "~" || strings.HasPrefix(text, "~/") {
					return homeMark + text[1:]
				}
				return text
			})
		},
		"File.absolute_path": first, "File.realpath": first, "Shellwords.escape": first, "Shellwords.shellescape": first, "String": first, "Array": first,
		"format": sprintf, "sprintf": sprintf,
		"Base64.decode64": func(f *flow, s *site) facts {
			return f.mapText(s, func(t string) string { return decoded(t, "base64") })
		},
		"Base64.strict_decode64": func(f *flow, s *site) facts {
			return f.mapText(s, func(t string) string { return decoded(t, "base64") })
		},
		"Base64.urlsafe_decode64": func(f *flow, s *site) facts {
			return f.mapText(s, func(t string) string { return decoded(t, "base64") })
		},
	}
}
