import { chainCodecSuite } from '@holdfast/chain-core/suite'
import { ChainError, type Effects, RESOURCES, slotOf, STAKE_ACTIONS, type StakeOrder } from '@holdfast/chain-core'
import { concatBytes, fromHex, toHex } from '@holdfast/encoding'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import fc from 'fast-check'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TronWeb, utils } from 'tronweb'
import {
  chain,
  codec,
  frame,
  nativeOrder,
  nativeUnsigned,
  payer,
  publicKey,
  recipient,
  secretKey,
  sign,
  token,
  tokenOrder,
  tokenUnsigned,
} from '../testing/samples.ts'
import { buildStake, buildTransfer, codecFor, type StakeTransaction, tronCodec, type TransferTransaction } from './index.ts'

const tronWeb = new TronWeb({ fullHost: 'http://nobody.test' })
const header = { ref_block_bytes: '8f3a', ref_block_hash: 'b2f1c0d94e5a6177', timestamp: Number(frame.timestampMs), expiration: Number(frame.expirationMs) }
const options = { blockHeader: header }
const builder = tronWeb.transactionBuilder
const KINDS = ['TransferContract', 'TriggerSmartContract', 'FreezeBalanceV2Contract', 'UnfreezeBalanceV2Contract', 'DelegateResourceContract']
const ENDS = ['WithdrawExpireUnfreezeContract', 'CancelAllUnfreezeV2Contract', 'UnDelegateResourceContract']
const ALL_KINDS = [...KINDS, ...ENDS, 'AccountPermissionUpdateContract']

type Read = { fee_limit: number; expiration: number; contract: { type: string; Permission_id?: number; parameter: { value: Record<string, never> } }[] }
const text = (hex: string) => TronWeb.address.fromHex(hex)

/** What tronweb, an independent library, makes of an unsigned transaction. */
function tronWebDecode(unsigned: Uint8Array): Effects {
  const hex = toHex(unsigned)
  const kind = ALL_KINDS.find((each) => Buffer.from(unsigned).includes(`protocol.${each}`))!
  const read = utils.deserializeTx.deserializeTransaction(kind, hex) as unknown as Read
  const value = read.contract[0]!.parameter.value as Record<string, never>
  const bandwidth = BigInt(unsigned.length + (unsigned.length < 128 ? 2 : 3) + 67 + 64)
  const isCall = kind === 'TriggerSmartContract'
  const txid = utils.crypto.SHA256([...unsigned])
  const burnt = bandwidth * 1_000n
  const feeParameters: Record<string, bigint> = isCall ? { bandwidth, feeLimit: BigInt(read.fee_limit) } : { bandwidth }
  const { Permission_id: permissionId = 0 } = read.contract[0]!
  const signedUnder = permissionId === 0 ? [] : [{ kind: 'signed-under', facts: { permissionId: BigInt(permissionId) } }]
  const shared = {
    chain,
    from: text(value.owner_address!),
    feeParameters,
    slot: slotOf(toHex(Uint8Array.from(txid))),
    validUntilMs: BigInt(read.expiration),
    ...(signedUnder.length > 0 ? { actions: signedUnder } : {}),
  }
  const resource = String(value.resource).toLowerCase() as 'energy'
  const about = (stake: Partial<StakeOrder> & Pick<StakeOrder, 'action'>): Effects => ({
    ...shared,
    transfers: [],
    stake: { resource: null, amount: 0n, receiver: null, lockBlocks: 0n, ...stake },
    feeMax: burnt,
  })
  switch (kind) {
    case 'TransferContract':
      return { ...shared, transfers: [{ asset: { chain, contract: null }, to: text(value.to_address!), amount: BigInt(value.amount!) }], feeMax: 1_100_000n }
    case 'TriggerSmartContract': {
      const [to, amount] = utils.abi.decodeParams([], ['address', 'uint256'], `0x${String(value.data).slice(8)}`) as [string, bigint]
      const transfer = { asset: { chain, contract: text(value.contract_address!) }, to: text(to), amount: BigInt(amount) }
      return { ...shared, transfers: [transfer], feeMax: burnt + BigInt(read.fee_limit) }
    }
    case 'FreezeBalanceV2Contract':
      return about({ action: 'stake', resource, amount: BigInt(value.frozen_balance!) })
    case 'UnfreezeBalanceV2Contract':
      return about({ action: 'unstake', resource, amount: BigInt(value.unfreeze_balance!) })
    case 'WithdrawExpireUnfreezeContract':
      return about({ action: 'withdraw' })
    case 'CancelAllUnfreezeV2Contract':
      return about({ action: 'cancel-unstake' })
    case 'DelegateResourceContract': {
      const delegated = { resource, amount: BigInt(value.balance!), receiver: text(value.receiver_address!) }
      return about({ action: 'delegate', ...delegated, lockBlocks: value.lock ? BigInt(value.lock_period!) : 0n })
    }
    case 'UnDelegateResourceContract':
      return about({ action: 'undelegate', resource, amount: BigInt(value.balance!), receiver: text(value.receiver_address!) })
    default:
      return { ...shared, transfers: [], actions: [...signedUnder, { kind: 'permissions', facts: permissionFacts(value) }], feeMax: burnt + 100_000_000n }
  }
}

