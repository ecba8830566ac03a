import { encode, equalBytes, type Infer, type Shape, toHex, decode } from '@holdfast/encoding'
import { codecFor } from '@holdfast/chain-registry/codec'
import { CoSignerError, type CoSigners, type NamedSigners } from '@holdfast/features/signer-link/server'
import { intentHash, intentShape, isSignerOrder, isSpending, originalOf, type SignerOrderIntent, stopShape, type TransactionIntent } from '@holdfast/intent'
import { cosign } from '@holdfast/log'
import { childSecret, derivePublicKey, deriveSiblings, FROST_ED25519, signAlone } from '@holdfast/mpc'
import { ScriptedEpochs } from './scripted-epochs.ts'
import { policyChangeRecordShape } from '@holdfast/policy'
import { nodePorts } from '@holdfast/ports/node'
import {
  addressesStatementShape,
  addressStatementShape,
  addressTree,
  type CallDefinition,
  digestToSign,
  endorsementShape,
  type Join,
  keyStatementShape,
  pinStatementShape,
  refusalStatementShape,
  requestHash,
  type SealedShare,
  sealedShareShape,
  type SessionRequest,
  signatureResultShape,
  signatureStatementShape,
  signMessage,
  signedShape,
  type SignRequest,
} from '@holdfast/protocol'
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'

type Key = { protocol: string; secret: bigint; publicKey: Uint8Array; chainCode: Uint8Array }
const PARTIES = [1, 2, 3]
type Asked = {
  record: Uint8Array
  genesis: Uint8Array
  keyId: Uint8Array
  epoch: bigint
  path: bigint[]
  subWallet: bigint
  first: bigint
  count: bigint
  chain: string
  size: bigint
  root: Uint8Array
  intent: Uint8Array
  stop: Uint8Array
}

/**
 * Three signers as the server sees them, without their doubts: they say and sign what real ones would, with a whole key in
 * one place. Tests of what signers refuse use the real ones; these are told when to refuse, to fail or to be away.
 */
export class ScriptedSigners {
  readonly secretKeys = PARTIES.map(() => ed25519.utils.randomSecretKey())
  readonly signKeys = this.secretKeys.map((each) => ed25519.getPublicKey(each))
  readonly keys = new Map<string, Key>()
  readonly epochs = new ScriptedEpochs()
  readonly requests: SessionRequest[] = []
  /** The version of the policy each follows; 1 where nothing is said. */
  readonly policyVersions = new Map<number, bigint>()
  /** The approval pages they serve, by party. */
  pages: readonly { party: number; origin: string; rpId: string }[] = []
  /** What a signer was given to pin, by party; one of `unpinned` has pinned nothing yet. */
  readonly pinned = new Map<number, Uint8Array>()
  readonly unpinned = new Set<number>()
  /** The signer that people said is away. */
  away: number | null = null
  /** The order by which it is; nothing if nobody asked the signers in a test. */
  absence: { intentHash: Uint8Array; untilMs: bigint } = { intentHash: new Uint8Array(32), untilMs: 1n << 50n }
  /** Freezes that every signer says are in force. */
  frozen: Uint8Array[] = []
  /** How far each is with the whitelist, by party. */
  readonly books = new Map<number, { version: bigint; hash: Uint8Array; entries: bigint }>()
  /** The orders to the signers themselves that each followed, and the freezes it was told of, by party. */
  readonly followed: { party: number; intent: SignerOrderIntent }[] = []
  /** Until when they wait before they follow a change of the policy. */
  policyWaitsUntil: bigint | null = null
  readonly toldToFreeze: number[] = []
  /** The standing orders that each follows, by party and id; and the stops that it was told of. */
  readonly standing = new Map<string, { party: number; id: Uint8Array; version: bigint; hash: Uint8Array; stoppedBy: Uint8Array | null }>()
  readonly toldToStop: number[] = []
  /** Called before a signer takes a change of the policy; what it throws is what the server gets. */
  beforePolicy: (party: number) => void = () => {}
  /** Called before a signer says that it would follow something. */
  beforeEndorsing: (party: number) => void = () => {}
  /** What a signer says of a rule that has it wait, once it is told that the steps are met. */
  seesQuorum: (party: number) => { signableAtMs: bigint; isSignable: boolean } = () => ({ signableAtMs: 0n, isSignable: true })
  readonly #changed = new Set<() => void>()
  online = new Set(PARTIES)
  recipients: string[] = []
  /** Whom the server lets in; empty if it was never told. */
  admitted: readonly NamedSigners[] = []
  /** Whether they seal their shares so that several of those must come together, which the test policy does not ask for. */
  sealsForSeveral = false
  /** Called before signers begin and after they are done, before the result is handed over; what it throws is what the server gets. */
  beforeSession: (request: SessionRequest) => Promise<void> | void = () => {}
  afterSession: (request: SessionRequest) => Promise<void> | void = () => {}
  /** What a signer hands over in place of the recovery ids it made. */
  recoverySaid: (party: number, recovery: bigint) => bigint = (_, recovery) => recovery
  /** What an address statement says instead of the truth. */
  addressSaid: (party: number, address: string) => string = (_, address) => address

