import { vi } from 'vitest'

/** happy-dom logs every failed fetch. Tests that provoke failures mute those lines, and only those. */
export function muteFailedFetches(): void {
  // happy-dom keeps the console of the moment its window was made, which may be another than today's.
  const kept = typeof document === 'undefined' ? null : (document.defaultView as typeof globalThis | null)?.console
  for (const target of new Set([console, kept ?? console])) {
    if (vi.isMockFunction(target.error)) continue
    const { error } = target
    vi.spyOn(target, 'error').mockImplementation((first: unknown, ...rest: unknown[]) => {
      const failed = /^[A-Z]+ http:\/\/localhost:\d+\S* [45]\d\d \(/.test(String(first))
      const cut = (first as { code?: string } | null)?.code === 'ECONNRESET'
      if (!failed && !cut) error.call(target, first, ...rest)
    })
  }
}
