import { useApi } from '@holdfast/client'
import { useEffect, useRef, useState } from 'react'
import { checkAddress } from '../../contract.ts'
import type { AddressCheck } from '../draft.ts'

/** So many addresses are asked about at once. */
const TOGETHER = 4

type Place = { subWalletId: string; chain: string; symbol: string }
/** What was answered, by address and place: what is known holds for the sub-wallet and the coin alone. */
type Answers = { known: ReadonlyMap<string, AddressCheck>; failed: ReadonlySet<string> }

/**
 * What the server says of each address, asked about as they come, a few at once and each one once. Those of them that it did not answer about are `failed`,
 * until they are asked about again.
 */
export function useAddressChecks({ subWalletId, chain, symbol }: Place, addresses: readonly string[]) {
  const { client } = useApi()
  const [{ known, failed }, setAnswers] = useState<Answers>({ known: new Map(), failed: new Set() })
  const asking = useRef(new Set<string>())
  const keyOf = (address: string) => `${subWalletId} ${chain} ${symbol} ${address}`
  useEffect(() => {
    const put = (key: string, answer: AddressCheck | undefined) =>
      setAnswers((present) =>
        answer ? { ...present, known: new Map([...present.known, [key, answer]]) } : { ...present, failed: new Set([...present.failed, key]) },
      )
    const isWaiting = (key: string) => !known.has(key) && !failed.has(key) && !asking.current.has(key)
    const waiting = addresses.filter((each) => isWaiting(keyOf(each)))
    for (const address of waiting.slice(0, Math.max(0, TOGETHER - asking.current.size))) {
      const key = keyOf(address)
      asking.current.add(key)
      void client
        .call(checkAddress, { sub_wallet_id: subWalletId, chain, symbol, address }, { shows: () => true })
        .catch(() => undefined)
        .then((answer) => {
          asking.current.delete(key)
          put(key, answer)
        })
    }
  })
  const checkOf = (address: string): [string, AddressCheck][] => {
    const check = known.get(keyOf(address))
    return check ? [[address, check]] : []
  }
  return {
    checks: new Map(addresses.flatMap(checkOf)),
    failed: new Set(addresses.filter((each) => failed.has(keyOf(each)))),
    again: () => setAnswers((present) => ({ ...present, failed: new Set() })),
  }
}
