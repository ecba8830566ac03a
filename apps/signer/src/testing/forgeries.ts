import type { ChainCodec, Effects } from '@holdfast/chain-core'
import { decode, encode, equalBytes, toHex } from '@holdfast/encoding'
import { approvalShape, intentShape, type PolicyChangeIntent, type TransferIntent } from '@holdfast/intent'
import { entryShape, leafHash } from '@holdfast/log'
import { policyHash } from '@holdfast/policy'
import type { Check, SignRequest } from '@holdfast/protocol'
import { applyEvent } from '../state/register.ts'
import type { Log } from './log-of.ts'
import { addressOf, OTHER_ADDRESS } from './order-of.ts'
import { CHAIN, COIN, DAY_MS, NOW_MS, TOKEN } from './organisation-of.ts'
import { approve } from './people.ts'
import { acme, ann, ben, cleo, DAY_MAX, type Hooks, key, ORDER_MAX, outsider } from './world-of.ts'

/** Draws from what the property test generated. */
export type Draw = { below(count: number): number; pick<T>(items: readonly T[]): T }
export type Forgery = { name: string; check: Check; hooks(draw: Draw): Hooks }

const flip = (bytes: Uint8Array, draw: Draw): Uint8Array => {
  const changed = Uint8Array.from(bytes)
  changed[draw.below(bytes.length)]! ^= 1 << draw.below(8)
  return changed
}
const nowMs = BigInt(NOW_MS)
const OTHER_ORIGINS = ['http://console.localhost:24000', 'https://approve.localhost:24000', 'http://approve.localhost:24001']
const payer = addressOf(key, [0n, 7n])
const wrongToken = { ...TOKEN, contract: '0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9' }

type Change<T> = (value: T, draw: Draw) => Partial<T>
const altered =
  (change: Change<TransferIntent>) =>
  (draw: Draw): Hooks => ({ altered: (intent) => change(intent, draw) })
const proposed =
  (change: Change<TransferIntent>) =>
  (draw: Draw): Hooks => ({ proposed: (intent) => change(intent, draw) })
const changedRequest =
  (change: Change<SignRequest>) =>
  (draw: Draw): Hooks => ({ request: (request) => change(request, draw) })

/** The order is changed after people have approved it. */
const ALTERED_ORDERS: Forgery[] = [
  { name: 'genesis', check: 'c2', hooks: altered((intent, draw) => ({ genesis: flip(intent.genesis, draw) })) },
  { name: 'policy version', check: 'c3', hooks: altered((intent, draw) => ({ policyVersion: intent.policyVersion + 1n + BigInt(draw.below(9)) })) },
  { name: 'policy hash', check: 'c3', hooks: altered((intent, draw) => ({ policyHash: flip(intent.policyHash, draw) })) },
  { name: 'a later beginning', check: 'c4', hooks: altered((_, draw) => ({ notBeforeMs: nowMs + 1n + BigInt(draw.below(1000)) })) },
  { name: 'an end in the past', check: 'c4', hooks: altered((_, draw) => ({ expiresAtMs: nowMs - 1n - BigInt(draw.below(1000)) })) },
  { name: 'a longer life', check: 'c5', hooks: altered((intent) => ({ expiresAtMs: intent.expiresAtMs + 1n })) },
  { name: 'an earlier beginning', check: 'c5', hooks: altered((intent) => ({ notBeforeMs: intent.notBeforeMs - 1n })) },
  { name: 'order id', check: 'c5', hooks: altered((intent, draw) => ({ orderId: flip(intent.orderId, draw) })) },
  { name: 'key', check: 'c5', hooks: altered((intent, draw) => ({ keyId: flip(intent.keyId, draw) })) },
  { name: 'path', check: 'c5', hooks: altered((intent, draw) => ({ path: [...intent.path, BigInt(draw.below(9))] })) },
  { name: 'paying address', check: 'c5', hooks: altered(() => ({ from: OTHER_ADDRESS })) },
  { name: 'destination', check: 'c5', hooks: altered(() => ({ to: OTHER_ADDRESS })) },
  { name: 'memo', check: 'c5', hooks: altered(() => ({ memo: '' })) },
  { name: 'amount', check: 'c5', hooks: altered((intent, draw) => ({ amount: intent.amount + 1n + BigInt(draw.below(1000)) })) },
  { name: 'fee cap', check: 'c5', hooks: altered((intent) => ({ feeCap: intent.feeCap * 2n })) },
  { name: 'slot rule', check: 'c5', hooks: altered(() => ({ slotRule: 'none' })) },
  { name: 'initiator', check: 'c5', hooks: altered(() => ({ initiator: ben.person.id })) },
  { name: 'screening', check: 'c5', hooks: altered(() => ({ screening: new Uint8Array(32) })) },
  { name: 'remark', check: 'c5', hooks: altered(() => ({ remark: 'changed' })) },
  { name: 'nonce', check: 'c5', hooks: altered((intent, draw) => ({ nonce: flip(intent.nonce, draw) })) },
  { name: 'decimals of the asset', check: 'c4', hooks: altered((intent) => ({ asset: { ...intent.asset, decimals: intent.asset.decimals + 1n } })) },
]

