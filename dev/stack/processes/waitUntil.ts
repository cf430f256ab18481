/** Asks again and again until the answer is yes; a throw counts as no. Rejects when the time is up. */
export async function waitUntil(
  what: string,
  isTrue: () => Promise<boolean>,
  { timeoutMs, everyMs = 50 }: { timeoutMs: number; everyMs?: number },
): Promise<void> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    if (await isTrue().catch(() => false)) return
    if (Date.now() > deadline) throw new Error(`${what} was not ready after ${Math.round(timeoutMs / 1000)} s`)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