type TronPermission = { type?: string; id: number; permission_name: string; threshold: number; operations: string; keys: { address: string; weight: number }[] }

function permissionFacts({ owner, actives }: Record<string, never>): Record<string, string | bigint> {
  const facts: Record<string, string | bigint> = {}
  const add = (name: string, { type, id, permission_name: label, threshold, operations, keys }: TronPermission) => {
    facts[`${name}.threshold`] = BigInt(threshold)
    facts[`${name}.keys`] = keys.map((key) => `${text(key.address)}=${key.weight}`).join(',')
    facts[`${name}.type`] = type === 'Active' ? 2n : 0n
    facts[`${name}.id`] = BigInt(id ?? 0)
    facts[`${name}.name`] = Buffer.from(label).toString('hex')
    facts[`${name}.operations`] = (operations ?? '').toLowerCase()
  }
  add('owner', owner as unknown as TronPermission)
  for (const [i, each] of (actives as unknown as TronPermission[]).entries()) add(`active${i + 1}`, each)
  return facts
}

const bytesOf = (made: { raw_data_hex: string }) => fromHex(made.raw_data_hex)
const permission = {
  permission_name: 'owner',
  threshold: 2,
  keys: [
    { address: payer, weight: 1 },
    { address: recipient, weight: 1 },
  ],
}
const active = { type: 2, permission_name: 'pay', threshold: 1, operations: `7fff1fc0033e${'00'.repeat(26)}`, keys: [{ address: payer, weight: 1 }] }
const permissionsMade = await builder.updateAccountPermissions(payer, { type: 0, ...permission } as never, undefined, [active] as never, options)
const signedUnder = await builder.sendTrx(recipient, 5, payer, { ...options, permissionId: 2 })
const staked = (changes: Partial<StakeOrder>): StakeTransaction => ({
  ...frame,
  owner: payer,
  action: 'stake',
  resource: 'energy',
  amount: 5_000_000n,
  receiver: null,
  lockBlocks: 0n,
  ...changes,
})
const lent = { action: 'delegate', receiver: recipient } as const
const ofAll = { resource: null, amount: 0n } as const

const samples = {
  'a transfer of TRX': nativeUnsigned,
  'a TRC-20 transfer': tokenUnsigned,
  'a stake': buildStake(staked({})),
  'the end of a stake': buildStake(staked({ action: 'unstake', resource: 'bandwidth' })),
  'taking back what has waited': buildStake(staked({ action: 'withdraw', ...ofAll })),
  'calling off the ends of stakes': buildStake(staked({ action: 'cancel-unstake', ...ofAll })),
  'a delegation': buildStake(staked(lent)),
  'a locked delegation': buildStake(staked({ ...lent, lockBlocks: 86_400n })),
  'the end of a delegation': buildStake(staked({ action: 'undelegate', receiver: recipient })),
  'a change of permissions': bytesOf(permissionsMade),
  'a transfer signed under a permission': bytesOf(signedUnder),
}

