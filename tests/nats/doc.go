// Package nats tests sweeps over a real NATS server, which it builds, starts, kills and starts again. It is a module of its own, so that the server is no dependency of ecsrun.
//
//	cd tests/nats && go test .
//
// NATS_KILLS is how often something is killed, and NATS_PARTITION how long the worker is cut off.
package nats
