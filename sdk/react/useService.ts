'use client'
import { useContext } from 'react'
import { ServiceContext, type ServiceContextValue } from './ServiceContext.js'

/** Everything the provider holds. */
export function useService(): ServiceContextValue {
  return useServiceContext().value
}

/** For the hooks of this package. */
export function useServiceContext() {
  const context = useContext(ServiceContext)
  if (!context) throw new Error('useService must be used inside <ServiceProvider>')
  return context
}