/** People approved this order, but it may not be signed. */
const BAD_ORDERS: Forgery[] = [
  { name: 'an order that has expired', check: 'c4', hooks: (draw) => ({ view: () => ({ nowMs: NOW_MS + DAY_MS + 1 + draw.below(1000) }) }) },
  { name: 'an order that is not open yet', check: 'c4', hooks: (draw) => ({ view: () => ({ nowMs: NOW_MS - 60_001 - draw.below(1000) }) }) },
  {
    name: "decimals that are not the policy's",
    check: 'c4',
    hooks: proposed((intent, draw) => ({ asset: { ...intent.asset, decimals: BigInt(draw.below(18)) } })),
  },
  { name: "a symbol that is not the policy's", check: 'c4', hooks: proposed((intent) => ({ asset: { ...intent.asset, symbol: 'USDT' } })) },
  { name: "fee decimals that are not the policy's", check: 'c4', hooks: proposed((intent) => ({ feeAsset: { ...intent.feeAsset, decimals: 30n } })) },
  { name: 'an asset nobody pinned', check: 'c4', hooks: () => ({ order: { asset: wrongToken } }) },
  { name: 'a key of another name', check: 'c7', hooks: proposed((intent, draw) => ({ keyId: flip(intent.keyId, draw) })) },
  { name: 'a path that leads elsewhere', check: 'c7', hooks: proposed((intent, draw) => ({ path: [...intent.path, BigInt(draw.below(9))] })) },
  { name: 'a paying address of another key', check: 'c7', hooks: proposed(() => ({ from: OTHER_ADDRESS })) },
  { name: 'another destination', check: 'c7', hooks: proposed(() => ({ to: OTHER_ADDRESS })) },
  { name: 'a destination in another spelling', check: 'c7', hooks: proposed((intent) => ({ to: intent.to.toLowerCase() })) },
  { name: 'a memo the chain does not carry', check: 'c7', hooks: proposed(() => ({ memo: 'invoice' })) },
  { name: 'another amount', check: 'c7', hooks: proposed((intent, draw) => ({ amount: intent.amount + 1n + BigInt(draw.below(1000)) })) },
  { name: 'another pinned asset', check: 'c7', hooks: proposed((intent) => ({ asset: intent.asset.contract === null ? TOKEN : COIN })) },
  { name: 'a chain the transaction is not for', check: 'c4', hooks: proposed((intent) => ({ asset: { ...intent.asset, chain: 'eip155:1' } })) },
  { name: 'a fee paid in a token', check: 'c8', hooks: proposed(() => ({ feeAsset: TOKEN })) },
  { name: 'a fee cap below the fee', check: 'c8', hooks: proposed((_, draw) => ({ feeCap: BigInt(draw.below(1_000_000)) })) },
  { name: 'an unknown slot rule', check: 'c8', hooks: proposed((_, draw) => ({ slotRule: draw.pick(['', 'none', 'account-nonce ']) })) },
  { name: 'an initiator who is nobody', check: 'c5', hooks: () => ({ order: { initiator: outsider } }) },
  { name: 'more than any rule allows', check: 'c5', hooks: (draw) => ({ order: { amount: ORDER_MAX + 1n + BigInt(draw.below(1000)) } }) },
  {
    name: 'more than the window has left',
    check: 'c9',
    hooks: (draw) => ({
      order: { asset: COIN, amount: ORDER_MAX },
      register: (register) =>
        void register.spends.set('an earlier order', { asset: null, ruleId: 'coin', amount: DAY_MAX - ORDER_MAX + 1n, atMs: NOW_MS - draw.below(DAY_MS) }),
    }),
  },
]

