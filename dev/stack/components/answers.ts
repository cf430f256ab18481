import { readFileSync } from 'node:fs'
import { get } from 'node:https'

/** Whether this address answers a GET with this status. */
export async function answersHttp(url: string, status = 200): Promise<boolean> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(3_000), redirect: 'manual' })
  await answer.body?.cancel()
  return answer.status === status
}

/** Whether the enclave answers the worker's certificate. */
export function answersEnclave(env: NodeJS.ProcessEnv, port: number): Promise<boolean> {
  const [cert, key, ca] = ['ENCLAVE_CLIENT_CERT', 'ENCLAVE_CLIENT_KEY', 'ENCLAVE_CLIENT_CA'].map((name) =>
    readFileSync(env[name] ?? ''),
  )
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path: '/info', cert, key, ca, agent: false, timeout: 3_000 })
    request.once('response', (answer) => {
      answer.resume()
      resolve(answer.statusCode === 200)
    })
    request.once('timeout', () => request.destroy())
    request.once('error', () => resolve(false))
  })
}
