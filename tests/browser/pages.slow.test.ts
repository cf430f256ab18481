import { afterAll, afterEach, beforeAll } from 'vitest'
import { mintReceipt, type Minted } from '../../core/receipt/testing/mintReceipt.js'
import {
  anchorsOf,
  createSimulatedWorld,
  sampleEntropy,
  type SimulatedWorld,
} from '../../core/receipt/testing/simulatedWorld.js'
import { valueOf } from '../../core/receipt/gather/testing/sampleWallet.js'
import { describeInChromium } from '../harness/browser/chromium.js'
import { createOpener } from '../harness/browser/openPages.js'
import { describeContradictions } from './pages/contradictions.js'
import { describeExplorer } from './pages/explorer.js'
import { describeHostile } from './pages/hostile.js'
import { describeMessages } from './pages/messages.js'
import { describePasskeys } from './pages/passkeys.js'
import { describeProof } from './pages/proof.js'
import { announceList } from './pages/publishMinted.js'
import { startPages, type Pages } from './pages/startPages.js'
import { describeWallet } from './pages/wallet.js'

// The production build on the in-memory service. tests/whole.system.test.ts has the real one.
describeInChromium('the pages in Chromium', (browser) => {
  let world: SimulatedWorld
  let started: Pages
  const pages = () => started
  const opener = createOpener(browser, () => started.url)

  beforeAll(async () => {
    world = await createSimulatedWorld(Math.floor(Date.now() / 1000) - 120)
    const anchors = anchorsOf(world)
    started = await startPages(anchors)
    await announceList(started, anchors.releases.contracts[0]!.address)
  })
  afterAll(() => started?.close())
  afterEach(opener.closeAll, 60_000)

  /** A receipt with a sample of its own, unless another's is given. */
  const mint = (nonce: number, sample = nonce): Minted =>
    mintReceipt(world, {
      transaction: { chainId: started.service.chainId, nonce },
      entropy: sampleEntropy(String(sample), world.signedAt - 5, valueOf(sample)),
    })

  describeWallet(pages, opener)
  describePasskeys(pages, opener)
  describeProof(pages, opener)
  describeExplorer(pages, mint, opener)
  describeMessages(pages, () => world, opener)
  describeContradictions(pages, mint, opener)
  describeHostile(pages, browser)
})
