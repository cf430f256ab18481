import { once } from 'node:events'
import { queryOnce } from '../../dev/stack/components/postgres.js'
import { startBeside } from '../../dev/stack/programs/startBeside.js'
import { apiNodeFlags } from '../../api/nodeFlags.js'
import { freshDatabase } from '../../tests/harness/index.js'
import { send } from '../api/ask.js'
import { counted } from '../measure/counted.js'
import type { Figure } from '../measure/Figure.js'
import { inLanes, medianFigure, inRounds, rest, timed, type Times } from '../measure/timing.js'
import { openShape } from '../shape/openShape.js'
import type { BenchStack } from '../stack/openStack.js'
import type { FloorEnclave } from './floorSteps.js'

const [empty, bare] = ['shape', 'shape with the bare work'] as const
const warmUp = { runs: 500, atOnce: 8 }

/**
 * How near to the empty shape a signature could come: the shape with the one thing in each step that the order names (a sample
 * taken, an enclave that signs and quotes, the quote verified, a row committed), asked over HTTP after a session was read and the
 * request was counted. Nothing is checked, so the service takes longer.
 */
export async function floor(stack: BenchStack): Promise<Figure[]> {
  const shape = await openShape(stack)
  stack.beforeClose(shape.close)
  const floor = await openFloor(stack)
  await inLanes(warmUp.atOnce, counted(warmUp.runs), async () => shape.whenComplete(await shape.sign()))
  await inLanes(warmUp.atOnce, counted(warmUp.runs), async () => floor.whenComplete(await floor.newRequest()()))
  const round = async (turns: number) => {
    const times: Times<typeof empty | typeof bare> = { [empty]: [], [bare]: [] }
    for (let turn = 0; turn < turns; turn++) {
      let slug = ''
      await rest()
      times[empty].push(await timed(async () => (slug = await shape.sign())))
      await shape.whenComplete(slug)
      const ask = floor.newRequest()
      await rest()
      times[bare].push(await timed(async () => (slug = await ask())))
      await floor.whenComplete(slug)
    }
    return times
  }
  await round(counted(8))
  const rounds = await inRounds(3, () => round(counted(24)))
  return [medianFigure(rounds, empty), medianFigure(rounds, bare, { against: empty })]
}

async function openFloor(stack: BenchStack) {
  const { url: database, drop } = await freshDatabase()
  stack.beforeClose(drop)
  const tables = `
    CREATE TABLE floor_sessions (id text PRIMARY KEY);
    INSERT INTO floor_sessions VALUES ('session');
    CREATE TABLE floor_requests (wallet_id uuid, digest text, PRIMARY KEY (wallet_id, digest));
    CREATE TABLE floor_samples (id serial PRIMARY KEY, purpose text UNIQUE, sample text NOT NULL);
    CREATE INDEX ON floor_samples (id) WHERE purpose IS NULL;
    INSERT INTO floor_samples (sample) SELECT repeat('ab', 225) FROM generate_series(1, 5000);
    CREATE TABLE floor_records (slug uuid PRIMARY KEY, record jsonb NOT NULL)`
  await queryOnce(database, tables)

  const enclave = await startBeside(stack, 'bench/floor/floorEnclave.ts', {})
  stack.beforeClose(enclave.close)
  const [where] = (await once(enclave.child, 'message')) as [FloorEnclave]
  const shape = await openShape(stack, { FLOOR_DATABASE: database, FLOOR_ENCLAVE: JSON.stringify(where) })
  stack.beforeClose(shape.close)
  const env = { FLOOR_DATABASE: database, TEMPORAL_NAMESPACE: shape.namespace }
  const api = await startBeside(stack, 'bench/floor/floorApi.ts', env, apiNodeFlags)
  stack.beforeClose(api.close)
  const [port] = (await once(api.child, 'message')) as [number]

  const url = `http://127.0.0.1:${port}/sign/digest`
  const newRequest = () => {
    const input = shape.newRequest()
    return async () => {
      const answer = await send(url, { 'content-type': 'application/json' }, { walletId: input.walletId, input })
      return (JSON.parse(answer) as { slug: string }).slug
    }
  }
  return { newRequest, whenComplete: shape.whenComplete }
}
