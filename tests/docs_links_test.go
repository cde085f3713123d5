package tests

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	docLink    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	docFenced  = regexp.MustCompile("(?ms)^\\s*```.*?^\\s*```$")
	docHeading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	notInSlug  = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// TestDocsLinks: every link between documents leads to a file, and to a heading of it.
func TestDocsLinks(t *testing.T) {
	links := 0
	for _, page := range append(docPages(t), "CHANGELOG.md") {
		for _, m := range docLink.FindAllStringSubmatch(prose(t, page), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			links++
			path, anchor, _ := strings.Cut(m[1], "#")
			target := page
			if path != "" {
				target = filepath.Join(filepath.Dir(page), path)
			}
			if _, err := os.Stat(filepath.Join("..", target)); err != nil {
				t.Errorf("%s: the link %s leads nowhere", page, m[1])
				continue
			}
			if anchor != "" && !anchors(t, target)[anchor] {
				t.Errorf("%s: %s has no heading for the link %s", page, target, m[1])
			}
		}
	}
	if links < 20 {
		t.Errorf("only %d links were found", links)
	}
}

// prose is a page without its fences.
func prose(t *testing.T, page string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", page))
	if err != nil {
		t.Fatal(err)
	}
	return docFenced.ReplaceAllString(string(data), "")
}

// anchors are the headings of a page as links write them: lower case, hyphens for spaces, no other signs.
func anchors(t *testing.T, page string) map[string]bool {
	out := map[string]bool{}
	for _, m := range docHeading.FindAllStringSubmatch(prose(t, page), -1) {
		out[strings.ReplaceAll(notInSlug.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-")] = true
	}
	return out
}
