import { decode, digest, struct, bytes, toHex } from '@holdfast/encoding'
import { intentHash, intentShape } from '@holdfast/intent'
import { CoSignerError } from '@holdfast/features/signer-link/server'
import { epochStatementShape, type ReshareRequest, retiredStatementShape, sealedShareShape, signMessage } from '@holdfast/protocol'

type Staged = { epoch: bigint; key: Uint8Array; intentHash: Uint8Array }
type Held = { active: bigint; staged: Staged | null; former: bigint[] }
type Asked = { genesis: Uint8Array; keyId: Uint8Array; epoch: bigint; intent: Uint8Array }
type Key = { protocol: string; publicKey: Uint8Array; chainCode: Uint8Array }

const runShape = struct('holdfast/test/run/v1', { nonce: bytes(32) })

/** What three signers have of each key's epochs, as the server sees it: what was staged in one run goes together. */
export class ScriptedEpochs {
  readonly #held = new Map<string, Held>()
  /** Called before a signer answers a call by this name; what it throws is what the server gets. */
  before: (name: string, party: number) => void = () => {}
  readonly retired: { party: number; keyId: Uint8Array; epoch: bigint }[] = []

  of(party: number, keyId: Uint8Array): Held {
    const name = `${party}/${toHex(keyId)}`
    const held = this.#held.get(name) ?? { active: 0n, staged: null, former: [] }
    this.#held.set(name, held)
    return held
  }

  stage(request: ReshareRequest): Map<number, Uint8Array> {
    const key = digest(runShape, { nonce: request.nonce })
    const hash = intentHash(decode(intentShape, request.intent))
    for (const party of [1, 2, 3]) this.of(party, request.keyId).staged = { epoch: request.epoch, key, intentHash: hash }
    return new Map([1, 2, 3].map((party) => [party, new Uint8Array()]))
  }

  answer(name: string, party: number, asked: Asked, { key, secretKey }: { key: Key; secretKey: Uint8Array }): unknown {
    this.before(name, party)
    if (name === 'follow-key-order') return this.#follow(party, asked, secretKey)
    const held = this.of(party, asked.keyId)
    if (name === 'key-epochs') return held
    if (name === 'key-public') return { key: Uint8Array.of(1) }
    if (name === 'attest-epoch') {
      const { genesis, keyId } = asked
      const { protocol, publicKey, chainCode } = key
      if (held.staged?.epoch !== asked.epoch) throw new CoSignerError({ kind: 'fault', party, check: '', message: 'nothing is ready' })
      const statement = { genesis, party: BigInt(party), keyId, protocol, publicKey, chainCode, ...held.staged, atMs: 1n }
      return signMessage(epochStatementShape, statement, BigInt(party), secretKey)
    }
    if (name === 'activate-epoch') {
      if (held.active !== asked.epoch) Object.assign(held, { former: [...held.former, held.active], active: asked.epoch, staged: null })
      return {}
    }
    if (name === 'retire-epoch') {
      this.retired.push({ party, keyId: asked.keyId, epoch: asked.epoch })
      held.former = held.former.filter((epoch) => epoch !== asked.epoch)
      return {}
    }
    throw new Error(`no script for ${name}`)
  }

  #follow(party: number, { genesis, intent }: Asked, secretKey: Uint8Array): unknown {
    const order = decode(intentShape, intent)
    if (order.kind !== 'keyOrder') throw new Error('not an order about a key')
    const { keyId, epoch, recipients, action } = order
    const about = { genesis, party: BigInt(party), keyId, epoch }
    if (action === 'retire') return signMessage(retiredStatementShape, { ...about, intentHash: intentHash(order), atMs: 1n }, BigInt(party), secretKey)
    const named = recipients.find((each) => each.party === BigInt(party))!.recipients
    return signMessage(sealedShareShape, { kind: 'single', ...about, recipients: named, sealed: Uint8Array.of(party) }, BigInt(party), secretKey)
  }
}