  /** Forgets every trick, and what it was asked. */
  resetScript(): void {
    Object.assign(this, {
      beforePolicy: () => {},
      beforeEndorsing: () => {},
      away: null,
      frozen: [],
      seesQuorum: () => ({ signableAtMs: 0n, isSignable: true }),
      beforeSession: () => {},
      afterSession: () => {},
      addressSaid: (_: number, address: string) => address,
    })
    this.recoverySaid = (_, recovery) => recovery
    this.requests.length = 0
    this.followed.length = 0
    this.books.clear()
    this.toldToFreeze.length = 0
    this.toldToStop.length = 0
    this.setOnline(...PARTIES)
  }

  setOnline(...parties: number[]): void {
    this.online = new Set(parties)
    for (const callback of this.#changed) callback()
  }

  /** The failure of a signer that refuses a request, with its signed words. */
  refusal(request: SessionRequest, party: number, check: string, reason: string): CoSignerError {
    const statement = {
      genesis: request.genesis,
      party: BigInt(party),
      requestHash: requestHash(request),
      check,
      reason,
      atMs: BigInt(nodePorts.clock.nowMs()),
    }
    return new CoSignerError({
      kind: 'refused',
      party,
      check,
      message: reason,
      statement: signMessage(refusalStatementShape, statement, BigInt(party), this.secretKeys[party - 1]!),
    })
  }

  get coSigners(): CoSigners {
    return {
      online: () => [...this.online].sort(),
      call: async (party, definition, value) => {
        if (!this.online.has(party)) throw away(party)
        return this.#answer(party, definition, value as Asked) as Infer<typeof definition.reply>
      },
      runSession: async (request, onJoined) => {
        this.requests.push(request)
        for (const party of request.parties) if (!this.online.has(Number(party))) throw away(Number(party))
        await this.beforeSession(request)
        await onJoined?.(
          request.parties.map((party) => this.#joinOf(request, party)),
          [],
        )
        const results = this.#run(request)
        await this.afterSession(request)
        return results
      },
      onChange: (callback) => {
        this.#changed.add(callback)
        return () => void this.#changed.delete(callback)
      },
      onPage: () => {},
      admit: (named) => {
        this.admitted = named
      },
    }
  }

  /** How much of the log a signer has found consistent. */
  readonly logSizes = new Map<number, bigint>()

  #joinOf(request: SessionRequest, party: bigint): Join {
    const nothing = new Uint8Array(32)
    const logSize = this.logSizes.get(Number(party)) ?? 0n
    return {
      genesis: request.genesis,
      requestHash: nothing,
      party,
      random: nothing,
      ephemeralKey: nothing,
      policyVersion: 1n,
      logSize,
      journal: 1n,
      seen: [],
      asks: null,
    }
  }

  /** The signed bytes of a request, as whoever holds the whole key could make them. */
  sign(request: SignRequest): Uint8Array {
    const { signatures } = decode(signatureResultShape, this.#sign(request, [1]).get(1)!)
    return codecFor(orderOf(request).asset.chain)!.attach(
      request.unsigned,
      signatures.map(({ r, s, recovery }) => ({ r, s, recovery: Number(recovery) })),
    ).raw
  }

  #answer(party: number, { name }: CallDefinition<Shape, Shape>, value: Asked): unknown {
    const secretKey = this.secretKeys[party - 1]!
    const key = value.keyId ? this.keys.get(toHex(value.keyId)) : undefined
    switch (name) {
      case 'describe': {
        const page = this.pages.find((each) => each.party === party)
        const said = {
          party: BigInt(party),
          name: `Signer ${party}`,
          operator: `Operator ${party}`,
          signKey: this.signKeys[party - 1],
          build: '',
          pageHash: null,
        }
        return { ...said, approvalOrigin: page?.origin ?? null, approvalRpId: page?.rpId ?? null }
      }
      case 'status':
        return {
          pinned: !this.unpinned.has(party),
          policyVersion: this.policyVersions.get(party) ?? 1n,
          logSize: this.logSizes.get(party) ?? 0n,
          journal: 0n,
          locked: [],
          frozen: this.frozen,
          away: this.away === null ? null : { party: BigInt(this.away), ...this.absence },
        }
      case 'apply-policy': {
        this.beforePolicy(party)
        const version = decode(policyChangeRecordShape, value.record).intent.policyVersion + 1n
        this.policyVersions.set(party, version)
        return { version }
      }
      case 'hear-policy':
        return { untilMs: this.policyWaitsUntil }
      case 'endorse': {
        this.beforeEndorsing(party)
        return this.#endorsement(party, value)
      }
      case 'see-quorum':
        return this.seesQuorum(party)
      case 'follow-signer-order':
        return this.#followOrder(party, value.intent)
      case 'freeze':
        this.toldToFreeze.push(party)
        return {}
      case 'pin-genesis': {
        this.unpinned.delete(party)
        this.pinned.set(party, value.record)
        return signMessage(pinStatementShape, { genesis: new Uint8Array(32), party: BigInt(party), atMs: 0n }, BigInt(party), secretKey)
      }
      case 'cosign-checkpoint': {
        this.logSizes.set(party, value.size)
        return { line: cosign({ genesis: value.genesis, size: Number(value.size), root: value.root }, `signer-${party}`, secretKey) }
      }
      case 'standing-orders':
        return {
          orders: [...this.standing.values()]
            .filter((each) => each.party === party)
            .map(({ id, version, hash, stoppedBy }) => ({ id, version, hash, stoppedBy })),
        }
      case 'stop-standing-orders':
        return this.#stop(party, value.stop)
      case 'book-status':
        return this.books.get(party) ?? { version: 0n, hash: new Uint8Array(32), entries: 0n }
      case 'attest-key':
        return this.#keyStatement(party, value.genesis, value.keyId, value.epoch)
      case 'attest-address': {
        const path = value.path.map(Number)
        const address = codecFor(value.chain)!.addressFromKey(derivePublicKey(key!.protocol, key!.publicKey, key!.chainCode, path))
        return signMessage(
          addressStatementShape,
          { genesis: value.genesis, party: BigInt(party), keyId: value.keyId, path: value.path, chain: value.chain, address: this.addressSaid(party, address) },
          BigInt(party),
          secretKey,
        )
      }
      case 'attest-addresses': {
        const [parent, first, count] = [value.subWallet, value.first, value.count].map(Number) as [number, number, number]
        const children = deriveSiblings(key!, { parent: [parent], first, count })
        const root = addressTree(children.map((each) => this.addressSaid(party, codecFor(value.chain)!.addressFromKey(each)))).root()
        const { genesis, keyId, chain, subWallet } = value
        const said = { genesis, party: BigInt(party), keyId, chain, subWallet, first: value.first, count: value.count, root }
        return signMessage(addressesStatementShape, said, BigInt(party), secretKey)
      }
      case 'seal-share': {
        this.epochs.before(name, party)
        const common = { genesis: value.genesis, keyId: value.keyId, epoch: value.epoch, party: BigInt(party), sealed: Uint8Array.of(party) }
        const officers = this.recipients.map((recipient) => ({ recipient, sealed: Uint8Array.of(party) }))
        const sealed: SealedShare = this.sealsForSeveral
          ? { kind: 'quorum', ...common, threshold: 2n, officers }
          : { kind: 'single', ...common, recipients: this.recipients }
        return signMessage(sealedShareShape, sealed, BigInt(party), secretKey)
      }
      default:
        return this.epochs.answer(name, party, value, { key: key!, secretKey })
    }
  }

  #followOrder(party: number, encoded: Uint8Array) {
    const intent = decode(intentShape, encoded)
    if (!isSignerOrder(intent)) throw new Error('not an order to the signers')
    this.followed.push({ party, intent })
    if (intent.kind === 'absence') {
      this.away = Number(intent.party)
      this.absence = { intentHash: intentHash(intent), untilMs: intent.untilMs }
    }
    if (intent.kind === 'standingOrder') {
      const { id, version } = intent
      this.standing.set(`${party}/${toHex(id)}`, { party, id, version, hash: intentHash(intent), stoppedBy: null })
    }
    if (intent.kind === 'addressBook') this.books.set(party, { version: intent.version, hash: intentHash(intent), entries: 0n })
    return {}
  }

