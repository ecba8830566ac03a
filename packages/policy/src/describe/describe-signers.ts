import { toHex } from '@holdfast/encoding'
import type { SignerIdentity } from '../signers.ts'

export const signersEn = {
  signer: (party: string, name: string, operator: string, key: string) => `Signer ${party} is ${name}, run by ${operator}, with the key ${key}`,
}

export const signersZh: typeof signersEn = {
  signer: (party, name, operator, key) => `签名方 ${party} 为 ${name}，运营方 ${operator}，密钥 ${key}`,
}

/** One signer and the key by which it is believed. */
export function describeSigner({ party, name, operator, signKey }: SignerIdentity, words: typeof signersEn): string {
  return words.signer(String(party), name, operator, toHex(signKey))
}
