// Command gen writes the files of package ecs that are the same for one to six types: query1.go to query6.go and
// spawner1.go to spawner6.go. Run go generate in ecs after a change of a template; a test says when that was forgotten.
//
// Each template is the file for two types, with its names replaced. The comments for two types are whole; those for
// other numbers refer to them.
package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"go/format"
	"log"
	"os"
	"strconv"
	"strings"
	"text/template"
)

// most is the largest number of types.
const most = 6

var (
	//go:embed query.tmpl
	query string
	//go:embed spawner.tmpl
	spawner string
)

// A shape is what a template is executed with: a number of types.
type shape struct{ N int }

func (s shape) One() bool { return s.N == 1 }

func (s shape) Two() bool { return s.N == 2 }

// Word returns the number of types in words.
func (s shape) Word() string {
	return [...]string{"", "one type", "two types", "three types", "four types", "five types", "six types"}[s.N]
}

// Components returns the number of components in words.
func (s shape) Components() string { return strings.Replace(s.Word(), "type", "component", 1) }

// Types returns the list of type parameters.
func (s shape) Types() string { return s.Each("%T", ", ") }

// Registers returns the fields that a walk keeps in registers.
func (s shape) Registers() string { return s.first(2).Each("%t", ", ") }

// Results returns what a function of one result for each type returns.
func (s shape) Results(text string) string {
	if s.One() {
		return s.Each(text, ", ")
	}
	return "(" + s.Each(text, ", ") + ")"
}

// Addresses returns the results of Get: the first two columns are fields of the walk, the others of its state.
func (s shape) Addresses() string {
	const address = "(*%T)(unsafe.Add(BASE.%t, i*unsafe.Sizeof(*new(%T))))"
	var lines []string
	for i := 0; i < s.N; i += 2 {
		base := "w"
		if i == 0 {
			base = "e"
		}
		all := strings.Split(s.first(i+2).Each(strings.Replace(address, "BASE", base, 1), "\n"), "\n")
		lines = append(lines, strings.Join(all[i:], ", "))
	}
	return strings.Join(lines, ",\n")
}

// first returns the shape with no more than n types.
func (s shape) first(n int) shape { return shape{min(s.N, n)} }

// Each returns the text once for each type, with its letter for %T, its small letter for %t, and its number for %i.
func (s shape) Each(text, between string) string {
	all := make([]string, s.N)
	for i := range all {
		all[i] = strings.NewReplacer("%T", string(rune('A'+i)), "%t", string(rune('a'+i)), "%i", strconv.Itoa(i)).Replace(text)
	}
	return strings.Join(all, between)
}

// files returns the text of each file by its name.
func files() (map[string][]byte, error) {
	all := map[string][]byte{}
	for name, text := range map[string]string{"query": query, "spawner": spawner} {
		t, err := template.New(name + ".tmpl").Parse(text)
		if err != nil {
			return nil, err
		}
		for n := 1; n <= most; n++ {
			var b bytes.Buffer
			if err := t.Execute(&b, shape{n}); err != nil {
				return nil, err
			}
			file := name + strconv.Itoa(n) + ".go"
			if all[file], err = format.Source(b.Bytes()); err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
		}
	}
	return all, nil
}

func main() {
	all, err := files()
	if err != nil {
		log.Fatal(err)
	}
	for name, text := range all {
		if err := os.WriteFile(name, text, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}
