package config

import (
	"errors"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
)

// parseYAML builds the tree of nodes of a YAML document with two libraries. yaml/v3 is strict and takes linear
// time, but its syntax errors have a line at best. goccy's errors have line, column and better texts, but it
// accepts more and takes quadratic time. So v3 reads the document, and goccy is asked only about one that v3
// refuses.
func parseYAML(r *report, file string, data []byte) *node {
	var doc yaml.Node
	dec := yaml.NewDecoder(strings.NewReader(string(data)))
	if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
		return nil // comments at most
	} else if err != nil {
		pos, message, hint := explainYAML(file, data, err)
		r.add(pos, "", message, hint)
		return nil
	}
	var second yaml.Node
	if err := dec.Decode(&second); err == nil {
		pos := Pos{File: file, Line: max(1, second.Line), Column: max(1, second.Column)}
		r.add(pos, "", "a second document begins here", `a config is one document; drop the "---"`)
		return nil
	}
	if len(doc.Content) == 0 {
		return nil
	}
	y := yamlReader{report: r, file: file}
	return y.node(doc.Content[0], 0)
}

type yamlReader struct {
	*report
	file string
}

func (y *yamlReader) pos(n *yaml.Node) Pos { return Pos{File: y.file, Line: n.Line, Column: n.Column} }

// node converts a value. Aliases would let a small file become large and make positions ambiguous, so they are
// refused, like everything else that refers to another place.
func (y *yamlReader) node(n *yaml.Node, depth int) *node {
	out := &node{pos: y.pos(n), text: n.Value}
	if depth > maxDepth {
		y.add(out.pos, "", "nested too deeply", "a config needs four levels at most")
		return out
	}
	if n.Anchor != "" || n.Kind == yaml.AliasNode {
		y.add(out.pos, "", "YAML anchors and aliases are not supported", "write the value out")
		return out
	}
	if n.Style&yaml.TaggedStyle != 0 {
		y.add(out.pos, "", "YAML type tags are not supported", "leave "+clip(n.Tag)+" out")
		return out
	}
	switch n.Kind {
	case yaml.SequenceNode:
		out.kind = kindList
		for _, item := range n.Content {
			out.items = append(out.items, y.node(item, depth+1))
		}
	case yaml.MappingNode:
		out.kind = kindMapping
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			switch {
			case key.Kind != yaml.ScalarNode:
				y.add(y.pos(key), "", "a key must be a word", "write name: value")
			case key.ShortTag() == "!!merge":
				y.add(y.pos(key), "", "YAML merge keys are not supported", "write the values out")
			default:
				out.entries = append(out.entries, entry{key.Value, y.pos(key), y.node(n.Content[i+1], depth+1)})
			}
		}
	default:
		switch n.ShortTag() {
		case "!!null":
			out.kind = kindNull
		case "!!bool":
			out.kind, out.bool = kindBool, strings.EqualFold(n.Value, "true")
		case "!!int", "!!float":
			out.kind = kindNumber
		default: // a date is text here: nothing in a config is a date
			out.kind = kindText
		}
	}
	return out
}
