package control

import (
	"os"
	"strings"
	"testing"
)

// The table of docs/inspector.md is the list of methods. UPDATE=1 writes it.
func TestDocs(t *testing.T) {
	const path = "../../../../docs/inspector.md"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), "<!-- methods -->\n")
	was, after, end := strings.Cut(rest, "<!-- end -->\n")
	if !ok || !end {
		t.Fatal("the page has no place for the table")
	}
	var b strings.Builder
	b.WriteString("| method | params | result |\n|---|---|---|\n")
	for _, m := range Methods() {
		b.WriteString("| `" + m.Name + "`: " + m.Doc + " |")
		for i, p := range m.Params {
			if i > 0 {
				b.WriteString("<br>")
			}
			b.WriteString(" `" + p.Name + "`: " + p.Doc)
		}
		b.WriteString(" | " + m.Result + " |\n")
	}
	if b.String() == was {
		return
	}
	if os.Getenv("UPDATE") == "" {
		t.Fatalf("docs/inspector.md has another table; UPDATE=1 go test ./cmd/ecsrun/app/control -run TestDocs writes it:\n%s", b.String())
	}
	if err := os.WriteFile(path, []byte(before+"<!-- methods -->\n"+b.String()+"<!-- end -->\n"+after), 0o666); err != nil {
		t.Fatal(err)
	}
}
