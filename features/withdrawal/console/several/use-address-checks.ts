import { useApi } from '@holdfast/client'
import { useEffect, useRef, useState } from 'react'
import { checkAddress } from '../../contract.ts'
import type { AddressCheck } from '../draft.ts'

/** So many addresses are asked about at once. */
const TOGETHER = 4

type Place = { subWalletId: string; chain: string; symbol: string }
type Answers = { place: string; known: ReadonlyMap<string, AddressCheck>; failed: ReadonlySet<string> }

/**
 * What the server says of each address, asked about as they come, a few at once and each one once. Those that it did not answer about are `failed`, until they
 * are asked about again. What is known holds for the sub-wallet and the coin alone.
 */
export function useAddressChecks({ subWalletId, chain, symbol }: Place, addresses: readonly string[]) {
  const { client } = useApi()
  const place = `${subWalletId} ${chain} ${symbol}`
  const [answers, setAnswers] = useState<Answers>({ place, known: new Map(), failed: new Set() })
  const asking = useRef(new Set<string>())
  const { known, failed } = answers.place === place ? answers : { known: new Map<string, AddressCheck>(), failed: new Set<string>() }
  useEffect(() => {
    const put = (address: string, answer: AddressCheck | undefined) =>
      setAnswers((present) => {
        const same = present.place === place ? present : { known: [], failed: [] }
        return {
          place,
          known: answer ? new Map([...same.known, [address, answer]]) : new Map(same.known),
          failed: answer ? new Set(same.failed) : new Set([...same.failed, address]),
        }
      })
    const waiting = addresses.filter((each) => !known.has(each) && !failed.has(each) && !asking.current.has(`${place} ${each}`))
    for (const address of waiting.slice(0, Math.max(0, TOGETHER - asking.current.size))) {
      const key = `${place} ${address}`
      asking.current.add(key)
      void client
        .call(checkAddress, { sub_wallet_id: subWalletId, chain, symbol, address }, { shows: () => true })
        .catch(() => undefined)
        .then((answer) => {
          asking.current.delete(key)
          put(address, answer)
        })
    }
  })
  return { checks: known, failed, again: () => setAnswers((present) => ({ ...present, failed: new Set() })) }
}
