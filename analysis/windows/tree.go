package windows

// kind says what a node of the syntax tree is.
type kind int

const (
	listNode     kind = iota // statements
	pipeNode                 // elements; text is "&" in the background
	chainNode                // two statements with text, && or ||, between
	assignNode               // a target and a statement, with the operator text
	ifNode                   // conditions and bodies by turns, and perhaps a last body
	foreachNode              // a variable, what it goes through, a body
	loopNode                 // what begins it, conditions and steps; the body comes last
	switchNode               // a value, then conditions and bodies by turns
	tryNode                  // bodies
	functionNode             // a body, under the name text
	flowNode                 // return, exit, throw, break, continue, perhaps with a statement
	commandNode              // a name and arguments; text is "&" or "." before the name
	valueNode                // an expression as an element of a pipeline
	redirectNode             // a file, for the operator text
	stringNode               // a text that is known
	expandNode               // a text of parts
	variableNode
	subNode   // $( )
	arrayNode // @( )
	parenNode
	commaNode
	hashNode  // keys and values by turns
	blockNode // { }
	typeNode
	memberNode // of an expression, or with static of a type
	callNode   // a member and arguments
	indexNode
	binaryNode
	unaryNode
	castNode
	numberNode
	splatNode
)

// node is a part of a script.
type node struct {
	kind       kind
	start, end int // in the text
	text       string
	kids       []*node
	redirects  []*node
	params     []*node // of a block or a function: variables, or assignments of what they are by default
	quoted     bool
	static     bool
}

func (n *node) add(kid *node) { n.kids = append(n.kids, kid) }
