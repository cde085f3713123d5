package translate

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
)

// write puts a source into a folder of its own.
func write(t *testing.T, src string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x.go"), []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// module is a module whose functions are those of the list, the last one exported as f.
func module(list []Func) []byte {
	section := func(b []byte, id byte, n int, body []byte) []byte {
		body = append(binary.AppendUvarint(nil, uint64(n)), body...)
		return append(binary.AppendUvarint(append(b, id), uint64(len(body))), body...)
	}
	var types, funcs, codes []byte
	for i, f := range list {
		types = append(binary.AppendUvarint(append(types, 0x60), uint64(len(f.Params))), f.Params...)
		types = append(binary.AppendUvarint(types, uint64(len(f.Results))), f.Results...)
		funcs = append(funcs, byte(i))
		body := bytes.Clone(f.Body)
		for _, c := range f.Calls {
			copy(body[c.At:], []byte{byte(c.Callee) | 0x80, 0x80, 0x80, 0x80, 0})
		}
		codes = append(binary.AppendUvarint(codes, uint64(len(body))), body...)
	}
	b := section([]byte("\x00asm\x01\x00\x00\x00"), 1, len(list), types)
	b = section(b, 3, len(list), funcs)
	b = section(b, 7, 1, []byte{1, 'f', 0, byte(len(list) - 1)})
	return section(b, 10, len(list), codes)
}

// runGo compiles the sample with Go and has it answer all cases, one line each.
func runGo(t *testing.T, sample string, cases [][3]float64) []string {
	t.Helper()
	var in strings.Builder
	for _, c := range cases {
		fmt.Fprintln(&in, math.Float64bits(c[0]), math.Float64bits(c[1]), math.Float64bits(c[2]))
	}
	dir := write(t, strings.Replace(sample, "package sample", "package main", 1))
	loop := "package main\n\nimport (\n\t\"fmt\"\n\t\"math\"\n)\n\nfunc main() {\n\tvar a, b, c uint64\n\tfor {\n\t\tif n, _ := fmt.Scan(&a, &b, &c); n < 3 {\n\t\t\treturn\n\t\t}\n" +
		"\t\tfmt.Printf(\"%x\\n\", F(math.Float64frombits(a), math.Float64frombits(b), math.Float64frombits(c)))\n\t}\n}\n"
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(loop), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "run", filepath.Join(dir, "x.go"), filepath.Join(dir, "main.go"))
	cmd.Stdin = strings.NewReader(in.String())
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}

// TestSampleIsGo: a source with everything that is translated gives in WebAssembly what Go gives, inlined and with functions set apart.
func TestSampleIsGo(t *testing.T) {
	src, err := os.ReadFile("testdata/sample.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	var cases [][3]float64
	for which := range 18 {
		for range 200 {
			cases = append(cases, [3]float64{float64(which), float64(r.IntN(41) - 20), float64(r.IntN(41)-20) + 0.5*float64(r.IntN(2))})
		}
		cases = append(cases, [3]float64{float64(which), 1 << 62, -1 << 61}, [3]float64{float64(which), 3, -3}, [3]float64{float64(which), 1, 0x1p40})
	}
	for i, c := range cases { // whole numbers divide
		if c[0] == 12 && int(c[1])*int(c[2]) == 0 {
			cases[i][1], cases[i][2] = 5, 15
		}
	}
	want := runGo(t, string(src), cases)
	if len(want) != len(cases) {
		t.Fatalf("%d answers to %d cases", len(want), len(cases))
	}
	dir := write(t, string(src))
	for _, separate := range [][]string{nil, {"early", "table", "ints", "bitsMul64", "divides", "structs"}} {
		list, err := Translate(dir, []string{"F"}, separate)
		if err != nil {
			t.Fatal(err)
		}
		if len(list) != len(separate)+1 {
			t.Errorf("%d functions, want F and %v", len(list), separate)
		}
		ctx := context.Background()
		rt := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
		defer func() { _ = rt.Close(ctx) }()
		m, err := rt.Instantiate(ctx, module(list))
		if err != nil {
			t.Fatal(err)
		}
		wrong := 0
		for i, c := range cases {
			out, err := m.ExportedFunction("f").Call(ctx, math.Float64bits(c[0]), math.Float64bits(c[1]), math.Float64bits(c[2]))
			if err != nil {
				t.Fatalf("%v: %v", c, err)
			}
			if got := fmt.Sprintf("%x", math.Float64frombits(out[0])); got != want[i] && wrong < 10 {
				t.Errorf("F%v = %s, Go says %s", c, got, want[i])
				wrong++
			}
		}
	}
}

// TestRefused: what the translator does not know, or WebAssembly has differently, is an error with its place.
func TestRefused(t *testing.T) {
	for body, want := range map[string]string{
		"func F(x float64) float64 { a := [2]float64{x, x}; return a[0] }":                                                                                   "x.go:3",
		"func F(x float64) float64 { return g(x) }\nfunc g(x float64) float64 { return F(x) }":                                                               "calls itself",
		"func F(x float64) float64 { return g(x) }\nfunc g(x float64) float64 { return g(x - 1) }":                                                           "without end",
		"func F(x float64) float64 { return math.Log(x) }":                                                                                                   "math.Log",
		"func F(n int) int { return 1 << n }":                                                                                                                "shift by what is neither",
		"func F(n uint64) uint64 { return n << (n & 64) }":                                                                                                   "shift by what is neither",
		"func F(x float64) float64 { for range 3 { x += 1 }; return x }":                                                                                     "RangeStmt",
		"func F(x float64) float64 { defer g(); return x }\nfunc g() {}":                                                                                     "DeferStmt",
		"func F(x float64) float64 { return float64(len(\"abc\")) + float64(global) }\nvar global int = h()\nfunc h() int { return len(os) }\nvar os string": "x.go",
		"func F(x float64) uint64 { return uint64(x) }":                                                                                                      "conversion of float64 to uint64",
		"func F(x float64) float64 { return min(x, 1) }":                                                                                                     "min of float64",
		"func F(x *float64) float64 { return *x }":                                                                                                           "a value of type *float64",
		"func F(x int32) int32 { return x }":                                                                                                                 "a value of type int32",
		"func F(x float64) float64 { var y = x; return y }":                                                                                                  "a declaration with values",
	} {
		_, err := Translate(write(t, "package x\nimport _ \"math\"\n"+body), []string{"F"}, nil)
		if strings.Contains(body, "math.") {
			_, err = Translate(write(t, "package x\nimport \"math\"\n"+body), []string{"F"}, nil)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\ngives %v, want %q", body, err, want)
		}
	}
	if _, err := Translate(write(t, "package x"), []string{"F"}, nil); err == nil || !strings.Contains(err.Error(), "no F") {
		t.Errorf("a function that is not there: %v", err)
	}
	if _, err := Translate(t.TempDir(), []string{"F"}, nil); err == nil {
		t.Error("no files are no error")
	}
}
