module github.com/ecsrun/ecsrun

go 1.26

require github.com/yuin/gopher-lua v1.1.2 // indirect
