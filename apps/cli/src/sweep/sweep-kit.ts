import { addressesMaxOf, type ChainCodec, type Effects } from '@holdfast/chain-core'
import { bytes, digest, equalBytes, list, struct, toHex } from '@holdfast/encoding'
import { childSecret, derivePublicKey, signAlone } from '@holdfast/mpc'
import type { RecoveryKit } from '@holdfast/protocol'
import { known } from '@holdfast/units'
import { UsageError } from '../command.ts'
import { familiesOf, type NetworkFamily, networkOf } from '../recover/networks.ts'
import { type OpenKit, rebuildKey } from '../recover/open-kit.ts'
import type { BuiltSweep, SweepPlan, SweepSource, SweepStep } from './sweep-plan.ts'

/** A transaction as it will be signed: what its own bytes say it does, and the path of the key that signs. */
export type Planned = SweepStep & { path: number[]; effects: Effects }

export type PreparedSweep = { chain: string; codec: ChainCodec; family: NetworkFamily; destination: string; planned: Planned[]; left: BuiltSweep['left'] }

/** A transaction ready to be sent. */
export type SignedStep = { from: string; slot: bigint; txid: string; raw: Uint8Array }

/** Sub-wallets whose first addresses are tried where neither the kit nor the plan says which path leads to one. */
const SUB_WALLETS_TRIED = 2000
/** Addresses that are tried of each sub-wallet that kit or plan name, and of the first. The exported list of addresses has the paths of all. */
const ADDRESSES_TRIED = 2000

/**
 * Builds all transactions of a plan and finds the key of each address by its public half alone. Throws UsageError if the plan asks for what cannot be,
 * among it an address that is not of this key.
 */
export function prepareSweep(kit: RecoveryKit, plan: SweepPlan): PreparedSweep {
  const network = networkOf(plan.chain)
  if (!network) throw new UsageError(`this tool cannot move anything on ${plan.chain}`)
  const { family, codec } = network
  if (!familiesOf(kit.protocol).includes(family))
    throw new UsageError(`the key of this kit is of ${kit.protocol}, with which nothing is signed on ${plan.chain}`)
  const destination = codec.canonicalAddress(plan.destination)
  if (destination === undefined) throw new UsageError(`the destination ${plan.destination} is no address of ${plan.chain}: check every digit`)
  const sources = plan.sources.map((source) => ({ ...source, address: canonical(codec, source.address, plan.chain) }))
  if (new Set(sources.map(({ address }) => address)).size !== sources.length) throw new UsageError('the plan names an address twice')
  if (sources.some(({ address }) => address === destination)) throw new UsageError(`${destination} is to be emptied and is the destination too`)
  const paths = findPaths(kit, codec, sources)
  const owned = sources.map((source) => ({ ...source, publicKey: keyAt(kit, known(paths.get(source.address), `the path of ${source.address}`)) }))
  const { steps, left } = family.buildSweep({ ...plan, destination, sources: owned })
  plan.fields.done()
  if (steps.length === 0) throw new UsageError('there is nothing to move: every balance is less than moving it costs')
  const planned = steps.map((step) => ({ ...step, path: known(paths.get(step.from), `the path of ${step.from}`), effects: codec.decode(step.unsigned) }))
  for (const { effects } of planned) {
    if (effects.chain !== plan.chain || effects.transfers.some(({ to }) => to !== destination)) throw new Error('a transaction was built that goes elsewhere')
  }
  return { chain: plan.chain, codec, family, destination, planned, left }
}

const confirmationShape = struct('holdfast/sweep-confirmation/v1', { unsigned: list(bytes(undefined, 1 << 18)) })

/** What somebody types to say that exactly these transactions are meant: it changes with every byte of them. */
export function confirmationOf({ planned }: PreparedSweep): string {
  return `SWEEP ${toHex(digest(confirmationShape, { unsigned: planned.map(({ unsigned }) => unsigned) })).slice(0, 8)}`
}

/**
 * Rebuilds the key and signs all transactions. Throws KitRefused if the key cannot be rebuilt, and an Error where a signature would not be the
 * source's.
 */
export function signSweep(open: OpenKit, { codec, planned }: PreparedSweep): SignedStep[] {
  const { kit } = open
  const secret = rebuildKey(open)
  return planned.map(({ from, path, unsigned, effects }) => {
    const child = childSecret(kit.protocol, secret, kit.chainCode, path)
    const signatures = codec.sighashes(unsigned).map((sighash) => {
      const { signature, recovery } = signAlone(kit.protocol, child, sighash)
      return { r: signature.slice(0, 32), s: signature.slice(32), recovery }
    })
    const { raw, txid } = codec.attach(unsigned, signatures)
    const made = codec.detach(raw)
    if (made.from !== from || !equalBytes(made.unsigned, unsigned)) throw new Error(`the transaction from ${from} was not signed by its key`)
    return { from, slot: effects.slot, txid, raw }
  })
}

function canonical(codec: ChainCodec, text: string, chain: string): string {
  const address = codec.canonicalAddress(text)
  if (address === undefined) throw new UsageError(`${text} is no address of ${chain}: check every digit`)
  return address
}

const keyAt = ({ protocol, publicKey, chainCode }: RecoveryKit, path: number[]) => derivePublicKey(protocol, publicKey, chainCode, path)

/** The path of each address: as the kit says, as the plan says, or by looking through the addresses of sub-wallets. Each is derived, whoever named it. */
function findPaths(kit: RecoveryKit, codec: ChainCodec, sources: readonly SweepSource[]): Map<string, number[]> {
  const addressAt = (path: number[]) => codec.addressFromKey(keyAt(kit, path))
  const found = new Map<string, number[]>()
  for (const { address, path } of sources) {
    const named = path ?? kit.addresses.find((each) => each.address === address)?.path.map(Number)
    if (!named) continue
    if (addressAt(named) !== address) throw new UsageError(`m/${named.join('/')} does not lead to ${address}: leave the path out, and it is looked for`)
    found.set(address, named)
  }
  const missing = new Set(sources.map(({ address }) => address).filter((address) => !found.has(address)))
  const tryPath = (path: number[]) => {
    const address = missing.size > 0 && addressAt(path)
    if (address && missing.delete(address)) found.set(address, path)
  }
  for (let number = 0; missing.size > 0 && number < SUB_WALLETS_TRIED; number++) tryPath([number, 0])
  const named = new Set([0, ...[...found.values(), ...kit.addresses.map(({ path }) => path.map(Number))].flatMap((path) => path[0] ?? [])])
  for (const number of named) for (let at = 1; missing.size > 0 && at < Math.min(ADDRESSES_TRIED, addressesMaxOf(number)); at++) tryPath([number, at])
  const [strange] = missing
  if (strange !== undefined) {
    throw new UsageError(`${strange} is not among the first ${SUB_WALLETS_TRIED} addresses of this key: it is of another key, or the plan must give its "path"`)
  }
  return found
}
