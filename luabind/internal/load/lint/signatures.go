package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Calls of Lua's own functions with arguments that they do not take.

// A signature is what a function of Lua takes and gives. A letter stands for an argument: n a number, s a string, t a table, f a function, c a
// coroutine, a anything. Those after ? may be left out; the last one before + may come several times.
type signature struct {
	takes string
	gives sort
}

var signatures = map[string]signature{
	"math.floor": {"n", number}, "math.ceil": {"n", number}, "math.abs": {"n", number}, "math.sqrt": {"n", number}, "math.sin": {"n", number}, "math.cos": {"n", number},
	"math.tan": {"n", number}, "math.asin": {"n", number}, "math.acos": {"n", number}, "math.atan": {"n", number}, "math.atan2": {"nn", number}, "math.exp": {"n", number},
	"math.log": {"n", number}, "math.pow": {"nn", number}, "math.fmod": {"nn", number}, "math.max": {"n+", number}, "math.min": {"n+", number},
	"math.deg": {"n", number}, "math.rad": {"n", number}, "math.random": {"?nn", number},
	"string.upper": {"s", str}, "string.lower": {"s", str}, "string.len": {"s", number}, "string.reverse": {"s", str}, "string.rep": {"sn", str}, "string.sub": {"sn?n", str},
	"string.byte": {"s?nn", unknown}, "string.find": {"ss?na", unknown}, "string.match": {"ss?n", unknown}, "string.gmatch": {"ss", function}, "string.gsub": {"ssa?n", str},
	"string.format": {"s+", str}, "string.char": {"?n+", str},
	"table.insert": {"ta?a", unknown}, "table.remove": {"t?n", unknown}, "table.concat": {"t?snn", str}, "table.sort": {"t?f", unknown},
	"ipairs": {"t", function}, "pairs": {"t", function}, "next": {"t?a", unknown}, "unpack": {"t?nn", unknown}, "setmetatable": {"ta", unknown},
	"rawget": {"ta", unknown}, "rawset": {"taa", unknown}, "tostring": {"a", str}, "type": {"a", str}, "tonumber": {"a?n", unknown}, "select": {"a", unknown},
	"coroutine.create": {"f", thread}, "coroutine.wrap": {"f", function}, "coroutine.resume": {"c", unknown}, "coroutine.status": {"c", str},
}

// libraryCall returns the name of the function of Lua that a call calls, and its arguments; "" if it calls another one.
func (c *checker) libraryCall(f *file, call *ast.FuncCallExpr) (name string, args []ast.Expr) {
	args = call.Args
	if call.Func == nil {
		v := f.Chunk.Bindings.Variable(call.Receiver)
		switch {
		case v != nil && v.Kind == syntax.Global && slices.Contains(libraries, v.Name): // math:floor(x) gives floor the library
			name = v.Name + "." + call.Method
		case c.value(f, call.Receiver).sort == str:
			name = "string." + call.Method
		}
		args = append([]ast.Expr{call.Receiver}, args...)
	} else {
		e := call.Func
		if v := f.Chunk.Bindings.Variable(e); v != nil && v.Kind == syntax.Local && !v.Assigned && v.Value != nil {
			e = v.Value
		}
		if v := f.Chunk.Bindings.Variable(e); v != nil && v.Kind == syntax.Global {
			name = v.Name
		} else if get, ok := e.(*ast.AttrGetExpr); ok {
			if v := f.Chunk.Bindings.Variable(get.Object); v != nil && v.Kind == syntax.Global && slices.Contains(libraries, v.Name) {
				name = v.Name + "." + member(get)
			}
		}
	}
	if _, ok := signatures[name]; !ok || c.changed[name] || name == "" || c.open[before(name)] {
		return "", nil
	}
	return name, args
}

// letters says what a letter of a signature stands for.
var letters = map[byte]string{'n': "a number", 's': "a string", 't': "a table", 'f': "a function", 'c': "a coroutine"}

// takes reports whether a function may take a value for a letter.
func takes(letter byte, v value) bool {
	switch letter {
	case 'n':
		return v.numeric()
	case 's':
		return v.is(unknown, str, number)
	case 't':
		return v.is(unknown, table)
	case 'f':
		return v.is(unknown, function, table, object) && v.sort != object
	case 'c':
		return v.is(unknown, thread)
	}
	return true
}