/** The approvals do not count. */
const BAD_APPROVALS: Forgery[] = [
  { name: 'one approval missing', check: 'c5', hooks: (draw) => ({ approved: (all) => all.toSpliced(draw.below(all.length), 1) }) },
  { name: 'no approvals', check: 'c5', hooks: () => ({ approvers: [] }) },
  {
    name: 'one person twice',
    check: 'c5',
    hooks: (draw) => ({ approved: (all, draft) => [all[0]!, approve(ben, draft.intent, acme.policy, { key: draw.pick(ben.keys) })] }),
  },
  {
    name: "the initiator's own",
    check: 'c5',
    hooks: (draw) => ({
      approvers: draw.pick([
        [ann, ben],
        [cleo, ann],
      ]),
    }),
  },
  { name: 'one of an outsider', check: 'c5', hooks: () => ({ approvers: [ben, outsider] }) },
  { name: "one with another person's key", check: 'c5', hooks: (draw) => ({ approval: (member) => (member === cleo ? { key: draw.pick(ben.keys) } : {}) }) },
  {
    name: "one in another person's name",
    check: 'c5',
    hooks: () => ({ approval: (member) => (member === cleo ? { changes: { person: ben.person.id }, key: cleo.keys[0] } : {}) }),
  },
  {
    name: 'one for another order',
    check: 'c5',
    hooks: (draw) => ({ approval: (_, { intent }) => ({ changes: { policyHash: policyHash(acme.policy), intentHash: flip(intent.nonce, draw) } }) }),
  },
  { name: 'one under another policy', check: 'c5', hooks: (draw) => ({ approval: () => ({ changes: { policyHash: flip(policyHash(acme.policy), draw) } }) }) },
  { name: 'one of another organisation', check: 'c5', hooks: (draw) => ({ approval: () => ({ changes: { genesis: flip(acme.fingerprint, draw) } }) }) },
  { name: 'one over other words', check: 'c5', hooks: (draw) => ({ approval: () => ({ changes: { renderHash: flip(new Uint8Array(32), draw) } }) }) },
  { name: 'one in an unknown language', check: 'c5', hooks: () => ({ approval: () => ({ changes: { locale: 'tlh' } }) }) },
  { name: 'one with an unknown decision', check: 'c5', hooks: () => ({ approval: () => ({ decision: 'abstain' }) }) },
  {
    name: 'one given before the order was open',
    check: 'c5',
    hooks: () => ({ approval: (_, { intent }) => ({ changes: { signedAtMs: intent.notBeforeMs - 1n } }) }),
  },
  {
    name: 'one given after the order expired',
    check: 'c5',
    hooks: () => ({ approval: (_, { intent }) => ({ changes: { signedAtMs: intent.expiresAtMs + 1n } }) }),
  },
  {
    name: 'one dated an hour ahead',
    check: 'c5',
    hooks: () => ({ approval: () => ({ changes: { signedAtMs: BigInt(NOW_MS + 3_600_000) } }) }),
  },
  {
    name: 'one with a statement changed after it was signed',
    check: 'c5',
    hooks: (draw) => ({ approved: (all) => all.with(draw.below(all.length), { ...all[0]!, signedAtMs: all[0]!.signedAtMs + 1n }) }),
  },
  {
    name: 'one from another origin',
    check: 'c5',
    hooks: (draw) => ({ approval: (member) => ({ key: draw.pick(member.keys), twist: { origin: draw.pick(OTHER_ORIGINS) } }) }),
  },
  { name: 'one for another relying party', check: 'c5', hooks: () => ({ approval: (member) => ({ key: member.keys[1], twist: { rpId: 'localhost' } }) }) },
  {
    name: "one without the person's presence or verification",
    check: 'c5',
    hooks: (draw) => ({ approval: (member) => ({ key: member.keys[1], twist: { flags: draw.pick([0x00, 0x01, 0x04]) } }) }),
  },
  { name: 'one of a key that has become copyable', check: 'c5', hooks: () => ({ approval: (member) => ({ key: member.keys[1], twist: { flags: 0x0d } }) }) },
  {
    name: 'one of a registration instead of an authentication',
    check: 'c5',
    hooks: () => ({ approval: (member) => ({ key: member.keys[1], twist: { type: 'webauthn.create' } }) }),
  },
  { name: 'one made inside another page', check: 'c5', hooks: () => ({ approval: (member) => ({ key: member.keys[1], twist: { crossOrigin: true } }) }) },
  {
    name: 'one over another challenge',
    check: 'c5',
    hooks: (draw) => ({ approval: (member) => ({ key: draw.pick(member.keys), twist: { challenge: flip(new Uint8Array(32), draw) } }) }),
  },
  {
    name: 'one with a changed signature',
    check: 'c5',
    hooks: (draw) => ({
      approved: (all) => all.map((each) => ({ ...each, assertion: { ...each.assertion, signature: flip(each.assertion.signature, draw) } })),
    }),
  },
  {
    name: 'one that is not an approval',
    check: 'c5',
    hooks: changedRequest((request, draw) => ({ approvals: request.approvals.map((each) => each.subarray(0, draw.below(each.length))) })),
  },
  {
    name: 'a rejection beside enough approvals',
    check: 'c6',
    hooks: (draw) => ({
      approvers: [ben, cleo],
      approved: (all, { intent }) => [...all, approve(draw.pick([ben, cleo]), intent, acme.policy, { decision: 'reject' })],
    }),
  },
  {
    name: "a rejection seen at the signer's own page",
    check: 'c6',
    hooks: (draw) => ({
      register: (register, { request }) => {
        const { intentHash } = decode(approvalShape, request.approvals[0]!)
        applyEvent(register, { kind: 'vetoed', intentHash, person: draw.pick([ben, cleo]).person.id }, NOW_MS, 1)
      },
    }),
  },
]

