package loops

import (
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/lower"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// Linking: inlining functions that are only known as values, such as those of required files (util.clamp, or local
// clamp = util.clamp), and those in tables. When a loop begins, the variables that it calls hold certain functions.
// A linked template is the loop with the bodies of these functions. It is used as long as the variables hold them.
// The upvalues of the functions are inputs of that template.

// A linked is a template of a loop for certain functions. The first one of a site is the template of the loop
// itself, with the functions that its own source shows.
type linked struct {
	*binding
	template *lower.Template
	reason   *lower.Reason // why there is no template with these functions
	sources  []source      // for each input of the template: where its variable is; for a member, where the table is
	bases    []int         // for each input: the input whose member it is, or itself
	homes    []string      // for each input: the file whose local it is; "" for the file of the loop. nil: all are of that file
	members  bool          // some input is a member
	tables   []holedTable  // by input: what tables with holes are taken for; nil if there was none
	outputs  []output      // the variables that RUN returns
	open     []opening
	env      *lua.LTable // the environment of the file of the loop; nil if it is not known

	constants []linkedConstant
	classes   []linkedClasses
	pending   []pending
	asks      bool                  // of the template of the loop itself: other files, or what tables hold, may make a better one
	changes   map[constantPlace]int // likewise: how often a table has changed that a linked template took for a constant
}

// A holedTable says what a table is taken for that was a list with holes.
type holedTable uint8

const (
	unknownTable holedTable = iota // it had no holes so far
	takenForMap
	takenForList // because there is no kernel for a map
)

// An output is a variable that RUN returns. The call of RUN in the script is made for the template of the loop itself,
// so these are its variables, in its order, whatever other functions a linked template has inlined.
type output struct {
	arg   int // index of the argument of RUN that has its value
	input int // the input that it is; -1 if the template does not use it, because each use is in an exit
}

// holds reports whether a template is the right one now: the variables hold the functions that it has inlined, and
// its other calls are of functions that cannot be inlined. args are the arguments of RUN; nil stands for a value
// that is not known.
func (k *linked) holds(args []lua.LValue, library *Library) bool {
	if k.asks {
		return false
	}
	if !k.callsHold(args) || !k.constantsHold(args, nil) {
		return false
	}
	for i := range k.open {
		v := called(k.open[i].source, k.open[i].member, args)
		if _, table := v.(*lua.LTable); table {
			v = callOf(v, nil)
		}
		if fn, ok := v.(*lua.LFunction); ok && !fn.IsG {
			if expr, _ := library.function(fn); expr != nil {
				return false
			}
		}
	}
	return k.classesHold(args)
}

// own returns the template of a loop itself as a linked one. env is the environment of its file; nil if it is not
// known.
func (l *Loop) own(env *lua.LTable) *linked {
	k := &linked{binding: &binding{bound: true}, template: l.Template, env: env, asks: len(l.Template.Asks) > 0, changes: map[constantPlace]int{}}
	arg := 0
	for _, in := range l.Template.Inputs {
		from := source{arg: arg}
		if in.Member == "" {
			arg++
		}
		if in.Global() && env != nil {
			from = source{env: env, name: in.Name()}
		}
		k.sources = append(k.sources, from)
	}
	k.finish()
	k.returns()
	return k
}

// finish sets the fields that follow from the template and its sources.
func (k *linked) finish() {
	inputs := k.template.Inputs
	for i, in := range inputs {
		base := slices.IndexFunc(inputs, func(o lower.Input) bool { return o.Variable == in.Variable && o.Member == "" })
		k.bases = append(k.bases, base)
		k.members = k.members || in.Member != ""
		k.sources[i] = k.sources[base]
		if in.Called {
			k.open = append(k.open, opening{k.sources[base], in.Member})
		}
	}
}

// returns lists the variables that RUN returns, for the template of a loop itself.
func (k *linked) returns() {
	for i, in := range k.template.Inputs {
		if k.returned(i, in) {
			k.outputs = append(k.outputs, output{k.sources[i].arg, i})
		}
	}
}

// returned reports whether an input is a variable that RUN returns.
func (k *linked) returned(i int, in lower.Input) bool {
	return (in.Assigned || in.Passed) && in.Member == "" && k.sources[i].cell == nil && k.sources[i].env == nil
}

// returnsAs finds the inputs of the variables that RUN returns for the template of the loop itself. A variable that only functions in this
// template use is an input as their upvalue: asUpvalue tells whether an input is that variable. It reports whether this is certain, and
// whether the template assigns no others.
func (k *linked) returnsAs(base *linked, asUpvalue func(in, v *syntax.Variable) (is, sure bool)) bool {
	for _, out := range base.outputs {
		v := base.template.Inputs[out.input].Variable
		i := slices.IndexFunc(k.template.Inputs, func(in lower.Input) bool { return in.Variable == v && in.Member == "" })
		for at, in := range k.template.Inputs {
			if i >= 0 || in.Member != "" || !in.Assigned {
				continue
			}
			if is, sure := asUpvalue(in.Variable, v); is && !sure {
				return false
			} else if is {
				i = at
			}
		}
		k.outputs = append(k.outputs, output{out.arg, i})
	}
	for i, in := range k.template.Inputs {
		if k.returned(i, in) && !slices.ContainsFunc(k.outputs, func(out output) bool { return out.input == i }) {
			return false
		}
	}
	return true
}

// within returns a template that was linked without an environment, for the one in which base, the template of the
// loop itself, looks up globals.
func (k *linked) within(base *linked) *linked {
	in := *k
	in.sources = slices.Clone(k.sources)
	for i, input := range k.template.Inputs {
		of := slices.IndexFunc(base.template.Inputs, func(o lower.Input) bool { return o.Variable == input.Variable })
		switch {
		case !input.Global():
		case of >= 0:
			in.sources[i] = base.sources[of]
		case k.sources[i].env == k.env:
			in.sources[i].env = base.env
		}
	}
	in.env, in.tables = base.env, nil
	in.open = slices.Clone(k.open)
	for i := range in.open {
		for j := range k.sources {
			if k.sources[j] == k.open[i].source {
				in.open[i].source = in.sources[j]
				break
			}
		}
	}
	return &in
}

// link makes a template of a loop with the functions that its variables hold now. If that is not possible, the
// result has a reason, and is also kept.
func (l *Loop) link(base *linked, args []lua.LValue, library *Library) *linked {
	k, ok := l.linkBy(base, args, library, true)
	if !ok {
		k, _ = l.linkBy(base, args, library, false)
	}
	return k
}

// linkBy is link. reaches says that paths may become variables (reach.go); it is not ok if that does not help.
func (l *Loop) linkBy(base *linked, args []lua.LValue, library *Library, reaches bool) (k *linked, ok bool) {
	n := &linker{
		loop: l, base: base, args: args, library: library, k: &linked{binding: &binding{}, env: base.env}, left: mostCopied,
		from: map[*syntax.Variable]source{}, origin: map[*syntax.Variable]*syntax.Variable{}, own: map[*syntax.Variable]*syntax.Variable{}, alone: map[*syntax.Variable]bool{}, upvalues: map[*lua.Upvalue]*syntax.Variable{}, codes: map[*lua.LFunction]*inlined{},
		globals: map[source]*syntax.Variable{}, made: map[*lua.LFunction]*lower.Function{}, asked: map[lower.Ask]*lower.Constant{}, homes: map[*syntax.Variable]string{},
	}
	for i, in := range base.template.Inputs {
		n.from[in.Variable] = base.sources[i]
	}
	s := base.template.Source
	s.Function, s.Member, s.Constant, s.Classes, s.Names = n.function, n.member, n.constant, n.classes, n
	k = n.k
	if reaches {
		if n.paths = n.reaches(s.Body); len(n.paths) > 0 {
			n.idents, n.declared = map[*ast.IdentExpr]*syntax.Variable{}, map[ast.PositionHolder][]*syntax.Variable{}
			s.Body = n.reaching(s.Body)
		}
	}
	k.template, k.reason = lower.Prepare(s)
	if k.reason == nil {
		k.reason = n.refused()
	}
	if len(n.paths) > 0 && (k.reason != nil || !n.keepsPaths()) {
		return nil, false
	}
	if k.reason != nil {
		k.template = base.template
	}
	k.constants = slices.DeleteFunc(k.constants, func(c linkedConstant) bool { return !k.template.HasConstant(c.at) })
	k.calls = slices.DeleteFunc(k.calls, func(c linkedCall) bool { return c.entry != nil && !k.template.HasConstant(c.entry.at) })
	k.classes = slices.DeleteFunc(k.classes, func(c linkedClasses) bool { return len(c.indexes) > 0 && !k.template.HasClasses(c.at) })
	for _, in := range k.template.Inputs {
		from, ok := n.from[in.Variable]
		if !ok && in.Global() && k.env != nil { // only after what the template of the loop itself leaves to the interpreter
			from, ok = source{env: k.env, name: in.Name()}, true
		}
		if !ok && k.reason == nil {
			k.reason = &lower.Reason{File: in.File, Line: in.Line, Text: fmt.Sprintf("uses %q, which the loop is not given", in.Name())}
		}
		k.sources, k.homes = append(k.sources, from), append(k.homes, n.homes[in.Variable])
	}
	k.finish()
	if !k.returnsAs(base, n.isUpvalue) && k.reason == nil {
		k.reason = &lower.Reason{Line: l.Line, Text: "a function that it calls assigns a variable that the loop uses, and does not assign"}
	}
	if k.reason == nil && slices.ContainsFunc(k.template.Returns, func(n int) bool { return !slices.Contains(l.returns, n) }) {
		k.reason = &lower.Reason{Line: l.Line, Text: fmt.Sprintf("returns more than %d values of a function", mostCalled)}
	}
	if k.reason != nil { // the functions are known, and no kernel can run them
		k.open = slices.DeleteFunc(k.open, func(o opening) bool {
			return slices.ContainsFunc(k.calls, func(c linkedCall) bool { return c.source == o.source && c.member == o.member })
		})
	}
	k.bind(args)
	return k, true
}

// kinds sets the kinds and the values of the inputs, given the arguments of RUN, and the query that the loop walks; nil for
// another loop. It reports whether the kinds are those that were there before.
func (k *linked) kinds(args []lua.LValue, world *surface.World, q *ecs.Query, names map[lua.LValue]string, values []lua.LValue, kinds []lower.Kind) (same bool) {
	same = true
	set := func(i int, v lua.LValue) {
		values[i] = v
		in := &k.template.Inputs[i]
		if _, ok := v.(lua.LNumber); ok && kinds[i].InputKind == lower.NumberInput && (in.Read || in.Member != "") {
			return // the other fields are those of other kinds
		}
		if in.Spare {
			return
		}
		t, isTable := v.(*lua.LTable)
		kind := kindOf(v, *in, world, names)
		if isTable && kind.Map && isFor(t, q) {
			kind.Map = false
		}
		if k.tables != nil && k.tables[i] == takenForMap && kind.InputKind == lower.TableInput {
			kind.Map = true
		}
		if kind != kinds[i] {
			kinds[i], same = kind, false
		}
	}
	for i := range k.template.Inputs {
		if k.template.Inputs[i].Member == "" {
			set(i, k.sources[i].value(args))
		}
	}
	if !k.members {
		return same && !k.crossed(args, values, kinds)
	}
	for i := range k.template.Inputs {
		in := &k.template.Inputs[i]
		if in.Member == "" {
			continue
		}
		if t, ok := values[k.bases[i]].(*lua.LTable); ok {
			v, own := memberIn(t, in.Member)
			if own || !in.Assigned {
				set(i, v)
				continue
			}
		}
		values[i] = lua.LNil
		if other := (lower.Kind{InputKind: lower.OtherInput}); kinds[i] != other {
			kinds[i], same = other, false
		}
	}
	return same && !k.crossed(args, values, kinds)
}
