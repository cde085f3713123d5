package api

// cell are the types of the arguments that name a cell and its value.
var cell = map[string]string{
	"x": "integer", "y": "integer", "v": "any", "w": "integer", "h": "integer", "r": "integer", "other": "ecs.Layer", "amount": "number",
	"neighbourhood": `"moore"|"neumann"`,
}

// layerTexts describes the functions of a layer.
var layerTexts = map[string]Text{
	"add":    {Params: "x, y, amount", Types: cell, Doc: "Adds to the number in a cell."},
	"around": {Params: "x, y, r, neighbourhood?", Types: cell, Returns: []string{"fun(): integer, integer, any next"}, Doc: "Visits the cells around a cell, without the cell itself: the square (moore), or those with |dx| + |dy| <= r (neumann)."},
	"copy":   {Params: "other", Types: cell, Doc: "Makes all cells equal to those of another layer of the same type and size."},
	"count":  {Params: "v", Types: cell, Returns: []string{"integer count"}, Doc: "Returns how many cells have a value."},
	"each":   {Returns: []string{"fun(): integer, integer, any next"}, Doc: "Visits all cells, row by row: x, y and the value."},
	"fill":   {Params: "v, x?, y?, w?, h?", Types: cell, Doc: "Writes a value into all cells, or into a rectangle."},
	"get":    {Params: "x, y", Types: cell, Returns: []string{"any value"}, Doc: "Returns the value of a cell."},
	"set":    {Params: "x, y, v", Types: cell, Doc: "Writes a cell, at once."},
	"size":   {Returns: []string{"integer width", "integer height"}, Doc: "Returns the number of cells in a row, and of rows."},
	"sum":    {Returns: []string{"number sum"}, Doc: "Returns the sum of all cells; of a bool layer the number of true ones."},
}
