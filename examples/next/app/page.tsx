import { Shop } from './Shop'

export const dynamic = 'force-dynamic' // addresses are read when the server runs, not when it is built

export default function Page() {
  return <Shop apiBaseUrl={process.env.API_URL ?? ''} rpcUrl={process.env.RPC_URL ?? ''} />
}
