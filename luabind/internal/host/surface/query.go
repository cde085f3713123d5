package surface

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/host/api"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// Queries of scripts: ecs.query, and the names that world:each, count and first take. They become an ecs.Query of a
// world, together with what a loop over it yields (plan).

// A query is the value that ecs.query returns: names, and their plan in each world in which it was used.
type query struct {
	by    string              // the function that was given the names, for messages: "world:each"
	lists map[string][]string // by the key in the constructor; "" is the list part
	plans map[*World]*plan
}

var queryKeys = []string{"added", "any", "changed", "optional", "order", "prefabs", "tagged", "untagged", "without"}

// A plan is a query of a world, and what a loop over it yields.
type plan struct {
	query *ecs.Query
	terms []*component // required, then optional; relations are among them

	order  []string                // the keys of the query's own order
	orders map[string]*ecs.Ordered // by their keys
}

// newQuery is ecs.query.
func newQuery(c call) int {
	q := &query{by: "ecs.query", lists: map[string][]string{}, plans: map[*World]*plan{}}
	t := c.table(1)
	for k, v := t.Next(lua.LNil); k != lua.LNil; k, v = t.Next(k) {
		switch k := k.(type) {
		case lua.LNumber:
			q.lists[""] = append(q.lists[""], c.nameIn("ecs.query", v))
		case lua.LString:
			key := string(k)
			if !contains(queryKeys, key) {
				hint := meant(key, queryKeys)
				if hint == "" {
					hint = "; the required components are listed without a key, and the keys are " + strings.Join(queryKeys, ", ")
				}
				c.check(unknownError{fmt.Sprintf("ecs.query has no key %q%s", cut(key), hint)})
			}
			if key == "order" {
				keys, err := orderKeys(v)
				if err != nil {
					raise(c.LState, "ecs.query: %w", err)
				}
				q.lists[key] = keys
				continue
			}
			if key == "prefabs" {
				on, ok := v.(lua.LBool)
				if !ok {
					raise(c.LState, "ecs.query: prefabs is true or false, not %s", shown(v))
				}
				if on {
					q.lists[key] = []string{"true"}
				}
				continue
			}
			list, ok := v.(*lua.LTable)
			if !ok {
				raise(c.LState, "ecs.query: %s takes a list of names, not %s", key, shown(v))
			}
			for i, item := list.Next(lua.LNil); i != lua.LNil; i, item = list.Next(i) {
				if _, ok := i.(lua.LNumber); !ok {
					raise(c.LState, "ecs.query: %s takes a list of names, not the key %s", key, shown(i))
				}
				q.lists[key] = append(q.lists[key], c.nameIn("ecs.query", item))
			}
		default:
			raise(c.LState, "ecs.query: a key is a name, not %s", shown(k))
		}
	}
	if len(q.lists[""])+len(q.lists["optional"])+len(q.lists["any"])+len(q.lists["tagged"])+len(q.lists["changed"])+len(q.lists["added"])+len(q.lists["without"])+len(q.lists["untagged"]) == 0 {
		raise(c.LState, "ecs.query needs at least one component or tag; world:each() walks all entities")
	}
	check := func(w *ecs.World) error {
		f, err := q.filter(w)
		if err != nil || q.lists["order"] == nil {
			return err
		}
		eq, err := w.Query(f)
		if err == nil {
			_, err = (&plan{query: eq}).makeOrder(w, q.lists["order"])
			eq.Release()
		}
		return err
	}
	if c.surface.loading > 0 {
		c.surface.pending = append(c.surface.pending, Pending{c.surface.state.Where(), check})
		c.surface.noteTerms(api.Terms{Required: q.lists[""], Optional: q.lists["optional"]})
	} else if w := c.host.World(); w != nil {
		c.check(check(w))
	}
	c.Push(c.surface.state.NewUserData(q, c.surface.queries))
	return 1
}

// noteTerms keeps the terms of a query that a file makes.
func (s *Surface) noteTerms(t api.Terms) {
	key := strings.Join(t.Required, " ") + "\x00" + strings.Join(t.Optional, " ")
	if !s.termKeys[key] {
		s.termKeys[key] = true
		s.terms = append(s.terms, t)
	}
}

// Terms returns the terms of the queries that files have made while they were loaded, each once, in the order of the files.
func (s *Surface) Terms() []api.Terms { return s.terms }

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// nameIn returns an item of a list of names.
func (c call) nameIn(where string, v lua.LValue) string {
	name, ok := v.(lua.LString)
	if !ok {
		raise(c.LState, "%s: a name expected, got %s", where, shown(v))
	}
	return string(name)
}

// filter resolves the names in a world. The error lists all unknown ones.
func (q *query) filter(w *ecs.World) (ecs.Filter, error) {
	var f ecs.Filter
	var errs []error
	ids := func(key string) (out []ecs.ComponentID) {
		for _, name := range q.lists[key] {
			id, ok := w.LookupComponent(name)
			if !ok {
				errs = append(errs, undeclared(w, q.by, "component", name))
			}
			out = append(out, id)
		}
		return out
	}
	tags := func(key string) (out []ecs.TagID) {
		for _, name := range q.lists[key] {
			id, ok := w.LookupTag(name)
			if !ok {
				errs = append(errs, undeclared(w, q.by, "tag", name))
			}
			out = append(out, id)
		}
		return out
	}
	f.Required, f.Optional = ids(""), ids("optional")
	f.Without, f.Any = ids("without"), ids("any")
	f.Tagged, f.Untagged = tags("tagged"), tags("untagged")
	f.Changed, f.Added = ids("changed"), ids("added")
	f.Inherited, f.Prefabs = true, q.lists["prefabs"] != nil
	if len(errs) > 0 {
		return f, errs[0]
	}
	seen := map[ecs.ComponentID]bool{}
	for i, id := range append(append([]ecs.ComponentID(nil), f.Required...), f.Optional...) {
		if seen[id] {
			return f, fmt.Errorf("component %q is listed twice", append(append([]string(nil), q.lists[""]...), q.lists["optional"]...)[i])
		}
		seen[id] = true
	}
	return f, nil
}

