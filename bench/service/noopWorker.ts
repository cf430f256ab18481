import { fileURLToPath } from 'node:url'
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker'

// A worker of its own for the workflow that does nothing, so that its CPU can be told from that of the service.
const [address, namespace] = process.argv.slice(2)
if (!address || !namespace) throw new Error('usage: noopWorker <address> <namespace>')
Runtime.install({ logger: new DefaultLogger('ERROR') })
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address }),
  namespace,
  taskQueue: 'noop',
  workflowsPath: fileURLToPath(new URL('./noopWorkflow.ts', import.meta.url)),
})
process.on('disconnect', () => process.exit()) // whoever measures is gone
process.send?.('ready')
await worker.run()
