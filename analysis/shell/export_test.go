package shell

import "testing"

func TestExportedFunctions(t *testing.T) {
	checkRuns(t, []struct{ text, want string }{
		{"f() { rm x; }; export -f f; bash -c f", "rm x"},
		{"f() { rm x; }; export -f f; sh -c f", "rm x"},
		{"f() { rm $1; }; export -f f; timeout 5 bash -c 'f y'", `timeout 5 bash -c "f y"; rm y`},
		{"f() { rm $1; }; declare -fx f; bash -c 'f y'", "rm y"},
		{"f() { rm $1; }; typeset -xf f; bash -c 'f y'", "rm y"},
		{"f() { rm $1; }; builtin export -f f; bash -c 'f y'", "rm y"},
		{"f() { rm $1; }; n=f; export -f $n; bash -c 'f y'", "rm y"},
		{"set -a; f() { rm $1; }; bash -c 'f y'", "rm y"},
		{"set -o allexport; f() { rm $1; }; bash -c 'f y'", "rm y"},
		{"set -a; D=/x; bash -c 'rm $D'", "rm /x"},
		{"f() { rm \"$1\"; }; export -f f; parallel f ::: /etc", "parallel f ::: /etc; rm /etc"},
		{"f() { rm \"$1\"; }; export -f f; find . | xargs -I{} bash -c 'f \"$1\"' _ {}", "rm {}*"},
		{"f() { rm x; }; export -f f; find . -exec bash -c 'f \"$0\"' {} \\;", "rm x"},
		{"g() { rm x; }; f() { g; }; export -f f g; bash -c f", "rm x"},
		{"f() { rm x; }; export -f f; bash -c 'bash -c f'", "rm x"},
		{"f() { rm x; }; export -f f; echo f | bash", "rm x"},
		{"f() { rm x; }; bash -c \"$(declare -f f); f\"", "rm x; rm x"},
		{"f() { rm x; }; sudo bash -c \"$(typeset -f f); f\"", `sudo bash -c "f() { rm x; }; f"; rm x; rm x`},
		{"f() { rm x; }; declare -f f | { cat; echo f; } | sh", "rm x; rm x"},

		// It isn't there otherwise.
		{"f() { rm x; }; bash -c f", "f; rm x"},
		{"f() { rm x; }; export -f f; export -nf f; bash -c f", "f; rm x"},
		{"f() { rm x; }; export -f f; env -i bash -c f", "f; rm x"},
		{"f() { rm x; }; export -f f; unset -f f; bash -c f", "f; rm x"},
		{"set -a; set +a; f() { rm x; }; bash -c f", "f; rm x"},
		{"f() { rm x; }; declare -f f; bash -c f", "f; rm x"},
	})
}