// libraryArguments reports the arguments of a call of one of Lua's functions that it does not take.
func (c *checker) libraryArguments(f *file, call *ast.FuncCallExpr) {
	name, args := c.libraryCall(f, call)
	if name == "" || c.resized(f, name, args) {
		return
	}
	form := signatures[name].takes
	if name == "table.insert" && len(args) > 2 {
		form = "tna"
	}
	needs, rest, repeats := 0, len(form), strings.HasSuffix(form, "+")
	form = strings.TrimSuffix(form, "+")
	if at := strings.IndexByte(form, '?'); at >= 0 {
		rest = at
	}
	form = strings.Replace(form, "?", "", 1)
	needs = min(rest, len(form))
	fix := ""
	if v := f.Chunk.Bindings.Variable(call.Receiver); call.Func == nil && v != nil && v.Kind == syntax.Global {
		fix = fmt.Sprintf("write a dot: %s.%s(…)", v.Name, call.Method)
	}
	if len(args) < needs && !several(args) {
		if v := (value{what: letters[form[len(args)]]}); v.what != "" || name == "table.insert" {
			c.add("E205", f, call.Line(), fmt.Sprintf("%s needs %d %s, and gets %d", name, needs, plural(needs, "argument"), len(args)), fix)
		}
		return
	}
	for i, arg := range args {
		at := i
		if repeats {
			at = min(i, len(form)-1)
		}
		if at >= len(form) || name == "string.format" && i > 0 {
			break
		}
		v := c.value(f, arg)
		if v.sort == nothing && i >= needs {
			continue
		}
		if v.meaning.Kind == 0 && i == 0 && fix != "" { // the library itself
			v = plain(table)
		}
		if !takes(form[at], v) {
			if v.sort == number && v.what == "a number" && name == "ipairs" {
				v.advice = "to count, write for i = 1, n do"
			}
			c.unfit(f, arg, v, fmt.Sprintf("argument %d of %s", i+1, name), letters[form[at]], fix)
			return
		}
	}
	if name == "string.format" {
		c.formatted(f, call, args)
	}
}

// unfit reports an argument that should be something else.
func (c *checker) unfit(f *file, arg ast.Expr, v value, where, wants, fix string) {
	if fix == "" {
		fix = v.advice
	}
	c.add("E205", f, arg.Line(), fmt.Sprintf("%s is %s; it takes %s", where, v.what, wants), fix)
}

// formatted reports what a constant format of string.format does not go with: too few values, a value that is no number, an unknown letter.
func (c *checker) formatted(f *file, call *ast.FuncCallExpr, args []ast.Expr) {
	v := c.value(f, args[0])
	if v.text == nil {
		return
	}
	next := 1
	for format := *v.text; ; {
		at := strings.IndexByte(format, '%')
		if at < 0 {
			return
		}
		format = format[at+1:]
		end := strings.IndexFunc(format, func(r rune) bool { return !strings.ContainsRune("-+ #0123456789.", r) })
		if end < 0 {
			return
		}
		letter := format[end]
		spec := "%" + format[:end+1]
		format = format[end+1:]
		switch {
		case letter == '%':
			continue
		case !strings.ContainsRune("cdEefgGiouXxsq", rune(letter)):
			if letter >= 'a' && letter <= 'z' && letter != 'a' && letter != 'p' {
				c.add("E205", f, call.Line(), fmt.Sprintf("string.format has no %s", spec), "write %d for a whole number, %.2f for any number, %s for a text")
			}
			return
		case next >= len(args):
			if !several(args) {
				c.add("E205", f, call.Line(), fmt.Sprintf("string.format has no value for the %s", spec), fmt.Sprintf("give it %d more %s than the format", next, plural(next, "argument")))
			}
			return
		}
		if x := c.value(f, args[next]); letter != 's' && letter != 'q' && !x.numeric() {
			if next < len(args)-1 || !several(args) || x.sort != unknown {
				c.unfit(f, args[next], x, fmt.Sprintf("the value of %s in string.format", spec), "a number", "")
				return
			}
		}
		next++
	}
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}
