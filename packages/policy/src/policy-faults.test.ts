import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { POLICY_FAULTS, sayInChinese } from './policy-faults.ts'

/** A source without the words that it has in both languages itself. */
const sourceOf = (name: string) =>
  readFileSync(new URL(`./${name}.ts`, import.meta.url), 'utf8')
    .replaceAll(/^const WORDS = \{$.*?^\}$/gms, '')
    .replaceAll(/^  words: .*?^  (\},|\S.*)$/gms, '')

/** Every sentence by which a draft is refused in the policy package, with something in the place of names and numbers. */
function sentences(): string[] {
  const thrownIn = (source: string, ...wheres: string[]) =>
    [...source.matchAll(/new PolicyRefused\(\s*(['`])(.+?)\1[,)]/gs)]
      .map(([, , text]) => text!)
      // What a chain says of a function that cannot be read, and what is said of conditions and limits, has words of its own.
      .filter((text) => !text.includes('cause.message') && text !== '${where} ${fault}')
      .flatMap((text) => (text.startsWith('${where}') ? wheres.map((where) => text.replace('${where}', where)) : [text]))
  const answeredIn = (name: string) =>
    [...sourceOf(name).matchAll(/(?:return|\?|:|=>)\s+(['`])([a-z][^'`]{11,})\1/g)]
      .map(([, , text]) => text!)
      .filter((text) => !/^(the|group) |\$\{fault\}$/.test(text))
  const [change, rules] = [sourceOf('policy-change'), sourceOf('rules/check-rule')]
  const quorums = rules.indexOf('function checkMembers')
  const ofRules = ['assets', 'destinations', 'sources', 'times', 'parameters', 'comparison', 'comparisons', 'index'].map((name) => `conditions/${name}`)
  return [
    ...thrownIn(sourceOf('check-policy'), 'recovery of signer ${id}'),
    ...thrownIn(rules.slice(0, quorums), 'rule ${id}'),
    ...thrownIn(rules.slice(quorums), 'rule ${id}', 'governance'),
    ...thrownIn(change.slice(change.indexOf('export function checkNextPolicy'), change.indexOf('function decodePolicy'))),
    ...answeredIn('rules/check-rule').map((text) => `rule X7 ${text}`),
    ...['signers', 'people/groups', 'people/machines', 'people/deputies', 'parts'].flatMap(answeredIn),
    ...answeredIn('people/who').map((text) => `part X7 ${text}`),
    // A list of deputies that names nobody is none.
    ...answeredIn('people/who')
      .filter((text) => text !== 'names nobody')
      .map((text) => `list of deputies ${text}`),
    ...[...ofRules, 'rules/limits', 'rules/trade-bounds', 'people/who'].flatMap(answeredIn).map((text) => `rule X7 ${text}`),
  ].map((text) => text.replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})+\}/g, 'X7'))
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
