package sandbox

import (
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/config/suggest"
	lua "github.com/yuin/gopher-lua"
)

// elsewhere lists functions of other versions of Lua and of other libraries, with what to write instead.
var elsewhere = map[string]string{
	"table.unpack":      "write unpack(t)",
	"table.pack":        "write { n = select(\"#\", ...), ... }",
	"table.move":        "copy the elements in a loop",
	"table.find":        "look for it in a loop over ipairs(t)",
	"table.contains":    "keep a set, { name = true }, and ask set[name]",
	"table.clear":       "make a new table, {}",
	"table.clone":       "copy the fields in a loop over pairs(t)",
	"table.copy":        "copy the fields in a loop over pairs(t)",
	"table.create":      "write {} and fill it",
	"table.keys":        "collect them in a loop over pairs(t)",
	"table.filter":      "collect the elements in a loop",
	"table.map":         "collect the elements in a loop",
	"table.len":         "write #t",
	"table.push":        "write t[#t + 1] = v",
	"string.split":      "write for word in s:gmatch(\"[^,]+\") do … end",
	"string.trim":       "write s:match(\"^%s*(.-)%s*$\")",
	"string.startswith": "write s:sub(1, #start) == start",
	"string.endswith":   "write s:sub(-#ending) == ending",
	"string.contains":   "write s:find(part, 1, true)",
	"string.replace":    "write s:gsub(old, new)",
	"string.join":       "write table.concat(list, separator)",
	"string.length":     "write #s",
	"string.pack":       "write string.format",
	"string.unpack":     "write s:byte and arithmetic",
	"math.clamp":        "write math.max(low, math.min(x, high))",
	"math.round":        "write math.floor(x + 0.5)",
	"math.sign":         "write x > 0 and 1 or x < 0 and -1 or 0",
	"math.lerp":         "write a + (b - a) * t",
	"math.trunc":        "write x - math.fmod(x, 1)",
	"math.tointeger":    "write math.floor(x)",
	"math.type":         "numbers have one type in Lua 5.1",
	"math.ult":          "compare with <",
	"math.noise":        "write your own; ecs.random draws numbers",
	"math.distance":     "write math.sqrt(dx * dx + dy * dy)",
	"math.hypot":        "write math.sqrt(dx * dx + dy * dy)",
	"math.infinity":     "write math.huge",
	"math.inf":          "write math.huge",
	"math.PI":           "write math.pi",
	"math.maxinteger":   "write 2^53, up to which all whole numbers are exact",
	"math.mininteger":   "write -2^53, down to which all whole numbers are exact",

	"string.packsize":       "count the bytes yourself",
	"coroutine.isyieldable": "write coroutine.running() ~= nil",
	"coroutine.close":       "let it end by itself, or drop it",
}

// renamed has the libraries of functions that scripts of later versions keep in a local of the same name, as in
// local unpack = table.unpack.
var renamed = map[string]string{"unpack": "table", "tointeger": "math", "ult": "math"}

// leftOut lists functions that Lua 5.1 has and scripts have not, with what to write instead.
var leftOut = map[string]string{
	"table.foreach":  "write for k, v in pairs(t) do … end",
	"table.foreachi": "write for i, v in ipairs(t) do … end",
	"table.setn":     "the length follows from the elements",
	"string.gfind":   "write string.gmatch",
	"string.dump":    "byte code cannot be loaded",
}

// missing returns what to use instead of a function that Lua 5.1's libraries do not have; "" if the called value
// came from somewhere else.
func (s *State) missing(L *lua.LState, p *lua.FunctionProto, pc, reg int) string {
	for i := pc - 1; i >= 0; i-- {
		in := instruction(p.Code[i])
		if captures(p, i) || in.a() != reg {
			continue
		}
		switch in.op() {
		case lua.OP_MOVE, lua.OP_MOVEN: // from a local: local u = table.unpack
			reg = in.b()
			continue
		case lua.OP_GETUPVAL:
			if b := in.b(); b < len(p.DbgUpvalues) && renamed[p.DbgUpvalues[b]] != "" {
				return s.instead(renamed[p.DbgUpvalues[b]], p.DbgUpvalues[b])
			}
		case lua.OP_SELF:
			if registerValue(L, reg+1).Type() == lua.LTString {
				return s.instead("string", s.keyName(p, i, in.c()))
			}
		case lua.OP_GETTABLE, lua.OP_GETTABLEKS:
			if kind, library := s.origin(p, i, in.b(), 0); kind == "global" {
				return s.instead(library, s.keyName(p, i, in.c()))
			}
		}
		return ""
	}
	return ""
}

// Lacks returns why a library of Lua has no member of that name, and what to write instead; "" if it has one, or if
// there is no such library.
func (s *State) Lacks(library, name string) string {
	for _, m := range s.library.modules {
		if m.name == library {
			known := func(e entry) bool { return e.name == name }
			if slices.ContainsFunc(m.entries, known) || library == "math" && (name == "random" || name == "randomseed") {
				return ""
			}
		}
	}
	return s.instead(library, name)
}

func (s *State) instead(library, name string) string {
	switch library {
	case "bit", "string", "table", "math", "coroutine":
	default:
		return ""
	}
	full, of := library+"."+name, "Lua 5.1"
	if library == "bit" {
		of = "LuaJIT"
	}
	if text := elsewhere[full]; text != "" {
		return fmt.Sprintf(of+" has no %s; %s", full, text)
	}
	if text := leftOut[full]; text != "" {
		return fmt.Sprintf("scripts have no %s; %s", full, text)
	}
	for _, m := range s.library.modules {
		if m.name != library {
			continue
		}
		names := make([]string, len(m.entries))
		for i := range m.entries {
			names[i] = m.entries[i].name
		}
		if near, ok := suggest.Closest(name, names); ok {
			return fmt.Sprintf(of+" has no %s; did you mean %s.%s?", full, library, near)
		}
	}
	return fmt.Sprintf(of+" has no %s", full)
}
