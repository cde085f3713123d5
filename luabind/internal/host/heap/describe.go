package heap

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
)

// The graph in words, for people who look into a snapshot or compare two.

// A Variable is a value with the way to it.
type Variable struct {
	Path  string // poison.lua: state.list[2].name; poison.lua: count, a local
	Value string // a number, and the entity that it would be, a string in quotes, {} for an empty table, function FILE:LINE, = PATH for what another variable holds, too
}

// A describer walks over a graph.
type describer struct {
	*graph
	files  []string
	bodies []body
	values []Value // of all bodies
	paths  []string
	taken  map[string]int // how many variables have the path
	queue  []int
	out    []Variable
	waits  map[int][]waiting // by object: the calls of coroutines
}

// A waiting is a call of a coroutine: its function, and its values.
type waiting struct {
	function Value
	from, n  int
}

// A body is the values of an object: values[from:], where lists come before keys with their values.
type body struct {
	from, list, keys, n int
}

// Describe lists the variables in the bytes of an Encoder, in the order in which a walk from the roots meets them. files
// has the names of files by their numbers. The locals of a file have its name in front, or the label of the root that they were found from if
// that begins with it. What files do not change, such as libraries, is left out. The error is a [*Damage].
func Describe(b []byte, files []string) ([]Variable, error) {
	d := &describer{graph: read(b), files: files, taken: map[string]int{}}
	if d.fail != nil {
		return nil, d.err()
	}
	d.paths = make([]string, len(d.objects))
	for _, h := range d.objects {
		if d.body(h); d.fail != nil {
			return nil, d.err()
		}
	}
	type root struct {
		label string
		value Value
	}
	roots := make([]root, d.count(2, "roots"))
	for i := range roots {
		roots[i] = root{d.label(), d.value()}
		if d.fail != nil {
			return nil, d.err()
		}
	}
	for _, r := range roots {
		known := r.value.Kind == objectValue && d.paths[r.value.Index] != ""
		if r.value.Kind != nilValue && r.label != "" && !known {
			if !strings.HasSuffix(r.label, ":") { // several values of a file have its name alone
				r.label = d.unique(r.label)
			}
			d.visit(r.label, r.value)
		}
		for len(d.queue) > 0 {
			next := d.queue[0]
			d.queue = d.queue[1:]
			d.inside(next)
		}
	}
	return d.out, nil
}

// body reads the body of an object.
func (d *describer) body(h head) {
	b := body{from: len(d.values)}
	read := func(n int) {
		for range n {
			if d.values = append(d.values, d.value()); d.fail != nil {
				return
			}
		}
	}
	switch h.kind {
	case tableObject, openObject:
		b.list = d.count(1, "list items")
		read(b.list)
		b.keys = d.count(2, "keys")
		read(2*b.keys + 1)
	case functionObject:
		read(1)
		for range d.protos[h.number].upvalues {
			d.values = append(d.values, Value{Kind: objectValue, Index: d.object(upvalueObject, "variable")})
			if d.fail != nil {
				return
			}
		}
	case upvalueObject:
		read(1)
	case userObject:
		read(d.count(1, "parts"))
	case coroutineObject:
		read(1)
		d.calls(read)
	case namedObject:
	default:
		panic("heap: an object of no kind")
	}
	b.n = len(d.values) - b.from
	d.bodies = append(d.bodies, b)
}

// calls reads the calls of a coroutine.
func (d *describer) calls(read func(n int)) {
	var calls []waiting
	if d.below(2, "kind of coroutine") == 0 {
		return
	}
	for range d.count(8, "calls of a coroutine") {
		w := waiting{function: d.value()}
		for range 4 {
			d.number()
		}
		w.from = len(d.values)
		read(1)
		read(d.count(1, "registers"))
		for range d.count(2, "variables") {
			d.number()
			if d.values = append(d.values, Value{Kind: objectValue, Index: d.object(upvalueObject, "variable")}); d.fail != nil {
				return
			}
		}
		read(d.count(1, "arguments"))
		w.n = len(d.values) - w.from
		if calls = append(calls, w); d.fail != nil {
			return
		}
	}
	if d.waits == nil {
		d.waits = map[int][]waiting{}
	}
	d.waits[len(d.bodies)] = calls
}

// visit lists a value. What is in it is listed later.
func (d *describer) visit(path string, v Value) {
	text := ""
	switch v.Kind {
	case nilValue:
		text = "nil"
	case falseValue:
		text = "false"
	case trueValue:
		text = "true"
	case wholeValue, numberValue:
		text = number(v.Number)
	case stringValue:
		text = strconv.Quote(d.strings[v.Index])
	case objectValue:
		var seen bool
		if text, seen = d.meet(path, v.Index); !seen {
			d.queue = append(d.queue, v.Index)
		}
		if text == "" {
			return
		}
	default:
		panic("heap: a value of no kind")
	}
	d.out = append(d.out, Variable{path, text})
}

