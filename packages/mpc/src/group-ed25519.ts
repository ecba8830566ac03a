import { ed25519 } from '@noble/curves/ed25519.js'
import { ProtocolFault } from './errors.ts'
import type { Group } from './group.ts'

const Curve = ed25519.Point
const { Fn } = Curve
const BYTES = 32

type Point = InstanceType<typeof Curve>

/** Strictly RFC 8032's decoding; null for any other bytes. */
function decode(encoded: Uint8Array): Point | null {
  try {
    return encoded.length === BYTES ? Curve.fromBytes(Uint8Array.from(encoded), false) : null
  } catch {
    return null
  }
}

/** The prime-order subgroup of edwards25519. Scalars are little-endian, as RFC 8032 writes them. */
export const ed25519Group: Group = {
  curve: 'ed25519',
  order: Fn.ORDER,
  pointBytes: BYTES,
  generator: Curve.BASE.toBytes(),
  checkPoint: (encoded, peer, field) => {
    const point = decode(encoded)
    // A point with a part of small order would pass some checks and fail others.
    if (!point || point.is0() || !point.isTorsionFree()) throw new ProtocolFault(peer, `${field} is not a finite point of the group`)
  },
  parseScalar: (encoded, peer, field) => {
    const scalar = encoded.length === BYTES ? BigInt(`0x${Buffer.from(encoded).reverse().toString('hex')}`) : 0n
    if (scalar === 0n || scalar >= Fn.ORDER) throw new ProtocolFault(peer, `${field} is zero or not below the group order`)
    return scalar
  },
  scalarBytes: (scalar) => Fn.toBytes(scalar),
  multiplyBase: (scalar) => Curve.BASE.multiply(scalar).toBytes(),
  sum: (terms) => {
    let total: Point = Curve.ZERO
    for (const { point, by } of terms) {
      const decoded = decode(point)
      if (!decoded) throw new ProtocolFault(null, 'a point is not a point of the group')
      total = total.add(decoded.multiplyUnsafe(Fn.create(by)))
    }
    return total.is0() ? null : total.toBytes()
  },
}
