import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { portTable } from '../../dev/stack/settings/ports.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const example = readFileSync(join(root, '.env.example'), 'utf8')
const documented = new Set([...example.matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name))

/** Files that read the environment: configuration by name, and those that share the work. */
const isConfiguration = (path: string) =>
  /(?:^|\/)(?:config|[A-Za-z]*Config|parse[A-Za-z]*Trust)\.ts$|^core\/config\/|^web\/vite\.config\.ts$/.test(path) &&
  !path.includes('.test.')

const notVariables = new Set(['VITE_', 'MAX_SAFE_INTEGER', 'OIDC_', 'IPFS_PINNING_', 'SHA_256'])

function configurationFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder ? `${folder}/${entry.name}` : entry.name
    if (entry.isDirectory()) return /node_modules|dist|^\.|testing/.test(entry.name) ? [] : configurationFiles(path)
    return isConfiguration(path) ? [path] : []
  })
}

test('.env.example names every variable that any program reads', () => {
  const files = configurationFiles('')
  expect(files.length).toBeGreaterThan(10)
  const missing = files.flatMap((file) => {
    const words = readFileSync(join(root, file), 'utf8').match(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g) ?? []
    return [...new Set(words)]
      .filter((name) => !documented.has(name) && !notVariables.has(name))
      .map((name) => `${name} (${file})`)
  })
  expect(missing).toEqual([])
})

test('.env.example names every port of the local stack with its usual value', () => {
  for (const { variable, port } of Object.values(portTable)) expect(example).toContain(`#${variable}=${port}\n`)
})

test('.env.example shows every default that is a number', () => {
  const defaults = configurationFiles('').flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return [...text.matchAll(/\.integer\('([A-Z0-9_]+)', \{[^}]*\}, /g)].map(([, name]) => name)
  })
  expect(defaults.length).toBeGreaterThan(10)
  expect(defaults.filter((name) => !new RegExp(`^#?${name}=[0-9]`, 'm').test(example))).toEqual([])
})

test('.env.example says a meaning above every variable or group of them', () => {
  const lines = example.split('\n')
  const bare = lines.filter((line, index) => /^#?[A-Z][A-Z0-9_]*=/.test(line) && (lines[index - 1] ?? '').trim() === '')
  expect(bare).toEqual([])
})

test('.env.example is the development template', () => {
  expect(example).toMatch(/^MOCK_ATTESTATION=true$/m)
  expect(example).toMatch(/^COOKIE_SAMESITE=Lax$/m)
})
