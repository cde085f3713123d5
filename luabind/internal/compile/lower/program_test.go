package lower

import (
	"strings"
	"testing"
)

// What lower makes of a body: one construct after another. The first line of the dump is left out.
func TestPrograms(t *testing.T) {
	x := newFixture(t)
	for _, c := range []struct{ text, want string }{
		{`for e, p in w:each() do p.x = 1 + 2 * 3 end`, `
  store Field=x:f64@0 A=(const 7)
`},
		{`for e, p in w:each() do p.x, p.s = p.x - n, word end`, `
  set I=1 Mark=-1 A=(- (load Field=x:f64@0) (reg))
  store Field=s:string@8 A=(reg text)
  store Field=x:f64@0 A=(reg I=1)
`},
		{`for e, p in w:each() do p.x = math.floor(p.x) % 2 ^ -n end`, `
  store Field=x:f64@0 A=(% (call (load Field=x:f64@0) Func="floor" One=func) (^ (const 2) (neg (reg))))
`},
		{`for e, p in w:each() do local a = p.x a = a + 1 p.x = a end`, `
  set Mark=-1 A=(load Field=x:f64@0)
  set Mark=-1 A=(+ (reg) (const 1))
  store Field=x:f64@0 A=(reg)
`},
		{`for e, p in w:each() do local a if p.x > 1 then a = p.x end if a then p.x = -a end end`, `
  set Mark=-1 A=(const bool 0)
  if A=(< bool (const 1) (load Field=x:f64@0))
    set A=(load Field=x:f64@0)
  if A=(reg bool)
    store Field=x:f64@0 A=(neg (reg))
`},
		{`for e, p, q in w:each() do if q then q.y = p.x elseif not (p.x == 2) then break end end`, `
  if A=(present bool I=1)
    store I=1 Field=y:f64@0 A=(load Field=x:f64@0)
  else
    if A=(not bool (== bool (load Field=x:f64@0) (const 2)))
      break
`},
		{`for e, p in w:each() do for i = 1, 3 do if i >= p.x then goto next end p.x = p.x + i ::next:: end end`, `
  count A=(const 1) B=(const 3) C=(const 1) Price=10
    block I=1
      if A=(<= bool (load Field=x:f64@0) (reg))
        jump I=1
      store Field=x:f64@0 A=(+ (load Field=x:f64@0) (reg))
`},
		{`for e, p in w:each() do while p.x < 3 and w:alive(e) do p.x = p.x + 1 end repeat local a = p.x until a ~= 4 or p.s == "s" end`, `
  while A=(and bool (< bool (load Field=x:f64@0) (const 3)) (alive bool (entity))) Price=11
    store Field=x:f64@0 A=(+ (load Field=x:f64@0) (const 1))
  repeat A=(or bool (not bool (== bool (reg) (const 4))) (== bool (load text Field=s:string@8) (const text S="s"))) Price=10
    set Mark=-1 A=(load Field=x:f64@0)
`},
		{`local function f(x) return x * 2 end for e, p in w:each() do p.x = f(p.x) + f(n) end`, `
  set Mark=-1 A=(load Field=x:f64@0)
  store Field=x:f64@0 A=(+ (* (reg) (const 2)) (* (reg I=1) (const 2)))
`},
		{`local function f(x) if x > 1 then return 1 end return x end for e, p in w:each() do p.x = f(p.x) end`, `
  set Mark=-1 A=(load Field=x:f64@0)
  block I=1
    if A=(< bool (const 1) (reg))
      set I=1 Mark=-1 A=(const 1)
      jump I=1
    set I=1 Mark=-1 A=(reg)
  store Field=x:f64@0 A=(reg I=1)
`},
		{`for e, p in w:each() do local o = w:get(e, "P") if o ~= nil then o.x = p.x end end`, `
  look I=1 A=(entity)
  if A=(not bool (not bool (present bool I=1)))
    store I=1 Field=x:f64@0 A=(load Field=x:f64@0)
`},
		{`for e, p in w:each() do for o, op in w:each("P") do if o ~= e then p.x = op.x end end end`, `
  each Price=7
    if A=(not bool (== bool (reg) (entity)))
      store Field=x:f64@0 A=(load I=1 Field=x:f64@0)
`},
		{`for e, p in w:each() do w:tag(e, "red") if w:tagged(e, word) and w:has(e, "P", "Q") then w:untag(e, "red") end end`, `
  do A=(tag bool (entity))
  if A=(and bool (tagged bool (entity)) (and bool (has bool ID=2 (entity)) (has bool ID=3 (entity))))
    do A=(untag bool (entity))
`},
		{`for e, p in w:each() do w:send("hit", {n = p.x}) w.commands:set(e, "P", {x = 1}) end`, `
  effect {Bytes=80 Line=1 Schema=schema(n) Fields=[{Field=n:f64@0}]}
  effect {Index=1 Op=6 Bytes=80 Line=1 Components=[2] Fields=[{Field=x:f64@0}]}
  emit I=-1 Args=[(load Field=x:f64@0)] effect=0
  emit I=-1 Args=[(entity) (const 1)] effect=1
`},
		{`for e, p in w:each() do local new = w.commands:spawn{"red", P = {x = n}, Likes = e} w.commands:despawn(new) end`, `
  effect {Op=2 Bytes=192 Line=1 Components=[2] Tags=[0] Relations=[4] Fields=[{Field=x:f64@0}]}
  effect {Index=1 Op=3 Line=1}
  emit I=1 Args=[(reg) (entity)] effect=0
  emit I=-1 Args=[(reg I=1)] effect=1
`},
		{`for e, p in w:each() do list[1] = list[p.x] + 1 p.x = rows[2].a end`, `
  put Member=-1 A=(const 1) B=(+ (element Member=-1 (load Field=x:f64@0)) (const 1))
  store Field=x:f64@0 A=(element I=1 (const 2))
`},
		{`for e, p in w:each() do w.resources.score = w.resources.score + w.dt end`, `
  set Mark=-1 A=(+ (reg) (reg I=1))
`},
		{`for e, p in w:each() do p.x = p.x > 1 and 2 or 3 p.x = p.x > 1 and list[1] or 3 end`, `
  store Field=x:f64@0 A=(select (< bool (const 1) (load Field=x:f64@0)) (const 2) (const 3))
  store Field=x:f64@0 A=(select (and bool (< bool (const 1) (load Field=x:f64@0)) (exists bool (const 1))) (element Member=-1 (const 1)) (const 3))
`},
		{`local function f() for e, p in w:each() do if p.x > 1 then return e, p.x, nil end end end for e, p in w:each() do if p.x > 1 then return e, nil, p.x end end`, `
  if A=(< bool (const 1) (load Field=x:f64@0))
    return Args=[(const 0) (entity) (load Field=x:f64@0)]
`},
		{`local total, last for e, p in w:each() do last = p.x end`, `
  set A=(load Field=x:f64@0)
`},
	} {
		p, reason := x.program(t, c.text)
		if reason != nil {
			t.Errorf("%s: %v", c.text, reason)
			continue
		}
		if _, body, _ := strings.Cut(p.Dump(), "\n"); "\n"+body != c.want {
			t.Errorf("%s:\n%s", c.text, body)
		}
	}
}

