// Package compile is the folder of what makes typed programs of query loops. It uses the folders host and lua.
//
//	lower   makes a Program of the syntax of a loop and the values it uses, or says why it cannot
//	ir      the Program: typed expressions and statements, their check and their text
//
// Look here when explain refuses a loop, or when a construct of Lua is to be compiled.
package compile
