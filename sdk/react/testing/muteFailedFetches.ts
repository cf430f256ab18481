import original from 'node:console'
import { vi } from 'vitest'

/** happy-dom logs every failed fetch. Tests that provoke failures mute those lines, and only those. */
export function muteFailedFetches(): void {
  // happy-dom may have kept Node's own console, from before Vitest replaced it.
  for (const target of new Set([console, original])) {
    if (vi.isMockFunction(target.error)) continue
    const { error } = target
    vi.spyOn(target, 'error').mockImplementation((first: unknown, ...rest: unknown[]) => {
      const failed = /^[A-Z]+ http:\/\/localhost:\d+\S* [45]\d\d \(/.test(String(first))
      const cut = /^ECONN(RESET|REFUSED)$/.test((first as { code?: string } | null)?.code ?? '')
      const ended = first instanceof DOMException && first.name === 'AbortError'
      if (!failed && !cut && !ended) error.call(target, first, ...rest)
    })
  }
}

/** Ends what the page still asks. Otherwise it fails after the file's last test, where nothing mutes its line. */
export async function endFetches(): Promise<void> {
  await (window as unknown as { happyDOM: { abort(): Promise<void> } }).happyDOM.abort()
}
