package control

import (
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/query"
)

// A Method is an entry of the list of methods.
type Method struct {
	Name   string
	Doc    string // one line
	Params []Param
	Result string // what the result is; "" for null
	// Reads says that the method only reads the world: it keeps to the share of time that reads have.
	Reads bool

	now func(*Plane, *Session, args) (any, error)   // answered on the goroutine of the connection; nil if do is set
	do  func(*Plane, *call) (result any, err error) // answered on the goroutine of the world
}

// Methods lists all methods, sorted by name.
func Methods() []*Method { return methods }

var methods []*Method

func init() { // not by an initializer: rpc.discover answers the list that it is in
	methods = slices.Concat(discovering(), reading(), standing(), watching(), telling(), writing(), going())
	slices.SortFunc(methods, func(a, b *Method) int { return strings.Compare(a.Name, b.Name) })
}

func find(name string) (*Method, *Error) {
	var names []string
	for _, m := range methods {
		if m.Name == name {
			return m, nil
		}
		names = append(names, m.Name)
	}
	return nil, wrong(CodeMethod, "there is no method %q%s", name, query.Meant(name, "methods", names))
}

func (m *Method) param(name string) *Param {
	for i := range m.Params {
		if m.Params[i].Name == name {
			return &m.Params[i]
		}
	}
	return nil
}

func (m *Method) params() (names []string) {
	for _, p := range m.Params {
		names = append(names, p.Name)
	}
	return names
}

// example returns the names of the params as in an object.
func (m *Method) example() string {
	var b strings.Builder
	for i, p := range m.Params {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(`"` + p.Name + `": …`)
	}
	return b.String()
}
