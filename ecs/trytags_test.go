package ecs

import (
	"errors"
	"testing"
)

// Several tags are set all or not at all.
func TestSeveralTagsAreSetTogether(t *testing.T) {
	w := newWorld(Options{MaxTags: 3})
	var ids []TagID
	for _, name := range []string{"a", "b", "c", "d"} {
		ids = append(ids, must[TagID](t)(w.DeclareTag(name)))
	}
	e := must[Entity](t)(w.Spawn())
	if _, err := w.TryTags(e, ids...); !errors.Is(err, ErrLimit) || err.Error() != "tag d 0v1: limit reached: 3 tag entries" || len(w.TagsOf(e)) != 0 {
		t.Errorf("%v, %d tags are set", err, len(w.TagsOf(e)))
	}
	if set := must[bool](t)(w.TryTags(e, ids[0], ids[1], ids[0], ids[2])); !set || len(w.TagsOf(e)) != 3 {
		t.Errorf("%v, %d tags are set", set, len(w.TagsOf(e)))
	}
	if set := must[bool](t)(w.TryTags(e, ids[0], ids[2])); !set {
		t.Error("tags that are set count for the limit again")
	}
	w.Despawn(e)
	if set := must[bool](t)(w.TryTags(e, ids...)); set {
		t.Error("a dead entity has tags")
	}
}
