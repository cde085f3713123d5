package luabind

import (
	"strings"
	"testing"
)

// Programs are shrunk to what a failure needs: whole programs, lines, blocks and what stands in brackets. The source stays as it is otherwise.
func TestShrink(t *testing.T) {
	const program = `local a = 1
return function(world)
  for e, p in world:each("A") do
    if p.x > 3 then
      p.x = (p.y + (2 * p.x))
      p.y = 1
    else
      p.z = 2
    end
    print(p.x)
  end
  for i = 1, 3 do
    a = a + i
  end
end`
	contains := func(words ...string) func([]string) bool {
		return func(sources []string) bool {
			for _, w := range words {
				if !strings.Contains(strings.Join(sources, "\n"), w) {
					return false
				}
			}
			return true
		}
	}
	for name, c := range map[string]struct {
		sources []string
		bad     func([]string) bool
		want    string
	}{
		"one line":                    {[]string{program}, contains("print(p.x)"), "    print(p.x)"},
		"one program of three":        {[]string{"x = 1", "y = 2", "z = 3"}, contains("y"), "y = 2"},
		"two programs":                {[]string{"x = 1", "y = 2", "z = 3"}, contains("x", "z"), "x = 1\n--\nz = 3"},
		"a block and a line in it":    {[]string{program}, contains("for i", "a + i", "\n  end"), "  for i = 1, 3 do\n    a = a + i\n  end"},
		"a side of what is in braces": {[]string{program}, contains("p.x = ", "2 *"), "      p.x = + 2 *"},
		"nothing can go":              {[]string{"x = 1"}, func(s []string) bool { return s[0] == "x = 1" }, "x = 1"},
	} {
		got := strings.Join(shrink(c.sources, c.bad), "\n--\n")
		if got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, c.want)
		}
	}
	tries := 0
	shrink([]string{strings.Repeat("x = 1\n", 5000)}, func([]string) bool { tries++; return tries%2 == 0 })
	if tries > mostTries {
		t.Errorf("it tried %d times", tries)
	}
}
