package interp

import lua "github.com/yuin/gopher-lua"

// A Pairs walks a table in the order of gopher-lua's Next, which finds the place of a key by looking it up. A Pairs knows
// the place. The table may change meanwhile; then it gives what Next would give. The zero value is at the beginning.
type Pairs struct {
	key    lua.LValue // the last one; nil at the beginning
	index  int        // of key in the keys behind the list part; only if behind is set
	behind bool
}

// Next returns the next key and its value; LNil at the end.
func (p *Pairs) Next(t *lua.LTable) (key, v lua.LValue) {
	tb := tableOf(t)
	if p.behind && p.index < len(tb.keys) && (*wordsOf(&tb.keys[p.index]) == *wordsOf(&p.key) || tb.keys[p.index] == p.key) {
		for i := p.index + 1; i < len(tb.keys); i++ {
			key = tb.keys[i]
			if name, ok := key.(lua.LString); ok {
				v = tb.strdict[string(name)]
			} else {
				v = tb.dict[key]
			}
			if v != nil && v != lua.LNil {
				p.key, p.index = key, i
				return key, v
			}
		}
		return lua.LNil, lua.LNil
	}
	last := p.key
	if last == nil {
		last = lua.LNil
	}
	key, v = t.Next(last)
	p.key, p.behind = key, false
	if n, isNumber := key.(lua.LNumber); isNumber && n >= 0 && n < lua.LNumber(lua.MaxArrayIndex) && float64(int(n)) == float64(n) {
		return key, v // perhaps an item of the list part
	}
	p.index, p.behind = tb.k2i[key]
	return key, v
}
