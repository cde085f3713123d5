package ecs

import (
	"container/heap"
	"fmt"
	"strings"
)

// This file computes the running order of systems for Schedule.Sort.

// ordered returns systems in running order. They are given by stage, and within a stage in the order of adding.
// The next system is always the first one whose After have all been placed, so After delays the system that has it
// and never moves another one forward. find returns a system by name and must know all names in After. A cycle is
// an error that names it.
func ordered(byPlace []*System, find func(name string) *System) ([]*System, error) {
	place := make(map[*System]int, len(byPlace))
	for i, sys := range byPlace {
		place[sys] = i
	}
	waits := make([]int, len(byPlace))     // by place: the number of systems that it still waits for
	waiting := make([][]int, len(byPlace)) // by place: the systems that wait for it
	var ready places
	for i, sys := range byPlace {
		for _, name := range sys.spec.After {
			before := place[find(name)]
			waiting[before] = append(waiting[before], i)
			waits[i]++
		}
		if waits[i] == 0 {
			ready = append(ready, i) // in order, so it is a heap
		}
	}
	order := make([]*System, 0, len(byPlace))
	for len(ready) > 0 {
		next := heap.Pop(&ready).(int)
		order = append(order, byPlace[next])
		for _, i := range waiting[next] {
			if waits[i]--; waits[i] == 0 {
				heap.Push(&ready, i)
			}
		}
	}
	if len(order) < len(byPlace) {
		for i, sys := range byPlace {
			if waits[i] > 0 {
				return nil, cycleFrom(sys, find)
			}
		}
	}
	return order, nil
}

// cycleFrom returns an error that names the cycle which sys is in or waits for.
func cycleFrom(sys *System, find func(name string) *System) error {
	const (
		visiting = iota + 1
		visited
	)
	state := map[*System]int{}
	var path []string
	var visit func(sys *System) error
	visit = func(sys *System) error {
		switch state[sys] {
		case visited:
			return nil
		case visiting:
			return fmt.Errorf("systems run after each other: %s", strings.Join(append(path, sys.spec.Name), " after "))
		}
		state[sys] = visiting
		path = append(path, sys.spec.Name)
		for _, name := range sys.spec.After {
			if err := visit(find(name)); err != nil {
				return err
			}
		}
		path = path[:len(path)-1]
		state[sys] = visited
		return nil
	}
	return visit(sys)
}

// places is a heap of places in the given order, for container/heap.
type places []int

func (p places) Len() int           { return len(p) }
func (p places) Less(i, j int) bool { return p[i] < p[j] }
func (p places) Swap(i, j int)      { p[i], p[j] = p[j], p[i] }
func (p *places) Push(x any)        { *p = append(*p, x.(int)) }
func (p *places) Pop() any {
	last := (*p)[len(*p)-1]
	*p = (*p)[:len(*p)-1]
	return last
}
