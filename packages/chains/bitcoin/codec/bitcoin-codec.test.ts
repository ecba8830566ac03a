import { chainCodecSuite } from '@holdfast/chain-core/suite'
import { ADDRESSES_MAX, ChainError, type Effects, slotOf } from '@holdfast/chain-core'
import { concatBytes, equalBytes, fromHex, toHex } from '@holdfast/encoding'
import { Address, OutScript, p2wpkh, RawTx, SigHash, Transaction } from '@scure/btc-signer'
import fc from 'fast-check'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  build,
  chain,
  changePath,
  codec,
  coinOf,
  from,
  network,
  oneCoin,
  oneUnsigned,
  publicKey,
  recipient,
  second,
  sign,
  signTaproot,
  taprootCoins,
  taprootFrom,
  taprootKey,
  taprootUnsigned,
  third,
  twoCoins,
  twoUnsigned,
} from '../testing/samples.ts'
import { bitcoinChain, bitcoinCodec, codecFor, networkBytes, withoutWitnesses } from './index.ts'
import { parsePsbt, serializePsbt, type SpentCoin } from './psbt.ts'
import { outputBytes } from './transaction.ts'

const SCURE = { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef }
const asset = { chain, contract: null }
const OPTIONS = { allowUnknown: true }

/** What the library, which shares no code with our parser, makes of an unsigned transaction. */
function scureDecode(unsigned: Uint8Array): Effects {
  const psbt = Transaction.fromPSBT(unsigned, OPTIONS)
  const addressOf = (script: Uint8Array) => Address(SCURE).encode(OutScript.decode(script) as never)
  const inputs = Array.from({ length: psbt.inputsLength }, (_, i) => {
    const { txid, index, witnessUtxo } = psbt.getInput(i)
    return { outpoint: `${toHex(Uint8Array.from(txid!))}:${index}`, address: addressOf(witnessUtxo!.script), amount: witnessUtxo!.amount }
  })
  const outputs = Array.from({ length: psbt.outputsLength }, (_, i) => {
    const { script, amount, proprietary } = psbt.getOutput(i)
    return { address: addressOf(script!), amount: amount!, mark: proprietary?.[0]?.[1] }
  })
  const pathOf = (mark: Uint8Array) => Array.from({ length: mark.length / 4 }, (_, i) => new DataView(Uint8Array.from(mark).buffer).getUint32(4 * i, true))
  const fee = inputs.reduce((sum, each) => sum + each.amount, 0n) - outputs.reduce((sum, each) => sum + each.amount, 0n)
  return {
    chain,
    transfers: outputs.filter(({ mark }) => !mark).map(({ address, amount }) => ({ asset, to: address, amount })),
    inputs,
    change: outputs.flatMap(({ address, amount, mark }, index) => (mark ? [{ address, amount, index, ...(mark.length > 0 && { path: pathOf(mark) }) }] : [])),
    feeMax: fee,
    feeParameters: { satPerKvb: (fee * 1000n) / scureSize(psbt) },
    slot: slotOf(inputs[0]!.outpoint),
  }
}

/** The size once signed, by the library: dummy witnesses of the greatest length put on. */
function scureSize(psbt: Transaction): bigint {
  const raw = RawTx.decode(psbt.unsignedTx)
  const isTaproot = psbt.getInput(0).witnessUtxo!.script[0] === 0x51
  const witness = isTaproot ? [new Uint8Array(64)] : [new Uint8Array(72), new Uint8Array(33)]
  const plain = RawTx.encode({ ...raw, segwitFlag: false, witnesses: undefined }).length
  const whole = RawTx.encode({ ...raw, segwitFlag: true, witnesses: raw.inputs.map(() => witness) }).length
  return BigInt(Math.ceil((plain * 3 + whole) / 4))
}

/** Id and payer by the library: it takes the witnesses of the finished PSBT and writes the transaction itself. */
async function scureDetach(raw: Uint8Array): Promise<{ txid: string; from: string }> {
  const psbt = Transaction.fromPSBT(raw, OPTIONS)
  assert.equal(toHex(psbt.extract()), toHex(networkBytes(chain, raw)))
  return { txid: psbt.id, from: Address(SCURE).encode(OutScript.decode(psbt.getInput(0).witnessUtxo!.script) as never) }
}

