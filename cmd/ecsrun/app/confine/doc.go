// Package confine takes from the running process what it does not need, so that neither a script nor a fault in this
// program can read, change or send anything else. [Process] is called once, before any script is loaded; nothing
// gives the rights back.
//
// On Linux, Landlock restricts files: the process may read and write only below the folders of the [Rules]. A seccomp
// filter refuses what Landlock does not cover: sockets, other programs, other processes, io_uring, owners and modes of
// files, and the administration of the system. Both hold for all threads of the process. Other systems have no such
// thing, and Process says so.
//
// What was open before stays open: standard input and output, files, and a socket that already listens.
package confine
