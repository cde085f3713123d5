package app

import (
	"io"
	"os"
	"strings"

	"github.com/ecsrun/ecsrun/luabind"
)

// SARIF 2.1.0, the format of static analysis that code hosts and editors read. The types have what check says, in the
// order of the standard.

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool       sarifTool         `json:"tool"`
	Columns    string            `json:"columnKind"`
	Invocation []sarifInvocation `json:"invocations"`
	Results    []sarifResult     `json:"results"`
}

type sarifInvocation struct {
	Successful bool `json:"executionSuccessful"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version"`
	URI     string      `json:"informationUri"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID      string      `json:"id"`
	Short   sarifText   `json:"shortDescription"`
	HelpURI string      `json:"helpUri"`
	Default sarifLevels `json:"defaultConfiguration"`
}

type sarifLevels struct {
	Level string `json:"level"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	Rule      string          `json:"ruleId"`
	Index     int             `json:"ruleIndex"`
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations,omitempty"`
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	Line   int `json:"startLine"`
	Column int `json:"startColumn,omitempty"`
}

const homePage = "https://" + modulePath

// sarif writes one log with one run.
func (r *checkReport) sarif(w io.Writer) error {
	run := sarifRun{
		Tool:    sarifTool{sarifDriver{Name: "ecsrun check", Version: version(), URI: homePage}},
		Columns: "unicodeCodePoints", Invocation: []sarifInvocation{{true}}, Results: []sarifResult{},
	}
	index := map[string]int{}
	for i, code := range luabind.WarningCodes() {
		index[code.ID] = i
		level := "warning"
		if code.Error {
			level = "error"
		}
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{code.ID, sarifText{code.Title}, homePage + "/blob/main/docs/check.md#" + anchor(code), sarifLevels{level}})
	}
	for _, x := range r.list {
		text := x.message
		if x.fix != "" {
			text += "; " + x.fix
		}
		result := sarifResult{Rule: x.code, Index: index[x.code], Level: r.level(x), Message: sarifText{text}}
		if _, err := os.Stat(x.pos.File); err == nil { // a flag or a variable has no file
			at := sarifPhysical{Artifact: sarifArtifact{fileURI(x.pos.File)}}
			if x.pos.Line > 0 {
				at.Region = &sarifRegion{x.pos.Line, x.pos.Column}
			}
			result.Locations = []sarifLocation{{at}}
		}
		run.Results = append(run.Results, result)
	}
	return writeJSON(w, sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

// anchor returns the fragment of a code's heading in docs/check.md.
func anchor(code luabind.WarningCode) string {
	text := strings.ToLower(code.ID + " " + code.Title)
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-':
			return r
		case r == ' ':
			return '-'
		default:
			return -1
		}
	}, text)
}
