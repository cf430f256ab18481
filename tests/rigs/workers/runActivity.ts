import { MockActivityEnvironment } from '@temporalio/testing'
import { DefaultLogger } from '@temporalio/worker'

/** Runs an activity in a context of its own, as a worker does: a shared one would share its cancellation too. */
export const runActivity: MockActivityEnvironment['run'] = (activity, ...args) =>
  new MockActivityEnvironment(undefined, { logger: new DefaultLogger('ERROR') }).run(activity, ...args)
