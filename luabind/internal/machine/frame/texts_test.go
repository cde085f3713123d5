package frame

import (
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
)

// Equal strings have one number, wherever they are in memory, also when the cache by address grows; strings of the code have
// the numbers of their order.
func TestNumbersOfStrings(t *testing.T) {
	f := newFrame(t, &ir.Program{}, "fire", "ice")
	f.LendInputs()
	if f.NumberOf(strings.Clone("ice")) != 1 || f.NumberOf("fire") != 0 {
		t.Error("strings of the code have other numbers")
	}
	var names []string
	for i := range 1000 {
		names = append(names, fmt.Sprint("name ", i%300))
	}
	for round := range 2 {
		for i, name := range names {
			n := f.NumberOf(name)
			if f.TextOf(n) != name || n != f.NumberOf(names[i%300]) {
				t.Fatalf("round %d: %q is number %d, which is %q", round, name, n, f.TextOf(n))
			}
		}
	}
	if n := len(f.texts.list); n != 302 {
		t.Errorf("%d strings are known, not 302", n)
	}
}

// A row of a test: the fields of a component.
type textRow struct {
	weight float64
	text   string
}

// Rows get the numbers of their strings; rows that have stored a number get its string, and rows with abi.NoText keep theirs.
func TestStringsOfRows(t *testing.T) {
	f := newFrame(t, &ir.Program{}, "fire")
	f.LendInputs()
	rows := []textRow{{1, "ice"}, {2, "fire"}, {3, ""}, {4, "ice"}}
	copies := make([]textRow, len(rows))
	stride, offset := unsafe.Sizeof(textRow{}), unsafe.Offsetof(textRow{}.text)
	from, to := unsafe.Add(unsafe.Pointer(&rows[0]), offset), unsafe.Add(unsafe.Pointer(&copies[0]), offset)
	f.NumberRows(to, from, stride, len(rows))
	number := func(row int) *uint32 { return (*uint32)(unsafe.Add(to, uintptr(row)*stride)) }
	for i, r := range rows {
		if got := f.TextOf(*number(i)); got != r.text {
			t.Errorf("row %d has the number of %q, not of %q", i, got, r.text)
		}
	}
	*number(0), *number(1), *number(2) = f.NumberOf("acid"), abi.NoText, f.NumberOf("fire")
	f.TakeRows(from, to, stride, 3)
	for i, want := range []string{"acid", "fire", "fire", "ice"} {
		if rows[i].text != want || rows[i].weight != float64(i+1) {
			t.Errorf("row %d is %v, want %q", i, rows[i], want)
		}
	}
}

// Trim forgets strings only when there are many, and then keeps those of the code and of registers.
func TestTrim(t *testing.T) {
	p := &ir.Program{Texts: 1, Outputs: []ir.Output{{Place: ir.Place{Used: true, Type: ir.Text}, Mark: -1}}}
	f := newFrame(t, p, "fire")
	f.SetText(0, "kept")
	f.LendInputs()
	if f.Trim() {
		t.Error("a short list is shortened")
	}
	for i := range mostTexts {
		f.NumberOf(fmt.Sprint("name ", i))
	}
	if !f.Trim() || len(f.texts.list) != 2 || f.NumberOf("fire") != 0 || f.LentText(0) != "kept" {
		t.Errorf("%d strings are left: %q", len(f.texts.list), f.texts.list[:min(3, len(f.texts.list))])
	}
	if f.ReturnInputs(); f.Text(0) != "kept" {
		t.Errorf("the register has %q", f.Text(0))
	}
}
