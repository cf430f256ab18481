export const help = `perigee-ops: what operators ask and do. All of it: npm run ops -- <command>

  stuck [--overdue MINUTES] [--abandoned]   proofs that failed, or are not terminal after so long (60), and what to do
  retry <slug> --reason TEXT                tries the failed step of a proof again; works after it was given up, too
  retry --all [--code CODE] --reason TEXT   the same for every failed proof, or those that failed in one way
  abandon <slug> --reason TEXT              gives a failed proof up
  publisher                                 each publishing key: nonce, in flight, balance, rights; proofs that wait
  audit [--only PART]…                      walks records, IPFS and chain, and names every disagreement
                                            parts: records, events, publishers, wallets

  --json               one JSON document on standard output, also when it could not be done
  --operator HANDLE    who you are, for the audit log (or PERIGEE_OPERATOR); no name or address of a person
  --stack FILE         take addresses and keys of a local stack from its file (.perigee/stack.json)

Exit code: 0 nothing wrong, 1 something was found, 2 asked wrongly, 3 could not look or do all of it.
Environment: DATABASE_URL, TEMPORAL_*, IPFS_*, CHAIN_*, CONTRACT_ADDRESS, PUBLISHER_ADDRESSES, WALLET_RPC_URLS as in
.env.example. No private key is read.`