/** The bytes are not the order. */
const BAD_TRANSACTIONS: Forgery[] = [
  { name: 'pays somebody else', check: 'c7', hooks: () => ({ transaction: () => ({ to: OTHER_ADDRESS }) }) },
  {
    name: 'pays another amount',
    check: 'c7',
    hooks: (draw) => ({ transaction: ({ amount }) => ({ amount: draw.pick([amount - 1n, amount + 1n, amount / 2n]) }) }),
  },
  {
    name: 'moves another pinned asset',
    check: 'c7',
    hooks: () => ({ transaction: ({ asset }) => ({ asset: { chain: CHAIN, contract: asset.contract === null ? TOKEN.contract : null }, gasLimit: 65_000n }) }),
  },
  {
    name: 'moves an asset nobody pinned',
    check: 'c5',
    hooks: () => ({ transaction: () => ({ asset: { chain: CHAIN, contract: wrongToken.contract }, gasLimit: 65_000n }) }),
  },
  {
    name: 'is for another chain',
    check: 'c7',
    hooks: (draw) => ({ transaction: ({ asset }) => ({ asset: { ...asset, chain: draw.pick(['eip155:1', 'eip155:31338']) } }) }),
  },
  { name: 'costs more than the cap', check: 'c8', hooks: (draw) => ({ transaction: () => ({ maxFeePerGas: 10n ** 15n + BigInt(draw.below(1000)) }) }) },
  {
    name: 'has bytes left over',
    check: 'c7',
    hooks: changedRequest((request, draw) => ({ unsigned: Uint8Array.from([...request.unsigned, draw.below(256)]) })),
  },
  {
    name: 'is cut short',
    check: 'c7',
    hooks: changedRequest((request, draw) => ({ unsigned: request.unsigned.subarray(0, draw.below(request.unsigned.length)) })),
  },
  {
    name: 'calls an unknown function',
    check: 'c7',
    hooks: (draw) => ({ order: { asset: TOKEN }, request: (request) => ({ unsigned: replaceSelector(request.unsigned, draw) }) }),
  },
  {
    name: 'is of an unknown type',
    check: 'c7',
    hooks: changedRequest((request, draw) => ({ unsigned: Uint8Array.from(request.unsigned).fill(draw.pick([0, 1, 3, 4, 0xc0]), 0, 1) })),
  },
  {
    name: 'is in the slot of another order',
    check: 'c10',
    hooks: () => ({
      register: (register) => void register.slots.set(`${CHAIN}|${payer}|0`, 'another order'),
    }),
  },
  {
    name: 'moves the order to another slot',
    check: 'c10',
    hooks: (draw) => ({
      order: { nonce: 1n + BigInt(draw.below(100)) },
      register: (register, { request }) => {
        const { intentHash } = decode(approvalShape, request.approvals[0]!)
        register.bindings.set(toHex(intentHash), { slotKey: `${CHAIN}|${payer}|0`, committed: true, bytes: null, cancelled: false, before: null })
      },
    }),
  },
]

