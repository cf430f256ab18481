import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared.js'

// Temporal's SDK hooks the promises of its workflows, for the call stacks in the UI. Where workflows run in a test's own
// thread, that is every promise of the test, and took a tenth of its CPU. No test looks at the call stacks of its own thread.
globalHandlers.installed = true