// meet returns the text of an object that was met at a path, "" if its contents say enough, and whether it was met before.
func (d *describer) meet(path string, i int) (text string, seen bool) {
	h, b := d.objects[i], d.bodies[i]
	if h.kind == namedObject {
		return d.named(h), true
	}
	if d.paths[i] != "" {
		return "= " + d.paths[i], true
	}
	d.paths[i] = path
	switch h.kind {
	case tableObject:
		if b.n == 1 && d.values[b.from].Kind == nilValue {
			return "{}", false
		}
	case functionObject:
		return d.function(h), false
	case coroutineObject:
		if calls := d.waits[i]; len(calls) > 0 {
			if last := calls[len(calls)-1].function; last.Kind == objectValue && d.objects[last.Index].kind == functionObject {
				return "coroutine in a " + d.function(d.objects[last.Index]), false
			}
		}
		return "coroutine", false
	case userObject:
		return d.user(h, b), false
	case upvalueObject, openObject:
	default:
		panic("heap: an object of no kind")
	}
	return "", false
}

// constants are the keys of library tables whose values are no functions.
var constants = map[string][]string{"_G": {"_VERSION"}, "math": {"huge", "pi"}, "package": {"config", "path"}, "module.ecs": {"none"}}

// inside lists what an object holds.
func (d *describer) inside(i int) {
	h, b, path := d.objects[i], d.bodies[i], d.paths[i]
	values := d.values[b.from : b.from+b.n]
	switch h.kind {
	case tableObject, openObject:
		for k, v := range values[:b.list] {
			d.entry(h, join(path, fmt.Sprintf("[%d]", k+1)), v)
		}
		entries := values[b.list : b.list+2*b.keys]
		for k := 0; k < len(entries); k += 2 {
			if h.kind == openObject && entries[k].Kind == stringValue && slices.Contains(constants[d.named(h)], d.strings[entries[k].Index]) {
				continue
			}
			d.entry(h, join(path, d.key(entries[k])), entries[k+1])
		}
		if mt := values[len(values)-1]; mt.Kind == objectValue && d.objects[mt.Index].kind == tableObject {
			d.visit(d.unique(join(path, ".<metatable>")), mt)
		}
	case functionObject:
		owner := d.owner(h, path)
		for k, up := range values[1:] {
			if d.paths[up.Index] != "" {
				continue
			}
			name := d.strings[d.protos[h.number].upvalues[k]]
			if strings.HasPrefix(name, "\x00") {
				continue
			}
			at := d.unique(join(owner, syntax.SourceName(name)))
			d.paths[up.Index] = at
			d.visit(at, d.values[d.bodies[up.Index].from])
		}
	case coroutineObject:
		d.visit(join(path, ".<function>"), values[0])
		for k, c := range d.waits[i] {
			for r, v := range d.values[c.from : c.from+c.n] {
				if v.Kind == objectValue && d.objects[v.Index].kind == upvalueObject {
					if d.paths[v.Index] == "" {
						at := join(path, fmt.Sprintf("<%d>[%d]", k+1, r))
						d.paths[v.Index] = at
						d.visit(at, d.values[d.bodies[v.Index].from])
					}
				} else if v.Kind != nilValue {
					d.visit(join(path, fmt.Sprintf("<%d>[%d]", k+1, r)), v)
				}
			}
		}
	case userObject: // a part that is a table stands behind its name
		for k, v := range values {
			if v.Kind == objectValue {
				name := fmt.Sprintf("[%d]", k+1)
				if k > 0 && values[k-1].Kind == stringValue {
					name = nameText(d.strings[values[k-1].Index])
				}
				d.visit(d.unique(join(path, name)), v)
			}
		}
	case upvalueObject, namedObject:
	default:
		panic("heap: an object of no kind")
	}
}

// owner returns what stands in front of the locals around a function that was met at a path: the file of the function, and the system if the path
// begins with both.
func (d *describer) owner(h head, path string) string {
	p := d.protos[h.number]
	if p.file >= len(d.files) {
		return path
	}
	file := d.files[p.file]
	if rest, ok := strings.CutPrefix(path, file+" ("); ok {
		if i := strings.Index(rest, "):"); i >= 0 {
			return file + " (" + rest[:i+2]
		}
	}
	return file + ":"
}

// entry lists an entry of a table. What libraries have by themselves is left out.
func (d *describer) entry(table head, path string, v Value) {
	if v.Kind == nilValue {
		return
	}
	if table.kind == openObject && v.Kind == objectValue {
		if kind := d.objects[v.Index].kind; kind == namedObject {
			return
		} else if kind == openObject {
			if d.paths[v.Index] == "" {
				d.paths[v.Index] = path
				d.queue = append(d.queue, v.Index)
			}
			return
		}
	}
	d.visit(d.unique(path), v)
}

// unique returns a path that no other variable has: the path itself, or with the number of the variable after it.
func (d *describer) unique(path string) string {
	at := path
	for n := d.taken[path]; d.taken[at] > 0; at = fmt.Sprintf("%s#%d", path, n) {
		n++
		d.taken[path] = n
	}
	d.taken[at]++
	return at
}
