// Runs inside namespaces of its own (prove.ts starts it there): the local stack's servers, the images on them, one proof.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createChannelCertificates } from '../../../core/x509/testing/createChannelCertificates.js'
import { run } from '../../stack/binaries/run.js'
import { createProgress } from '../../stack/progress.js'
import { startStack } from '../../stack/startStack.js'
import { checkIsolation } from './checkIsolation.js'
import { stackChanges } from './deploymentOf.js'
import { driveOperators, driveProof } from './driveProof.js'
import { hosts, type Plan } from './Plan.js'
import { startDeployment } from './startDeployment.js'

const progress = createProgress(process.stdout)

async function prove(plan: Plan): Promise<void> {
  const hostsFile = join(plan.dir, 'hosts')
  writeFileSync(hostsFile, `127.0.0.1 localhost ${Object.values(hosts).join(' ')}\n`)
  await run('mount', ['--bind', hostsFile, '/etc/hosts'])
  mkdirSync('/run/netns', { recursive: true })
  await run('mount', ['-t', 'tmpfs', 'tmpfs', '/run/netns'])
  await run('ip', ['link', 'set', 'lo', 'up'])

  const front = await createChannelCertificates(join(plan.dir, 'front'), Object.values(hosts))
  const stack = await startStack({
    dir: join(plan.dir, '.perigee'),
    ports: 'usual',
    fresh: true,
    // The usual port belongs to the image's codec server here.
    env: { ...process.env, CODEC_SERVER_PORT: '18234' },
    progress,
    arrange: () => Promise.resolve({ apiPorts: [], workers: 0, envOf: () => ({}) }),
    alter: (own) => Promise.resolve({ ...own, ...stackChanges }),
  })
  try {
    await stack.kubo
    const deployment = await startDeployment(plan, stack, front, progress)
    const counted = await progress.step('privileges and networks', () => checkIsolation(deployment))
    progress.say(`    ${counted}`)
    const verdict = await progress.step('a proof, from sign-in to verification', () => driveProof(stack, plan.dir))
    progress.say(`    ${verdict}`)
    await progress.step('operators’ pages', driveOperators)
    await progress.step('every program stops on SIGTERM', async () => {
      for (const { name, stop } of Object.values(deployment.containers).reverse()) {
        const code = await stop()
        if (code !== 0) throw new Error(`${name} ended with ${code}`)
      }
    })
  } finally {
    await stack.stop()
  }
}

try {
  await prove(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Plan)
  process.exit(0)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