function replaceSelector(unsigned: Uint8Array, draw: Draw): Uint8Array {
  const at = unsigned.findIndex((_, i) => equalBytes(unsigned.subarray(i, i + 4), Uint8Array.of(0xa9, 0x05, 0x9c, 0xbb)))
  return Uint8Array.from(unsigned, (byte, i) => (i >= at && i < at + 4 ? byte ^ (1 << draw.below(8)) : byte))
}

type Logged = SignRequest['logged'][number]
const onLogged = (change: (logged: Logged, draw: Draw, i: number) => Logged) =>
  changedRequest((request, draw) => {
    const i = draw.below(request.logged.length)
    return { logged: request.logged.with(i, change(request.logged[i]!, draw, i)) }
  })
const onEntry = (change: (entry: ReturnType<typeof readEntry>, draw: Draw) => Partial<ReturnType<typeof readEntry>>) =>
  onLogged((logged, draw) => {
    const entry = readEntry(logged.entry)
    return { ...logged, entry: encode(entryShape, { ...entry, ...change(entry, draw) }) }
  })
const readEntry = (encoded: Uint8Array) => decode(entryShape, encoded)

/** Files the last approval once more, in a way no honest server does, and points to that entry. */
function misfiled(request: SignRequest, log: Log, changes: Partial<ReturnType<typeof readEntry>>): Partial<SignRequest> {
  const index = log.entries.length
  const entry = encode(entryShape, { ...readEntry(request.logged.at(-1)!.entry), sequence: BigInt(index), ...changes })
  log.entries.push(entry)
  log.tree.append(leafHash(entry))
  const indexes = [...request.logged.slice(0, -1).map((each) => Number(each.index)), index]
  return { logged: indexes.map((each) => log.logged(each)), checkpoint: log.note() }
}

