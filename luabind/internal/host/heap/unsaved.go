package heap

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	lua "github.com/yuin/gopher-lua"
)

// What cannot be saved: the error says which variable holds it.

// An Unsaved is the error for a value that cannot be saved.
type Unsaved struct {
	Root     string // label of the root from which it was found
	Variable string // the way to it: state.talk[1], or the name of a local with what follows; "" if it is the root
	Line     int    // in which the local is declared; 0 if the way begins at the root, or if it is not known
	File     string // the file of the local; "" if the way begins at the root
	Err      error  // says what it is
}

func (u *Unsaved) Error() string {
	what := u.Root
	if u.File != "" {
		what = fmt.Sprintf("%s:%d", u.File, u.Line)
	}
	if u.Variable != "" {
		what += fmt.Sprintf(": variable %q", u.Variable)
	}
	return fmt.Sprintf("%s holds %v, which cannot be saved", what, u.Err)
}

func (u *Unsaved) Unwrap() error { return u.Err }

// unsaved makes the error for a value that was found at an edge.
func (e *Encoder) unsaved(from, edge int32, err error) error {
	u := &Unsaved{Err: err}
	var steps []string
	for from >= 0 {
		o := &e.objects[from]
		if o.kind == coroutineObject {
			name, file, line := o.variableOf(edge)
			if file != "" {
				u.File, u.Line = file, line
				steps = append(steps, name)
				break
			}
			from, edge = o.from, o.edge
			continue
		}
		if around := &e.objects[max(o.from, 0)]; o.kind == upvalueObject && around.kind == coroutineObject { // a captured variable of a call
			from, edge = o.from, o.edge
			continue
		}
		if o.kind == upvalueObject {
			fn := e.objects[o.from].value.(*lua.LFunction)
			name := fn.Proto.DbgUpvalues[o.edge]
			u.File, u.Line = fn.Proto.SourceName, e.source.LineOf(fn.Proto, name)
			steps = append(steps, syntax.SourceName(name))
			break
		}
		steps = append(steps, e.step(o, edge))
		from, edge = o.from, o.edge
	}
	if from < 0 {
		u.Root = e.labels[-1-from]
	}
	slices.Reverse(steps)
	u.Variable = cutMiddle(strings.TrimPrefix(strings.Join(steps, ""), "."))
	return u
}

// step returns the text of an edge.
func (e *Encoder) step(o *found, edge int32) string {
	switch {
	case edge == byMetatable:
		return ".<metatable>"
	case edge == byEnvironment:
		return ".<globals>"
	case o.kind == userObject:
		return "[" + strconv.Itoa(int(edge)+1) + "]"
	}
	t, ok := o.value.(*lua.LTable)
	if !ok {
		return ""
	}
	list, keys := interp.Contents(t)
	i := int(edge) / 2
	switch {
	case i < len(list):
		return "[" + strconv.Itoa(i+1) + "]"
	case edge%2 == 1:
		return "[<a key>]"
	}
	return keyText(keys[i-len(list)])
}

// keyText returns a key as a source could write it.
func keyText(key lua.LValue) string {
	switch k := key.(type) {
	case lua.LString:
		return nameText(string(k))
	case lua.LNumber:
		return numberKey(float64(k))
	case lua.LBool:
		return "[" + k.String() + "]"
	}
	return "[<" + key.Type().String() + ">]"
}

// numberKey returns a key that is a number, as jobs[3]. One that is an entity reads jobs[8v1]; nobody counts that far.
func numberKey(n float64) string {
	if e := ecs.Entity(n); n >= 1<<32 && n < 1<<53 && float64(e) == n && e.Index() < 1<<24 {
		return "[" + e.String() + "]"
	}
	return "[" + strconv.FormatFloat(n, 'g', -1, 64) + "]"
}

// nameText returns a key that is a string as a source could write it.
func nameText(s string) string {
	for i := range len(s) {
		if !syntax.IsLetter(s[i]) && (i == 0 || !syntax.IsDigit(s[i])) {
			return "[" + strconv.Quote(s) + "]"
		}
	}
	if s == "" {
		return `[""]`
	}
	return "." + s
}
