/** The least a workflow can cost. */
export async function noop(): Promise<void> {}