  #stop(party: number, encoded: Uint8Array) {
    this.toldToStop.push(party)
    const { person, orders } = decode(stopShape, encoded).statement
    for (const { id, version } of orders) {
      const kept = this.standing.get(`${party}/${toHex(id)}`)
      if (kept && kept.version <= version) kept.stoppedBy ??= person
    }
    return {}
  }

  #endorsement(party: number, { genesis }: Asked) {
    const nothing = new Uint8Array(32)
    const word = { genesis, party: BigInt(party), kind: '', subject: nothing, policyVersion: 1n, policyHash: nothing, atMs: 1n }
    return signMessage(endorsementShape, word, BigInt(party), this.secretKeys[party - 1]!)
  }

  #keyStatement(party: number, genesis: Uint8Array, keyId: Uint8Array, epoch: bigint) {
    const { protocol, publicKey, chainCode } = this.keys.get(toHex(keyId))!
    return signMessage(
      keyStatementShape,
      { genesis, party: BigInt(party), keyId, epoch, protocol, publicKey, chainCode, atMs: 1n },
      BigInt(party),
      this.secretKeys[party - 1]!,
    )
  }

  #run(request: SessionRequest): Map<number, Uint8Array> {
    const parties = request.parties.map(Number)
    if (request.kind === 'pairSetup') return new Map(parties.map((party) => [party, new Uint8Array()]))
    if (request.kind === 'sign') return this.#sign(request, parties)
    if (request.kind === 'firstSign' || request.kind === 'thirdSign' || request.kind === 'fourthSign')
      throw new Error('the server asks for signatures in the present form')
    if (request.kind === 'reshare') return this.epochs.stage(request)
    if (request.kind === 'shareCheck') return new Map(parties.map((party) => [party, new Uint8Array()]))
    const { genesis, keyId, epoch, protocol } = request
    const secretKey = secp256k1.utils.randomSecretKey()
    // An ed25519 secret is hashed before it counts.
    const { scalar, pointBytes } = ed25519.utils.getExtendedPublicKey(secretKey)
    const isEd25519 = protocol === FROST_ED25519
    this.keys.set(toHex(keyId), {
      protocol,
      secret: isEd25519 ? scalar : BigInt(`0x${toHex(secretKey)}`),
      publicKey: isEd25519 ? pointBytes : secp256k1.getPublicKey(secretKey),
      chainCode: nodePorts.random.bytes(32),
    })
    return new Map(parties.map((party) => [party, encode(signedShape, this.#keyStatement(party, genesis, keyId, epoch))]))
  }

  #sign(request: SignRequest, parties: number[]): Map<number, Uint8Array> {
    const intent = orderOf(request)
    const key = this.keys.get(toHex(request.keyId))!
    const secret = childSecret(key.protocol, key.secret, key.chainCode, intent.path.map(Number))
    const digests = codecFor(intent.asset.chain)!.sighashes(request.unsigned)
    const signatures = digests.map((digest) => {
      const { signature, recovery } = signAlone(key.protocol, secret, digest)
      return { recovery: BigInt(recovery), r: signature.slice(0, 32), s: signature.slice(32) }
    })
    return new Map(
      parties.map((party) => {
        const third = PARTIES.find((each) => !parties.includes(each))!
        const statement = {
          kind: 'witnessed' as const,
          genesis: request.genesis,
          party: BigInt(party),
          session: request.nonce,
          witness: this.away === third ? null : BigInt(third),
          absence: this.away === third ? new Uint8Array(32) : null,
          intentHash: intentHash(decode(intentShape, request.intent)),
          unsigned: request.unsigned,
          digests: digests.map(digestToSign),
          policyVersion: decode(intentShape, request.intent).policyVersion,
          checks: ['c1'],
          atMs: BigInt(nodePorts.clock.nowMs()),
        }
        const said = signatures.map((each) => ({ ...each, recovery: this.recoverySaid(party, each.recovery) }))
        return [
          party,
          encode(signatureResultShape, {
            signatures: said,
            statement: signMessage(signatureStatementShape, statement, BigInt(party), this.secretKeys[party - 1]!),
          }),
        ]
      }),
    )
  }
}

function orderOf(request: SignRequest): TransactionIntent {
  const intent = decode(intentShape, request.intent)
  if (!isSpending(intent)) throw new Error('not an order to pay')
  const payment = originalOf(intent)
  if (!equalBytes(payment.keyId, request.keyId)) throw new Error('not an order of this key')
  return payment
}

function away(party: number): CoSignerError {
  return new CoSignerError({ kind: 'unavailable', party, check: '', message: `signer ${party} is not connected` })
}
