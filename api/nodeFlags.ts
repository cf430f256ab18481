/**
 * How Node runs the API. Left to itself V8 shrinks the young generation of a quiet process to 1 MB, so that nearly every
 * request waits for a collection of garbage.
 */
export const apiNodeFlags = ['--min-semi-space-size=8']