/** The log does not bear the order out. */
const BAD_LOGS: Forgery[] = [
  { name: 'an entry with another body', check: 'c11', hooks: onEntry((entry, draw) => ({ body: flip(entry.body, draw) })) },
  { name: 'an entry of another type', check: 'c11', hooks: onEntry((_, draw) => ({ type: draw.pick(['', 'signature', 'refusal', 'policy']) })) },
  { name: 'an entry with another sequence', check: 'c11', hooks: onEntry((entry) => ({ sequence: entry.sequence + 1n })) },
  { name: 'an entry of another time', check: 'c11', hooks: onEntry((entry) => ({ atMs: entry.atMs + 1n })) },
  { name: 'an entry of another organisation', check: 'c11', hooks: onEntry((entry, draw) => ({ genesis: flip(entry.genesis, draw) })) },
  {
    name: 'an entry that is none',
    check: 'c11',
    hooks: onLogged((logged, draw) => ({ ...logged, entry: logged.entry.subarray(0, draw.below(logged.entry.length)) })),
  },
  { name: 'an entry at another index', check: 'c11', hooks: onLogged((logged) => ({ ...logged, index: logged.index + 1n })) },
  { name: 'a changed proof', check: 'c11', hooks: onLogged((logged, draw) => ({ ...logged, proof: logged.proof.with(0, flip(logged.proof[0]!, draw)) })) },
  { name: 'a proof too short', check: 'c11', hooks: onLogged((logged) => ({ ...logged, proof: logged.proof.slice(1) })) },
  { name: 'a proof too long', check: 'c11', hooks: onLogged((logged) => ({ ...logged, proof: [...logged.proof, new Uint8Array(32)] })) },
  { name: 'entries in another order', check: 'c11', hooks: changedRequest((request) => ({ logged: request.logged.toReversed() })) },
  {
    name: 'an entry missing',
    check: 'c11',
    hooks: changedRequest((request, draw) => ({ logged: request.logged.toSpliced(draw.below(request.logged.length), 1) })),
  },
  { name: "the last approval's entry missing", check: 'c11', hooks: changedRequest((request) => ({ logged: request.logged.slice(0, -1) })) },
  {
    name: 'an entry that stands in the log with another sequence',
    check: 'c11',
    hooks: () => ({ request: (request, log) => misfiled(request, log, { sequence: 0n }) }),
  },
  {
    name: 'an entry that stands in the log for another organisation',
    check: 'c11',
    hooks: () => ({ request: (request, log) => misfiled(request, log, { genesis: new Uint8Array(32) }) }),
  },
  { name: 'an entry too many', check: 'c11', hooks: changedRequest((request) => ({ logged: [...request.logged, request.logged[0]!] })) },
  { name: 'a checkpoint this signer has not signed', check: 'c11', hooks: () => ({ register: (register) => void (register.checkpoints = []) }) },
  {
    name: 'a checkpoint of another root',
    check: 'c11',
    hooks: (draw) => ({
      register: (register) => void (register.checkpoints = register.checkpoints.map(({ size, root }) => ({ size, root: flip(root, draw) }))),
    }),
  },
  {
    name: 'a checkpoint of another size',
    check: 'c11',
    hooks: () => ({ register: (register) => void (register.checkpoints = register.checkpoints.map(({ size, root }) => ({ size: size + 1, root }))) }),
  },
  {
    name: 'a checkpoint that is none',
    check: 'c11',
    hooks: changedRequest((request, draw) => ({ checkpoint: request.checkpoint.slice(0, draw.below(request.checkpoint.length)) })),
  },
  {
    name: 'a checkpoint of another log',
    check: 'c11',
    hooks: changedRequest((request) => ({ checkpoint: request.checkpoint.replace(/log\/[0-9a-f]{4}/, 'log/ffff') })),
  },
]

