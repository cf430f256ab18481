import { cidOf } from '@perigee/core/bytes'
import { parseAnyReceipt, receiptBytes, type AttestationReceiptV1 } from '@perigee/core/receipt'
import { blocksOf, mintReceipt, type Minted } from '../../core/receipt/testing/mintReceipt.js'
import { proofOf } from '../../core/receipt/testing/proofOf.js'
import { createSimulatedWorld, sampleEntropy } from '../../core/receipt/testing/simulatedWorld.js'
import { serve, serveBlocks, serveChain } from './servers.js'
import { startLiar, type Liar } from './startLiar.js'

export type HostileWorld = Awaited<ReturnType<typeof startHostileWorld>>

/** A published proof, another one of the same wallet, and a service, a gateway and a node that can be made to lie. */
export async function startHostileWorld() {
  const world = await createSimulatedWorld(Math.floor(Date.now() / 1000) - 120)
  const mint = (nonce: number) =>
    mintReceipt(world, { transaction: { nonce }, entropy: sampleEntropy(String(nonce), world.signedAt - 5) })
  const [asked, other] = [mint(42), mint(43)]
  const { evidence } = asked
  const proof = proofOf(asked, 'c2x1Z3NsdWdzbHVnc2x1Zw')
  const events = [...evidence.events, ...other.evidence.events, ...evidence.birth.events]
  const poison = poisonedReceipt(asked)
  const blocks = { ...blocksOf(asked), ...blocksOf(other), [poison.cid]: poison.bytes }
  const honest = await Promise.all([
    serve((path) => (path === `/proof/${proof.slug}` ? { body: JSON.stringify(proof) } : null)),
    serveBlocks(blocks),
    serveChain(events, { releases: evidence.releases.announcements }),
  ])
  const [service, gateway, node] = (await Promise.all(honest.map(({ url }) => startLiar(url)))) as [Liar, Liar, Liar]
  const liars = [service, gateway, node]
  return {
    asked,
    other,
    proof,
    /** CID of a receipt with poison in every string that may hold any text. */
    poisonedCid: poison.cid,
    service,
    gateway,
    node,
    /** All three tell the truth again. */
    beHonest: () => liars.forEach((liar) => liar.tell(null)),
    close: async () => void (await Promise.all([...liars, ...honest].map((server) => server.close()))),
  }
}

/** Text that would do harm where it is not escaped: markup, a link that runs, a formula, a terminal's commands. */
const venom = `"><img src=x onerror="window.poisoned=1"><script>window.poisoned=1</script>javascript:window.poisoned=1;=1+1\u001b[2J\u001b]0;x\u0007\u009b31m\u202e`

/** Poisons every string of a value, or only the one at `path`. Keys stay. */
export function poisoned(value: unknown, only?: string, path = ''): unknown {
  if (typeof value === 'string') return only === undefined || only === path ? venom : value
  if (Array.isArray(value)) return value.map((item, index) => poisoned(item, only, `${path}/${index}`))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, poisoned(item, only, `${path}/${key}`)]))
}

/** The paths of all strings in a value. */
function stringsOf(value: unknown, path = ''): string[] {
  if (typeof value === 'string') return [path]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => stringsOf(item, `${path}/${key}`))
}

/** The receipt with poison in every string that may hold any text. It can still be read, and so is shown. */
function poisonedReceipt({ receipt }: Minted): { cid: string; bytes: Uint8Array } {
  const readable = stringsOf(receipt).filter((path) => {
    try {
      parseAnyReceipt(receiptBytes(poisoned(receipt, path) as AttestationReceiptV1))
      return true
    } catch {
      return false
    }
  })
  const spoiled = readable.reduce<unknown>((value, path) => poisoned(value, path), receipt)
  const bytes = receiptBytes(spoiled as AttestationReceiptV1)
  return { cid: cidOf(bytes), bytes }
}
