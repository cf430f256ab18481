// One user's flood, in a process of its own so that it delays nobody's clock. While told to, it wants to send this many
// requests a second whether or not they are answered, and does as long as one of its hundred connections is free. A flood
// without a bound would measure how the cores of the machine are shared.
import { Agent, request } from 'node:http'

const [url, headersText, body, perSecond] = process.argv.slice(2)
const headers = JSON.parse(headersText)
const agent = new Agent({ keepAlive: true })
const underWay = new Set()
const connections = 100
let flooding
let seen

process.on('message', (what) => {
  clearInterval(flooding)
  if (what === 'stop') {
    process.send(seen)
    for (const sent of underWay) sent.destroy()
    return
  }
  seen = { answered: {}, heldBack: 0 }
  const start = performance.now()
  let due = 0
  flooding = setInterval(() => {
    for (; due < ((performance.now() - start) * perSecond) / 1000; due++) {
      if (underWay.size < connections) send()
      else seen.heldBack += 1
    }
  }, 10)
})

function send() {
  const { answered } = seen
  const sent = request(url, { method: 'POST', agent, headers }, (answer) => {
    answered[answer.statusCode] = (answered[answer.statusCode] ?? 0) + 1
    answer.resume().once('end', () => underWay.delete(sent))
  })
  underWay.add(sent)
  sent.once('close', () => underWay.delete(sent))
  sent.once('error', () => undefined).end(body)
}