// What is known of a Program as a whole: prices, what rows use and store, and whether a row may have to be restored.
func TestHeads(t *testing.T) {
	x := newFixture(t)
	for _, c := range []struct{ text, want string }{
		{`for e, p in w:each() do p.x = 1 end`, `Price=3 Inputs=[] Origins=[] Views=1 Components=[2] Uses=1 Stores=[{Field=x:f64@0 Always=true}]`},
		{`for e, p in w:each() do if p.x > n then p.x = n p.s = "s" end end`, `Price=9 Numbers=1 Inputs=[{Used=true}] Origins=[{}] Views=1 Components=[2] Uses=1 Stores=[{Field=x:f64@0} {Field=s:string@8}]`},
		{`for e, p, q in w:each() do if q then q.y = e end p.x = 1 break end`, `Price=8 Inputs=[] Origins=[] Views=2 Components=[2 3] Optional=2 Uses=3 Stores=[{View=1 Field=y:f64@0} {Field=x:f64@0 Always=true}] Exact=true Entity=true`},
		{`local last for e, p in w:each() do last = w:get(e, "Q").y w.resources.score = math.floor(n) end`, `Price=9 Numbers=3 Bools=1 Inputs=[{} {} {} {} {} {Used=true Reg=1} {Used=true Reg=2}] Origins=[{} {Input=1} {Input=2} {Input=3} {Input=4} {Input=5} {From=1}] Outputs=[{Place={Used=true}} {Place={Used=true Reg=2} Mark=-1 Input=6}] Views=1 Components=[2] Refs=[{Component=3 Schema=schema(y) Query=-1}] Exact=true Entity=true Foreign=true`},
		{`for e, p in w:each() do for o, op in w:each("P") do op.x = list[1] list[2] = 3 end end`, `Price=3 Numbers=1 Inputs=[{} {}] Origins=[{} {Input=1}] Views=1 Components=[2] Refs=[{Component=2 Schema=schema(x s) Stored=true}] Queries=[{Query=query([2] required 1) First=1 Views=1}] Tables=[{Input=1 Stored=true}] Exact=true Foreign=true`},
		{`for e, p in w:each() do local a if p.x > 1 then a = 2 end p.x = a return e end`, `Price=12 Numbers=1 Bools=1 Inputs=[] Origins=[] Views=1 Components=[2] Uses=1 Stores=[{Field=x:f64@0 Always=true}] Returns=2 Sites=[[1]] Exact=true Entity=true`},
	} {
		p, reason := x.program(t, c.text)
		if reason != nil {
			t.Errorf("%s: %v", c.text, reason)
			continue
		}
		if head, _, _ := strings.Cut(p.Dump(), "\n"); head != c.want {
			t.Errorf("%s:\n%s", c.text, head)
		}
	}
}
