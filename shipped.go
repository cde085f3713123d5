// Package ecsrun holds the worlds that ship with the program, so that ecsrun init can write them. The program is cmd/ecsrun; the storage is package ecs.
package ecsrun

import "embed"

// Worlds has the shipped configs and their scripts, by the same paths as the repository.
//
//go:embed config/tutorial.yaml config/arena.yaml config/gallery scripts/gallery scripts/tutorial scripts/arena scripts/lib scripts/mods
var Worlds embed.FS
