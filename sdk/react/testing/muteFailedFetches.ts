import { vi } from 'vitest'

const { error } = console

/** happy-dom logs every failed fetch. Tests that provoke failures mute those lines, and only those. */
export function muteFailedFetches(): void {
  vi.spyOn(console, 'error').mockImplementation((first: unknown, ...rest: unknown[]) => {
    const failed = /^[A-Z]+ http:\/\/localhost:\d+\S* [45]\d\d \(/.test(String(first))
    const cut = (first as { code?: string } | null)?.code === 'ECONNRESET'
    if (!failed && !cut) error(first, ...rest)
  })
}
