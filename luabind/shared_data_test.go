package luabind

import (
	"errors"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// shared makes t, plain data of 25 tables that is 2^24 of them when it is copied.
const shared = "local t = { 1 } for i = 1, 24 do t = { t, t } end\n"

// takingOptions has a script, and a Go function that takes anything.
func takingOptions(source string) Options {
	take := func([]ecs.Value) ([]ecs.Value, error) { return nil, nil }
	return Options{Scripts: files(map[string]string{"a": source}), Modules: map[string]map[string]Function{"host": {"take": take}}}
}

// Whatever copies plain data counts what it copies: small tables that share their
// parts, text made of them, and replacements of gsub do not fill the memory in one
// call.
func TestSharedDataIsCounted(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"a resource":           shared + "world.resources.bag = t",
		"a field":              shared + "world:spawn{ Bag = {} } local _, b = world:first('Bag') b.t = t",
		"set":                  shared + "world:set(world:spawn{}, 'Bag', { t = t })",
		"spawn":                shared + "world:spawn{ Bag = { t = t } }",
		"spawn_many":           shared + "world:spawn_many(2, { Bag = { t = t } })",
		"spawn_many by each":   shared + "world:spawn_many(2, {}, function() return { Bag = { t = t } } end)",
		"send":                 shared + "world:send('Got', { t = t })",
		"commands:spawn":       shared + "world.commands:spawn{ Bag = { t = t } }",
		"commands:set":         shared + "world.commands:set(world:spawn{}, 'Bag', { t = t })",
		"commands:send":        shared + "world.commands:send('Got', { t = t })",
		"a default":            shared + "ecs.component('More', { t = { type = 'table', default = t } })",
		"the log":              shared + "ecs.log.info('m', { t = t })",
		"the log of many":      "local s = ('x'):rep(1e7) ecs.log.info('m', { a = s, b = s })",
		"the log of a table":   "local s = ('x'):rep(1e7) ecs.log.info('m', { a = { s, s } })",
		"a Go function":        shared + "require('host').take(t)",
		"the text of a view":   "local s = ('x'):rep(1e7) local e = world:spawn{ Bag = { t = { s, s, s } } } print(tostring(world:get(e, 'Bag')))",
		"the text of an event": "local s = ('x'):rep(1e7) world:send('Got', { t = { s, s, s } }) for ev in world:peek('Got') do print(ev) end",
		"gsub":                 `("a"):rep(4e6):gsub(".+", ("%0"):rep(2e5))`,
		"gsub of a capture":    `("a"):rep(4e6):gsub("(.+)", ("%1"):rep(2e5))`,
		"gsub by a table":      `local s = ("b"):rep(9e6) ;("aa"):gsub("a", { a = s })`,
		"format":               `local s = ("b"):rep(9e6) ;("%s%s"):format(s, s)`,
		"format quoted":        `local s = ("\0"):rep(9e6) ;("%q"):format(s)`,
		"rep":                  `("b"):rep(1e300)`,
		"concat":               `local s = ("b"):rep(9e6) local u = s .. s`,
		"table.concat":         `local s = ("b"):rep(9e6) table.concat({ s, s })`,
		"table.concat between": `table.concat({ 1, 2, 3 }, ("b"):rep(9e6))`,
		"print":                `local s = ("b"):rep(9e6) print(s, s)`,
	} {
		t.Run(name, func(t *testing.T) {
			const head = "local ecs = require('ecs') ecs.component('Bag', { t = 'table' }) ecs.event('Got', { t = 'table' }) ecs.resource('bag', 'table')\nreturn function(world)\n"
			o := takingOptions(head + body + "\nend")
			if strings.HasPrefix(body, shared) {
				o.Limits.Instructions = 1e5 // far fewer than the tables: what does not count them passes
			}
			_, err := run(t, o, 1, System{Name: "a", Impl: Lua})
			if !errors.Is(err, ErrLimit) || errors.Is(err, ErrBug) {
				t.Errorf("got %v", err)
			}
			if testing.Short() {
				return
			}
			if strings.HasPrefix(body, shared) && name != "a resource" {
				return // it takes a while
			}
			_, err = run(t, takingOptions(head+"pcall(function()\n"+body+"\nend)\nend"), 1, System{Name: "a", Impl: Lua})
			if err != nil {
				t.Errorf("caught: %v", err)
			}
		})
	}
}
