import { useSend } from '@holdfast/client'
import { createSetup } from '../contract.ts'

export type Founding = Parameters<ReturnType<typeof useSend<typeof createSetup>>['mutateAsync']>[0]

/** Begins a founding; `onBegun` is given the founder's token. */
export function useFounding(onBegun: (setupToken: string) => void): { begin: (founding: Founding) => Promise<void>; isRunning: boolean } {
  const create = useSend(createSetup)
  const begin = async (founding: Founding) => {
    const answer = await create.mutateAsync(founding).catch(() => undefined)
    if (answer) onBegun(answer.setup_token)
  }
  return { begin, isRunning: create.isPending }
}
