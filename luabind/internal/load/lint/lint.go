package lint

import (
	"cmp"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// A File is one file of the scripts in use.
type File struct {
	Path  string
	Chunk *syntax.Chunk
	Own   bool // it is the script of a system; otherwise other files require it

	Reference bool // a system with impl: lua runs it
}

// A System is a system of the schedule.
type System struct {
	Name  string
	Own   string // its name in its file
	File  string // its script; "" if it has none
	Stage ecs.Stage
	In    []string // values of states
	After []string // systems of the stage that run before it
	When  string
	Off   bool // it is disabled
}

// An Input is what is checked.
type Input struct {
	World   *ecs.World // in which everything is declared
	Files   []File     // sorted by path
	Systems []System   // in the order in which they run

	Inputs []string    // events that come from outside
	Data   []ecs.Value // what the data files say

	// Lacks returns why a library has no function of that name, and what to write instead; "" if it has one.
	Lacks func(library, name string) string

	// Module returns the error of require of a name in a file; nil if there is such a module.
	Module func(file, name string) error

	// Globals returns the undeclared globals of a file that does not require "ecs", which may be a library of somebody else; none for other files.
	Globals func(file string) []Global
}

// A Global is an undeclared global in a file, with what is said about it.
type Global struct {
	Line int
	Text string
}

// A Warning is one finding. If File is "", it is about a system or a declaration of the config.
type Warning struct {
	Code string // in Codes
	File string
	Line int

	System     string // the system that it is about
	Kind, Name string // the declaration that it is about: Kind is component, tag, event, resource or relation

	Message string // what is wrong, in one line
	Fix     string // what to do
}

// Check returns the findings: those of files by path and line, then those of the config.
func Check(in Input) []Warning {
	c := &checker{Input: in, values: map[*syntax.Variable]value{}, given: map[*ast.FunctionExpr]value{}, changed: map[string]bool{}, open: map[string]bool{}}
	for _, f := range in.Files {
		c.files = append(c.files, open(f))
	}
	c.meet()
	c.catches = slices.ContainsFunc(c.files, func(f *file) bool { return f.catcher })
	c.operators = slices.ContainsFunc(c.files, (*file).namesOperator)
	c.patches()
	for _, f := range c.files {
		c.operations(f)
		c.stores(f)
		c.arguments(f)
		c.structure(f)
		c.places(f)
		c.copies(f)
		c.modules(f)
		c.locals(f)
		c.library(f)
		c.globals(f)
		c.weak(f)
		c.unlike(f)
		c.kept(f)
		c.coroutines(f)
		c.conditions(f)
		c.printed(f)
		c.calculated(f)
	}
	used := c.usage()
	c.unused(used)
	c.matches(used)
	c.writes()
	slices.SortStableFunc(c.found, func(a, b Warning) int {
		if (a.File == "") != (b.File == "") {
			return cmp.Compare(b.File, a.File) // the config is last
		}
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Code, b.Code))
	})
	return slices.Compact(c.found)
}

// A checker collects the findings of all rules. Each rule is a method in a file of its own.
type checker struct {
	Input
	files     []*file
	found     []Warning
	values    map[*syntax.Variable]value  // what is known of variables
	given     map[*ast.FunctionExpr]value // what is known of what functions return
	catches   bool                        // some file uses pcall
	operators bool                        // some file may have tables with operators of their own
	changed   map[string]bool             // members of libraries that some file assigns, and modules: "package" and a name
	open      map[string]bool             // libraries whose members some file may assign without naming them
}

// add adds a finding at a line of a file. What a pcall catches is no mistake.
func (c *checker) add(code string, f *file, line int, message, fix string) {
	if code[0] == 'E' && (f.catches(line) || c.catches && f.passes(line)) {
		return
	}
	c.found = append(c.found, Warning{Code: code, File: f.Path, Line: line, Message: message, Fix: fix})
}
