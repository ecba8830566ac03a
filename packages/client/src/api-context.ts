import type { Client } from '@holdfast/contract'
import { createContext, useContext } from 'react'
import type { PageCache } from './page-cache.ts'
import type { Presence } from './presence.ts'

export type Api = { client: Client; presence: Presence; pages: PageCache }

export const ApiContext = createContext<Api | undefined>(undefined)

/** The client of the server's interface. */
export function useApi(): Api {
  const api = useContext(ApiContext)
  if (!api) throw new Error('the page is outside the ApiContext')
  return api
}
