import { Window } from 'happy-dom'
import { Browser } from '../../api/testing/Browser.js'

/** One request of the page, with its times. */
export interface Call {
  /** `GET /auth/me`, or `RPC eth_chainId` for the chain. */
  line: string
  body: string
  startedAt: number
  endedAt: number | null
  status: number | null
}

type Fetch = typeof fetch

/**
 * A page at an address, for Testing Library: a DOM in this process, and a `fetch` that really asks, with what a browser
 * adds and checks: its cookies for the service, its `Origin`, and that the answer allows that origin.
 */
export async function openPage(url: string, nodeFetch: Fetch = globalThis.fetch) {
  const window = new Window({ url })
  const globals = { window, document: window.document, HTMLElement: window.HTMLElement, navigator: window.navigator }
  for (const [name, value] of Object.entries(globals)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  }
  const calls: Call[] = []
  let browser = new Browser()
  let origin = new URL(url).origin

  globalThis.fetch = async (input, init = {}) => {
    const request = new Request(input, init)
    // The stack's keeper lives in this process too, and names its servers by number; the page names them by `localhost`.
    if (new URL(request.url).hostname !== 'localhost') return nodeFetch(input, init)
    const body = typeof init.body === 'string' ? init.body : ''
    const { pathname } = new URL(request.url)
    const rpc = /"method":"(eth_\w+|anvil_\w+)"/.exec(body)?.[1]
    const line = rpc ? `RPC ${rpc}` : `${request.method} ${pathname}`
    const call: Call = { line, body, startedAt: performance.now(), endedAt: null, status: null }
    calls.push(call)
    try {
      const included = init.credentials === 'include'
      const headers = {
        ...(init.headers as Record<string, string>),
        origin,
        ...(included && { cookie: browser.cookieHeader(new URL(request.url)) }),
      }
      const response = await nodeFetch(request.url, { ...init, headers })
      call.status = response.status
      const allowed = response.headers.get('access-control-allow-origin')
      const shared = response.headers.get('access-control-allow-credentials') === 'true'
      if (included ? allowed !== origin || !shared : allowed !== origin && allowed !== '*') {
        throw new TypeError(`the page may not read this answer: ${line} allows ${allowed}`)
      }
      if (included) browser.take(response, new URL(request.url))
      return response
    } finally {
      call.endedAt = performance.now()
    }
  }

  return {
    window,
    calls,
    /** Only now: React looks for a DOM when it is loaded. */
    ...(await import('@testing-library/react')),
    lines: () => calls.map(({ line }) => line),
    linesLike: (pattern: RegExp) => calls.map(({ line }) => line).filter((line) => pattern.test(line)),
    forget: () => void (calls.length = 0),
    /** As if the browser had come back from the identity provider with these cookies. */
    useCookiesOf: (other: Browser) => void (browser = other),
    useOrigin: (other: string) => void (origin = other),
    close() {
      globalThis.fetch = nodeFetch
      for (const name of Object.keys(globals)) Reflect.deleteProperty(globalThis, name)
    },
  }
}

export type TestPage = Awaited<ReturnType<typeof openPage>>
