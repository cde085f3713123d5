package inputs

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// randomData makes plain data of random keys and values. Its texts are UTF-8.
func randomData(r *rand.Rand, depth int) ecs.Value {
	texts := []string{"", "1", "2", "true", "1.5", "$pairs", "é\n\"", "frame", "1e+21", "-0"}
	numbers := []float64{1, 2, 3, -1, 1.5, 1e21, 1 << 53, 1<<53 + 2, 1234567, 1e-7, 0}
	scalar := func() ecs.Value {
		switch r.IntN(3) {
		case 0:
			return ecs.Text(texts[r.IntN(len(texts))])
		case 1:
			return ecs.Number(numbers[r.IntN(len(numbers))])
		default:
			return ecs.Boolean(r.IntN(2) == 0)
		}
	}
	var entries []ecs.DataEntry
	for i := range r.IntN(5) {
		e := ecs.DataEntry{Key: ecs.Number(float64(i + 1)), Value: scalar()}
		switch r.IntN(3) {
		case 0:
			e.Key = scalar()
		case 1:
			e.Key = ecs.Text(texts[r.IntN(len(texts))])
		}
		if depth > 0 && r.IntN(3) == 0 {
			e.Value = randomData(r, depth-1)
		}
		entries = append(entries, e)
	}
	d, err := ecs.NewData(entries)
	if err != nil {
		panic(err)
	}
	return ecs.TableOf(d)
}

// What is written as JSON is read as what it was.
func TestDataIsReadAsItIsWritten(t *testing.T) {
	r := rand.New(rand.NewPCG(36, 0))
	deep := ecs.TableOf(nil)
	for range ecs.MaxDataDepth - 1 {
		d, err := ecs.NewData([]ecs.DataEntry{{Key: ecs.Boolean(true), Value: deep}})
		if err != nil {
			t.Fatal(err)
		}
		deep = ecs.TableOf(d)
	}
	for i := range 5000 {
		v := randomData(r, 3)
		if i == 0 {
			v = deep
		}
		text := string(v.AppendJSON(nil, ecs.TableField))
		n, err := parse(fmt.Sprintf(`{"with":{"t":%s}}`, text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		got, err := valueFor(ecs.TableField, &n.list[0].list[0])
		if err != nil || !got.Equal(v) {
			t.Fatalf("%s: %v, %v", text, got, err)
		}
	}
}

func TestPairsThatAreNone(t *testing.T) {
	for text, wants := range map[string]string{
		`{"$pairs":1}`:                   "stands alone",
		`{"$pairs":[],"x":1}`:            "stands alone",
		`{"$pairs":[[1]]}`:               `item 1 of "$pairs" is no pair`,
		`{"$pairs":[[1,2],{}]}`:          `item 2 of "$pairs" is no pair`,
		`{"$pairs":[[1,2],[1,3]]}`:       `a key is there twice`,
		`{"$pairs":[[[1],2]]}`:           "a table key must be a number, a string or a boolean",
		`{"$pairs":[[1,null]]}`:          "null has no place",
		`{"x":{"$pairs":[["a","b",1]]}}`: "no pair",
	} {
		n, err := parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := valueFor(ecs.TableField, &n); err == nil || !strings.Contains(err.Error(), wants) {
			t.Errorf("%s: error %v", text, err)
		}
	}
}
