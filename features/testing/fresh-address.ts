import { randomBytes } from 'node:crypto'
import { codecFor } from '@holdfast/chain-evm/codec'
import { LOCAL_CHAIN } from '../../apps/launcher/src/local-settings.ts'

/** An address that nobody has used. */
export function freshAddress(): string {
  return codecFor(LOCAL_CHAIN)!.canonicalAddress(`0x${randomBytes(20).toString('hex')}`)!
}
