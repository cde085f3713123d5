// Package fieldcode writes the code that reads and stores a field of each type: what is loaded from a row, which numbers a
// field can hold, and what is stored. It is used by package scalar, and knows neither Programs nor rows.
//
// In code, the value of a field is a local: 0 or 1 in 32 bits for a boolean, a number of 32 bits that stands for a string, a
// float64 for all other types, as scripts see it. In a row, the number of a string is in the first bytes of the string's place,
// because code sees copies of such rows only. A field of 64 bits may have an integer that no number can hold; then the row stops (LoadWide). Tables have
// no code here, and are refused with an [abi.Refusal]; such loops run as closures.
package fieldcode
