import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CodeFault, PaymentCode, WantedPayment } from '@holdfast/chain-core/payment-code'
import fc from 'fast-check'
import { readPaymentCode } from './payment-code.ts'

const BITCOIN = { chain: 'bip122:000000000019d6689c085ae165831e93', contract: null }
const EVM = { chain: 'eip155:1', contract: null }
const TON = { chain: 'ton:-239', contract: null }
const TRON = { chain: 'tron:0x2b6653dc', contract: null }
const EVERY = [BITCOIN, EVM, TON, TRON]

const SEGWIT = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'
const PAYEE = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
const DOLLAR = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const FRIEND = 'EQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p4q2'
// The same account as its owner is asked to write it where nothing shall bounce, and as explorers write it.
const FRIEND_AGAIN = 'UQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p9dz'
const FRIEND_RAW = `0:${Buffer.from(FRIEND, 'base64url').subarray(2, 34).toString('hex')}`
const OTHER_RAW = `0:${'ab'.repeat(32)}`
const TRONIC = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'

const token = (wanted: WantedPayment, contract: string) => ({ ...wanted, contract })
const anywhere = ({ chain }: WantedPayment) => ({ chain })
const reads = (text: string, wanted: WantedPayment, code: PaymentCode) => assert.deepEqual(readPaymentCode(text, wanted), code, text)
const refuses = (text: string, wanted: WantedPayment, fault: CodeFault['fault'], name?: string) =>
  assert.deepEqual(readPaymentCode(text, wanted), { fault, ...(name === undefined ? {} : { name }) }, text)

