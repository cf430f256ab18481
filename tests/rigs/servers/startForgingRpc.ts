import { json } from 'node:stream/consumers'
import { listen } from './listen.js'

/** The forged answer; `truly` asks the real RPC. */
type Forge = (params: unknown[], truly: () => Promise<unknown>) => unknown

/** Thrown by a forge, it is the RPC's answer. Any other error breaks the connection. */
export class RpcFault extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}

interface Question {
  id: number
  method: string
  params?: unknown[]
}

/** An RPC that lies, or lets something happen while it answers. Methods that are not forged go to a real RPC. */
export async function startForgingRpc(target: string, forged: Record<string, Forge>) {
  async function ask(question: Question): Promise<{ result?: unknown }> {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(target, { method: 'POST', headers, body: JSON.stringify(question) })
    return (await answer.json()) as { result?: unknown }
  }
  const heard: string[] = []
  async function answer(question: Question): Promise<object> {
    const { id, method, params } = question
    heard.push(method)
    const forge = forged[method]
    if (!forge) return ask(question)
    try {
      return { jsonrpc: '2.0', id, result: await forge(params ?? [], async () => (await ask(question)).result) }
    } catch (error) {
      if (!(error instanceof RpcFault)) throw error
      return { jsonrpc: '2.0', id, error: { code: error.code, message: error.message } }
    }
  }
  const { url, close } = await listen(async (request, response) => {
    const asked = (await json(request)) as Question | Question[]
    const reply = Array.isArray(asked) ? await Promise.all(asked.map(answer)) : await answer(asked)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(reply))
  })
  /** `heard`: the methods that it was asked for, in order. */
  return { heard, url, close }
}
