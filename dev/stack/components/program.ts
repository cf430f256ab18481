import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { buildProgram } from '../programs/buildProgram.js'
import type { Component } from './Component.js'

export const repositoryRoot = fileURLToPath(new URL('../../..', import.meta.url))

export interface ProgramOptions {
  name: string
  /** A TypeScript program, relative to the repository. */
  entry: string
  env: NodeJS.ProcessEnv
  /** For Node itself. */
  flags?: readonly string[]
  isReady: (pid: number) => Promise<boolean>
}

/** A program of ours, from its TypeScript source as it is whenever it starts: one process of plain JavaScript. */
export function createProgram({ name, entry, env, flags = [], isReady }: ProgramOptions): Component {
  let built = ''
  return {
    name,
    isReady,
    startTimeoutMs: 120_000,
    askEveryMs: 100,
    async prepare() {
      built = await buildProgram(pathToFileURL(join(repositoryRoot, entry)))
    },
    command: () => ({ file: process.execPath, args: [...flags, built], env, cwd: repositoryRoot }),
  }
}
