import { cidOf, type Hex } from '@perigee/core/bytes'
import { checkWallet, type WalletRow, type WalletVerdict } from '@perigee/core/receipt/wallet'
import { fetchCid, verifyBeacon } from '@perigee/core/receipt/gather'
import type { Console } from '../Console.js'
import type { WalletCommand } from '../parseArguments.js'
import { chooseTrust, placesUnder, type Trust } from '../receipt/chooseTrust.js'
import { gatewaysOf } from '../receipt/gatherTarget.js'
import { openHttp, openRpc } from '../sources/openHttp.js'
import { readCrls } from '../sources/readFile.js'
import { readStack } from '../sources/readStack.js'
import { openState } from './openState.js'

/** The verdict on a wallet, and the trust anchors it rests on. */
export interface TrustedWalletVerdict extends WalletVerdict {
  trust: Omit<Trust, 'anchors'> & { simulated: boolean }
}

/** Checks all that the chain names for a wallet. `onRow` gets each receipt as soon as it is checked. */
export async function verifyWallet(
  command: WalletCommand,
  io: Console,
  onRow: (row: WalletRow) => void,
): Promise<TrustedWalletVerdict> {
  const found = command.stack ? await readStack(io.cwd) : null
  const chosen = await chooseTrust(command, found, null, io.cwd)
  const { anchors, ...trust } = chosen
  const stack = placesUnder(chosen, found)
  const http = openHttp(command.timeout)
  const rpc = openRpc(http, command.rpc ?? stack?.rpc)
  const contract = (command.contract as Hex | undefined) ?? stack?.contract
  const gateways = { urls: gatewaysOf(command, stack), get: http.get }
  const sources = { rpc, fetchCid: (cid: string, what: string) => fetchCid(cid, what, gateways) }
  const wallet = command.wallet as Hex
  const { confirmations = 1 } = command
  const amdCrls = await readCrls(io.cwd, command.amdCrl)
  const state =
    command.state === undefined
      ? null
      : await openState(io.cwd, command.state, {
          wallet,
          chainId: Number(await rpc('eth_chainId', [])),
          contract: contract ?? 'of the trust anchors',
          trust: trust.cid,
          confirmations,
          amdCrls: (amdCrls ?? []).map((list) => cidOf(list)),
        })
  if (state !== null && state.finished.size > 0) io.progress(`${state.finished.size} receipts are finished already`)
  try {
    const verdict = await checkWallet(wallet, sources, {
      anchors,
      contract,
      fromBlock: command.fromBlock,
      now: io.now(),
      minConfirmations: confirmations,
      verifyBeacon,
      amdCrls,
      onProgress: (line) => io.progress(line),
      onRow: async (row) => {
        await state?.add(row)
        onRow(row)
      },
      ...(state && { finished: state.finished }),
    })
    return { ...verdict, trust: { ...trust, simulated: anchors.simulated } }
  } finally {
    await state?.close()
  }
}
