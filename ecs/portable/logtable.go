package portable

// logTable has for i = 23…45 a number c near 32/i, and -log(c) in two parts, the first a multiple of 2^-42. c is a multiple of 1/32 for
// i < 32, else of 1/64: so few digits that c·z - 1 is exact for z near i/32.
var logTable = [...]struct{ c, hi, lo float64 }{
	{0x1.6p+0, -0x1.4618bc21c6p-2, 0x1.3d82f484c84ccp-46},
	{0x1.58p+0, -0x1.2e8e2bae12p-2, 0x1.67b1e99b72bd8p-45},
	{0x1.48p+0, -0x1.fb9186d5e4p-3, 0x1.d572aab993c87p-47},
	{0x1.38p+0, -0x1.9525a9cf46p-3, 0x1.297137d9f158fp-44},
	{0x1.3p+0, -0x1.5ff3070a7ap-3, 0x1.8586f183bebf2p-44},
	{0x1.28p+0, -0x1.29552f82p-3, 0x1.5b967f4471dfcp-44},
	{0x1.18p+0, -0x1.6f0d28ae58p-4, 0x1.4b4641b664613p-44},
	{0x1.1p+0, -0x1.f0a30c0118p-5, 0x1.d599e83368e91p-45},
	{0x1.08p+0, -0x1.f829b0e78p-6, -0x1.980267c7e09e4p-45},
	{0x1p+0, 0, 0},
	{0x1.fp-1, 0x1.0415d89e78p-5, -0x1.dddc7f461c516p-44},
	{0x1.ep-1, 0x1.08598b59e4p-4, -0x1.7e5dd7009902cp-46},
	{0x1.d8p-1, 0x1.4d3115d208p-4, -0x1.53a2582f4e1efp-48},
	{0x1.c8p-1, 0x1.da72763844p-4, 0x1.a89401fa71733p-46},
	{0x1.b8p-1, 0x1.365fcb015ap-3, -0x1.fd3a0afb9691bp-44},
	{0x1.bp-1, 0x1.5bf406b544p-3, -0x1.27023eb68981cp-46},
	{0x1.a8p-1, 0x1.823c16551ap-3, 0x1.e0ddb9a631e83p-46},
	{0x1.98p-1, 0x1.d1037f2656p-3, -0x1.84a7e75b6f6e4p-47},
	{0x1.9p-1, 0x1.f991c6cb3cp-3, -0x1.90d04cd7cc834p-44},
	{0x1.88p-1, 0x1.1178e8227ep-2, 0x1.1ef78ce2d07f2p-44},
	{0x1.8p-1, 0x1.269621134ep-2, -0x1.1b61f10522625p-44},
	{0x1.78p-1, 0x1.3c25277333p-2, 0x1.83b54b606bd5cp-46},
	{0x1.7p-1, 0x1.522ae0738ap-2, 0x1.ebe708164c759p-45},
}
