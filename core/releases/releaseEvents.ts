/** The events of `ServiceReleases`: which list of builds counts from which block. A test compares them with `contracts/abi`. */
export const releaseAnnounced = {
  type: 'event',
  name: 'ReleaseAnnounced',
  inputs: [
    { name: 'version', type: 'uint64', indexed: true },
    { name: 'sha256', type: 'bytes32', indexed: false },
    { name: 'cid', type: 'string', indexed: false },
  ],
} as const

export const releaseWithdrawn = {
  type: 'event',
  name: 'ReleaseWithdrawn',
  inputs: [{ name: 'version', type: 'uint64', indexed: true }],
} as const