const inputsOf = (made: typeof oneCoin, address: string) => made.map(({ coin: { txid, index, amount } }) => ({ outpoint: `${txid}:${index}`, address, amount }))
const effectsOf = (made: typeof oneCoin, address: string, rest: Pick<Effects, 'transfers' | 'change' | 'feeMax' | 'feeParameters'>): Effects => ({
  chain,
  inputs: inputsOf(made, address),
  slot: slotOf(`${made[0]!.coin.txid}:0`),
  ...rest,
})

const shared = {
  codec,
  foreign: bitcoinCodec({ chain: bitcoinChain('mainnet') }),
  addresses: {
    canonical: [from, taprootFrom, second, ...(['sh', 'pkh'] as const).map((type) => Address(SCURE).encode({ type, hash: new Uint8Array(20).fill(9) }))],
    alsoAccepted: [{ text: from.toUpperCase(), canonical: from }],
    refused: [
      from.replace('1q', '1Q'),
      `${from.slice(0, -1)}${from.endsWith('q') ? 'p' : 'q'}`,
      // Other networks, and witness versions that mean nothing yet (BIP173, BIP350).
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
      '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
      'bcrt1pfeessrawgf',
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb',
    ],
  },
  independent: { decode: scureDecode, detach: scureDetach },
}
chainCodecSuite({
  ...shared,
  name: 'bitcoin, P2WPKH',
  signer: { publicKey, sign },
  samples: [
    {
      name: 'a payment with change to the paying address',
      unsigned: oneUnsigned,
      effects: effectsOf(oneCoin, from, {
        transfers: [{ asset, to: recipient, amount: 1_234_567n }],
        change: [{ address: from, amount: 3_764_285n, index: 0 }],
        feeMax: 1148n,
        feeParameters: { satPerKvb: 7503n },
      }),
    },
    {
      name: 'a payment of two coins, each proven, with change to a path',
      unsigned: twoUnsigned,
      effects: effectsOf(twoCoins, from, {
        transfers: [{ asset, to: third, amount: 90_000n }],
        change: [{ address: second, amount: 19_582n, index: 1, path: changePath }],
        feeMax: 418n,
        feeParameters: { satPerKvb: 2000n },
      }),
    },
  ],
})

chainCodecSuite({
  ...shared,
  name: 'bitcoin, P2TR',
  signer: { publicKey: taprootKey, sign: signTaproot },
  samples: [
    {
      name: 'two payments of two coins',
      unsigned: taprootUnsigned,
      effects: effectsOf(taprootCoins, taprootFrom, {
        transfers: [
          { asset, to: third, amount: 70_000n },
          { asset, to: second, amount: 20_000n },
        ],
        change: [{ address: taprootFrom, amount: 19_538n, index: 0 }],
        feeMax: 462n,
        feeParameters: { satPerKvb: 2000n },
      }),
    },
  ],
})

const refused = (unsigned: Uint8Array, reason: RegExp) => assert.throws(() => codec.decode(unsigned), { name: 'ChainError', message: reason })
const rewritten = (unsigned: Uint8Array, change: (transaction: ReturnType<typeof parsePsbt>['transaction']) => void) => {
  const { transaction } = parsePsbt(unsigned)
  change(transaction)
  return serializePsbt(transaction)
}

describe('the digests that are signed', () => {
  it('are those of the library, for every input of payments of all shapes', () => {
    const amounts = fc.array(fc.bigInt({ min: 1_000n, max: 10n ** 8n }), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(amounts, fc.boolean(), fc.bigInt({ min: 1000n, max: 9000n }), (values, isTaproot, satPerKvb) => {
        const address = isTaproot ? taprootFrom : from
        const made = values.map((amount, i) => coinOf(address, amount + 20_000n, i))
        const total = values.reduce((sum, each) => sum + each, 0n)
        const unsigned = build({ from: address, payments: [{ to: recipient, amount: total }], made, satPerKvb })
        assert.deepEqual(codec.decode(unsigned), scureDecode(unsigned))
        const psbt = Transaction.fromPSBT(unsigned, OPTIONS)
        const coins = codec.decode(unsigned).inputs!.map(({ amount }) => ({ amount, script: made[0]!.coin.script }))
        const expected = coins.map(({ amount }, i) => {
          if (!isTaproot) return psbt.preimageWitnessV0(i, OutScript.encode({ type: 'pkh', hash: p2wpkh(publicKey).hash! }), SigHash.ALL, amount)
          return psbt.preimageWitnessV1(
            i,
            coins.map(({ script }) => script),
            SigHash.DEFAULT,
            coins.map((coin) => coin.amount),
          )
        })
        assert.deepEqual(codec.sighashes(unsigned).map(toHex), expected.map(toHex))
      }),
      { numRuns: 60 },
    )
  })
})

