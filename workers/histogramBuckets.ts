/** Milliseconds. Temporal's own buckets start at 50 ms, where a signature is already over. */
const fast = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000]
/** For what may wait for a chain or a person. */
const slow = [10, 50, 100, 500, 1_000, 5_000, 10_000, 30_000, 60_000, 300_000, 900_000, 1_800_000]

/** Buckets of the latency histograms, by metric. */
export const histogramBucketOverrides: Record<string, number[]> = {
  temporal_workflow_task_schedule_to_start_latency: fast,
  temporal_workflow_task_execution_latency: fast,
  temporal_workflow_task_replay_latency: fast,
  temporal_local_activity_execution_latency: fast,
  temporal_local_activity_succeed_endtoend_latency: fast,
  temporal_request_latency: fast,
  temporal_activity_schedule_to_start_latency: slow,
  temporal_activity_execution_latency: slow,
  temporal_activity_succeed_endtoend_latency: slow,
  temporal_workflow_endtoend_latency: slow,
  perigee_publish_confirmation: slow,
}
