package script

// tree is a node of a program's syntax, as much of it as matters here. The
// readers of JavaScript, PHP, Perl and Ruby all make it.
type tree struct {
	op     treeOp
	flags  treeFlag
	text   string // a value, a name or an operator
	source string // what the node was read from
	kids   []*tree
	line   int
}

type treeOp uint8

const (
	treeOther    treeOp = iota // looked into, but its value isn't known
	treeText                   // a constant text
	treePlain                  // a number, true, false or null
	treeJoin                   // a text made of the kids
	treeName                   // a variable or function
	treeMember                 // kids[0].text
	treeIndex                  // kids[0][kids[1]]
	treeCall                   // kids[0] is called with the others
	treeList                   // the kids are its elements
	treeSpread                 // the elements of kids[0], in a list or call
	treeMap                    // keys and values in turn; a spread has a nil key
	treeFunction               // parameters, the last kid is the body
	treeAssign                 // kids[0] becomes kids[1]
	treeExtend                 // kids[1] is put at the end of the text or list kids[0]
	treeDeclare                // like treeAssign, of a new variable
	treeBlock                  // kids in turn, with variables of its own
	treeBranch                 // kids[0], then perhaps the others
	treeLoop                   // all kids, any number of times
	treeEach                   // kids[0] is each element of kids[1] in turn, for kids[2]
	treeChoice                 // the value is that of one of the kids
	treeSequence               // kids in turn; the value is that of the last
	treeReturn                 // ends a function, kids[0] is what it returns
	treeShare                  // the variable of that name is the program's own
)

type treeFlag uint8

const (
	treeImplicit treeFlag = 1 << iota // treeFunction: the value of the body is returned
	treeSealed                        // treeFunction: doesn't see the variables around it
	treeRoomy                         // treeDeclare: in the whole function, not the block
	treeConstant                      // treeDeclare: names a function, which is seen everywhere
	treeMade                          // treeCall: with new
	treeTagged                        // treeCall: kids[1] is a template, or a text between command quotes
)

// The bounds of one program.
const (
	maxProgram = 64 << 10 // bytes
	maxNesting = 100      // of brackets and the like
	maxChain   = 500      // links in a row: a.b.c()
)

// nothing stands where an expression is missing.
var nothing = &tree{op: treeOther}
