// Package portable computes sin, exp, pow and their kin to the same bits on every processor.
//
// Package math does not: some processors have assembly of their own for Exp or Pow, and on others the compiler fuses x*y + z into one
// rounding. So the last bit of math.Sin depends on the machine, a world that uses it drifts apart, and a digest that is right on one machine
// is wrong on another. The functions here have one algorithm each, of additions, multiplications, divisions and square roots, which IEEE 754
// defines to the bit. Lua's math table, its ^ operator and compiled loops use them; a native system that is to equal its script does, too:
//
//	pos.X = float64(portable.Cos(a) * r)
//
// What is exact everywhere is not here: use Sqrt, Floor, Ceil, Trunc, Abs, Copysign, Min, Max, Frexp and Ldexp of package math.
//
// # Accuracy
//
// Every result is less than one unit in the last place from the true value, over all arguments: huge angles, subnormals and results that
// almost overflow included. Exp and Pow stay below 0.56, most below 0.75, Sin and Cos below 0.85. Where the true value is representable (Pow(3, 4),
// Pow(2, -1074), Exp(0), Log10(1000)) the result is that value. Special cases are those of package math, which are those of C.
//
// The Not-a-Number that comes out has no promised sign or payload, as processors differ there: compare with x != x, never its bits.
//
// # How it stays so
//
// The Go language lets a compiler fuse a product into a sum even across statements; only float64() around the product forbids it. So every
// product in this package stands in float64(), whatever is done with it; a test reads the source and refuses any that does not. Numbers
// that need more than 53 bits are kept as a [pair], a rounded value and what the rounding lost. The tables are written out, and a test
// computes them again.
package portable
