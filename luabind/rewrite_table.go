package luabind

import (
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// table guards what a constructor computes: keys that aren't constant, and the many
// values that the last item may come to.
//
// It also takes the compiler around three mistakes. It takes a call under a key for
// more items of the list, where it comes last. Having filled the list with 50 items,
// it fills it again at each key that follows. And it puts the values of a last call
// that follows 50 items over them.
func (r *rewriter) table(t *ast.TableExpr) {
	var farthest *ast.Field // with a constant key
	far := 0.0
	for i, f := range t.Fields {
		f.Value = r.expression(f.Value)
		if f.Key == nil {
			if i < len(t.Fields)-1 || !isMulti(f.Value) {
				f.Value = one(f.Value)
			}
			continue
		}
		f.Key, f.Value = r.key(f.Key, t), one(f.Value)
		if !isLiteral(f.Key) {
			f.Key = guardCall(t.Line(), keyGuard, single(f.Key))
		} else if n, ok := distant(f.Key); ok && n > far {
			far, farthest = n, f
		}
	}
	if farthest != nil { // the others are filled up to on the way
		farthest.Key = guardCall(t.Line(), keyGuard, farthest.Key)
	}
	t.Fields = ordered(t.Fields)
}

// ordered puts each 50th item of the list behind the keys that follow it, and a last
// one that may come to many values into the hands of a guard.
func ordered(fields []*ast.Field) []*ast.Field {
	list := make([]*ast.Field, 0, len(fields))
	var held *ast.Field
	items := 0
	for _, f := range fields {
		if f.Key == nil {
			switch {
			case isMulti(f.Value) && held != nil:
				f.Value, held = guardCall(f.Value.Line(), valuesGuard, held.Value, f.Value), nil
			case isMulti(f.Value):
				f.Value = guardCall(f.Value.Line(), valuesGuard, f.Value)
			case held != nil:
				list, held = append(list, held), nil
			}
			if items++; items%lua.FieldsPerFlush == 0 {
				held = f
				continue
			}
		}
		list = append(list, f)
	}
	if held != nil {
		list = append(list, held)
	}
	return list
}

// one is single, and says so to the compiler also where a guard gives one value.
func one(e ast.Expr) ast.Expr {
	if call, ok := e.(*ast.FuncCallExpr); ok {
		call.AdjustRet = true
	}
	return single(e)
}

// distant is a constant key under which a store may fill a gap worth a charge.
func distant(key ast.Expr) (float64, bool) {
	e, ok := key.(*ast.NumberExpr)
	if !ok {
		return 0, false
	}
	n, _ := literalNumber(e)
	return n, n > nearby && n < float64(lua.MaxArrayIndex) && n == float64(int(n))
}
