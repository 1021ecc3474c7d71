package shell

import "testing"

func TestArrays(t *testing.T) { checkRuns(t, arrayCases) }

// arrayCases are lines that put words into arrays, as in flowCases.
var arrayCases = []struct{ text, want string }{
	// Element by element.
	{`a[0]=rm; a[1]=-rf; a[2]=/; "${a[@]}"`, "rm -rf /"},
	{`a+=(rm); a+=(-rf /); "${a[@]}"`, "rm -rf /"},
	{`a=([0]=rm [1]=-rf [2]=/); "${a[@]}"`, "rm -rf /"},
	{`a=([2]=/ [0]=rm [1]=-rf); "${a[@]}"`, "rm -rf /"},
	{`a=(rm [5]=-rf /); "${a[@]}"`, "rm -rf /"},
	{`a[9]=/; a[3]=rm; a[5]=-rf; "${a[@]}"`, "rm -rf /"},
	{`a[3]=rm; rm x "${a[3]}" "${a[0]}"`, `rm x rm ""`},
	{`a[3]=x; a[7]=y; rm "${a[-1]}" "${a[@]:4}" ${#a[@]} ${!a[@]}`, "rm y y 2 3 7"},
	{`a[2]=x; a=y; rm "${a[@]}"`, "rm y x"},
	{`a[2]=x; a+=(y); rm "${a[3]}"`, "rm y"},
	{`a[1]=x; a[1]+=y; rm ${a[1]}`, "rm xy"},
	{`a=(x y z); unset 'a[0]'; rm "${a[@]}" "${a[1]}"`, "rm y z y"},
	{`a=(x y z); unset 'a[-1]'; a+=(q); rm "${a[@]}" "${a[2]}"`, "rm x y q q"},
	{`for i in 0 1; do a[$i]=x$i; done; rm "${a[@]}"`, "rm x0 x1"},
	{`i=0; a[i++]=rm; a[i++]=x; "${a[@]}"`, "rm x"},
	{`printf -v 'a[0]' rm; printf -v 'a[1]' /x; "${a[@]}"`, "rm /x"},
	{`declare -a a; a[0]=rm; a[1]=x; "${a[@]}"`, "rm x"},
	{`declare a[0]=rm 'a[1]=x'; "${a[@]}"`, "rm x"},
	{`f() { local a; a[0]=rm; a[1]=x; "${a[@]}"; }; f`, "rm x"},
	{`a[0]=rm; (a[1]=y; "${a[@]}"); "${a[@]}" x`, "rm y; rm x"},
	{`if p; then a+=(x); else a+=(y); fi; rm "${a[@]}"`, "p; rm x; rm y"},

	// What isn't known stays so.
	{`read a < f; a[1]=x; rm "${a[@]}"`, "rm $a* x"},
	{`a[$n]=x; a+=($(ps))`, "ps"},
	{`a[$n]=x; rm "${a[@]}"`, `rm "${a[@]}"*`},
	{`PATH[1]=x; rm "${PATH[@]}"`, "rm $PATH* x"},
	{`HOME[1]=x; rm "${HOME[@]}"`, "rm /home/me x"},
	{`SHELL[1]=-c; SHELL[2]='rm x'; "${SHELL[@]}"`, `?$SHELL -c "rm x"; rm x`},

	// Associative ones.
	{`declare -A m; m[cmd]=rm; m[what]=/x; "${m[cmd]}" "${m[what]}"`, "rm /x"},
	{`declare -A m=([cmd]=rm [b]=/x); ${m[cmd]} "${m[b]}" "${m[none]}"`, `rm /x ""`},
	{`declare -A m=(cmd rm what /x); ${m[cmd]} ${m[what]}`, "rm /x"},
	{`declare -A m; k=cmd; m[$k]=rm; ${m[$k]} x`, "rm x"},
	{`declare -A m; m[a-b]=rm; ${m[a-b]} x`, "rm x"},
	{`declare -A m; m[x]=1; m+=([y]=2); rm "${!m[@]}" ${#m[@]}`, "rm x y 2"},
	{`declare -A m; m[x]=1; m[y]=2; unset 'm[x]'; rm "${m[@]}"`, "rm 2"},
	{`f() { declare -A m; m[x]=rm; ${m[x]} y; }; f`, "rm y"},

	// Those of the shell.
	{`BASH_ALIASES[x]='rm -rf /y'; x`, "x; rm -rf /y"},
	{`BASH_CMDS[x]=/bin/rm; x -rf /y`, "x -rf /y; rm -rf /y"},
}
