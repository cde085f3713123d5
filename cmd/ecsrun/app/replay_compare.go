package app

import (
	"fmt"
	"io"

	"github.com/ecsrun/ecsrun/luabind/record"
)

// What a replay finds: the first place where it differs from its record.

func (rp *replaying) compare(f *record.Frame) {
	want := rp.next
	if want == nil || rp.found != "" {
		return
	}
	when := fmt.Sprintf("frame %d", f.Number)
	switch {
	case rp.after:
		when = fmt.Sprintf("after frame %d", f.Number)
	case f.Number == 0:
		when = "before frame 1"
	}
	turn, part := "", ""
	for i := range max(len(f.Turns), len(want.Turns)) {
		switch {
		case i >= len(f.Turns):
			turn = fmt.Sprintf("system %q has no turn, as it has in the record", want.Turns[i].Name)
		case i >= len(want.Turns):
			turn = fmt.Sprintf("system %q has a turn, which it does not have in the record", f.Turns[i].Name)
		case f.Turns[i].Name != want.Turns[i].Name:
			turn = fmt.Sprintf("system %q has a turn where the record has system %q", f.Turns[i].Name, want.Turns[i].Name)
		case f.Turns[i] != want.Turns[i]:
			turn = fmt.Sprintf("system %q", f.Turns[i].Name)
		}
		if turn != "" {
			break
		}
	}
	for i := range max(len(f.Parts), len(want.Parts)) {
		switch {
		case i >= len(f.Parts):
			part = want.Parts[i].Name + ", which is only in the record"
		case i >= len(want.Parts):
			part = f.Parts[i].Name + ", which is not in the record"
		case f.Parts[i] != want.Parts[i]:
			part = f.Parts[i].Name
		}
		if part != "" {
			break
		}
	}
	switch {
	case turn != "" && part != "":
		rp.found = fmt.Sprintf("%s: %s: %s", when, turn, part)
	case turn != "":
		rp.found = fmt.Sprintf("%s: %s wrote something else, and the world is equal at the end of the frame", when, turn)
	case part != "":
		rp.found = fmt.Sprintf("%s: %s", when, part)
	case f.Digest != want.Digest:
		rp.found = fmt.Sprintf("%s: the order of tables or declarations", when)
	case f.Number != want.Number:
		rp.found = fmt.Sprintf("%s: the record has frame %d", when, want.Number)
	}
	if rp.found != "" {
		return
	}
	if f.Number > 0 && !rp.after {
		rp.frames++
	}
	rp.advance()
}

// warn says where the record itself cannot be repeated for sure.
func (rp *replaying) warn(to io.Writer) {
	if rp.next == nil {
		return
	}
	for _, mark := range rp.next.Marks {
		if rp.marks++; rp.marks <= 3 {
			fmt.Fprintf(to, "replay: in frame %d of the record a turn was ended by a measurement, which may be different now: %s\n", rp.next.Number, mark)
		}
	}
}

// result returns the last lines of a replay.
func (rp *replaying) result(frames uint64) string {
	if rp.found != "" {
		return "replay: differs: " + rp.found
	}
	text := fmt.Sprintf("replay: equal: %s", counted(rp.frames, "frame"))
	if rp.saved != "" {
		text += "; saved as " + rp.saved
	}
	if rp.next != nil {
		rp.left = rp.next.Number
	}
	if rp.left > 0 {
		return text + fmt.Sprintf("; the record goes on with frame %d", rp.left)
	}
	switch _, ok, what := rp.from.Ended(); {
	case rp.from.Damaged():
		text += fmt.Sprintf("; behind frame %d the record is damaged, and nothing was compared (%s)", frames, what)
	case !ok:
		text += fmt.Sprintf("; the run was killed after frame %d, its disk was full, or the file is cut (%s)", frames, what)
	}
	return text
}
