package query

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
)

// A Query is a parsed query.
type Query struct {
	Shown []ecs.ComponentID // whose values are asked for, in the order of the words
	Pairs []Pair

	world    *ecs.World
	required []ecs.ComponentID // with those of changed
	without  []ecs.ComponentID
	tagged   []ecs.TagID
	untagged []ecs.TagID
	changed  []change
	isA      ecs.RelationID
	inherits bool // IsA is declared
}

// A change is changed(Name) or changed(Name, N).
type change struct {
	id    ecs.ComponentID
	since ecs.Tick // the first tick that counts
}

// A Pair is (Relation, target) or (Relation, *).
type Pair struct {
	Relation ecs.RelationID
	Not      bool
	target   ecs.Entity // None for any
}

// Words are those that need more than a world.
type Words struct {
	// Entity finds the target of a pair. Of nil only "17v2" is known.
	Entity func(text string) (ecs.Entity, error)
	// Since returns the first tick of a frame, or of the present one where framed is false. Of nil there is no word changed.
	Since func(frame uint64, framed bool) (ecs.Tick, error)
}

// Parse parses a query. Its errors name the word that is wrong. A text without words matches all entities.
func Parse(w *ecs.World, text string, more Words) (*Query, error) {
	q := &Query{world: w}
	q.isA, q.inherits = w.LookupRelation(ecs.IsA)
	if strings.TrimSpace(text) == "" {
		return q, nil
	}
	terms, err := split(text)
	if err != nil {
		return nil, err
	}
	for _, term := range terms {
		if err := q.term(more, term); err != nil {
			return nil, err
		}
	}
	return q, nil
}

// Require makes the query match only entities with these components, too.
func (q *Query) Require(ids ...ecs.ComponentID) { q.required = append(q.required, ids...) }

// split splits a text at the commas outside of parentheses.
func split(text string) (terms []string, err error) {
	depth, from := 0, 0
	for i, r := range text {
		switch r {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return nil, fmt.Errorf("query: column %d: a ) without a (", i+1)
			}
		case ',':
			if depth == 0 {
				terms, from = append(terms, text[from:i]), i+1
			}
		}
	}
	if depth > 0 {
		return nil, fmt.Errorf("query: a ( without a )")
	}
	terms = append(terms, text[from:])
	for i, t := range terms {
		if terms[i] = strings.TrimSpace(t); terms[i] == "" {
			return nil, fmt.Errorf("query: a word is missing before or after a comma; they are Name, !Name, ?Name, #tag, !#tag, changed(Name), (Relation, 17v2)")
		}
	}
	return terms, nil
}

func (q *Query) term(more Words, term string) error {
	word, not := strings.CutPrefix(term, "!")
	word, optional := strings.CutPrefix(strings.TrimSpace(word), "?")
	word = strings.TrimSpace(word)
	plain := !not && !optional
	switch {
	case not && optional:
		return fmt.Errorf("query: %q: either ! or ?", term)
	case strings.HasPrefix(word, "#"):
		id, err := Tag(q.world, strings.TrimSpace(word[1:]))
		if err != nil {
			return err
		}
		switch {
		case optional:
			return fmt.Errorf("query: %q: rows have all tags of their entity; only components can be optional", term)
		case not:
			q.untagged = append(q.untagged, id)
		default:
			q.tagged = append(q.tagged, id)
		}
		return nil
	case strings.HasPrefix(word, "("):
		if optional {
			return fmt.Errorf("query: %q: only components can be optional", term)
		}
		return q.pair(more, term, word, not)
	}
	if name, inner, ok := strings.Cut(word, "("); ok {
		if strings.TrimSpace(name) != "changed" || !strings.HasSuffix(inner, ")") || !plain {
			return fmt.Errorf("query: %q: changed(Name) or changed(Name, FRAME) expected", term)
		}
		return q.change(more, term, strings.TrimSuffix(inner, ")"))
	}
	id, err := Component(q.world, word)
	if err != nil {
		return err
	}
	switch {
	case not:
		q.without = append(q.without, id)
		return nil
	case !optional:
		q.required = append(q.required, id)
	}
	q.show(id)
	return nil
}

// show asks for the values of a component, once.
func (q *Query) show(id ecs.ComponentID) {
	for _, s := range q.Shown {
		if s == id {
			return
		}
	}
	q.Shown = append(q.Shown, id)
}

func (q *Query) change(more Words, term, inner string) error {
	if more.Since == nil {
		return fmt.Errorf("query: %q: what has changed is known to the inspector only", term)
	}
	name, since, framed := strings.Cut(inner, ",")
	id, err := Component(q.world, strings.TrimSpace(name))
	if err != nil {
		return err
	}
	frame := q.world.Frame()
	if framed {
		if frame, err = strconv.ParseUint(strings.TrimSpace(since), 10, 53); err != nil {
			return fmt.Errorf("query: %q: the number of a frame expected behind the comma", term)
		}
	}
	tick, err := more.Since(frame, framed)
	if err != nil {
		return fmt.Errorf("query: %q: %w", term, err)
	}
	q.changed = append(q.changed, change{id, tick})
	q.required = append(q.required, id)
	q.show(id)
	return nil
}

func (q *Query) pair(more Words, term, word string, not bool) error {
	name, target, ok := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(word, "("), ")"), ",")
	target = strings.TrimSpace(target)
	if !ok || !strings.HasSuffix(word, ")") {
		return fmt.Errorf("query: %q: (Relation, 17v2) or (Relation, *) expected", term)
	}
	id, err := Relation(q.world, strings.TrimSpace(name))
	if err != nil {
		return err
	}
	e := ecs.None
	if target != "*" {
		if more.Entity == nil {
			more.Entity = entity
		}
		if e, err = more.Entity(target); err != nil {
			return err
		}
	}
	q.Pairs = append(q.Pairs, Pair{Relation: id, Not: not, target: e})
	return nil
}

func entity(text string) (ecs.Entity, error) {
	if e, ok := ecs.ParseEntity(text); ok {
		return e, nil
	}
	return ecs.None, fmt.Errorf(`an entity expected, got %.60q; entities are written as 17v2`, text)
}
