// One user's flood, in a process of its own so that it delays nobody's clock: sixteen requests at a time while told to.
import { Agent, request } from 'node:http'

const [url, headersText, body] = process.argv.slice(2)
const headers = JSON.parse(headersText)
const agent = new Agent({ keepAlive: true })
let flooding = false
const seen = {}

process.on('message', async (what) => {
  flooding = what === 'start'
  if (what === 'stop') return process.send(seen)
  await Promise.all(Array.from({ length: 16 }, pour))
})

async function pour() {
  while (flooding) {
    const status = await new Promise((resolve) => {
      const sent = request(url, { method: 'POST', agent, headers }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode))
      })
      sent.once('error', () => resolve(0)).end(body)
    })
    seen[status] = (seen[status] ?? 0) + 1
  }
}
