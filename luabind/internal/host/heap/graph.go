package heap

// The part of the bytes before the bodies, which Decode and Describe read in the same way.

// A graph is what is known before the bodies are read.
type graph struct {
	reader
	strings []string
	protos  []proto
	objects []head
}

// A proto is a prototype of a function.
type proto struct {
	file, index, line int
	upvalues          []int // their names, as indices of strings
}

// A head is the kind of an object, and its number: of the prototype, or of a string.
type head struct {
	kind   byte
	number int
}

// most is the largest line and index of a prototype.
const most = 1 << 30

// read reads everything before the bodies. The mistakes are in g.fail.
func read(b []byte) *graph {
	g := &graph{reader: reader{b: b}}
	if v := g.number(); v != version && v != coroutineVersion && g.fail == nil {
		g.bad("the format is version %d, this program knows versions up to %d", v, coroutineVersion)
	}
	g.strings = make([]string, g.count(1, "strings"))
	for i := range g.strings {
		g.strings[i] = g.text()
	}
	g.protos = make([]proto, g.count(4, "functions"))
	for i := range g.protos {
		p := &g.protos[i]
		p.file, p.index, p.line = g.below(most, "file"), g.below(most, "function"), g.below(most, "line")
		p.upvalues = make([]int, g.count(1, "upvalues"))
		for k := range p.upvalues {
			p.upvalues[k] = g.below(len(g.strings), "string")
		}
	}
	g.objects = make([]head, g.count(1, "objects"))
	for i := range g.objects {
		h := &g.objects[i]
		switch h.kind = g.byte(); h.kind {
		case tableObject, upvalueObject, coroutineObject:
		case functionObject:
			h.number = g.below(len(g.protos), "function")
		case userObject, namedObject, openObject:
			h.number = g.below(len(g.strings), "string")
		default:
			g.bad("there is no kind of object %d", h.kind)
		}
		if g.fail != nil {
			g.objects = g.objects[:i]
			break
		}
	}
	return g
}

func (g *graph) value() Value { return g.reader.value(len(g.strings), len(g.objects)) }

// label reads the number of a string, and returns the string; "" if there is no such string, which is damage.
func (g *graph) label() string {
	if i := g.below(len(g.strings), "string"); g.fail == nil {
		return g.strings[i]
	}
	return ""
}

// object reads the index of an object of a kind.
func (g *graph) object(kind byte, what string) int {
	i := g.below(len(g.objects), "object")
	if g.fail == nil && g.objects[i].kind != kind {
		g.bad("object %d is no %s", i, what)
	}
	return i
}
