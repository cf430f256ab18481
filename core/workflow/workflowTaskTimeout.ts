/** How long a killed worker can hold a run, or its caller, up: after this the server gives the workflow task to another. */
export const workflowTaskTimeout = '5s'
