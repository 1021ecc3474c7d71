package shell

import "github.com/luahook/luahook/analysis/script"

// More languages, with the options of node(1), deno(1), perlrun(1), ruby(1) and
// php(1).
var (
	node = &language{grammar: languageGrammar("e:pr:C:ivhcs", "eval= print require= import= loader= experimental-loader= env-file= input-type= conditions= title= disable-warning= stack-trace-limit= preload= define= tsconfig="), read: script.JavaScript, manages: true,
		code: "-e --eval", stops: "-h -v -c --help --version --check", printing: "-p --print", arguments: "process.argv.slice(1)", argument: "process.argv[%]", from: 1}
	deno = &language{grammar: languageGrammar("pTAqrc:", "ext= config= import-map= cert= location= seed= v8-flags= lock="), read: script.JavaScript, manages: true,
		stops: "-h -V --help --version", verb: "eval", operand: true}
	perl = &language{grammar: languageGrammar("e:E:i::I:m:M:F:x::D:", ""), read: script.Perl,
		code: "-e -E", stops: "-v -V -h -c", load: "-m -M", inPlace: "-i", loaded: "use %s;", arguments: "@ARGV", argument: "$ARGV[%]"}
	ruby = &language{grammar: languageGrammar("e:r:I:C:E:F:K:T::W::x::i::0", "enable= disable= encoding= external-encoding= internal-encoding= require="), read: script.Ruby,
		code: "-e", stops: "-h -v -c --help --version", load: "-r --require", inPlace: "-i", folder: "-C", loaded: "require '%s';", arguments: "ARGV", argument: "ARGV[%]"}
	php = &language{grammar: languageGrammar("r:R:B:E:f:F:c:d:z:S:t:", "run= process-code= process-begin= process-end= file= process-file= define= php-ini= zend-extension= server= docroot="), read: script.PHP,
		code: "-r -R -B -E --run --process-code --process-begin --process-end", files: "-f -F --file --process-file", stops: "-h -i -l -m -v -S --help --version --info --syntax-check --server", argument: "$argv[%]", from: 1}
)
