import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { InMemoryService } from '../../testing/index.js'

/** Writes the README's examples into the application, with the addresses of a service that runs. */
export async function writeExamples(app: string, service?: InMemoryService): Promise<string[]> {
  const readme = await readFile(join(import.meta.dirname, '../../README.md'), 'utf8')
  const names: string[] = []
  for (const [, name = '', code = ''] of readme.matchAll(/```tsx?\n\/\/ example: (\S+)\n([\s\S]*?)```/g)) {
    names.push(name)
    const running = service
      ? code.replaceAll('http://localhost:8080', service.url).replaceAll('http://localhost:8545', service.rpcUrl)
      : code
    await writeFile(join(app, name), running)
  }
  return names
}
