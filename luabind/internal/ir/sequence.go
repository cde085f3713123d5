package ir

import "fmt"

// The order of the members of tables that rows make.

// A Sequence is the order in which one table of a [Keyed] with Makes has got members that it did not have: the order in which pairs
// gives them. It also says whether rows have made the table, and with how many members. Code in machine language keeps it
// in this form: the number of the i-th member is at bit 4*i.
type Sequence uint64

// The parts of a Sequence behind the numbers of members.
const (
	SequenceCount = 48 // shift: how many members it has, at most 12
	SequenceFirst = 52 // shift: how many of them the constructor has given

	SequenceMade Sequence = 1 << 56 // rows have made the table
)

// NewRow returns the Sequence of a table that rows make, with its first members.
func NewRow(members []int) Sequence {
	s := SequenceMade | Sequence(len(members))<<SequenceFirst
	for _, m := range members {
		s = s.With(m)
	}
	return s
}

// With returns the Sequence with one more member.
func (s Sequence) With(member int) Sequence {
	return s | Sequence(member)<<(4*s.Len()) + 1<<SequenceCount
}

// Len returns how many members there are.
func (s Sequence) Len() int { return int(s >> SequenceCount & 15) }

// First returns how many of them the constructor has given.
func (s Sequence) First() int { return int(s >> SequenceFirst & 15) }

// Constructor returns the Sequence without what came behind the constructor.
func (s Sequence) Constructor() Sequence {
	n := s.First()
	return SequenceMade | Sequence(n)<<SequenceFirst | Sequence(n)<<SequenceCount | s&(1<<(4*n)-1)
}

// At returns the i-th member.
func (s Sequence) At(i int) int { return int(s >> (4 * i) & 15) }

// String returns the numbers of the members in their order, for a message.
func (s Sequence) String() string {
	members := make([]int, s.Len())
	for i := range members {
		members[i] = s.At(i)
	}
	if s.Made() {
		return fmt.Sprint("made with ", s.First(), " of ", members)
	}
	return fmt.Sprint(members)
}

// Made reports whether rows have made the table.
func (s Sequence) Made() bool { return s&SequenceMade != 0 }

// Then returns the Sequence of a table that had one, and got the members of another one, or was made with it.
func (s Sequence) Then(more Sequence) Sequence {
	if more.Made() {
		return more
	}
	for i := range more.Len() {
		s = s.With(more.At(i))
	}
	return s
}
