import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Ports } from '../settings/ports.js'
import { answersHttp } from './answers.js'
import type { Component } from './Component.js'
import { createProgram, repositoryRoot } from './program.js'

/** The web app, served from its sources by vite. */
export function createWeb(env: NodeJS.ProcessEnv, ports: Ports): Component {
  const vite = createRequire(import.meta.url)
    .resolve('vite/package.json')
    .replace('package.json', 'bin/vite.js')
  return {
    name: 'web',
    ports: [ports.web],
    command: () => ({
      file: process.execPath,
      args: [vite, '--host', '127.0.0.1', '--port', String(ports.web.port), '--strictPort'],
      env,
      cwd: join(repositoryRoot, 'web'),
    }),
    isReady: () => answersHttp(`http://127.0.0.1:${ports.web.port}/`),
  }
}

/** The web app as production serves it: a static build, found in `WEB_ROOT`. */
export function createBuiltWeb(env: NodeJS.ProcessEnv, ports: Ports): Component {
  return createProgram({
    name: 'web',
    entry: 'web/server/main.ts',
    ports: [ports.web],
    env: { ...env, WEB_PORT: String(ports.web.port) },
    isReady: () => answersHttp(`http://127.0.0.1:${ports.web.port}/`),
  })
}
