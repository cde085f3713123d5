// Package export writes a world as tables for other programs: a file per component, and the files _tags, _relations
// and _resources. The formats are JSON lines and CSV. Files of one world are always the same, byte by byte.
//
// A layer is a .csv and, where its values are grey values, a .pgm, in each format.
//
// Rows are in the order of storage. A component's file has the columns entity and generation, which identify an
// entity (17 and 2 for 17v2), and one column per field. It has the entities that own the component, and not those that
// inherit it. A field that is called entity or generation gets a leading _.
package export
