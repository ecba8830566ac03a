import { readFileSync } from 'node:fs'
import { fromHex } from '@holdfast/encoding'

// Test vectors of Project Wycheproof; wycheproof/README.md says which, and how they came here.

/** One case under one key, with what the project says of the signature. */
export type SignatureCase = {
  tcId: number
  comment: string
  flags: readonly string[]
  isValid: boolean
  publicKey: Uint8Array
  message: Uint8Array
  signature: Uint8Array
}

type Group = { key: string; cases: { tcId: number; comment: string; flags: string[]; msg: string; sig: string; result: 'valid' | 'invalid' }[] }

/** The bytes of a case as the file has them, for what reads them itself. */
export const readVectors = <T>(name: string): T => JSON.parse(readFileSync(new URL(`wycheproof/${name}.json`, import.meta.url), 'utf8'))

/** The cases of a file of signatures, in its order. */
export function signatureCases(name: string): SignatureCase[] {
  return readVectors<Group[]>(name).flatMap(({ key, cases }) =>
    cases.map(({ tcId, comment, flags, msg, sig, result }) => {
      if (result !== 'valid' && result !== 'invalid') throw new Error(`${name} ${tcId}: ${result} is no result`)
      return { tcId, comment, flags, isValid: result === 'valid', publicKey: fromHex(key), message: fromHex(msg), signature: fromHex(sig) }
    }),
  )
}