describe('a code that was scanned', () => {
  it('of an address alone is that address, on whatever network, and of other text nothing', () => {
    for (const address of [SEGWIT, PAYEE, FRIEND, FRIEND_RAW, TRONIC, `-1:${'0f'.repeat(32)}`])
      for (const wanted of EVERY) reads(` ${address}\n`, wanted, { to: address })
    for (const text of [
      '',
      'hello',
      'two words of text',
      'https://example.com/pay',
      'wc:1@2?bridge=x',
      '{"address":"x"}',
      'vitalik.eth',
      'constructor:x',
      `${SEGWIT}\u202e`,
    ])
      for (const wanted of EVERY) refuses(text, wanted, 'unknown')
    refuses('1'.repeat(2_001), BITCOIN, 'unknown')
  })

  it('of BIP 21 brings its amount exactly, and is refused where it requires what nobody here knows', () => {
    reads(`bitcoin:${SEGWIT}`, BITCOIN, { to: SEGWIT })
    reads(`BITCOIN:${SEGWIT.toUpperCase()}?AMOUNT=20.3&label=Luke%20Jr&somethingyoudontunderstand=50`, BITCOIN, {
      to: SEGWIT.toUpperCase(),
      amount: 2_030_000_000n,
    })
    reads(`bitcoin:${SEGWIT}?amount=.00000001&lightning=lnbc1`, BITCOIN, { to: SEGWIT, amount: 1n })
    reads(`bitcoin:${SEGWIT}?amount=50.`, BITCOIN, { to: SEGWIT, amount: 5_000_000_000n })
    refuses(`bitcoin:${SEGWIT}?req-somethingyoudontunderstand=50`, BITCOIN, 'requires', 'req-somethingyoudontunderstand')
    refuses(`bitcoin:${SEGWIT}?Req-pop=x&amount=1`, BITCOIN, 'requires', 'req-pop')
    for (const amount of ['1,5', '-1', '1e8', '0x10', '.', '', '0.123456789', '1.0.0', '%31%zz', '9999999999999'])
      refuses(`bitcoin:${SEGWIT}?amount=${amount}`, BITCOIN, 'malformed')
    refuses(`bitcoin:${SEGWIT}?amount=1&amount=2`, BITCOIN, 'malformed')
    refuses(`bitcoin:${SEGWIT}?amount=1&%61mount=2`, BITCOIN, 'malformed')
    refuses(`bitcoin:?amount=1`, BITCOIN, 'malformed')
    refuses(`bitcoin:${SEGWIT}#amount=1`, BITCOIN, 'malformed')
  })

  it('of ERC-681 brings the coin or the very token that is wanted, and never another', () => {
    reads(`ethereum:${PAYEE}`, EVM, { to: PAYEE })
    reads(`ethereum:pay-${PAYEE}@1?value=2.014e18&gas=10`, EVM, { to: PAYEE, amount: 2_014_000_000_000_000_000n })
    const transfer = `ethereum:${DOLLAR}@1/transfer?address=${PAYEE}&uint256=1.5e6`
    reads(transfer, token(EVM, DOLLAR), { to: PAYEE, amount: 1_500_000n })
    reads(transfer, token(EVM, DOLLAR.toLowerCase()), { to: PAYEE, amount: 1_500_000n })
    reads(transfer, anywhere(EVM), { to: PAYEE, amount: 1_500_000n })
    refuses(transfer, EVM, 'coin')
    refuses(transfer, token(EVM, PAYEE), 'coin')
    refuses(transfer, token(EVM, `erc721:${DOLLAR}/0x1`), 'coin')
    reads(`ethereum:${PAYEE}@1`, token(EVM, DOLLAR), { to: PAYEE })
    refuses(`ethereum:${PAYEE}@1?value=1`, token(EVM, DOLLAR), 'coin')
    refuses(transfer.replace('@1', '@137'), token(EVM, DOLLAR), 'network', 'EVM 137')
    refuses(`ethereum:${DOLLAR}/approve?address=${PAYEE}&uint256=1`, token(EVM, DOLLAR), 'call')
    refuses(`${transfer}&value=1`, token(EVM, DOLLAR), 'call')
    refuses(`ethereum:${PAYEE}?data=0xa9059cbb`, EVM, 'call')
    refuses('ethereum:vitalik.eth', EVM, 'name')
    for (const value of ['-1', '1.5', '1e', '1e78', '1.23e1', '0x1', '', `1${'0'.repeat(78)}`]) refuses(`ethereum:${PAYEE}?value=${value}`, EVM, 'malformed')
    refuses(`ethereum:${DOLLAR}/transfer?uint256=1`, token(EVM, DOLLAR), 'malformed')
  })

  it('of TON brings its comment, and the amount of the coin or jetton that is wanted in whichever form its address has', () => {
    reads(`ton://transfer/${FRIEND}?amount=1500000000&text=order%2017+b`, TON, { to: FRIEND, amount: 1_500_000_000n, memo: 'order 17 b' })
    const jetton = `ton://transfer/${FRIEND}?jetton=${FRIEND_AGAIN}&amount=5`
    for (const form of [FRIEND, FRIEND_AGAIN, FRIEND_RAW]) reads(jetton, token(TON, form), { to: FRIEND, amount: 5n })
    refuses(jetton, token(TON, OTHER_RAW), 'coin')
    refuses(jetton, TON, 'coin')
    refuses(`ton://transfer/${FRIEND}?amount=5`, token(TON, FRIEND), 'coin')
    reads(`ton://transfer/${FRIEND}?text=x`, token(TON, FRIEND), { to: FRIEND, memo: 'x' })
    for (const more of ['bin=te6', 'init=te6', 'exp=1', 'stateInit=a']) refuses(`ton://transfer/${FRIEND}?${more}`, TON, 'call')
    for (const text of ['%E2%80%AE', 'a%0Ab', 'x'.repeat(257)]) refuses(`ton://transfer/${FRIEND}?text=${text}`, TON, 'malformed')
    refuses(`ton://connect/${FRIEND}`, TON, 'unknown')
  })

  it('of TRON brings the address and says of an amount only that there is one, since nobody knows of what', () => {
    reads(`tron:${TRONIC}`, TRON, { to: TRONIC })
    reads(`tron:${TRONIC}?amount=5`, TRON, { to: TRONIC, hasUnclearAmount: true })
    reads(`tron:${TRONIC}?amount=5`, anywhere(TRON), { to: TRONIC })
    reads(`tron:${TRONIC}?token=${TRONIC}`, token(TRON, TRONIC), { to: TRONIC })
    refuses(`tron:${TRONIC}?token=${TRONIC}`, TRON, 'coin')
    refuses('tron:signTransaction-version=1.0&data={}', TRON, 'call')
    refuses(`tron:${TRONIC}?data=1`, TRON, 'call')
  })

  it('for another network is refused with that one’s name', () => {
    const codes: [string, string, WantedPayment][] = [
      ['Bitcoin', `bitcoin:${SEGWIT}`, BITCOIN],
      ['Ethereum', `ethereum:${PAYEE}`, EVM],
      ['TON', `ton://transfer/${FRIEND}`, TON],
      ['TRON', `tron:${TRONIC}`, TRON],
    ]
    for (const [name, code, own] of codes) for (const wanted of EVERY.filter((each) => each !== own)) refuses(code, wanted, 'network', name)
    refuses('litecoin:LZcR', BITCOIN, 'network', 'Litecoin')
  })

  it('comes back as it was written, for every amount, comment and coin', () => {
    const amount = fc.bigInt({ min: 1n, max: 2n ** 256n - 1n })
    fc.assert(
      fc.property(amount, fc.integer({ min: 0, max: 77 }), (value, places) => {
        reads(`ethereum:${PAYEE}@1?value=${value}`, EVM, { to: PAYEE, amount: value })
        const scaled = value * 10n ** BigInt(places)
        if (scaled < 2n ** 256n) reads(`ethereum:${PAYEE}@1?value=${value}e${places}`, EVM, { to: PAYEE, amount: scaled })
        reads(`ethereum:${DOLLAR}/transfer?address=${PAYEE}&uint256=${value}`, token(EVM, DOLLAR), { to: PAYEE, amount: value })
        reads(`ton://transfer/${FRIEND}?amount=${value}`, TON, { to: FRIEND, amount: value })
      }),
    )
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 21n * 10n ** 14n }), (value) => {
        const digits = value.toString().padStart(9, '0')
        reads(`bitcoin:${SEGWIT}?amount=${digits.slice(0, -8)}.${digits.slice(-8)}`, BITCOIN, { to: SEGWIT, amount: value })
      }),
    )
    fc.assert(
      fc.property(fc.stringMatching(/^[!-~一-龥]([ -~一-龥]{0,60}[!-~一-龥])?$/), (memo) => {
        reads(`ton://transfer/${FRIEND}?text=${encodeURIComponent(memo)}`, TON, { to: FRIEND, memo })
      }),
    )
  })

  it('of any text at all never throws, and brings an address of ordinary characters or a reason', () => {
    const scheme = fc.constantFrom('bitcoin:', 'ethereum:', 'ethereum:pay-', 'ton://transfer/', 'tron:', '', 'lightning:')
    const middle = fc.constantFrom(SEGWIT, PAYEE, `${DOLLAR}@1/transfer`, FRIEND, TRONIC, '')
    const tail = fc.oneof(
      fc.string(),
      fc.constantFrom('?amount=', '?value=1', '?address=&uint256=', '?text=%', '?jetton=', '?__proto__=1', '?amount=1&amount='),
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.tuple(scheme, middle, tail).map((parts) => parts.join('')),
        ),
        fc.constantFrom(...EVERY),
        (text, wanted) => {
          const answer = readPaymentCode(text, wanted)
          if ('fault' in answer) return
          assert.match(answer.to, /^[0-9A-Za-z_:+/-]{10,120}$/)
          assert.ok(answer.amount === undefined || (answer.amount > 0n && answer.amount < 2n ** 256n))
        },
      ),
    )
  })
})