func (q *query) plan(w *World) (*plan, error) {
	if p := q.plans[w]; p != nil {
		return p, nil
	}
	f, err := q.filter(w.ecs)
	if err != nil {
		return nil, err
	}
	eq, err := w.ecs.Query(f)
	if err != nil {
		return nil, err
	}
	p := &plan{query: eq, order: q.lists["order"]}
	for _, id := range eq.Terms() {
		p.terms = append(p.terms, w.componentOf(id))
	}
	q.plans[w] = p
	return p, nil
}

// plan returns what the arguments of each, count and first ask for: a query object, or names of components; after
// these there may be a relation and its target. Without arguments all entities are asked for.
func (c call) plan() (*plan, narrowing) {
	n := c.args()
	if !ordersFor(c.name) {
		return c.planOf(n)
	}
	var keys []string
	if t, ok := c.arg(n).(*lua.LTable); ok && n > 1 {
		var err error
		keys, err = orderIn(t)
		c.check(err)
		n--
	}
	p, to := c.planOf(n)
	if keys == nil {
		keys = p.order
	}
	c.check(to.arrange(c.w, p, keys))
	return p, to
}

// planOf is plan for the first n arguments.
func (c call) planOf(n int) (*plan, narrowing) {
	w := c.w
	var to narrowing
	if ud, ok := c.arg(1).(*lua.LUserData); ok {
		q, ok := ud.Value.(*query)
		if !ok {
			c.expected(1, "component name or query")
		}
		if n > 3 {
			c.atMost(3)
		}
		if n > 1 {
			to = c.narrow(2)
		}
		p, err := q.plan(w)
		c.check(err)
		return p, to
	}
	if _, ok := c.arg(1).(*lua.LTable); ok {
		c.bad(1, "component name or query expected, got table; write the names as arguments, as in world:each(\"Position\", \"Velocity\"), or give the table to ecs.query once, when the file loads")
	}
	if name, ok := c.arg(1).(lua.LString); ok && n > 1 && w.ecs.LookupIndex(string(name)) != nil {
		c.check(undeclared(w.ecs, c.full, "component", string(name)))
	}
	if n > 2 {
		if _, ok := c.arg(n).(lua.LNumber); ok {
			n -= 2
			to = c.narrow(n + 1)
		}
	}
	w.key = w.key[:0]
	for i := 1; i <= n; i++ {
		w.key = append(w.key, c.text(i, "component name or query")...)
		w.key = append(w.key, 0)
	}
	if p := w.plans[string(w.key)]; p != nil {
		return p, to
	}
	q := &query{by: c.full, lists: map[string][]string{}, plans: map[*World]*plan{}}
	for i := 1; i <= n; i++ {
		q.lists[""] = append(q.lists[""], c.text(i, "component name"))
	}
	p, err := q.plan(w)
	c.check(err)
	w.plans[string(w.key)] = p
	return p, to
}

// count is world:count(…): the number of entities that a query matches; without arguments the number of all
// entities. With the name of an index it is that of a place. Without a target it does not visit the entities one by one, unless the query needs that.
func count(c call) int {
	if c.args() == 0 {
		c.Push(number(float64(c.w.ecs.Len())))
		return 1
	}
	if x := c.indexAsked(); x != nil {
		return countAt(c, x)
	}
	p, to := c.plan()
	c.charge(ecs.Raw.SharedSteps(p.query))
	if to.relation == nil {
		c.Push(number(float64(p.query.Count())))
		return 1
	}
	n := 0
	for cur := p.begin(c.w, to); cur.Next(); {
		n++
	}
	c.Push(number(float64(n)))
	return 1
}

// first is world:first: what the first step of the loop would give, or nil.
func first(c call) int {
	p, to := c.plan()
	c.charge(p.steps(to))
	cur := p.beginFirst(c.w, to)
	defer cur.End()
	if !cur.First() {
		c.Push(lua.LNil)
		return 1
	}
	return c.w.yield(c.LState, p, &cur)
}

// queryIndex is __index of queries. It always raises an error, because a query has no fields.
func queryIndex(L *lua.LState) int {
	raise(L, "a query has no fields (index %s): give it to world:each, count or first", sandbox.ToString(L, L.Get(2)))
	return 0
}

// queryNewIndex is __newindex of queries. It always raises an error.
func queryNewIndex(L *lua.LState) int {
	raise(L, "a query cannot be changed")
	return 0
}

// queryString is __tostring of queries.
func queryString(L *lua.LState) int {
	ud, _ := L.Get(1).(*lua.LUserData)
	q, ok := ud.Value.(*query)
	if !ok {
		sandbox.Raise(L, errors.New("query expected"))
	}
	parts := []string{strings.Join(q.lists[""], ", ")}
	for _, key := range queryKeys {
		if len(q.lists[key]) > 0 {
			parts = append(parts, key+" "+strings.Join(q.lists[key], ", "))
		}
	}
	L.Push(lua.LString("query (" + strings.Join(parts, "; ") + ")"))
	return 1
}
