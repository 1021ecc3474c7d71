package script

import "sync"

// pyPureFunc returns what a function returns that does nothing else.
type pyPureFunc func(in *pyInterpreter, args *pyArguments, source string) pyValue

// pyPure are the functions of which only the result matters. It is set by init
// because some of them lead back to it.
var pyPure func() map[string]pyPureFunc

func init() { pyPure = sync.OnceValue(newPyPure) }

func newPyPure() map[string]pyPureFunc {
	return map[string]pyPureFunc{
		"os.path.join":            pyJoinAll,
		"os.path.expanduser":      pyExpandUser,
		"os.path.expandvars":      pyExpandVars,
		"os.path.abspath":         pySame("path"),
		"os.path.realpath":        pySame("path"),
		"os.path.normpath":        pySame("path"),
		"os.fspath":               pyToText,
		"os.fsdecode":             pyToText,
		"os.fsencode":             pyToText,
		"os.path.dirname":         pyDirname,
		"os.path.basename":        pyBasename,
		"os.getcwd":               pyConstantly(pyKnown(".")),
		"os.getcwdb":              pyConstantly(pyKnown(".")),
		"os.getenv":               pyGetenv,
		"os.environ.get":          pyGetenv,
		"os.environ.pop":          pyGetenv,
		"os.listdir":              pyListing,
		"os.scandir":              pyEntries,
		"os.walk":                 pyWalk,
		"os.fwalk":                pyWalk,
		"glob.glob":               pyGlob,
		"glob.iglob":              pyGlob,
		"pathlib.Path":            pyPathOf,
		"pathlib.Path.home":       pyConstantly(pyValue{kind: pyPath, text: "~", home: true}),
		"pathlib.Path.cwd":        pyConstantly(pyValue{kind: pyPath, text: "."}),
		"builtins.str":            pyToText,
		"builtins.repr":           pyUnknowing,
		"builtins.bytes":          pyBytes,
		"builtins.bytearray":      pyBytes,
		"builtins.chr":            pyChr,
		"builtins.list":           pyListOf,
		"builtins.tuple":          pyListOf,
		"builtins.set":            pyListOf,
		"builtins.sorted":         pyListOf,
		"builtins.reversed":       pyListOf,
		"builtins.iter":           pyListOf,
		"builtins.filter":         pyFilter,
		"builtins.enumerate":      pyEnumerate,
		"builtins.zip":            pyZip,
		"builtins.compile":        pySame("source"),
		"builtins.__import__":     pyImported,
		"shlex.split":             pyShellSplit,
		"shlex.quote":             pyShellQuote,
		"pipes.quote":             pyShellQuote,
		"shlex.join":              pyShellJoin,
		"base64.b64decode":        pyBase64,
		"base64.decodebytes":      pyBase64,
		"builtins.bytes.fromhex":  pyHex,
		"binascii.unhexlify":      pyHex,
		"codecs.decode":           pyDecode,
		"ctypes.CDLL":             pyConstantly(pyValue{kind: pyLibrary, text: "libc"}),
		"ctypes.PyDLL":            pyConstantly(pyValue{kind: pyLibrary, text: "libc"}),
		"ctypes.cdll.LoadLibrary": pyConstantly(pyValue{kind: pyLibrary, text: "libc"}),
	}
}
