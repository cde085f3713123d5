// Package queue carries jobs of sweeps over a NATS server with JetStream, from a [Coordinator] to workers ([Finder], [Work]) and back.
//
// Streams are in memory: a server that is killed loses them, and the coordinator makes them again from its plan and its log. So nothing here is trusted with
// durability: a job may come twice, and a result, too, and a result is acknowledged only when it is in the log.
//
//	ECSRUN_JOBS_PLAN_FOLDER     a message for each job that is in flight; its metadata say which program and which files the sweep is of
//	ECSRUN_RESULTS_PLAN_FOLDER  the answers
//	ECSRUN_FILES_PLAN_FOLDER    the files of the sweep, by the hash of their content
//
// PLAN is the hash of the plan, and FOLDER the name of the folder of the results, so that two coordinators of one plan have streams of their own.
package queue
