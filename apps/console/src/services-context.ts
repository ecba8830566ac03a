import { createContext, useContext } from 'react'
import type { Services } from './services.ts'

export const ServicesContext = createContext<Services | undefined>(undefined)

/** What the console works with. */
export function useServices(): Services {
  const services = useContext(ServicesContext)
  if (!services) throw new Error('the page is outside the ServicesContext')
  return services
}
