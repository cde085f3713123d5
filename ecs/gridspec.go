package ecs

// Spec returns what the grid was declared with.
func (g *Grid) Spec() GridSpec { return g.spec }
