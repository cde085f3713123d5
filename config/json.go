package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
)

// parseJSON builds the tree of nodes of a JSON document, or reports why it cannot.
func parseJSON(r *report, file string, data []byte) *node {
	j := &jsonReader{report: r, data: data, text: newText(file, data), dec: json.NewDecoder(bytes.NewReader(data))}
	// The token stream accepts some invalid input, so the whole document is checked first.
	var whole json.RawMessage
	if err := json.Unmarshal(data, &whole); err != nil {
		pos := j.text.at(len(data))
		var at *json.SyntaxError
		if errors.As(err, &at) {
			pos = j.text.at(max(0, int(at.Offset)-1))
		}
		r.add(pos, "", oneLine(err.Error()), jsonHint(err.Error()))
		return nil
	}
	j.dec.UseNumber()
	return j.value(j.token(), 0)
}

type jsonReader struct {
	*report
	data  []byte
	text  *lines
	dec   *json.Decoder
	start Pos // of the token read last
}

func (j *jsonReader) token() json.Token {
	at := int(j.dec.InputOffset())
	for at < len(j.data) && strings.IndexByte(" \t\r\n,:", j.data[at]) >= 0 {
		at++
	}
	j.start = j.text.at(at)
	tok, _ := j.dec.Token() // cannot fail: the document is valid
	return tok
}

func (j *jsonReader) value(tok json.Token, depth int) *node {
	out := &node{pos: j.start}
	if depth == maxDepth+1 { // once per branch; what is below is read all the same
		j.add(out.pos, "", "nested too deeply", "a config needs four levels at most")
	}
	switch v := tok.(type) {
	case nil:
		out.kind = kindNull
	case bool:
		out.kind, out.bool = kindBool, v
	case json.Number:
		out.kind, out.text = kindNumber, v.String()
	case string:
		out.kind, out.text = kindText, v
	case json.Delim:
		if v == '[' {
			out.kind = kindList
			for j.dec.More() {
				out.items = append(out.items, j.value(j.token(), depth+1))
			}
		} else {
			out.kind = kindMapping
			for j.dec.More() {
				key, _ := j.token().(string)
				pos := j.start
				out.entries = append(out.entries, entry{key, pos, j.value(j.token(), depth+1)})
			}
		}
		j.token() // the closing bracket
	}
	return out
}

func jsonHint(message string) string {
	switch {
	case strings.Contains(message, "'/'"):
		return "JSON has no comments; YAML and TOML do"
	case strings.Contains(message, "beginning of object key"), strings.Contains(message, "beginning of value"):
		return "look for a comma too many, or quotes that are missing"
	case strings.Contains(message, "unexpected end"):
		return "a bracket or a quote is not closed"
	}
	return "look for a comma or quotes that are missing"
}
