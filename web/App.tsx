import { Component, lazy, Suspense, use, type ReactNode } from 'react'
import { ConfigContext } from './config/ConfigContext.js'
import type { WebConfig } from './config/WebConfig.js'
import { ErrorNote } from './components/ErrorNote.js'
import { Shell } from './components/Shell.js'

// Each page is a file of its own, so that somebody who opens a proof does not load the wallet.
const WalletPage = lazy(async () => ({ default: (await import('./wallet/WalletPage.js')).WalletPage }))
const ProofPage = lazy(async () => ({ default: (await import('./proof/ProofPage.js')).ProofPage }))

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
  const slug = /^\/p\/([^/]+)\/?$/.exec(path)?.[1]
  if (slug !== undefined) return <ProofPage slug={decodeURIComponent(slug)} />
  return (
    <Shell>
      <h1>Nothing here</h1>
      <p>
        The address may be mistyped. Go to <a href="/">the wallet</a>, or open a proof by its full link.
      </p>
    </Shell>
  )
}

/** A page that cannot start says so, instead of staying white. */
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
