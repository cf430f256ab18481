import { parseAnyReceipt, type AnyReceipt } from '@perigee/core/receipt'
import { CopyButton } from '../components/CopyButton.js'
import { Hash } from '../components/Hash.js'
import { Loading } from '../components/Loading.js'
import { Note } from '../components/Note.js'
import { Shell } from '../components/Shell.js'
import { wordsOf } from '../format/wordsOf.js'
import { useConfig } from '../config/ConfigContext.js'
import { ReceiptFacts } from '../proof/facts/ReceiptFacts.js'
import { receiptProof } from '../proof/receiptProof.js'
import { SimulatedBanner } from '../proof/SimulatedBanner.js'
import { fetchFromIpfs } from '../verify/createSources.js'
import { useVerification } from '../verify/useVerification.js'
import { VerifyHere } from '../verify/VerifyHere.js'
import { Failure } from './Failure.js'
import { useLoaded } from './useLoaded.js'

interface Read {
  bytes: number
  receipt: AnyReceipt | null
  /** Why the bytes are no receipt. */
  wrong: string
}

/** A receipt by its CID alone: no service is asked. */
export function ReceiptPage({ cid }: { cid: string }) {
  const config = useConfig()
  const load = async (): Promise<Read> => {
    const bytes = await fetchFromIpfs(config, cid)
    try {
      return { bytes: bytes.length, receipt: parseAnyReceipt(bytes), wrong: '' }
    } catch (error) {
      return { bytes: bytes.length, receipt: null, wrong: wordsOf(error) }
    }
  }
  const { value, error, again } = useLoaded(load, [config, cid])
  const verification = useVerification({ kind: 'cid', cid })
  const proof = value?.receipt ? verification.judged(receiptProof(value.receipt, cid)) : null
  return (
    <Shell title="Receipt">
      <div className="proof-head">
        <h1>Receipt by its CID</h1>
        <Hash value={cid} what="the CID" whole />
        {value && (
          <p className="fine" role="status">
            {value.bytes} bytes from IPFS, hashed here: they are what this CID names.
          </p>
        )}
      </div>
      {error !== null && <Failure what="The receipt could not be fetched." error={error} again={again} />}
      {!value && error === null && <Loading words="Fetching from IPFS…" />}
      {value && !value.receipt && (
        <Note
          tone="bad"
          title="These bytes are not a receipt."
          text="Anyone can store anything on IPFS. The checks below say what is wrong."
        >
          <p className="fine wrap">{value.wrong.slice(0, 200)}</p>
        </Note>
      )}
      {proof?.receipt?.simulated && <SimulatedBanner />}
      {proof && <ReceiptFacts proof={proof} />}
      {value && (
        <>
          <VerifyHere verification={verification} kind={proof?.kind ?? 'transaction'} name={cid.slice(-8)} />
          <section className="card" aria-labelledby="tools-title">
            <h2 id="tools-title">Check it with your own tools</h2>
            <div className="actions">
              <CopyButton text={`npm run verify -- ${cid}`} what="the command" label="Copy the verify command" />
              <a href={`${config.ipfsGatewayUrl}/ipfs/${encodeURIComponent(cid)}`}>Raw bytes on IPFS</a>
            </div>
          </section>
        </>
      )}
    </Shell>
  )
}
