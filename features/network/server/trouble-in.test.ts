import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { troubleIn } from './trouble-in.ts'

const PAYMENT = '12.5 USDT to 0xabc in 0xdef, block 7'

/** What each file writes, as it comes out. */
const WRITTEN: Record<string, string[]> = {
  'network/server/final-view.ts': [
    'Ethereum: at height 7 source 2 has block 0xa, and the block read is 0xb',
    'Ethereum: 1 of 3 sources confirm height 7, two are needed',
    'what became of 0xdef: one source says {"state":"unknown"}, another one {"state":"final"}',
  ],
  'deposit/server/reading/compare-blocks.ts': [
    'Ethereum: at height 7 another source has block 0xa, and the block read is 0xb',
    'Ethereum: sources differ in what block 7 paid or took',
    `source 1 left out ${PAYMENT}; other sources have it, and it is taken in`,
  ],
  'deposit/server/reading/rescan-tokens.ts': ['block 7: 0xa was read, and the sources have 0xb'],
  'deposit/server/reading/read-again.ts': ['Ethereum: the source that blocks are read from has no block 7, which is final'],
  'deposit/server/reading/charges.ts': ['what block 7 charged 0xabc: 5 was read, and now the sources say 6'],
  'deposit/server/reading/rewind.ts': [
    'Ethereum: no second source says that block 7, which was final, is replaced',
    'Ethereum and this server have no block in common among the last 300: the node serves another chain, or the chain was replaced. Nothing is booked until somebody has looked.',
  ],
  'deposit/server/reading/allowance-spends.ts': [
    'what 0xdef took of 0xabc: it was read, and now no source has it',
    '0xabc took 5 USDT for 0xfed in 0xdef; what it may still take is not known',
    '0xabc took 5 USDT for 0xfed in 0xdef; it may take nothing more',
    '0xabc took 5 USDT for 0xfed in 0xdef; it may take 9 USDT more',
  ],
  'deposit/server/reading/advance.ts': [
    '5 base units to 0xabc in 0xdef are more than any book can hold; the token says what it likes, and nothing of it is credited',
  ],
  'deposit/server/reading/odd-logs.ts': ['0xdef in block 7: the token logged a transfer in another form than its standard; nothing of it is credited'],
  'deposit/server/audit/reconcile.ts': ['at height 7 the chain has 5 USDT, the books 6 USDT'],
  'deposit/server/crediting/credit-deposits.ts': [
    'payment 3 of 0xdef in block 7: it was read, and now no source has its block',
    `${PAYMENT} cannot be booked: the books are closed`,
  ],
  'deposit/server/crediting/end-untrue.ts': [
    `source 1 told of ${PAYMENT}, and no second source has such a payment in this block. It is not credited.`,
    `source 1 told of ${PAYMENT}, and no second source has such a payment in this block. It was credited before and stays so until somebody has looked.`,
  ],
}

/** Runs of words that stand in a source as they come out, without what is put in. */
const piecesOf = (sentence: string) => sentence.replaceAll(/0x[a-f]+|\{[^}]*\}|\d+|USDT|Ethereum/g, '|').match(/[a-z][a-z ,]{11,}[a-z]/g) ?? []

test('whatever stops a network or raises an alarm is said in Chinese, with all that was put in', () => {
  for (const english of Object.values(WRITTEN).flat()) {
    const chinese = troubleIn('zh_CN', english)
    assert.match(chinese, /[\u4e00-\u9fff]/, english)
    assert.doesNotMatch(chinese, /\$\d/, english)
    for (const part of english.match(/\b(0x[a-f]+|\d+(\.\d+)?)\b/g) ?? []) assert.ok(chinese.includes(part), `${part} of: ${english}`)
    assert.equal(troubleIn('en_US', english), english)
  }
  assert.equal(troubleIn('zh_CN', 'words of a node'), 'words of a node')
})

test('the sentences of this test are those that are written', () => {
  for (const [path, sentences] of Object.entries(WRITTEN)) {
    const source =
      readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8') +
      readFileSync(new URL('../../deposit/server/crediting/end-untrue.ts', import.meta.url), 'utf8')
    for (const sentence of sentences)
      for (const piece of piecesOf(sentence.replace('the books are closed', '').replace('what became of', '')))
        assert.ok(source.includes(piece), `${path} does not say: ${piece}`)
  }
})
