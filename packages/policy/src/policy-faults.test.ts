import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { POLICY_FAULTS, sayInChinese } from './policy-faults.ts'

const sourceOf = (name: string) => readFileSync(new URL(`./${name}.ts`, import.meta.url), 'utf8')

/** Every sentence by which a draft is refused in the policy package, with something in the place of names and numbers. */
function sentences(): string[] {
  const change = sourceOf('policy-change')
  const sources = [sourceOf('policy'), change.slice(change.indexOf('export function checkNextPolicy'), change.indexOf('function decodePolicy'))]
  const thrown = sources.flatMap((source) => [...source.matchAll(/new PolicyRefused\(\s*(['`])(.+?)\1[,)]/gs)].map(([, , text]) => text!))
  const answered = [...sourceOf('signers').matchAll(/(?:return|:|\? undefined :) '([a-z][^']{15,})'/g)].map(([, text]) => text!)
  // What a chain says of a function that cannot be read has words of its own.
  return [...thrown.filter((text) => !text.includes('cause.message')), ...answered].flatMap((text) =>
    (text.startsWith('${where}')
      ? ['rule ${id}', text.includes('officer') ? 'recovery of signer ${id}' : 'governance'].slice(text.includes('officer') ? 1 : 0)
      : ['']
    ).map((where) => text.replace('${where}', where).replaceAll(/\$\{[^}]+\}/g, 'X7')),
  )
}

test('whatever is wrong with a drafted policy is said in Chinese to who reads Chinese, with every name and number', () => {
  const all = sentences()
  const inChinese = sayInChinese(POLICY_FAULTS)
  assert.ok(all.length > 45, String(all.length))
  for (const said of all) {
    const chinese = inChinese(said) ?? ''
    assert.equal(chinese.split('X7').length, said.split('X7').length, said)
    assert.doesNotMatch(chinese.replaceAll('X7', ''), /[a-z]{2}|\{\}/i, said)
  }
  assert.equal(
    inChinese('pins assets of ethereum and sepolia: what is signed for the one is valid on the other, so a key serves one of them')?.slice(0, 28),
    '同时列入了 ethereum 与 sepolia 的资产',
  )
  assert.equal(inChinese('something new'), undefined)
})
