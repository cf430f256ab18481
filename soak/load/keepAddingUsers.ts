import { setTimeout as sleep } from 'node:timers/promises'

const pauseMs = 10_000

/** New users sign in and get wallets while there are faults. A user that a fault stops half way is not tried again; the receipt of their key must still be published. */
export function keepAddingUsers(addUser: () => Promise<void>) {
  const stopping = new AbortController()
  const run = async () => {
    while (!stopping.signal.aborted) {
      await addUser().catch(() => undefined)
      await sleep(pauseMs, undefined, stopping).catch(() => undefined)
    }
  }
  const running = run()
  return {
    async stop(): Promise<void> {
      stopping.abort()
      await running
    },
  }
}
