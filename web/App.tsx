import { Component, lazy, Suspense, use, type ReactNode } from 'react'
import { ConfigContext } from './config/ConfigContext.js'
import type { WebConfig } from './config/WebConfig.js'
import { ErrorNote } from './components/ErrorNote.js'
import { Shell } from './components/Shell.js'
import { pathFor } from './format/pathFor.js'

// Each page is loaded on its own: opening a proof does not load the wallet.
const WalletPage = lazy(async () => ({ default: (await import('./wallet/WalletPage.js')).WalletPage }))
const ProofPage = lazy(async () => ({ default: (await import('./proof/ProofPage.js')).ProofPage }))
const ExplorePage = lazy(async () => ({ default: (await import('./explore/ExplorePage.js')).ExplorePage }))
const WalletReceipts = lazy(async () => ({
  default: (await import('./explore/wallet/WalletReceipts.js')).WalletReceipts,
}))
const TransactionPage = lazy(async () => ({ default: (await import('./explore/TransactionPage.js')).TransactionPage }))
const ContradictionsPage = lazy(async () => ({
  default: (await import('./explore/contradictions/ContradictionsPage.js')).ContradictionsPage,
}))
const ReceiptPage = lazy(async () => ({ default: (await import('./explore/ReceiptPage.js')).ReceiptPage }))

export function App({ config }: { config: Promise<WebConfig> }) {
  return (
    <Failures>
      <Suspense fallback={<Shell busy />}>
        <Configured config={config} />
      </Suspense>
    </Failures>
  )
}

function Configured({ config }: { config: Promise<WebConfig> }) {
  return (
    <ConfigContext value={use(config)}>
      <Page path={window.location.pathname} />
    </ConfigContext>
  )
}

function Page({ path }: { path: string }) {
  if (path === '/') return <WalletPage />
  if (/^\/explore\/?$/.test(path)) return <ExplorePage />
  if (/^\/explore\/contradictions\/?$/.test(path)) return <ContradictionsPage />
  const [, kind, name] = /^\/([prtw])\/([^/]+)\/?$/.exec(path) ?? []
  const value = decode(name)
  if (kind === 'p' && value) return <ProofPage slug={value} />
  if (kind === 'r' && value && pathFor(value) === `/r/${value}`) return <ReceiptPage cid={value} />
  if (kind === 't' && isHex(value, 64)) return <TransactionPage txHash={value} />
  if (kind === 'w' && isHex(value, 40)) return <WalletReceipts address={value} />
  return (
    <Shell>
      <h1>Nothing here</h1>
      <p>
        The address may be mistyped. Go to <a href="/">the wallet</a>, or <a href="/explore">look a proof up</a>.
      </p>
    </Shell>
  )
}

function decode(text = ''): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

function isHex(text: string | null, digits: number): text is `0x${string}` {
  return text !== null && text.length === digits + 2 && /^0x[0-9a-f]+$/i.test(text)
}

/** A page that cannot start says so instead of staying blank. */
class Failures extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: null as unknown }
  static getDerivedStateFromError(error: unknown) {
    return { error }
  }
  override render() {
    if (this.state.error === null) return this.props.children
    return (
      <Shell>
        <h1>This page could not start</h1>
        <ErrorNote error={this.state.error} />
        <p>
          <a href="">Load it again</a>
        </p>
      </Shell>
    )
  }
}
