import { createContext, useContext } from 'react'
import type { WebConfig } from './WebConfig.js'

export const ConfigContext = createContext<WebConfig | null>(null)

/** The deployment's configuration. */
export function useConfig(): WebConfig {
  const config = useContext(ConfigContext)
  if (!config) throw new Error('useConfig outside of ConfigContext')
  return config
}
