import { ConfigError } from '@perigee/core/config'
import { checkTemporal } from '../../temporal/index.js'
import { findTemporalServer } from './binaries/index.js'
import { createCluster } from './cluster/createCluster.js'
import type { Component } from './components/Component.js'
import { databaseUrl } from './components/postgres.js'
import type { Progress } from './progress.js'
import type { Ports } from './settings/ports.js'
import type { StackOptions } from './StackOptions.js'
import { otherTemporal, placeOf, type StackTemporal } from './stackTemporal.js'

export interface TemporalChoice {
  /** Undefined: the dev server, one of the stack's servers. */
  temporal?: StackTemporal
  unusedPorts: (keyof Ports)[]
  /** What is left to start once Postgres serves. */
  startTemporal?: (start: (components: Component[]) => Promise<void>) => Promise<void>
}

/** The Temporal of a stack: the one that the environment names, a cluster, or the dev server. Nothing is started here. */
export async function chooseTemporal(
  { cluster, clusterDatabase, env, dir, progress }: StackOptions & { progress: Progress },
  ports: Ports,
  databasePassword: string,
): Promise<TemporalChoice> {
  const other = otherTemporal(env)
  if (cluster && other) {
    throw new ConfigError(['--cluster starts a Temporal, and TEMPORAL_ADDRESS names another: use one of them'])
  }
  if (other) {
    await progress.step(`Temporal at ${other.temporalAddress}`, () => checkTemporal(placeOf(other)))
    return { temporal: other, unusedPorts: ['temporal', 'temporalUi'] }
  }
  if (!cluster) return { unusedPorts: [] }
  const made = await createCluster({
    dir,
    env,
    programs: await findTemporalServer(env, progress),
    port: ports.temporal,
    databaseUrl: databaseUrl({ ports, databasePassword }, 'postgres'),
    ...(clusterDatabase && { databaseAddress: await clusterDatabase(ports.postgres) }),
  })
  return {
    temporal: made.temporal,
    unusedPorts: ['temporalUi'],
    startTemporal: (start) => progress.step('Temporal cluster: ten processes', () => made.start(start)),
  }
}
