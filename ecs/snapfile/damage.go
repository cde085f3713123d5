package snapfile

import "fmt"

// A Damage says that a file is no snapshot, is cut, or was changed: where, and what is wrong there. Errors of
// reading wrap it; test for it with errors.As.
type Damage struct {
	Section string // the section in which it was found; "" if it is outside of sections
	Offset  int64  // where in the file: the first byte of the record, or of the chunk, that is wrong
	Reason  string
}

// Error returns one line: section "world/slots", at byte 1234: the checksum is wrong.
func (d *Damage) Error() string {
	if d.Section == "" {
		return fmt.Sprintf("damaged snapshot, at byte %d: %s", d.Offset, d.Reason)
	}
	return fmt.Sprintf("damaged snapshot, section %q, at byte %d: %s", d.Section, d.Offset, d.Reason)
}

func damage(section string, offset int64, format string, args ...any) *Damage {
	return &Damage{Section: section, Offset: offset, Reason: fmt.Sprintf(format, args...)}
}

// A LaterVersion says that a file has a later version of the format than this program reads. Such a file is not damaged, and nothing is guessed of it.
type LaterVersion struct {
	Version int // of the file
}

// Error returns one line, with the way out.
func (v *LaterVersion) Error() string {
	return fmt.Sprintf("a later program has written this snapshot: it has version %d of the format, and this program reads version %d; use the program that has written it, or a newer one", v.Version, Version)
}
