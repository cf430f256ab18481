import { builtBundlePath, builtTracedBundlePath } from '../builtBundle.js'
import { cachedBundle, cachedTracedBundle } from './cachedBundle.js'

/** The workflows of this build: production runs what `npm run build` made; development bundles the sources as they are. */
export async function currentBundle(options: { production: boolean; traced: boolean }): Promise<{ codePath: string }> {
  if (options.production) return { codePath: options.traced ? builtTracedBundlePath : builtBundlePath }
  return options.traced ? cachedTracedBundle() : cachedBundle()
}
