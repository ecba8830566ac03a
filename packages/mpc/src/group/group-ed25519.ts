import { RecentMap } from '@holdfast/units'
import { ed25519 } from '@noble/curves/ed25519.js'
import { ProtocolFault } from '../round/errors.ts'
import type { Group } from './group.ts'

const Curve = ed25519.Point
const { Fn } = Curve
const BYTES = 32

const GENERATOR = Curve.BASE.toBytes()
const REMEMBERED = 64

type Point = InstanceType<typeof Curve>

/**
 * Points whose place in the prime-order subgroup was looked at when they were decoded, strictly as RFC 8032 says. A signature decodes its key and four nonces
 * eleven times, and looking costs a multiplication by the order, so those decoded last are remembered by their bytes.
 */
export class CheckedPoint extends Curve {
  static readonly #decoded = new RecentMap<string, CheckedPoint>(REMEMBERED)

  /** Throws for bytes that are no point, and for a point with a part of small order, which would pass some checks and fail others. */
  static override fromBytes(encoded: Uint8Array): CheckedPoint {
    const name = Buffer.from(encoded).toString('latin1')
    const known = CheckedPoint.#decoded.get(name)
    if (known) return known
    const point = Curve.fromBytes(Uint8Array.from(encoded), false)
    if (!point.isTorsionFree()) throw new RangeError('the point is outside the prime-order subgroup')
    const checked = new CheckedPoint(point.X, point.Y, point.Z, point.T)
    CheckedPoint.#decoded.set(name, checked)
    return checked
  }

  override isTorsionFree(): boolean {
    return true
  }
}

/** The point of these bytes by `from`; null if they are none. */
function decode<P extends Point>(encoded: Uint8Array, from: (encoded: Uint8Array) => P): P | null {
  try {
    return encoded.length === BYTES ? from(encoded) : null
  } catch {
    return null
  }
}

/** A point that was checked when it came in. */
const decodeKnown = (encoded: Uint8Array): Point | null =>
  encoded === GENERATOR ? Curve.BASE : decode(encoded, (each) => Curve.fromBytes(Uint8Array.from(each), false))

/** The prime-order subgroup of edwards25519. Scalars are little-endian, as RFC 8032 writes them. */
export const ed25519Group: Group = {
  curve: 'ed25519',
  order: Fn.ORDER,
  pointBytes: BYTES,
  generator: GENERATOR,
  checkPoint: (encoded, peer, field) => {
    const point = decode(encoded, CheckedPoint.fromBytes)
    if (!point || point.is0()) throw new ProtocolFault(peer, `${field} is not a finite point of the group`)
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
      const decoded = decodeKnown(point)
      if (!decoded) throw new ProtocolFault(null, 'a point is not a point of the group')
      total = total.add(decoded.multiplyUnsafe(Fn.create(by)))
    }
    return total.is0() ? null : total.toBytes()
  },
}
