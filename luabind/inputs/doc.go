// Package inputs connects a world with other programs through lines of JSON. A [Decoder] reads lines that say what is
// done to the world before which frame: an event to send, a resource to set, or the end of the run. An [Emitter] writes
// the events of each frame as lines. `ecsrun run --input` and `--emit` are made of them.
//
//	{"frame": 10, "send": "Key", "with": {"code": 32}}
//	{"set": "score", "to": 3}
//	{"stop": "the player has left"}
//
// Values are written as JSON has them. In both directions entities are "17v2" and none is null; the numbers that JSON
// does not have are the strings "nan", "inf" and "-inf". Tables with the keys 1, 2, … are lists, others are objects.
//
// Decoding is strict: an unknown or repeated key, a value of the wrong type, a name that is not declared, bytes that are
// no UTF-8 and a line longer than [MaxLine] are errors with the number of the line. The package reads no clock and starts
// no goroutine.
package inputs
