// Package fieldcode writes the code that reads and stores a field of each type: what is loaded from a row, which numbers a
// field can hold, and what is stored. It is used by package scalar, and knows neither Programs nor rows.
//
// In code, the value of a field is a local: 0 or 1 in 32 bits for a boolean, a float64 for all other types, as scripts see
// it. The types that have no code here (i64, u64, strings, tables) are refused with an [abi.Refusal]; such loops run as
// closures.
package fieldcode
