import type { ProofPayload } from '@perigee/sdk'
import { CopyButton } from '../components/CopyButton.js'
import { chainName, transactionUrl } from '../format/chains.js'
import { DownloadButton } from '../components/DownloadButton.js'
import { Facts } from '../components/Facts.js'
import { Hash } from '../components/Hash.js'
import { useConfig } from '../config/ConfigContext.js'
import type { ShownProof } from './ShownProof.js'
import { StandingChip } from './StandingChip.js'

/** Where the parts of the proof are, for checking them with other tools. `answer` is the service's, for downloading. */
export function ProofLinks({ proof, answer }: { proof: ShownProof; answer: ProofPayload }) {
  const { apiBaseUrl, contracts, ipfsGatewayUrl } = useConfig()
  const { cid, event } = proof
  const proofUrl = `${apiBaseUrl}/proof/${encodeURIComponent(answer.slug)}`
  const eventUrl = event && transactionUrl(event.chainId, event.transactionHash)
  const contract = proof.contract ?? contracts[0]
  return (
    <section className="card" aria-labelledby="links-title">
      <div className="spread">
        <h2 id="links-title">Check it with your own tools</h2>
        <StandingChip standing={proof.standing} />
      </div>
      <Facts
        facts={[
          [
            'Receipt',
            cid ? (
              <>
                <Hash value={cid} what="the CID" />{' '}
                {ipfsGatewayUrl && <a href={`${ipfsGatewayUrl}/ipfs/${encodeURIComponent(cid)}`}>open it on IPFS</a>}
              </>
            ) : (
              'Not public yet.'
            ),
          ],
          [
            'Chain event',
            event ? (
              <>
                <Hash value={event.transactionHash} what="the event’s transaction" /> on {chainName(event.chainId)}{' '}
                {eventUrl && <a href={eventUrl}>look it up</a>}
              </>
            ) : (
              'Not published yet.'
            ),
          ],
          ['Contract', contract ? <Hash value={contract} what="the contract" /> : 'Known when the receipt is public.'],
          ['Raw answer', <a href={proofUrl}>JSON from the service</a>],
        ]}
      />
      <div className="actions">
        <CopyButton text={`npm run verify -- ${cid ?? proofUrl}`} what="the command" label="Copy the verify command" />
        {answer.receipt && (
          <DownloadButton
            name={`perigee-${answer.slug}.json`}
            content={() => JSON.stringify(answer, null, 2)}
            label="Download the answer"
          />
        )}
      </div>
    </section>
  )
}
