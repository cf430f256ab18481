// One user's flood, in its own process so that it does not delay the timers of the benchmark. It sends this many requests
// a second, answered or not, as long as one of its hundred connections is free. Without that bound the benchmark would
// measure how the machine shares its cores.
import { Agent, request } from 'node:http'

const [url, headersText, body, perSecond] = process.argv.slice(2)
const headers = JSON.parse(headersText)
const agent = new Agent({ keepAlive: true })
const underWay = new Set()
const connections = 100
let flooding
let seen

process.once('disconnect', () => process.exit(0)) // the benchmark has ended
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
