import { Agent, request } from 'node:http'

const agent = new Agent({ keepAlive: true })

/** The milliseconds of a GET. */
export async function ask(url: string, headers: Record<string, string> = {}): Promise<number> {
  const start = performance.now()
  await send(url, headers)
  return performance.now() - start
}

/** A GET, or a POST of JSON, by a minimal client: `fetch` takes milliseconds and CPU from the server that is measured. */
export function send(url: string, headers: Record<string, string>, body?: unknown): Promise<string> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers, method: text === undefined ? 'GET' : 'POST' }, (answer) => {
      let got = ''
      answer.setEncoding('utf8').on('data', (part: string) => (got += part))
      answer.once('end', () => {
        if (answer.statusCode === 200) resolve(got)
        else reject(new Error(`${url} answered ${answer.statusCode}: ${got}`))
      })
    })
    sent.once('error', reject).end(text)
  })
}
