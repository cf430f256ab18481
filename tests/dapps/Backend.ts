/** The service and the chain that applications are tried on: in memory, or everything that `npm start` starts. */
export interface Backend {
  apiUrl: string
  rpcUrl: string
  /** Gives a wallet a few ether. */
  fund(address: string): Promise<void>
}
