package ecs

import (
	"container/heap"
	"fmt"
	"strings"
)

// ordered returns systems, which are given in the order of stages and adding, in running order: the next one is always the first of those
// whose After have all had their place. So After moves a system back and never one forward. A cycle is an error that names it.
func ordered(byPlace []*System, find func(name string) *System) ([]*System, error) {
	place := make(map[*System]int, len(byPlace))
	for i, sys := range byPlace {
		place[sys] = i
	}
	waits := make([]int, len(byPlace))     // by place: how many systems it still waits for
	waiting := make([][]int, len(byPlace)) // by place: who waits for it
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

// cycleFrom names the cycle that a system is in or waits for.
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

// places is a heap of places.
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
