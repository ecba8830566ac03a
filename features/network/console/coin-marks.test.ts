import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { codecFor } from '@holdfast/chain-registry/codec'
import fc from 'fast-check'
import { coinMarkOf, MARKED_TOKENS, networkMarkOf } from './coin-marks.ts'

const USDT = '0xdAC17F958D2ee523a2206206994597C13D831ec7'

test('a token has its mark by its chain and its contract, in whatever case the contract is written', () => {
  assert.equal(coinMarkOf('eip155:1', USDT), 'usdt')
  assert.equal(coinMarkOf('eip155:1', USDT.toLowerCase()), 'usdt')
  assert.equal(coinMarkOf('eip155:1', null), 'eth')
  assert.equal(networkMarkOf('eip155:42161'), 'arb')
})

test('the same contract on another chain, and any other contract, has no mark', () => {
  assert.equal(coinMarkOf('eip155:31337', USDT), undefined)
  assert.equal(coinMarkOf('tron:0x2b6653dc', 'tr7nhqjekqxgtci8q8zy4pl8otszgjlj6t'), undefined)
  const marked = new Set(MARKED_TOKENS.map(({ chain, contract }) => `${chain} ${contract.toLowerCase()}`))
  const chains = fc.constantFrom(...new Set(MARKED_TOKENS.map(({ chain }) => chain)))
  const contracts = fc.oneof(
    fc.string({ minLength: 1 }),
    fc.constantFrom('USDT', 'usdt', 'constructor', '__proto__', ...MARKED_TOKENS.map(({ contract }) => contract)),
  )
  fc.assert(
    fc.property(chains, contracts, (chain, contract) => {
      if (!marked.has(`${chain} ${contract.toLowerCase()}`)) assert.equal(coinMarkOf(chain, contract), undefined)
    }),
  )
})

test('a chain that nobody knows has no mark, whatever it calls itself', () => {
  for (const chain of ['eip155:999999', 'ETH', '', 'constructor', '__proto__'])
    assert.deepEqual([coinMarkOf(chain, null), networkMarkOf(chain)], [undefined, undefined])
})

test('every contract that has a mark is a whole address of its chain, with its checksum', () => {
  for (const { chain, contract } of MARKED_TOKENS) assert.equal(codecFor(chain)?.canonicalAddress(contract), contract, `${chain} ${contract}`)
})

test('every mark is a drawing of its own that loads nothing and runs nothing', () => {
  const folder = new URL('marks/', import.meta.url)
  const drawings = readdirSync(folder).filter((name) => name.endsWith('.svg'))
  for (const { mark } of MARKED_TOKENS) assert.ok(existsSync(new URL(`${mark}.svg`, folder)), mark)
  assert.ok(drawings.length > 15)
  for (const name of drawings)
    assert.doesNotMatch(readFileSync(new URL(name, folder), 'utf8'), /<(script|image|foreignObject|style)|\son\w+=|href="(?!#)/i, name)
})
