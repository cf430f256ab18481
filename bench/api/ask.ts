import { Agent, request } from 'node:http'

const agent = new Agent({ keepAlive: true })

/** A GET by a minimal client, whose CPU is taken from the server that is measured. Returns its milliseconds. */
export function ask(url: string, headers: Record<string, string> = {}): Promise<number> {
  const start = performance.now()
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers }, (answer) => {
      answer.resume().once('end', () => {
        if (answer.statusCode === 200) resolve(performance.now() - start)
        else reject(new Error(`${url} answered ${answer.statusCode}`))
      })
    })
    sent.once('error', reject).end()
  })
}
