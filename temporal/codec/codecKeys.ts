import { createSecretKey, type KeyObject } from 'node:crypto'

/** An AES-256 key and the name that encrypted payloads carry, so that keys can be rotated. */
export interface CodecKey {
  id: string
  key: KeyObject
}

const pattern = /^([A-Za-z0-9_.-]{1,64}):([0-9a-fA-F]{64})$/

/** Reads `id:hex32[,id:hex32…]`. The keys themselves never appear in a problem. */
export function parseCodecKeys(text: string, problem: (text: string) => void): CodecKey[] {
  if (!text) return []
  const keys: CodecKey[] = []
  for (const [index, part] of text.split(',').entries()) {
    const match = pattern.exec(part.trim())
    if (!match) {
      problem(`TEMPORAL_CODEC_KEYS entry ${index + 1} must be an id, a colon and 64 hex digits`)
      continue
    }
    const [, id, hex] = match as unknown as [string, string, string]
    if (keys.some((other) => other.id === id)) problem(`TEMPORAL_CODEC_KEYS names the id ${id} twice`)
    keys.push({ id, key: createSecretKey(Buffer.from(hex, 'hex')) })
  }
  return keys
}