chainCodecSuite({
  name: 'tron',
  codec,
  foreign: null,
  samples: Object.entries(samples).map(([name, unsigned]) => ({ name, unsigned, effects: tronWebDecode(unsigned) })),
  signer: { publicKey, sign },
  addresses: {
    canonical: [token, recipient, 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb'],
    alsoAccepted: [],
    refused: [
      'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6T',
      'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6s',
      'tR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
      '41a614f803b6fd780986a42c78ec9c7f77e6ded13c',
      '0xa614f803b6fd780986a42c78ec9c7f77e6ded13c',
      // The prefix of the test network of old.
      utils.crypto.getBase58CheckAddress([0xa0, ...fromHex('a614f803b6fd780986a42c78ec9c7f77e6ded13c')]),
      '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    ],
  },
  independent: {
    decode: tronWebDecode,
    detach: async (raw) => {
      const { unsigned } = codec.detach(raw)
      const txid = toHex(Uint8Array.from(utils.crypto.SHA256([...unsigned])))
      return { txid, from: text(utils.crypto.ecRecover(txid, toHex(raw.slice(-65)))) }
    },
  },
})

const amounts = fc.bigInt({ min: 1n, max: BigInt(Number.MAX_SAFE_INTEGER) })
const addresses = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => text(`41${toHex(bytes)}`))
const orders: fc.Arbitrary<TransferTransaction> = fc.record(
  {
    from: addresses,
    to: addresses,
    asset: fc.option(addresses).map((contract) => ({ chain, contract })),
    amount: amounts,
    feeLimit: fc.bigInt({ min: 1n, max: 15_000_000_000n }),
    refBlock: fc.constant(frame.refBlock),
    timestampMs: fc.constant(frame.timestampMs),
    expirationMs: fc.constant(frame.expirationMs),
  },
  { noNullPrototype: true },
)

const stakeOrders: fc.Arbitrary<StakeOrder> = fc
  .record(
    {
      action: fc.constantFrom(...STAKE_ACTIONS),
      resource: fc.constantFrom(...RESOURCES),
      amount: amounts,
      receiver: addresses,
      lockBlocks: fc.bigInt({ min: 0n, max: 10_512_000n }),
    },
    { noNullPrototype: true },
  )
  .map((drawn): StakeOrder => {
    if (drawn.action === 'withdraw' || drawn.action === 'cancel-unstake') return { ...drawn, ...ofAll, receiver: null, lockBlocks: 0n }
    if (drawn.action === 'delegate') return drawn
    return { ...drawn, receiver: drawn.action === 'undelegate' ? drawn.receiver : null, lockBlocks: 0n }
  })

describe('tron codec against tronweb', () => {
  it('writes every transfer to the same bytes and reads it back whole', async () => {
    await fc.assert(
      fc.asyncProperty(orders, async (drawn) => {
        const { from, to, asset, amount, feeLimit } = drawn
        fc.pre(from !== to)
        const native = asset.contract === null
        const unsigned = buildTransfer({ ...drawn, feeLimit: native ? 0n : feeLimit })
        const parameters = [
          { type: 'address', value: to },
          { type: 'uint256', value: String(amount) },
        ]
        const call = { feeLimit: Number(feeLimit), txLocal: true, ...options }
        const made = native
          ? await builder.sendTrx(to, Number(amount), from, options)
          : (await builder.triggerSmartContract(asset.contract!, 'transfer(address,uint256)', call, parameters, from)).transaction
        assert.equal(toHex(unsigned), made.raw_data_hex)
        assert.equal(toHex(sha256(unsigned)), made.txID)
        assert.deepEqual(codec.decode(unsigned), tronWebDecode(unsigned))
      }),
      { numRuns: 150 },
    )
  })

  it('writes stakes and delegations to the same bytes', async () => {
    const made = [
      [samples['a stake'], await builder.freezeBalanceV2(5_000_000, 'ENERGY', payer, options)],
      [samples['the end of a stake'], await builder.unfreezeBalanceV2(5_000_000, 'BANDWIDTH', payer, options)],
      [samples['taking back what has waited'], await builder.withdrawExpireUnfreeze(payer, options)],
      [samples['calling off the ends of stakes'], await builder.cancelUnfreezeBalanceV2(payer, options)],
      [samples['a delegation'], await builder.delegateResource(5_000_000, recipient, 'ENERGY', payer, false, 0, options)],
      [samples['a locked delegation'], await builder.delegateResource(5_000_000, recipient, 'ENERGY', payer, true, 86_400, options)],
      [samples['the end of a delegation'], await builder.undelegateResource(5_000_000, recipient, 'ENERGY', payer, options)],
    ] as const
    for (const [ours, theirs] of made) assert.equal(toHex(ours), theirs.raw_data_hex)
  })

  it('reads every order about stake back as it was written, and as tronweb reads it', () => {
    fc.assert(
      fc.property(stakeOrders, (stake) => {
        const unsigned = buildStake({ ...frame, owner: payer, ...stake })
        assert.deepEqual(codec.decode(unsigned).stake, stake)
        assert.deepEqual(codec.decode(unsigned), tronWebDecode(unsigned))
      }),
      { numRuns: 100 },
    )
  })

  it('signs as tronweb does and finds the same address of a key', async () => {
    const made = await builder.sendTrx(recipient, 7, payer, options)
    const signed = await tronWeb.trx.sign(made, toHex(secretKey))
    const unsigned = bytesOf(made)
    const { raw, txid } = codec.attach(unsigned, codec.sighashes(unsigned).map(sign))
    assert.equal(toHex(raw).slice(-130), signed.signature[0]!.toLowerCase())
    assert.equal(txid, signed.txID)
    assert.equal(TronWeb.address.fromPrivateKey(toHex(secretKey)), payer)
  })
})

describe('the tron codec refuses', () => {
  const nativeWith = (changes: Partial<TransferTransaction>) => () => buildTransfer({ ...nativeOrder, ...changes })
  // A field of raw_data by its number and length, put where its number belongs or at the end.
  const appended = (hex: string) => concatBytes(nativeUnsigned, fromHex(hex))
  const refused: [string, () => unknown, RegExp][] = [
    ['a memo, which costs and may mean anything', () => codec.decode(appended('520161')), /field 10|canonical/],
    ['a field nobody knows', () => codec.decode(appended('a80601')), /field 101/],
    ['two contracts', () => codec.decode(withTwoContracts()), /2 contracts/],
    ['a fee limit where nothing is called', nativeWith({ feeLimit: 1n }), /fee limit although/],
    ['a fee limit above what the chain takes', () => buildTransfer({ ...tokenOrder, feeLimit: 15_000_000_001n }), /more than the chain takes/],
    ['a transfer of nothing', nativeWith({ amount: 0n }), /moves nothing/],
    ['a token transfer of nothing', () => buildTransfer({ ...tokenOrder, amount: 0n }), /moves nothing/],
    ['an amount above what the chain counts', nativeWith({ amount: 1n << 63n }), /does not fit/],
    ['an end before the beginning', nativeWith({ expirationMs: frame.timestampMs }), /expires before/],
    ['a delegation to oneself', () => buildStake(staked({ ...lent, receiver: payer })), /delegates to the one/],
    ['staking for a third resource', () => buildStake(staked({ resource: 'power' as never })), /no resource/],
  ]
  for (const [name, act, message] of refused) it(name, () => assert.throws(act, (error: unknown) => error instanceof ChainError && message.test(error.message)))

  const made: [string, () => Promise<{ raw_data_hex: string }>, RegExp][] = [
    ['approve', async () => call('approve(address,uint256)'), /something else than transfer/],
    ['coin sent along with a call', async () => call('transfer(address,uint256)', { callValue: 1 }), /field 3/],
    [
      'a lock that does not say for how long',
      () => builder.delegateResource(5_000_000, recipient, 'ENERGY', payer, true, 0, options),
      /without saying for how long/,
    ],
    ['a vote', () => builder.vote({ [recipient]: 1 }, payer, options), /type 4,/],
    ['a token of the old kind', () => builder.sendToken(recipient, 5, '1000001', payer, options), /type 2,/],
    ['a permission for a witness, in place of the owner', async () => withoutOwner(), /field 3/],
  ]
  for (const [name, make, message] of made) it(name, () => refusesMade(make, message))

  it('a signature of another key, also one that the account may let sign', () => {
    const other = fromHex('11'.repeat(32))
    const bytes = secp256k1.sign(codec.sighashes(nativeUnsigned)[0]!, other, { prehash: false, format: 'recovered' })
    const signature = { recovery: bytes[0]!, r: bytes.slice(1, 33), s: bytes.slice(33) }
    assert.throws(() => codec.attach(nativeUnsigned, [signature]), /the signature is of T/)
  })

  it('the higher s, and signatures out of range or of the wrong size', () => {
    const signature = sign(codec.sighashes(nativeUnsigned)[0]!)
    const word = (value: bigint) => fromHex(value.toString(16).padStart(64, '0'))
    const order = secp256k1.Point.Fn.ORDER
    const high = { r: signature.r, s: word(order - BigInt(`0x${toHex(signature.s)}`)), recovery: signature.recovery ^ 1 }
    assert.throws(() => codec.attach(nativeUnsigned, [high]), /higher of the two/)
    const zero = new Uint8Array(32)
    const wrong = [
      { ...signature, r: zero },
      { ...signature, s: zero },
      { ...signature, r: word(order) },
      { ...signature, recovery: 27 },
      { ...signature, r: signature.r.slice(1) },
    ]
    for (const each of wrong) assert.throws(() => codec.attach(nativeUnsigned, [each]), ChainError)
  })

  it('chain names that are none of TRON', () => {
    assert.ok(codecFor('tron:0x2b6653dc') && codecFor('tron:0xcd8690dc'))
    for (const name of ['tron:2b6653dc', 'tron:0x2B6653DC', 'tron:0x2b6653dc ', 'tron:728126428', 'eip155:1', '']) assert.equal(codecFor(name), undefined, name)
    assert.throws(() => tronCodec({ chain: 'eip155:1' }), ChainError)
  })

  async function call(signature: string, extra: object = {}) {
    const parameters = [
      { type: 'address', value: recipient },
      { type: 'uint256', value: '5' },
    ]
    const made = await builder.triggerSmartContract(token, signature, { feeLimit: 1_000_000, txLocal: true, ...extra, ...options }, parameters, payer)
    return made.transaction
  }

  async function refusesMade(make: () => Promise<{ raw_data_hex: string }>, message: RegExp): Promise<void> {
    const unsigned = bytesOf(await make())
    assert.throws(
      () => codec.decode(unsigned),
      (error: unknown) => error instanceof ChainError && message.test(error.message),
    )
  }

  function withoutOwner() {
    // The field of the owner's permission, 2, becomes that of a witness, 3, which is not known.
    const hex = toHex(samples['a change of permissions'])
    return { raw_data_hex: hex.replace(`${toHex(fromHex(TronWeb.address.toHex(payer)))}123f`, `${TronWeb.address.toHex(payer)}1a3f`) }
  }

  function withTwoContracts(): Uint8Array {
    const hex = toHex(nativeUnsigned)
    // Field 11 follows the expiration; its length is the byte after it.
    const start = hex.indexOf('5a', hex.indexOf('40') + 2)
    const contract = hex.slice(start, start + 4 + Number.parseInt(hex.slice(start + 2, start + 4), 16) * 2)
    return fromHex(hex.slice(0, start) + contract + hex.slice(start))
  }
})
