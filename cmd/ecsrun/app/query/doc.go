// Package query has the words of a query, as the inspector and --sample take them:
//
//	Position, !Frozen, ?Health, #enemy, !#dead, changed(Health), changed(Health, 40), (ChildOf, 17v2), !(ChildOf, *)
//
// query.go parses them, match.go says which entities they match, and names.go finds the name that was meant. As in queries of scripts, a
// component that an entity shares through IsA counts as its own. Reading changes nothing in a world, which keeps nothing of a query.
package query
