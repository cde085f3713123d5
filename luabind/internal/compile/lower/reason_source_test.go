package lower

import (
	"strings"
	"testing"

	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"
)

// Reasons show expressions as the source has them, with the parentheses that they need.
func TestExpressionsInReasons(t *testing.T) {
	for _, source := range []string{
		"list[(k + i) % #list + 1]", "a - (b - c)", "a - b - c", "a ^ b ^ c", "(a ^ b) ^ c", "a * (b + c)", "a * b + c", "(a or b) and c", "a and b or c", "a or b + 1", "(a and b) + 1", "a / (b * c)", "a / b * c", "t[a % 2 + 1].x", "f(…)[a]",
	} {
		body, err := parse.Parse(strings.NewReader("x = "+strings.ReplaceAll(source, "…", "1")), "test")
		if err != nil {
			t.Fatal(err)
		}
		if got := inSource(body[0].(*ast.AssignStmt).Rhs[0]); got != source {
			t.Errorf("%s is shown as %s", source, got)
		}
	}
}