describe('the bitcoin codec refuses', () => {
  it('a coin whose amount is not proven where a signature does not commit to it', () => {
    refused(
      rewritten(twoUnsigned, ({ inputs }) => delete inputs[1]!.previous),
      /not proven/,
    )
    refused(
      rewritten(twoUnsigned, ({ inputs }) => (inputs[1]!.amount += 1_000n)),
      /does not prove/,
    )
    refused(
      rewritten(twoUnsigned, ({ inputs }) => (inputs[1]!.previous = inputs[0]!.previous)),
      /does not prove/,
    )
    refused(
      rewritten(oneUnsigned, ({ inputs }) => (inputs[0]!.previous = oneCoin[0]!.made)),
      /not needed/,
    )
  })

  it('outputs worth more than the inputs, a fee of nothing, dust, and more coin than there is', () => {
    const set = (amount: bigint) => rewritten(oneUnsigned, ({ outputs }) => (outputs.find(({ changePath: path }) => !path)!.amount = amount))
    refused(set(5_000_000n), /worth \d+ satoshi more/)
    refused(set(1_234_567n + 1148n), /nothing is left for a fee/)
    refused(set(329n), /dust; nodes relay 330/)
    refused(set(21_000_000n * 10n ** 8n + 1n), /more than there is/)
    refused(set((1n << 64n) - 1n), /more than there is/)
  })

  it('change that is marked as the paying address and is another, and a transaction that is all change', () => {
    const mark = (path: number[] | undefined) => rewritten(oneUnsigned, ({ outputs }) => outputs.forEach((output) => (output.changePath = path)))
    refused(mark([]), /pays nobody/)
    refused(
      rewritten(
        oneUnsigned,
        ({ outputs }) => (outputs.find(({ changePath: path }) => path)!.script = twoCoins[0]!.coin.script.map((byte, i) => (i < 2 ? byte : byte ^ 1))),
      ),
      /marked as change to the paying address/,
    )
    for (const far of [[0x8000_0000, 0], [0, 0x8000_0000], [7], [0, ADDRESSES_MAX], [65_536, 0], [0, 0, 0], [1, 2, 3, 4, 5, 6, 7, 8]])
      refused(mark(far), /the path of change, m/)
  })

  it('scripts without an address, coins of several addresses, a coin spent twice', () => {
    const opReturn = Uint8Array.of(0x6a, 2, 1, 2)
    refused(
      rewritten(oneUnsigned, ({ outputs }) => (outputs.find(({ changePath: path }) => !path)!.script = opReturn)),
      /no address/,
    )
    refused(
      rewritten(taprootUnsigned, ({ inputs }) => (inputs[1]!.script = inputs[1]!.script.with(1, 32).fill(7, 2))),
      /several addresses/,
    )
    refused(
      rewritten(taprootUnsigned, ({ inputs }) => Object.assign(inputs[1]!, inputs[0]!)),
      /spends a coin twice/,
    )
  })

  it('unknown fields, fields in another order, signatures of other types, other sequences', () => {
    const at = oneUnsigned.length - 12
    refused(concatBytes(oneUnsigned.slice(0, 5), Uint8Array.of(1, 0xf0, 1, 0), oneUnsigned.slice(5)), /unknown|canonical/)
    refused(concatBytes(oneUnsigned.slice(0, 5), oneUnsigned.slice(5, at), Uint8Array.of(0)), /./)
    const typed = Transaction.fromPSBT(oneUnsigned, OPTIONS)
    typed.updateInput(0, { sighashType: SigHash.NONE }, true)
    refused(Uint8Array.from(typed.toPSBT()), /unknown/)
    const later = Transaction.fromPSBT(oneUnsigned, OPTIONS)
    later.updateInput(0, { sequence: 0xffff_ffff }, true)
    refused(Uint8Array.from(later.toPSBT()), /canonical/)
    refused(Uint8Array.from(Transaction.fromPSBT(oneUnsigned, OPTIONS).toPSBT(2)), /./)
  })

  it('more fields and more coins than signers would sign for, before each is compared with all others', () => {
    const fields = Array.from({ length: 9 }, (_, i) => Uint8Array.of(1, 0xe0 + i, 0))
    refused(concatBytes(oneUnsigned.slice(0, 5), ...fields, Uint8Array.of(0)), /more than 8 fields in one place/)
    // None of these coins is proven, which would be told only after all of them were looked at.
    refused(
      rewritten(twoUnsigned, ({ inputs }) => {
        const [{ txid, index, amount, script }] = inputs as [SpentCoin]
        inputs.splice(0, inputs.length, ...Array.from({ length: 65 }, (_, i) => ({ txid, index: index + i, amount, script })))
      }),
      /spends 65 coins; signers sign for 64/,
    )
  })

  it('any bytes at all by a ChainError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(4), (bytes, keep) => {
        const kept = oneUnsigned.slice(0, keep * 30)
        for (const tried of [bytes, concatBytes(kept, bytes)]) if (!equalBytes(tried, oneUnsigned)) assert.throws(() => codec.decode(tried), ChainError)
      }),
      { numRuns: 500 },
    )
  })

  it('a signature of another key, of another digest, with the higher s, and of the other kind', () => {
    const [digest] = codec.sighashes(oneUnsigned)
    const good = sign(digest!)
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const high = fromHex((order - BigInt(`0x${toHex(good.s)}`)).toString(16).padStart(64, '0'))
    for (const bad of [
      sign(digest!.map((byte) => byte ^ 1)),
      { ...good, s: high, recovery: 1 - good.recovery },
      { ...good, recovery: 2 },
      signTaproot(digest!),
    ]) {
      assert.throws(() => codec.attach(oneUnsigned, [bad]), ChainError)
    }
    assert.throws(() => codec.attach(taprootUnsigned, codec.sighashes(taprootUnsigned).map(sign)), ChainError)
  })
})

