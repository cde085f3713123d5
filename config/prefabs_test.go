package config

import (
	"strings"
	"testing"
)

const prefabHead = "version: 1\ncomponents:\n  - { name: Health, fields: [current f64 = 100, max f64] }\n  - { name: Bag, fields: [items table, \"slots u8[3]\", who entity, note string, on bool] }\ntags: [enemy]\nstates: [{ name: game, values: [on] }]\n"

func TestPrefabs(t *testing.T) {
	c, err := Parse("c.yaml", []byte(prefabHead+`prefabs:
  - name: goblin
    base: monster
    components: { Health: { current: 7 }, Bag: { items: [1, { k: x }], slots: [1, 2], note: hi, on: true } }
    tags: [enemy, game.on]
    children: [{ name: sword, base: monster, children: [{ name: gem, components: { Health: } }] }]
  - { name: monster }
`), YAML)
	if err != nil {
		t.Fatal(err)
	}
	g := c.Prefabs[0]
	if text := prefabText(g); text != "a monster {Bag { items = [1 [{k x}]], note = hi, on = true, slots = [1 2] }, Health { current = 7 }, enemy, game.on, sword: a monster {, gem: {Health {  }}}}" || g.Components[0].Component != "Health" {
		t.Errorf("it is %s", text)
	}
	for text, want := range map[string]string{
		"[{ name: a, base: b }]":                                                   `c.yaml:7:28: prefabs[0].base: no prefab "b"`,
		"[{ name: goblin }, { name: b, base: gobln }]":                             `did you mean "goblin"?`,
		"[{ name: a, base: b }, { name: b, children: [{ name: c, base: a }] }]":    `c.yaml:7:72: prefabs[1].children[0].base: cycle: "a" is made of "b" is made of "a"; remove one of these bases`,
		"[{ name: a, base: a }]":                                                   `cycle: "a" is made of "a"`,
		"[{ name: a }, { name: a }]":                                               `the name "a" is taken by the prefab on line 7`,
		"[{ name: a, children: [{ name: c }, { name: c }] }]":                      `the name "c" is taken by the child on line 7`,
		"[{ name: a, children: [{ nam: c }] }]":                                    `unknown key; did you mean "name"?`,
		"[{ name: a b }]":                                                          `"a b" is not a name for a prefab; write "a_b"`,
		"[{ name: a, tags: [enmy] }]":                                              `c.yaml:7:29: prefabs[0].tags[0]: no tag "enmy"; did you mean "enemy"?`,
		"[{ name: a, components: { Helth: {} } }]":                                 `prefabs[0].components.Helth: no component "Helth"; did you mean "Health"?`,
		"[{ name: a, components: { health: {} } }]":                                `no component "health"; did you mean "Health"?`,
		"[{ name: a, components: { IsA: {} } }]":                                   `"IsA" is a relation`,
		"[{ name: a, components: { Health: { curent: 1 } } }]":                     `prefabs[0].components.Health.curent: Health has no field "curent"; did you mean "current"?`,
		"[{ name: a, components: { Health: { current: strong } } }]":               `c.yaml:7:55: prefabs[0].components.Health.current: number expected for f64, got string "strong"`,
		"[{ name: a, components: { Health: { current: 1, current: 2 } } }]":        "key written twice",
		"[{ name: a, components: { Health: 7 } }]":                                 "mapping expected, got number 7; write Health: { FIELD: VALUE }",
		"[{ name: a, components: [Health] }]":                                      "mapping expected, got a list; write components: { Health: { current: 7 } }",
		"[{ name: a, components: { Bag: { who: 3 } } }]":                           "a config cannot name an entity",
		"[{ name: a, components: { Bag: { items: 3 } } }]":                         "a list or a mapping expected for table, got number 3",
		"[{ name: a, components: { Bag: { slots: 3 } } }]":                         "a list expected for u8[3], got number 3",
		"[{ name: a, components: { Bag: { slots: [1, 2, 3, 4] } } }]":              "4 values do not fit u8[3]",
		"[{ name: a, components: { Bag: { slots: [300] } } }]":                     "prefabs[0].components.Bag.slots[0]: 300 does not fit u8",
		"[{ name: a, components: { Bag: { note: } } }]":                            "value expected, got nothing",
		"[{ name: a, components: { Bag: { note: hi } }, tags: enemy, children: }]": "list expected, got string",
	} {
		_, err := Parse("c.yaml", []byte(prefabHead+"prefabs: "+text+"\n"), YAML)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s:\n%v\nwant %s", text, err, want)
		}
	}
}
