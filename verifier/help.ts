export const help = `Check a Perigee receipt without trusting Perigee.

  npm run verify -- <proof URL | CID | txHash | file> [options]
  npm run verify -- quote <file> --collateral <json> --root <der|pem> --at <unix seconds> [--json]
  npm run verify -- snp-report <file> --vek <der|pem> --intermediate <der|pem> --root <der|pem> --at <unix seconds>
                               [--vmpl <0-3>] [--json]

What to check
  proof URL    as the service or the demo page shows it (or, with --api, its slug). The service is asked once, which
               CID and transaction it means
  CID          of a receipt on IPFS; every byte is hashed again, so any gateway will do
  txHash       of the signed transaction; the receipt is found through the contract's event
  file         a receipt (its exact bytes), or a bundle made with --save-bundle

Where to look (each is your choice; none has to be ours)
  --gateway <url>        IPFS gateway; may be given several times
  --rpc <url>            a node of the chain on which the event is
  --contract <address>   the contract whose events count
  --from-block <number>  look for the event from this block on, for nodes that refuse to search a whole chain
  --api <url>            the service, when a page's URL or a slug is given
  --trust <file>         trust anchors (perigee-trust/1): roots, published builds, entropy keys, contracts
  --no-stack             ignore .perigee/stack.json. Without this flag, a local stack's gateway, node, contract and
                         trust anchors are the defaults, and the verdict says SIMULATED

How to check
  --at <unix seconds>    judge quote and report as of this second instead of the receipt's own time
  --skip <step>          do without a step; may be given several times. A skipped step is named, and is not a pass
  --confirmations <n>    how many blocks must confirm the event (1)
  --offline              use no network: the file is a bundle
  --save-bundle <file>   keep what was fetched (receipt, collateral, events, trust anchors) for --offline

What to print
  --json                 the verdict as JSON (npm run -s verify -- … keeps npm's own lines out of it)
  --explain              also the exact bytes that were hashed
  --help                 this text

Steps, in order: canonical_bytes cid transaction_digest signature public_key entropy_witness coordinator_report
coordinator_binding collateral_cid quote report_data measurements times onchain_event trust_anchors
docs/receipt-v1.md says what each proves, what it does not, and how to do it by hand.

Exit code: 0 verified (or accepted), 1 not, 2 wrong usage.
`
