import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fromHex, toHex, type Hex } from '@perigee/core'
import { parseSnpReportKeys, parseTdxQuoteKeys } from '@perigee/core/simulation'
import { parseQuoteCollateral } from '@perigee/core/tdx'
import { replaceFile } from '../keepFile.js'
import {
  createRsaKeys,
  mintCollateral,
  mintSnpPki,
  mintTdxPki,
  type SnpRsaKeys,
  type TdxAuthority,
  type TdxPrivateKeys,
} from '../../core/simulation/testing/index.js'

/** Where the development PKI's files are, below `SIMULATION_DIR`. Made and renewed by `createSimulationPki(dir)`. */
export const simulationFiles = {
  /** DER, self-signed: the root that a simulated stack trusts for TDX. */
  tdxRoot: 'tdx/root.der',
  /** JSON, `TdxQuoteKeys` of core/simulation: what the simulated enclave platform signs with. */
  tdxQuoteKeys: 'tdx/quote-keys.json',
  /** JSON, `QuoteCollateral`: renewed before it expires, so do not cache it. */
  tdxCollateral: 'tdx/collateral.json',
  /** DER certificates of the simulated chip. */
  snpRoot: 'snp/ark.der',
  snpIntermediate: 'snp/ask.der',
  snpVek: 'snp/vcek.der',
  /** DER: the ARK's list of revoked certificates. */
  snpCrl: 'snp/crl.der',
  /** JSON, `SnpReportKeys` of core/simulation. */
  snpReportKeys: 'snp/report-keys.json',
} as const

export type SimulationPki = Awaited<ReturnType<typeof readSimulationPki>>

const day = 86_400
const collateralLife = 30 * day
/** Verifiers accept collateral that is at most 7 days older than a receipt's block. Intel issues its own every day. */
const renewAfter = day / 2
/** Intel's part: kept apart from what the simulated platform reads. */
const authorityFile = 'tdx/authority.json'

/**
 * The development PKI in `dir`: created once, then kept; its collateral is issued again when it is half a day old.
 * Roots and keys stay, so old receipts still verify. Safe to call again, and from several processes.
 */
export async function createSimulationPki(
  dir: string,
  now = Math.floor(Date.now() / 1000),
  createKeys = createRsaKeys,
): Promise<SimulationPki> {
  if (!existsSync(join(dir, simulationFiles.snpReportKeys))) await createOnce(dir, now, createKeys)
  await renewCollateral(dir, now)
  return readSimulationPki(dir)
}

async function readSimulationPki(dir: string) {
  const bytes = async (name: string) => new Uint8Array(await readFile(join(dir, name)))
  const text = (name: string) => readFile(join(dir, name), 'utf8')
  return {
    dir,
    tdx: {
      root: await bytes(simulationFiles.tdxRoot),
      quoteKeys: parseTdxQuoteKeys(JSON.parse(await text(simulationFiles.tdxQuoteKeys))),
      collateral: parseQuoteCollateral(await text(simulationFiles.tdxCollateral)),
    },
    snp: {
      ark: await bytes(simulationFiles.snpRoot),
      ask: await bytes(simulationFiles.snpIntermediate),
      vek: await bytes(simulationFiles.snpVek),
      crl: await bytes(simulationFiles.snpCrl),
      reportKeys: parseSnpReportKeys(JSON.parse(await text(simulationFiles.snpReportKeys))),
    },
  }
}

/** Builds everything beside `dir` and renames it, so that no process reads half a PKI. The first one wins. */
async function createOnce(dir: string, now: number, createKeys: () => Promise<SnpRsaKeys>): Promise<void> {
  await mkdir(dirname(dir), { recursive: true })
  const draft = await mkdtemp(`${dir}.new-`)
  try {
    const validity = { notBefore: now - day, notAfter: now + 20 * 365 * day }
    const { authority, quoteKeys } = await mintTdxPki(createTdxKeys(), validity)
    await replaceFile(join(draft, authorityFile), JSON.stringify({ ...authority, root: toHex(authority.root) }), 0o600)
    await replaceFile(join(draft, simulationFiles.tdxQuoteKeys), JSON.stringify(quoteKeys), 0o600)
    await writeFile(join(draft, simulationFiles.tdxRoot), authority.root)
    await writeCollateral(draft, authority, now)
    const snp = await mintSnpPki(await createKeys(), validity)
    // The RSA keys are not kept: they sign nothing else.
    await replaceFile(join(draft, simulationFiles.snpReportKeys), JSON.stringify(snp.keys), 0o600)
    const { snpRoot, snpIntermediate, snpVek, snpCrl } = simulationFiles
    const certificates = { [snpRoot]: snp.ark, [snpIntermediate]: snp.ask, [snpVek]: snp.vek, [snpCrl]: snp.crl }
    for (const [name, der] of Object.entries(certificates)) await writeFile(join(draft, name), der)
    await rename(draft, dir).catch(async (error: NodeJS.ErrnoException) => {
      // An empty folder is replaced by rename; a full one means that another process was first.
      if (!existsSync(join(dir, simulationFiles.snpReportKeys))) throw error
    })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

async function renewCollateral(dir: string, now: number): Promise<void> {
  const { tcb_info: tcbInfo } = parseQuoteCollateral(await readFile(join(dir, simulationFiles.tdxCollateral), 'utf8'))
  const issued = Date.parse((JSON.parse(tcbInfo) as { issueDate: string }).issueDate) / 1000
  if (issued <= now && now < issued + renewAfter) return
  const stored = JSON.parse(await readFile(join(dir, authorityFile), 'utf8')) as Omit<TdxAuthority, 'root'> & {
    root: Hex
  }
  await writeCollateral(dir, { ...stored, root: fromHex(stored.root) }, now)
}

async function writeCollateral(dir: string, authority: TdxAuthority, now: number): Promise<void> {
  const collateral = await mintCollateral({ issuedAt: now - 60, nextUpdate: now + collateralLife }, authority)
  await replaceFile(join(dir, simulationFiles.tdxCollateral), JSON.stringify(collateral, null, 1))
}

function createTdxKeys(): TdxPrivateKeys {
  const scalar = () => {
    const bytes = randomBytes(32)
    bytes[0] = 1 // below the order of P-256, and not zero
    return toHex(bytes)
  }
  return { root: scalar(), pckCa: scalar(), pck: scalar(), tcbSigner: scalar(), attestation: scalar() }
}