describe('the networks', () => {
  it('each has the addresses of its kind, and refuses those of others', () => {
    // BIP173, BIP350 and Bitcoin Core's key_io_valid.json.
    const mainnet = [
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
      '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
    ]
    const testnets = ['tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7']
    const accepts = (name: Parameters<typeof bitcoinChain>[0], text: string) => codecFor(bitcoinChain(name))!.canonicalAddress(text) === text
    for (const text of mainnet) assert.deepEqual([accepts('mainnet', text), accepts('testnet', text), accepts('regtest', text)], [true, false, false], text)
    for (const text of testnets) assert.deepEqual([accepts('mainnet', text), accepts('testnet', text), accepts('signet', text)], [false, true, true], text)
    assert.equal(codecFor('eip155:1'), undefined)
    assert.throws(() => bitcoinCodec({ chain: 'bip122:00' }), ChainError)
  })

  it('do not stand in what is signed: a signature for one is a signature for every other, so that no key may serve two', () => {
    for (const unsigned of [twoUnsigned, taprootUnsigned]) {
      const elsewhere = serializePsbt({ ...parsePsbt(unsigned).transaction, chain: bitcoinChain('mainnet') })
      assert.deepEqual(codecFor(bitcoinChain('mainnet'))!.sighashes(elsewhere), codec.sighashes(unsigned))
    }
  })

  it('a taproot output whose key is no point has no address', () => {
    assert.equal(codec.canonicalAddress(Address(SCURE).encode({ type: 'wsh', hash: new Uint8Array(32) })) !== undefined, true)
    assert.throws(() => codec.addressFromKey(new Uint8Array(32).fill(0xff)), ChainError)
  })
})

describe('transactions as nodes have them', () => {
  it('lose their witnesses and keep their id', () => {
    const { raw, txid } = codec.attach(twoUnsigned, codec.sighashes(twoUnsigned).map(sign))
    const bytes = networkBytes(chain, raw)
    assert.equal(Transaction.fromRaw(bytes).id, txid)
    assert.equal(toHex(withoutWitnesses(bytes)), toHex(Transaction.fromRaw(bytes).unsignedTx))
    assert.equal(toHex(withoutWitnesses(withoutWitnesses(bytes))), toHex(withoutWitnesses(bytes)))
    for (let length = 0; length < bytes.length; length++) assert.throws(() => withoutWitnesses(bytes.slice(0, length)), ChainError)
    assert.ok(outputBytes({ amount: 1n, script: new Uint8Array(300) }).length === 8 + 3 + 300 && network.name === 'regtest')
  })
})
