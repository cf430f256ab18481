import { fileURLToPath } from 'node:url'
import type { Component } from './Component.js'

export const repositoryRoot = fileURLToPath(new URL('../../..', import.meta.url))

export interface ProgramOptions {
  name: string
  /** A TypeScript program, relative to the repository. */
  entry: string
  env: NodeJS.ProcessEnv
  ports?: { port: number; variable: string }[]
  isReady: (pid: number) => Promise<boolean>
}

/** A program of ours, run from its TypeScript source in one process. */
export function createProgram({ name, entry, env, ports = [], isReady }: ProgramOptions): Component {
  return {
    name,
    ports,
    isReady,
    startTimeoutMs: 120_000,
    askEveryMs: 300,
    command: () => ({ file: process.execPath, args: ['--import', 'tsx', entry], env, cwd: repositoryRoot }),
  }
}
