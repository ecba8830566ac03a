import { RecentMap, toHex } from '@holdfast/units'
import { secp256k1 } from '@noble/curves/secp256k1.js'

/** An ECDSA signature by its numbers, and which of the keys under which it verifies made it: 0 to 3. */
type Recoverable = { r: bigint; s: bigint; recovery: number }

/** Which key made what, of the newest: whoever makes a signature looks, and whoever reads the transaction that carries it looks again. All of it is public. */
const known = new RecentMap<string, string>(1024)

/**
 * The public key (33 bytes, as hexadecimal digits) that follows from a signature over a digest and its recovery id: SEC 1, section 4.1.6. Throws where there is
 * none.
 */
export function recoverSecp256k1(digest: Uint8Array, { r, s, recovery }: Recoverable): string {
  const name = [toHex(digest), r, s, recovery].join()
  const found = known.get(name)
  if (found !== undefined) return found
  const key = toHex(new secp256k1.Signature(r, s, recovery).recoverPublicKey(digest).toBytes(true))
  known.set(name, key)
  return key
}
