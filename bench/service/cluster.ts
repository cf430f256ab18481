import { counted } from '../measure/counted.js'
import { figure, type Figure } from '../measure/Figure.js'
import { atShare, rest, timeInRounds } from '../measure/timing.js'
import { openPerson } from '../stack/openPerson.js'
import { openStack, type BenchStack } from '../stack/openStack.js'

/** `POST /sign/digest` at an idle pace, in turn on the dev server and on a cluster of ten processes on the same cores. */
export async function cluster(stack: BenchStack): Promise<Figure[]> {
  const other = await openStack({ cluster: true })
  try {
    const signer = async (on: BenchStack) => {
      const person = await openPerson(on, { url: on.file.apiUrl, database: on.database })
      let slug: string | undefined
      return {
        /** Nothing of the call before is left to do while this one is measured. */
        async waitUntilIdle() {
          if (slug !== undefined) await person.whenComplete(slug)
          await rest()
        },
        async sign() {
          slug = (await person.signDigest(person.newRequest())).slug
        },
      }
    }
    const [dev, many] = [await signer(stack), await signer(other)]
    const subjects = { 'dev server': () => dev.sign(), cluster: () => many.sign() }
    const waitUntilIdle = async () => void (await Promise.all([dev.waitUntilIdle(), many.waitUntilIdle()]))
    const rounds = await timeInRounds({ turns: counted(40), warmUp: counted(30), before: waitUntilIdle }, subjects)
    return [0.5, 0.95].flatMap((part) => {
      const p = `p${part * 100}`
      const devServer = {
        name: `POST /sign/digest on the dev server, ${p}`,
        rounds: atShare(rounds, 'dev server', part),
      }
      return [
        figure(devServer.name, 'ms', devServer.rounds),
        figure(`the same on a cluster, ${p}`, 'ms', atShare(rounds, 'cluster', part), { against: devServer }),
      ]
    })
  } finally {
    await other.close()
  }
}
