import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http'
import { parseProblem } from '../verdict/parseProblem.js'
import type { Account, Refusal, Tally } from './Plan.js'

export interface Question {
  /** The documented operation, for the tally. */
  operation: string
  method: string
  path: string
  headers: Record<string, string>
  body?: string
  /** Is given an event stream that was opened, to hold it; without it the stream is closed. */
  hold?: (stream: ClientRequest) => void
}

export interface Answer {
  status: number
  code: string
  text: string
}

const answerTimeoutMs = 20_000

/** How often each of these was seen. */
export function countSame<T extends object>() {
  const seen = new Map<string, T & { times: number }>()
  return {
    add(one: T): void {
      const key = JSON.stringify(one)
      seen.set(key, { ...one, times: (seen.get(key)?.times ?? 0) + 1 })
    },
    list: () => [...seen.values()],
  }
}

/**
 * How one hostile user asks: over a bounded number of connections from each of their addresses, to all API processes in
 * turn, keeping count of every answer.
 */
export function createClient(
  { name, addresses }: Pick<Account, 'name' | 'addresses'>,
  apiUrls: readonly string[],
  connections: number,
) {
  const tally: Tally = { name, sent: 0, heldBack: 0, answers: {}, operations: {} }
  const refusals = countSame<Omit<Refusal, 'times'>>()
  const agents = addresses.map((localAddress) => new Agent({ keepAlive: true, localAddress }))
  let underWay = 0
  let turn = 0

  function count({ operation }: Question, { statusCode = 0, headers }: IncomingMessage, text: string): Answer {
    const { code, share } = parseProblem(statusCode, text)
    const key = [statusCode, code, share].filter(Boolean).join(' ')
    tally.answers[key] = (tally.answers[key] ?? 0) + 1
    tally.operations[operation] = (tally.operations[operation] ?? 0) + 1
    if (statusCode === 429 || share !== null) {
      const hasRetryAfter = Number(headers['retry-after']) >= 1
      const hasRateLimit = [headers['ratelimit'], headers['ratelimit-policy']].every((one) =>
        one?.includes(`"${share}"`),
      )
      refusals.add({ by: name, operation, status: statusCode, code, share, hasRetryAfter, hasRateLimit })
    }
    return { status: statusCode, code, text }
  }

  return {
    tally,
    refusals: refusals.list,

    /** Resolves to null when no connection was free, or no answer came. */
    ask(question: Question): Promise<Answer | null> {
      if (underWay >= connections) {
        tally.heldBack += 1
        return Promise.resolve(null)
      }
      underWay += 1
      tally.sent += 1
      const url = `${apiUrls[turn % apiUrls.length]}${question.path}`
      const which = Math.floor(turn++ / apiUrls.length) % agents.length
      const { method, body, headers, hold } = question
      // What is held has a connection of its own.
      const way = hold ? { agent: false as const, localAddress: addresses[which] } : { agent: agents[which] }
      return new Promise<Answer | null>((resolve) => {
        const sent = request(url, { method, headers, timeout: answerTimeoutMs, ...way }, (answer) => {
          // An event stream has no end; it counts as answered once it starts.
          if (answer.headers['content-type']?.startsWith('text/event-stream')) {
            resolve(count(question, answer, ''))
            sent.setTimeout(0)
            return hold ? hold(sent) : void sent.destroy()
          }
          let text = ''
          answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
          answer.once('end', () => resolve(count(question, answer, text)))
          answer.once('close', () => resolve(null))
        })
        sent.once('timeout', () => sent.destroy())
        sent.once('error', () => {
          tally.answers['none'] = (tally.answers['none'] ?? 0) + 1
          resolve(null)
        })
        sent.end(body)
      }).finally(() => void (underWay -= 1))
    },
  }
}
