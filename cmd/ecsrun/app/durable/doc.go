// Package durable writes a file whole or not at all. After a crash, a kill -9 or a full disk at any moment, the folder
// holds the old file or the new one: never neither, and never a part of one.
//
// [Write] writes a temporary file in the same folder, syncs it, renames it, and syncs the folder. The temporary file
// begins with a dot and ends in ".partial" with a number, so it is never taken for the file itself. A process that is
// killed leaves it behind; [Sweep] removes what earlier processes have left.
//
// All access goes through the interface [FS], so that tests make every single operation fail.
package durable
