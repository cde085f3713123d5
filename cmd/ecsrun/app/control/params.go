package control

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/query"
)

// A Param is a parameter of a method.
type Param struct {
	Name     string
	Type     Type
	Required bool
	Doc      string
}

// A Type says which JSON a parameter takes.
type Type string

// The types of parameters.
const (
	Text    Type = "string"
	Whole   Type = "whole number from 0"
	Number  Type = "number"
	Truth   Type = "true or false"
	Entity  Type = `entity ("17v2" or "@name")`
	Object  Type = "object"
	Strings Type = "list of strings"
	Cursor  Type = "string or whole number"
	Any     Type = "value"
)

func (t Type) fits(text json.RawMessage) bool {
	first := text[0]
	switch t {
	case Text, Entity:
		return first == '"'
	case Whole:
		return whole(text)
	case Number:
		return first == '-' || first >= '0' && first <= '9'
	case Truth:
		return first == 't' || first == 'f'
	case Object:
		return first == '{'
	case Strings:
		var list []*string
		if json.Unmarshal(text, &list) != nil {
			return false
		}
		for _, s := range list {
			if s == nil {
				return false
			}
		}
		return true
	case Cursor:
		return first == '"' || whole(text)
	}
	return true
}

func whole(text json.RawMessage) bool {
	n, err := strconv.ParseFloat(string(text), 64)
	return err == nil && n >= 0 && n <= exact && n == math.Trunc(n)
}

// args are the params of a call, checked. A param that is null counts as left out, but for those of the type Any.
type args map[string]json.RawMessage

// check decodes the params of a call of a method.
func check(m *Method, params json.RawMessage) (args, *Error) {
	a := args{}
	if len(params) > 0 && params[0] == '[' {
		var list []json.RawMessage
		if json.Unmarshal(params, &list) != nil || len(list) > 0 {
			return nil, wrong(CodeParams, "%s: params by name expected, as in {%s}", m.Name, m.example())
		}
	} else if len(params) > 0 {
		if err := json.Unmarshal(params, &a); err != nil {
			return nil, wrong(CodeParams, "%s: these are no params: %v", m.Name, err)
		}
		if name := doubled(params); name != "" {
			return nil, wrong(CodeParams, "%s: %q is there twice", m.Name, name)
		}
	}
	for name, text := range a {
		p := m.param(name)
		if p == nil {
			return nil, wrong(CodeParams, "%s has no param %q%s", m.Name, name, query.Meant(name, "its params", m.params()))
		}
		if string(text) == "null" && p.Type != Any {
			delete(a, name)
			continue
		}
		if !p.Type.fits(text) {
			return nil, wrong(CodeParams, "%s: %q: %s expected, got %s", m.Name, name, p.Type, shortened(text))
		}
	}
	for _, p := range m.Params {
		if _, there := a[p.Name]; p.Required && !there {
			return nil, wrong(CodeParams, "%s: %q is missing: %s", m.Name, p.Name, p.Doc)
		}
	}
	return a, nil
}

// doubled returns a key that a JSON object has twice, "" if there is none.
func doubled(object json.RawMessage) string {
	seen := map[string]bool{}
	d := json.NewDecoder(bytes.NewReader(object))
	_, _ = d.Token() // the brace: it was decoded before
	for d.More() {
		key, _ := d.Token()
		name, _ := key.(string)
		if seen[name] {
			return name
		}
		seen[name] = true
		var value json.RawMessage
		_ = d.Decode(&value)
	}
	return ""
}

// shortened returns a JSON text as messages show it.
func shortened(text json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, text) != nil || b.Len() > 60 {
		return strings.ToValidUTF8(string(text[:min(len(text), 60)]), "") + "…"
	}
	return b.String()
}

func (a args) has(name string) bool { return a[name] != nil }

func (a args) text(name string) (s string) {
	_ = json.Unmarshal(a[name], &s) // check has looked
	return s
}

func (a args) number(name string) (f float64) {
	_ = json.Unmarshal(a[name], &f)
	return f
}

func (a args) whole(name string) uint64 { return uint64(a.number(name)) }

func (a args) truth(name string) bool { return string(a[name]) == "true" }