const policyOrder: PolicyChangeIntent = {
  kind: 'policyChange',
  genesis: acme.fingerprint,
  orderId: new Uint8Array(16),
  newPolicy: new Uint8Array(0),
  notBeforeMs: nowMs,
  expiresAtMs: nowMs + 1n,
  policyVersion: 1n,
  policyHash: policyHash(acme.policy),
  initiator: ann.person.id,
  nonce: new Uint8Array(32),
}
const twice = (effects: Effects): Effects => ({ ...effects, transfers: [...effects.transfers, ...effects.transfers] })
/** A chain whose transactions do more than those of today's chains. */
const withCodec = (change: (codec: ChainCodec) => Partial<ChainCodec>) => (): Hooks => ({
  view: ({ codecFor }) => ({ codecFor: (chain) => ({ ...codecFor(chain)!, ...change(codecFor(chain)!) }) }),
})

/** The request itself is wrong. */
const BAD_REQUESTS: Forgery[] = [
  { name: 'no parties', check: 'c1', hooks: changedRequest((_, draw) => ({ parties: draw.pick([[], [1n], [1n, 2n, 3n]]) })) },
  { name: 'two other parties', check: 'c1', hooks: changedRequest(() => ({ parties: [2n, 3n] })) },
  {
    name: 'parties in another order, or twice the same',
    check: 'c1',
    hooks: changedRequest((_, draw) => ({
      parties: draw.pick([
        [2n, 1n],
        [1n, 1n],
      ]),
    })),
  },
  {
    name: 'a party nobody knows',
    check: 'c1',
    hooks: changedRequest((_, draw) => ({
      parties: draw.pick([
        [1n, 4n],
        [0n, 1n],
        [1n, 255n],
      ]),
    })),
  },
  { name: 'key', check: 'c1', hooks: changedRequest((_, draw) => ({ keyId: flip(key.keyId, draw) })) },
  { name: 'epoch', check: 'c1', hooks: changedRequest((_, draw) => ({ epoch: 1n + BigInt(draw.below(9)) })) },
  {
    name: 'a pair that is locked',
    check: 'c15',
    hooks: () => ({ register: (register) => applyEvent(register, { kind: 'burned', keyId: key.keyId, epoch: 0n, peer: 2n, reason: 'cheated' }, NOW_MS, 1) }),
  },
  { name: 'organisation', check: 'c2', hooks: changedRequest((request, draw) => ({ genesis: flip(request.genesis, draw) })) },
  {
    name: 'an order that is none',
    check: 'c4',
    hooks: changedRequest((request, draw) => ({ intent: request.intent.subarray(0, draw.below(request.intent.length)) })),
  },
  { name: 'an order to change the policy', check: 'c4', hooks: changedRequest(() => ({ intent: encode(intentShape, policyOrder) })) },
  { name: 'a chain this signer cannot read', check: 'c7', hooks: () => ({ view: () => ({ codecFor: () => undefined }) }) },
  {
    name: 'a transaction that moves nothing',
    check: 'c7',
    hooks: withCodec((codec) => ({ decode: (unsigned) => ({ ...codec.decode(unsigned), transfers: [] }) })),
  },
  { name: 'a transaction with a second transfer in it', check: 'c7', hooks: withCodec((codec) => ({ decode: (unsigned) => twice(codec.decode(unsigned)) })) },
  {
    name: 'a transaction that needs no signature, or more than a session makes',
    check: 'c13',
    hooks: (draw) => withCodec((codec) => ({ sighashes: (unsigned) => Array(draw.pick([0, 65])).fill(codec.sighashes(unsigned)[0]!) }))(),
  },
  { name: 'an order with bytes left over', check: 'c4', hooks: changedRequest((request) => ({ intent: Uint8Array.from([...request.intent, 0]) })) },
  { name: 'a policy that has expired', check: 'c3', hooks: () => ({ view: () => ({ nowMs: Number(acme.policy.expiresAtMs) }) }) },
  { name: 'a policy that is not the newest', check: 'c3', hooks: () => ({ register: (register) => void (register.policy = { ...acme.policy, version: 2n }) }) },
]

export const FORGERIES: readonly Forgery[] = [ALTERED_ORDERS, BAD_ORDERS, BAD_APPROVALS, BAD_TRANSACTIONS, BAD_LOGS, BAD_REQUESTS].flat()
